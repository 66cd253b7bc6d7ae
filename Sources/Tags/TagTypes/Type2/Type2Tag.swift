/// An NFC Forum Type 2 tag that has been identified and read.
///
/// This is a value: it describes the tag at the time of the reading, and communicates with the tag
/// only in the functions that take a channel.
///
/// The products of ``Type2Layout/all`` are known exactly. Any other tag with an NDEF capability
/// container is handled according to that container. It is named by its response to GET_VERSION if
/// that is a product's, such as "NTAG I2C 1K"; "like NTAG213" if it is a product's except for the
/// maker; otherwise "unknown Type 2".
public struct Type2Tag: Hashable, Sendable {
  /// The tag's description from its selection.
  public let target: TagTarget
  /// The product's memory map; for an unknown product that of its capability container.
  public let layout: Type2Layout
  /// The response to GET_VERSION; `nil` if the tag does not support the command, or was identified
  /// without it.
  public internal(set) var version: [UInt8]?
  /// The pages that have been read.
  package internal(set) var memory: TagMemory
  /// A Boolean value that indicates whether the product answers FAST_READ, as far as known.
  let mayFastRead: Bool
  /// The number of commands and selections used so far.
  package internal(set) var exchanges: Int
  var map: TLVMap
  /// A Boolean value that indicates whether the reader could not request the version, so that the
  /// product is known by its pages.
  var isToldByPages = false
  /// The first page that the reader does not address; `nil` if none is known.
  package internal(set) var firstUnreachedPage: Int?
  /// A Boolean value that indicates whether it was read over a channel that gives the password, so
  /// that AUTH0 closes no page.
  var isAuthenticated = false
  /// The name of an unknown product in the file of a dump.
  var savedName: String?

  /// The UID.
  public var uid: [UInt8] { target.uid }

  /// The product's name, for example `NTAG215`, `unknown Type 2`, or `like NTAG215` for a twin.
  public var name: String {
    if let savedName, !layout.isKnownProduct { return savedName }
    // Without a version only the pages identify it, and another maker's chip may have as many.
    let isTold = layout.version != nil || target.isOfNXP || !layout.isKnownProduct
    return isTold ? layout.name : Type2Layout.twinName(of: layout.name)
  }

  /// Page 3; `nil` if it was unreadable.
  public var capabilityContainer: CapabilityContainer? { memory[3].map(CapabilityContainer.init) }

  /// The content of the tag.
  public var content: TagContent { map.content }

  /// The length of the longest message that fits, in bytes; 492 for a new NTAG215. 0 if the tag is
  /// not formatted for NDEF and cannot be.
  public var capacity: Int { map.capacity }

  /// The length of the message on the tag, in bytes.
  public var used: Int {
    if case .message(let bytes) = content { return bytes.count }
    return 0
  }

  /// The last known page of the tag.
  var lastPage: Int { layout.pageCount - 1 }
}

extension Type2Layout {
  /// A Boolean value that indicates whether this is a product known exactly, not a tag read by its
  /// capability container.
  package var isKnownProduct: Bool { Type2Layout.all.contains(self) }

  /// The name of every Type 2 tag whose product is neither known nor like a known one.
  static let unknownName = "unknown Type 2"

  /// The name of a tag of another maker whose response to GET_VERSION is a product's except for the
  /// maker, or that has no version and as many pages: it resembles the product, and no more is
  /// known.
  static func twinName(of product: String) -> String { "like \(product)" }

  /// The names of all twins.
  static let twinNames = all.map { twinName(of: $0.name) }

  /// A Type 2 tag of which only the capability container is known.
  static func unknown(_ container: CapabilityContainer?, version: [UInt8]?) -> Type2Layout {
    // READ and WRITE address a page with one byte, so they reach 256 pages.
    let pages = container.map { $0.isNDEF ? min($0.dataAreaByteCount / 4, 252) : 12 } ?? 12
    let twin = version.flatMap { answer in all.first { $0.resembles(answer) } }
    return Type2Layout(
      name: version.flatMap(Type2NamedProduct.named)?.name
        ?? twin.map { twinName(of: $0.name) } ?? unknownName, pageCount: 4 + pages,
      userPages: 4...3 + pages,
      capabilityContainer: container?.bytes ?? [0, 0, 0, 0], factoryData: [], version: version)
  }

  /// The data area of a tag with this map: that of the container, but never more than the product
  /// has, since a wrong container must not extend it over lock bytes and configuration.
  func dataArea(_ container: CapabilityContainer) -> DataArea {
    DataArea(
      byteCount: min(
        container.dataAreaByteCount, userPages.count * TagMemory.pageByteCount))
  }
}

/// A parsed response to GET_VERSION (NTAG213/215/216 data sheet, section 10.1).
public struct Type2Version: Hashable, Sendable {
  /// The eight bytes.
  public let bytes: [UInt8]

