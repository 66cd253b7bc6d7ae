import CliptagBasics
public import TagTypes

/// A Type 2 tag in memory: the content of its pages and its answers, one radio frame at a time.
///
/// It behaves as specified in the data sheets of NTAG213/215/216 (rev. 3.2) and MF0ICU1, as a pure
/// value without time.
public struct SimulatedTag: Hashable, Sendable {
  /// The default UID. Its originality signature is genuine: it is a published test vector.
  public static let defaultUID: [UInt8] = [0x04, 0xE1, 0x0C, 0xDA, 0x99, 0x3C, 0x80]

  /// The memory map.
  public let layout: Type2Layout
  /// Every page, as stored: PWD and PACK in clear, no mirror. `layout.pageCount * 4` bytes.
  public internal(set) var memory: [UInt8]
  /// The NFC counter, 0 to 0xFFFFFF. It is not part of ``memory`` and starts at 0.
  public internal(set) var counter = 0
  /// A Boolean value that indicates whether AUTH0, ACCESS and the mirror follow a write at once
  /// (the default) or when the tag is next selected. Public documents leave this open: a writer
  /// must be safe under both. CFGLCK always waits until the tag has been without field.
  package var configurationActsAtOnce = true

  let features: SimulatedType2Features
  var state = TypeAState()
  var isAuthenticated = false
  /// The number of consecutive wrong passwords.
  package var wrongPasswords = 0
  var hasCountedThisPowerUp = false
  var compatibilityWritePage: Int?
  /// The three one-way counters of a MIFARE Ultralight EV1.
  var oneWayCounters = [0, 0, 0]
  /// The originality signature of a recorded tag; `nil` for a published one, or one that does not
  /// verify.
  package var signature: [UInt8]?
  /// The number of the key that AUTHENTICATE has named, so that the next frame must prove it.
  var challengedKey: UInt8?
  /// The encrypted random number of a recorded authentication; `nil` for a constant one.
  package var challenge: [UInt8]?
  /// The response to GET_VERSION of a recorded twin; `nil` for the product's.
  package var version: [UInt8]?
  /// The sector of an NTAG I2C, and whether the next frame names another.
  var sector = 0
  var isSelectingSector = false
  /// The pages that a generic tag reserves.
  var reservedPages = 0..<0
  /// A Boolean value that indicates whether the tag is of no known product.
  var isGeneric = false
  var latched = Latched()

  /// The state that the tag copied from its memory at an earlier moment.
  struct Latched: Hashable, Sendable {
    var configuration: TagConfiguration?
    var isConfigurationLocked = false
    var staticLocks: [UInt8] = [0, 0]
  }

  /// Makes a tag in its factory state (a MIFARE Ultralight is blank, without a capability
  /// container).
  ///
  /// - Parameters:
  ///   - layout: The product.
  ///   - uid: Seven bytes.
  /// - Throws: `.malformedUID`.
  public init(
    _ layout: Type2Layout, uid: [UInt8] = SimulatedTag.defaultUID
  ) throws(SimulatedReaderError) {
    guard uid.count == 7 else {
      throw SimulatedReaderError(
        .malformedUID, "A UID of \(uid.count) bytes was given for a \(layout.name).",
        hint: "Give seven bytes, for example 04E10CDA993C80.")
    }
    self.layout = layout
    features = .of(layout)
    memory = [UInt8](repeating: 0, count: layout.pageCount * 4)
    let first = 0x88 ^ uid[0] ^ uid[1] ^ uid[2]
    let second = uid[3] ^ uid[4] ^ uid[5] ^ uid[6]
    // An NTAG I2C has no check bytes; SAK and ATQA follow the UID (NT3H1101, section 8.3.3).
    memory.replaceSubrange(
      0..<10,
      with: features.interface == nil
        ? uid[0..<3] + [first] + uid[3...] + [second, 0x48] : uid + [0x00, 0x44, 0x00])
    memory.replaceSubrange(16..<24, with: layout.factoryData)
    if layout.isFormattedAtFactory {
      memory.replaceSubrange(12..<16, with: layout.capabilityContainer)
    }
    if let interface = features.interface {
      let place = interface.registerPage * 4
      memory.replaceSubrange(
        place..<place + 8, with: SimulatedType2Features.Interface.factoryRegisters)
    } else if let page = layout.dynamicLockPage, layout.version != nil {
      memory[page * 4 + 3] = 0xBD
    }
    if let configuration = layout.configurationPage {
      memory.replaceSubrange(
        configuration * 4..<configuration * 4 + 12,
        with: [
          layout.mirroring == .none ? 0x00 : 0x04, 0x00, 0x00, 0xFF, 0x00, 0x05, 0x00, 0x00, 0xFF,
          0xFF, 0xFF, 0xFF,
        ])
    }
    if let control = layout.tripleDESPage {
      // AUTH0 after the last page protects nothing; then the default key of the data sheet, as it is
      // stored (MF0ICU2, sections 7.5.5 and 7.5.7).
      memory[control * 4] = 0x30
      memory.replaceSubrange((control + 2) * 4..<(control + 6) * 4, with: "BREAKMEIFYOUCAN!".utf8)
    }
  }

