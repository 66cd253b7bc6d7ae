/// An NFC Forum Type 2 tag that has been identified and read.
///
/// It is a value: it tells what was on the tag when it was read, and talks to the tag only in the
/// functions that take a channel.
///
/// Known exactly are the products of ``Type2Layout/all``. Any other tag with a capability container
/// of NDEF is handled by what that says, and called "unknown Type 2", or "like NTAG213" when it answers
/// GET_VERSION as that product does but for the maker.
public struct Type2Tag: Hashable, Sendable {
  /// The tag as it answered when it was selected.
  public let target: TagTarget
  /// The product's memory map; for an unknown product what its capability container says.
  public let layout: Type2Layout
  /// The answer to GET_VERSION; `nil` when the tag does not know the command, or was not asked
  /// because it could be told without.
  public internal(set) var version: [UInt8]?
  /// The pages that have been read.
  package internal(set) var memory: TagMemory
  /// Whether the product answers FAST_READ, as far as is known.
  let mayFastRead: Bool
  /// Commands and selections it took to get here.
  package internal(set) var exchanges: Int
  var map: TLVMap
  /// Whether the reader could not ask for the version, so that the product is known by its pages.
  var isToldByPages = false
  /// Whether it was read over a channel that gives the password, so that AUTH0 closes no page.
  var isAuthenticated = false
  /// What the file of a dump calls a product that is not known here.
  var savedName: String?

  /// The UID.
  public var uid: [UInt8] { target.uid }

  /// The product's name, for example `NTAG215`, `unknown Type 2`, or `like NTAG215` for a twin.
  public var name: String {
    if let savedName, !layout.isKnownProduct { return savedName }
    // Without a version the pages alone tell, and another maker's chip can have as many.
    let isTold = layout.version != nil || target.isOfNXP || !layout.isKnownProduct
    return isTold ? layout.name : Type2Layout.twinName(of: layout.name)
  }

  /// Page 3; `nil` when it could not be read.
  public var capabilityContainer: CapabilityContainer? { memory[3].map(CapabilityContainer.init) }

  /// What the tag holds.
  public var content: TagContent { map.content }

  /// Bytes of the longest message that fits; 492 for a new NTAG215. 0 when the tag is not
  /// formatted for NDEF and cannot be.
  public var capacity: Int { map.capacity }

  /// Bytes of the message the tag holds.
  public var used: Int {
    if case .message(let bytes) = content { return bytes.count }
    return 0
  }

  /// The last page of the tag that is known.
  var lastPage: Int { layout.pageCount - 1 }
}

extension Type2Layout {
  /// Whether this is a product known exactly, not a tag read by its capability container.
  package var isKnownProduct: Bool { Type2Layout.all.contains(self) }

  /// The name of every Type 2 tag whose product is not known, nor like one that is.
  static let unknownName = "unknown Type 2"

  /// The name of a tag of another maker that answers GET_VERSION as a product does but for the maker, or that
  /// has no version, and as many pages: it is like the product, and no more is known.
  static func twinName(of product: String) -> String { "like \(product)" }

  /// The names of all twins.
  static let twinNames = all.map { twinName(of: $0.name) }

  /// A Type 2 tag of which only the capability container is known.
  static func unknown(_ container: CapabilityContainer?, version: [UInt8]?) -> Type2Layout {
    // READ and WRITE name a page with one byte, so 256 pages are as far as they reach.
    let pages = container.map { $0.isNDEF ? min($0.dataAreaByteCount / 4, 252) : 12 } ?? 12
    let twin = version.flatMap { answer in all.first { $0.resembles(answer) } }
    return Type2Layout(
      name: twin.map { twinName(of: $0.name) } ?? unknownName, pageCount: 4 + pages,
      userPages: 4...3 + pages,
      capabilityContainer: container?.bytes ?? [0, 0, 0, 0], factoryData: [], version: version)
  }

  /// The data area of a tag with this map: what the container says, but never more than the
  /// product has, for a wrong container must not lead into lock bytes and configuration.
  func dataArea(_ container: CapabilityContainer) -> DataArea {
    DataArea(
      byteCount: min(
        container.dataAreaByteCount, userPages.count * TagMemory.pageByteCount))
  }
}

/// An answer to GET_VERSION, read (NTAG213/215/216 data sheet, section 10.1).
public struct Type2Version: Hashable, Sendable {
  /// The eight bytes.
  public let bytes: [UInt8]

  /// Reads an answer; `nil` when it has not eight bytes.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == 8 else { return nil }
    self.bytes = bytes
  }

  /// Who made the chip, as ISO/IEC 7816-6 registers it; 4 is NXP.
  public var vendor: UInt8 { bytes[1] }

  /// The maker's name, of those that make such chips; `nil` for any other.
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

  /// How many bytes of user memory the chip says it has, at least and at most.
  public var storageByteCount: ClosedRange<Int> {
    // Bits 7 to 1 are the power of two; bit 0 says that it is more than that.
    let least = 1 << min(Int(bytes[6] >> 1), 32)
    return bytes[6] & 1 == 0 ? least...least : least...least * 2
  }
}

extension Type2Tag {
  /// The answer to GET_VERSION, read; `nil` when ``version`` is.
  public var productVersion: Type2Version? { version.flatMap(Type2Version.init) }

  /// The two static lock bytes, which lock pages 3 to 15; `nil` when they could not be read.
  public var staticLockBytes: [UInt8]? { memory[2].map { Array($0[2...]) } }

  /// The three bytes with the dynamic lock bits, of a product that has them and where they have
  /// been read.
  public var dynamicLockBytes: [UInt8]? {
    layout.dynamicLockPage.flatMap { memory[$0] }.map { Array($0[..<3]) }
  }

  /// The pages of which nobody can tell whether they are locked: those that dynamic lock bits would lock
  /// on a tag of no known product, where its memory does not say where such bits lie (NFC Forum, Type 2
  /// Tag 1.1, section 2.3.2). Complete after ``readingConfiguration(over:)``; `nil` when there are none.
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

  /// The pages from the capability container to the last user page that can never be written
  /// again, by the lock bits that have been read.
  public var lockedPages: [Int] {
    (3...layout.userPages.upperBound).filter { protection(of: $0) == .locked }
  }
}

extension Type2Tag {
  /// Reads the NFC counter, which the tag raises at the first read after each power-up (READ_CNT;
  /// NTAG213/215/216 data sheet, sections 8.8 and 10.6).
  ///
  /// - Returns: 0 to 16,777,215; `nil` when the product has no counter, does not count, or wants a
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
  /// - Returns: 32 bytes, r before s; `nil` when the product has none.
  /// - Throws: ``TagError``: `tag-lost`, `tag-changed`, `reader-failed`, `cancelled`.
  public func readSignature(over channel: some TagChannel) async throws(TagError) -> [UInt8]? {
    guard layout.version != nil else { return nil }
    var commands = Type2Commands(channel)
    do throws(TagChannelError) {
      return try await commands.signature()
    } catch {
      throw TagError(error, uid: uid)
    }
  }
}