  /// Parses a response; `nil` if it does not have eight bytes.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == 8 else { return nil }
    self.bytes = bytes
  }

  /// The chip's maker, as registered in ISO/IEC 7816-6; 4 is NXP.
  public var vendor: UInt8 { bytes[1] }

  /// The maker's name, if it makes such chips; `nil` for any other.
  ///
  /// ISO/IEC JTC 1/SC 17, Standing Document 5, Register of IC manufacturers.
  public var vendorName: String? {
    switch vendor {
    case 0x02: "STMicroelectronics"
    case 0x04: "NXP"
    case 0x05: "Infineon"
    case 0x16: "EM Microelectronic-Marin"
    case 0x1D: "Shanghai Fudan Microelectronics"
    case 0x34: "Mikron"
    case 0x39: "Silicon Craft Technology"
    case 0x53: "Shanghai Feiju Microelectronics"
    case 0x5A: "Giantec Semiconductor"
    default: nil
    }
  }

  /// The range of the user memory that the chip reports, in bytes.
  public var storageByteCount: ClosedRange<Int> {
    // Bits 7 to 1 are the power of two; bit 0 means that it is more than that.
    let least = 1 << min(Int(bytes[6] >> 1), 32)
    return bytes[6] & 1 == 0 ? least...least : least...least * 2
  }
}

extension Type2Tag {
  /// The parsed response to GET_VERSION; `nil` if ``version`` is.
  public var productVersion: Type2Version? { version.flatMap(Type2Version.init) }

  /// The two static lock bytes, which lock pages 3 to 15; `nil` if they were unreadable.
  public var staticLockBytes: [UInt8]? { memory[2].map { Array($0[2...]) } }

  /// The three bytes with the dynamic lock bits, if the product has them and they have been read.
  public var dynamicLockBytes: [UInt8]? {
    layout.dynamicLockPage.flatMap { memory[$0] }.map { Array($0[..<3]) }
  }

  /// The pages with an unknown lock state: those that dynamic lock bits would lock on a tag of no
  /// known product, if its memory does not give the place of such bits (NFC Forum, Type 2 Tag 1.1,
  /// section 2.3.2). Complete after ``readingConfiguration(over:)``; `nil` if there are none.
  public var pagesWithUnknownLocks: ClosedRange<Int>? {
    let first = 16
    guard !layout.isKnownProduct, layout.userPages.upperBound >= first else { return nil }
    let pages = first...layout.userPages.upperBound
    guard let bits = map.lockBits else { return pages }
    guard let unknown = pages.first(where: { bits.bit(for: $0) == nil }) else {
      return bits.pages.allSatisfy { memory[$0] != nil } ? nil : pages
    }
    return bits.pages.allSatisfy { memory[$0] != nil } ? unknown...pages.upperBound : pages
  }

  /// The pages from the capability container to the last user page that can never be written again,
  /// according to the lock bits read.
  public var lockedPages: [Int] {
    (3...layout.userPages.upperBound).filter { protection(of: $0) == .locked }
  }
}

extension Type2Tag {
  /// Reads the NFC counter, which the tag increments at the first read after each power-up
  /// (READ_CNT; NTAG213/215/216 data sheet, sections 8.8 and 10.6).
  ///
  /// - Returns: 0 to 16,777,215; `nil` if the product has no counter, does not count, or requires a
  ///   password first.
  /// - Throws: ``TagError``: `tag-lost`, `tag-changed`, `reader-failed`, `cancelled`.
  public func readCounter(over channel: some TagChannel) async throws(TagError) -> Int? {
    guard layout.hasCounter, configuration?.counterIsEnabled != false else { return nil }
    var commands = Type2Commands(channel)
    do throws(TagChannelError) {
      guard let bytes = try await commands.counter() else { return nil }
      return Int(bytes[0]) | Int(bytes[1]) << 8 | Int(bytes[2]) << 16
    } catch {
      throw TagError(error, uid: uid)
    }
  }

  /// Reads the originality signature that NXP stored when the tag was made (READ_SIG;
  /// NTAG213/215/216 data sheet, sections 8.9 and 10.8; MF0ULx1, section 10.8).
  ///
  /// - Returns: 32 bytes, or 48 of MIFARE Ultralight AES and NTAG 22x DNA, r before s; `nil` if the
  ///   product has none.
  /// - Throws: ``TagError``: `tag-lost`, `tag-changed`, `reader-failed`, `cancelled`.
  public func readSignature(over channel: some TagChannel) async throws(TagError) -> [UInt8]? {
    guard let answer = layout.version else { return nil }
    let named = Type2NamedProduct.named(answer)
    guard let count = named.map(\.signatureByteCount) ?? 32 else { return nil }
    var commands = Type2Commands(channel)
    do throws(TagChannelError) {
      return try await commands.signature(of: count)
    } catch {
      throw TagError(error, uid: uid)
    }
  }
}
