/// The memory map of one Type 2 tag product, in pages of four bytes, and what the product can do.
///
/// The products stand below, each with its data sheet.
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
  ///   three bits that follow it, as on MIFARE Ultralight C and NTAG203.
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
  func matches(_ answer: [UInt8]) -> Bool { isAnswer(answer, ignoring: [3, 5]) }

  /// Whether an answer to GET_VERSION is this product's but for the maker: a twin.
  func resembles(_ answer: [UInt8]) -> Bool { isAnswer(answer, ignoring: [1, 3, 5]) }

  private func isAnswer(_ answer: [UInt8], ignoring ignored: Set<Int>) -> Bool {
    guard let version, answer.count == version.count else { return false }
    let isCapacitanceKnown = answer[3] == 0x01 || answer[3] == 0x02
    return isCapacitanceKnown
      && version.indices.allSatisfy { ignored.contains($0) || answer[$0] == version[$0] }
  }

  /// The product that gives an answer to GET_VERSION; `nil` for an answer that no product of ``all``
  /// gives, that of a twin too.
  static func named(_ answer: [UInt8]) -> Type2Layout? { all.first { $0.matches(answer) } }
}

extension Type2Layout {
  /// NTAG203: 144 user bytes (NXP data sheet NTAG203, rev. 3.0, sections 8.5 and 8.8).
  ///
  /// It knows neither GET_VERSION nor FAST_READ and has neither password nor signature, so that it is told by
  /// its pages alone, and nothing proves it. Its dynamic lock bits stand in groups as on MIFARE Ultralight C;
  /// page 29h is a counter of 16 bits.
  public static let ntag203 = Type2Layout(
    name: "NTAG203", pageCount: 42, userPages: 0x04...0x27,
    capabilityContainer: [0xE1, 0x10, 0x12, 0x00],
    factoryData: [0x01, 0x03, 0xA0, 0x10, 0x44, 0x03, 0x00, 0xFE],
    dynamicLockPage: 0x28, pagesPerLockBit: 4, blocksLocksInPlace: true)

  /// NTAG210: 48 user bytes (NXP data sheet NTAG210/212, rev. 3.0, sections 8.5 and 10.1).
  public static let ntag210 = Type2Layout(
    name: "NTAG210", pageCount: 20, userPages: 0x04...0x0F,
    capabilityContainer: [0xE1, 0x10, 0x06, 0x00],
    factoryData: [0x03, 0x00, 0xFE, 0x00, 0x00, 0x00, 0x00, 0x00],
    configurationPage: 0x10, version: [0x00, 0x04, 0x04, 0x01, 0x01, 0x00, 0x0B, 0x03],
    mirroring: .uid)

  /// NTAG212: 128 user bytes (NXP data sheet NTAG210/212, rev. 3.0, sections 8.5 and 10.1).
  public static let ntag212 = Type2Layout(
    name: "NTAG212", pageCount: 41, userPages: 0x04...0x23,
    capabilityContainer: [0xE1, 0x10, 0x10, 0x00],
    factoryData: [0x01, 0x03, 0x90, 0x0A, 0x34, 0x03, 0x00, 0xFE],
    dynamicLockPage: 0x24, configurationPage: 0x25,
    version: [0x00, 0x04, 0x04, 0x01, 0x01, 0x00, 0x0E, 0x03], mirroring: .uid)

  /// NTAG213: 144 user bytes (NXP data sheet NTAG213/215/216, rev. 3.2, sections 8.5 and 10.1).
  public static let ntag213 = Type2Layout(
    name: "NTAG213", pageCount: 45, userPages: 0x04...0x27,
    capabilityContainer: [0xE1, 0x10, 0x12, 0x00],
    factoryData: [0x01, 0x03, 0xA0, 0x0C, 0x34, 0x03, 0x00, 0xFE],
    dynamicLockPage: 0x28, configurationPage: 0x29,
    version: [0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x0F, 0x03], mirroring: .uidAndCounter)

