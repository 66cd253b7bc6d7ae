/// The memory map of one Type 2 tag product, in pages of four bytes, and what the product can do.
///
/// The products are in `Type2Layout+Products.swift`, each with its data sheet.
public struct Type2Layout: Hashable, Sendable {
  /// What a product can show over its memory (NTAG21x data sheets, section 8.7).
  package enum Mirroring: Hashable, Sendable {
    /// Nothing.
    case none
    /// Its UID (NTAG210 and NTAG212).
    case uid
    /// Its UID, its NFC counter, or both (NTAG213, NTAG215 and NTAG216).
    case uidAndCounter
  }

  /// The product's name as data sheets print it, for example `NTAG215`.
  public let name: String
  /// All pages, including configuration.
  public let pageCount: Int
  /// The pages users may fill.
  public let userPages: ClosedRange<Int>
  /// Capability container of a tag formatted for NDEF.
  package let capabilityContainer: [UInt8]
  /// What pages 4 and 5 hold when the tag leaves the factory.
  package let factoryData: [UInt8]
  /// Page of the dynamic lock bytes.
  package let dynamicLockPage: Int?
  /// Which dynamic lock bit locks which pages; `nil` without ``dynamicLockPage``.
  let dynamicLockBits: DynamicLockBits?
  /// Page of CFG0; CFG1, PWD and PACK follow it.
  package let configurationPage: Int?
  /// Page of AUTH0 of a product that is guarded by 3DES instead of a password (MIFARE Ultralight
  /// C); AUTH1 and the key, which never reads, follow it.
  package let tripleDESPage: Int?
  /// Answer to GET_VERSION; `nil` when the product does not know the command. Products that know
  /// it know FAST_READ and READ_SIG, too.
  package let version: [UInt8]?
  /// What the product can show over its memory.
  package let mirroring: Mirroring

  /// Makes a map.
  ///
  /// - Parameter pagesPerLockBit: Pages from 10h on that one dynamic lock bit locks.
  /// - Parameter blocksLocksInPlace: Whether every fourth dynamic lock bit locks no page but the
  ///   three bits that follow it, as on MIFARE Ultralight C.
  package init(
    name: String, pageCount: Int, userPages: ClosedRange<Int>, capabilityContainer: [UInt8],
    factoryData: [UInt8], dynamicLockPage: Int? = nil, pagesPerLockBit: Int = 2,
    blocksLocksInPlace: Bool = false, configurationPage: Int? = nil, tripleDESPage: Int? = nil,
    version: [UInt8]? = nil, mirroring: Mirroring = .none
  ) {
    self.name = name
    self.pageCount = pageCount
    self.userPages = userPages
    self.capabilityContainer = capabilityContainer
    self.factoryData = factoryData
    self.dynamicLockPage = dynamicLockPage
    let lockable = userPages.upperBound + 1 - 0x10
    dynamicLockBits = dynamicLockPage.map {
      DynamicLockBits(
        page: $0, count: (lockable + pagesPerLockBit - 1) / pagesPerLockBit,
        pagesPerBit: pagesPerLockBit, blocksLocksInPlace: blocksLocksInPlace)
    }
    self.configurationPage = configurationPage
    self.tripleDESPage = tripleDESPage
    self.version = version
    self.mirroring = mirroring
  }

  /// Whether the product leaves the factory formatted for NDEF.
  package var isFormattedAtFactory: Bool { factoryData.contains { $0 != 0 } }

  /// Whether the product counts how often it is read when told to (NTAG213, NTAG215, NTAG216).
  package var hasCounter: Bool { mirroring == .uidAndCounter }

  /// Whether an answer to GET_VERSION is this product's.
  ///
  /// The input capacitance (byte 3: 17 or 50 pF) and the minor version (byte 5) do not matter:
  /// the memory is the same.
  func matches(_ answer: [UInt8]) -> Bool {
    guard let version, answer.count == version.count else { return false }
    let isCapacitanceKnown = answer[3] == 0x01 || answer[3] == 0x02
    return isCapacitanceKnown
      && version.indices.allSatisfy { [3, 5].contains($0) || answer[$0] == version[$0] }
  }
}