  /// Makes a tag with the content of a dump, UID included.
  ///
  /// - Parameters:
  ///   - layout: The product.
  ///   - memory: Every page in order, `layout.pageCount * 4` bytes. In a dump that was read from a
  ///     tag, PWD and PACK are zero, and so they are in this one.
  /// - Throws: `.malformedMemory` if the size is wrong or a UID check byte does not match its UID.
  public init(_ layout: Type2Layout, memory: [UInt8]) throws(SimulatedReaderError) {
    let size = layout.pageCount * 4
    guard memory.count == size else {
      throw SimulatedReaderError(
        .malformedMemory,
        "A \(layout.name) has \(size) bytes of memory (\(layout.pageCount) pages), "
          + "but \(memory.count) were found.",
        hint: "Use a dump of the same product, or give another kind of tag.")
    }
    features = .of(layout)
    let checks = [
      (offset: 3, value: 0x88 ^ memory[0] ^ memory[1] ^ memory[2]),
      (offset: 8, value: memory[4] ^ memory[5] ^ memory[6] ^ memory[7]),
    ]
    for check in checks where features.interface == nil && memory[check.offset] != check.value {
      throw SimulatedReaderError(
        .malformedMemory,
        "Byte \(check.offset) checks the UID and must be 0x\([check.value].hexadecimal), "
          + "but 0x\([memory[check.offset]].hexadecimal) was found.",
        hint: "Use a complete dump that begins with page 0.")
    }
    self.layout = layout
    self.memory = memory
  }

  /// The seven bytes of the UID.
  public var uid: [UInt8] {
    Array(features.interface == nil ? memory[0..<3] + memory[4..<8] : memory[0..<7])
  }

  /// The four bytes stored in a page; empty if there is no such page.
  public func page(_ page: Int) -> [UInt8] {
    (0..<layout.pageCount).contains(page) ? Array(memory[page * 4..<page * 4 + 4]) : []
  }

  /// Puts bytes into memory directly, without lock, OTP or protection.
  ///
  /// It sets up a test. The UID does not change; bytes past the end are dropped.
  ///
  /// - Parameters:
  ///   - bytes: Any number of bytes.
  ///   - page: The first page, 2 or above.
  public mutating func place(_ bytes: [UInt8], atPage page: Int) {
    guard (2..<layout.pageCount).contains(page) else { return }
    for (offset, byte) in zip(page * 4..<memory.count, bytes) where offset >= 10 {
      memory[offset] = byte
    }
  }
}

extension SimulatedCard {
  /// Returns a Type 2 tag whose AUTH0, ACCESS and mirror act when it is next selected, and any other
  /// tag as it is.
  package func delayingConfiguration() -> any SimulatedCard {
    guard var tag = self as? SimulatedTag else { return self }
    tag.configurationActsAtOnce = false
    return tag
  }
}

/// The one-way counters of a MIFARE Ultralight EV1 (MF0ULx1, section 8.7): three increment-only
/// counters of 24 bits.
extension SimulatedTag {
  /// A Boolean value that indicates whether the product has them; its version contains type 03.
  var hasOneWayCounters: Bool { layout.version?[2] == 0x03 && features.keyPage == nil }

  /// READ_CNT: low byte first.
  func readOneWayCounter(_ number: Int) -> TagAnswer {
    guard oneWayCounters.indices.contains(number) else { return .refused(0) }
    return .data([0, 8, 16].map { UInt8(truncatingIfNeeded: oneWayCounters[number] >> $0) })
  }

  /// INCR_CNT: three bytes, low byte first; NAK 4 if the counter would overflow.
  mutating func increment(counter number: Int, by bytes: [UInt8]) -> TagAnswer {
    guard oneWayCounters.indices.contains(number) else { return .refused(0) }
    let sum = bytes.reversed().reduce(0) { $0 << 8 | Int($1) } + oneWayCounters[number]
    guard sum <= 0xFF_FFFF else { return .refused(4) }
    oneWayCounters[number] = sum
    return .acknowledged
  }
}

extension SimulatedTag {
  /// Makes a Type 2 tag of no known product: it reports no version, and its TLV blocks give the
  /// place of its lock bits and its reserved memory.
  ///
  /// The data area has 240 bytes. Before the empty NDEF message (page 4 on) are
  /// - Lock Control `01 03 80 18 35`: 24 bits at byte 256, each for eight bytes from byte 64 on;
  /// - Memory Control `02 03 60 10 04`: sixteen bytes at byte 96, in the middle of the data area,
  ///   which refuse every write;
  /// - two bytes of a proprietary block.
  ///
  /// - Parameters:
  ///   - uid: Seven bytes.
  ///   - blocks: The TLV blocks from page 4 on instead of these.
  /// - Throws: `.malformedUID`.
  package static func generic(
    uid: [UInt8] = SimulatedTag.defaultUID, blocks: [UInt8]? = nil
  ) throws(SimulatedReaderError) -> SimulatedTag {
    let lockPage = 64
    let layout = Type2Layout(
      name: "Type 2 tag", pageCount: lockPage + 1, userPages: 0x04...0x3F,
      capabilityContainer: [0xE1, 0x10, 0x1E, 0x00],
      factoryData: [0x01, 0x03, 0x80, 0x18, 0x35, 0x02, 0x03, 0x60], dynamicLockPage: lockPage)
    var tag = try SimulatedTag(layout, uid: uid)
    tag.isGeneric = true
    tag.reservedPages = 24..<28
    tag.place(
      blocks ?? [
        0x01, 0x03, 0x80, 0x18, 0x35, 0x02, 0x03, 0x60, 0x10, 0x04, 0xFD, 0x02, 0xCA, 0xFE, 0x03,
        0x00, 0xFE,
      ], atPage: 4)
    tag.place([UInt8](repeating: 0xA5, count: 16), atPage: 24)
    return tag
  }
}