  /// NTAG215: 504 user bytes (NXP data sheet NTAG213/215/216, rev. 3.2, sections 8.5 and 10.1).
  public static let ntag215 = Type2Layout(
    name: "NTAG215", pageCount: 135, userPages: 0x04...0x81,
    capabilityContainer: [0xE1, 0x10, 0x3E, 0x00],
    factoryData: [0x03, 0x00, 0xFE, 0x00, 0x00, 0x00, 0x00, 0x00],
    dynamicLockPage: 0x82, pagesPerLockBit: 16, configurationPage: 0x83,
    version: [0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x11, 0x03], mirroring: .uidAndCounter)

  /// NTAG216: 888 user bytes (NXP data sheet NTAG213/215/216, rev. 3.2, sections 8.5 and 10.1).
  public static let ntag216 = Type2Layout(
    name: "NTAG216", pageCount: 231, userPages: 0x04...0xE1,
    capabilityContainer: [0xE1, 0x10, 0x6D, 0x00],
    factoryData: [0x03, 0x00, 0xFE, 0x00, 0x00, 0x00, 0x00, 0x00],
    dynamicLockPage: 0xE2, pagesPerLockBit: 16, configurationPage: 0xE3,
    version: [0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x13, 0x03], mirroring: .uidAndCounter)

  /// MIFARE Ultralight (MF0ICU1): 48 user bytes; blank from the factory.
  public static let ultralight = Type2Layout(
    name: "MIFARE Ultralight", pageCount: 16, userPages: 0x04...0x0F,
    capabilityContainer: [0xE1, 0x10, 0x06, 0x00],
    factoryData: [0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00])

  /// MIFARE Ultralight EV1, the small one (MF0UL11): 48 user bytes; blank from the factory (NXP
  /// data sheet MF0ULx1, rev. 3.3, sections 8.5 and 10.1).
  public static let ultralightEV1Small = Type2Layout(
    name: "MIFARE Ultralight EV1 MF0UL11", pageCount: 20, userPages: 0x04...0x0F,
    capabilityContainer: [0xE1, 0x10, 0x06, 0x00],
    factoryData: [0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00],
    configurationPage: 0x10, version: [0x00, 0x04, 0x03, 0x01, 0x01, 0x00, 0x0B, 0x03])

  /// MIFARE Ultralight EV1, the large one (MF0UL21): 128 user bytes; blank from the factory (NXP
  /// data sheet MF0ULx1, rev. 3.3, sections 8.5 and 10.1).
  public static let ultralightEV1Large = Type2Layout(
    name: "MIFARE Ultralight EV1 MF0UL21", pageCount: 41, userPages: 0x04...0x23,
    capabilityContainer: [0xE1, 0x10, 0x10, 0x00],
    factoryData: [0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00],
    dynamicLockPage: 0x24, configurationPage: 0x25,
    version: [0x00, 0x04, 0x03, 0x01, 0x01, 0x00, 0x0E, 0x03])

  /// MIFARE Ultralight C (MF0ICU2): 144 user bytes; blank from the factory, its user memory not
  /// defined. The last four pages are the key and never read (NXP data sheet MF0ICU2, rev. 3.3,
  /// section 7.5).
  public static let ultralightC = Type2Layout(
    name: "MIFARE Ultralight C", pageCount: 48, userPages: 0x04...0x27,
    capabilityContainer: [0xE1, 0x10, 0x12, 0x00],
    factoryData: [0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00],
    dynamicLockPage: 0x28, pagesPerLockBit: 4, blocksLocksInPlace: true, tripleDESPage: 0x2A)

  /// Every product this version knows exactly.
  public static let all = [
    ntag203, ntag210, ntag212, ntag213, ntag215, ntag216, ultralight, ultralightEV1Small,
    ultralightEV1Large, ultralightC,
  ]
}
