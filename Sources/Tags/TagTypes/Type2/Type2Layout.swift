/// The memory map of one Type 2 tag product, in pages of four bytes, and the product's features.
///
/// The products are listed below, each with its data sheet.
public struct Type2Layout: Hashable, Sendable {
  /// The mirror of a product over its memory (NTAG21x data sheets, section 8.7).
  package enum Mirroring: Hashable, Sendable {
    /// The product has no mirror.
    case none
    /// The product mirrors its UID (NTAG210 and NTAG212).
    case uid
    /// The product mirrors its UID, its NFC counter, or both (NTAG213, NTAG215 and NTAG216).
    case uidAndCounter
  }

  /// The product's name as in data sheets, for example `NTAG215`.
  public let name: String
  /// The number of pages, including configuration.
  public let pageCount: Int
  /// The pages for user data.
  public let userPages: ClosedRange<Int>
  /// The capability container of a tag formatted for NDEF.
  package let capabilityContainer: [UInt8]
  /// The factory content of pages 4 and 5.
  package let factoryData: [UInt8]
  /// The page of the dynamic lock bytes.
  package let dynamicLockPage: Int?
  /// The pages locked by each dynamic lock bit; `nil` without ``dynamicLockPage``.
  let dynamicLockBits: DynamicLockBits?
  /// The page of CFG0, which CFG1, PWD and PACK follow.
  package let configurationPage: Int?
  /// The page of AUTH0 of a product that is protected by 3DES instead of a password (MIFARE
  /// Ultralight C); AUTH1 and the key, which is never readable, follow it.
  package let tripleDESPage: Int?
  /// The response to GET_VERSION; `nil` if the product does not support the command. Products that
  /// support it also support FAST_READ and READ_SIG.
  package let version: [UInt8]?
  /// The mirror of the product over its memory.
  package let mirroring: Mirroring

  /// Makes a map.
  ///
  /// - Parameter pagesPerLockBit: The number of pages from 10h on that one dynamic lock bit locks.
  /// - Parameter blocksLocksInPlace: `true` if every fourth dynamic lock bit locks only the three
  ///   bits after it, as on MIFARE Ultralight C and NTAG203.
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

  /// A Boolean value that indicates whether the product is formatted for NDEF at the factory.
  package var isFormattedAtFactory: Bool { factoryData.contains { $0 != 0 } }

  /// A Boolean value that indicates whether the product can count its readings (NTAG213, NTAG215,
  /// NTAG216).
  package var hasCounter: Bool { mirroring == .uidAndCounter }

  /// Returns `true` if a response to GET_VERSION is this product's.
  ///
  /// The input capacitance (byte 3: 17 or 50 pF) and the minor version (byte 5) do not matter: the
  /// memory is the same.
  func matches(_ answer: [UInt8]) -> Bool { isAnswer(answer, ignoring: [3, 5]) }

  /// Returns `true` if a response to GET_VERSION is this product's except for the maker: a twin.
  func resembles(_ answer: [UInt8]) -> Bool { isAnswer(answer, ignoring: [1, 3, 5]) }

  private func isAnswer(_ answer: [UInt8], ignoring ignored: Set<Int>) -> Bool {
    guard let version, answer.count == version.count else { return false }
    let isCapacitanceKnown = answer[3] == 0x01 || answer[3] == 0x02
    return isCapacitanceKnown
      && version.indices.allSatisfy { ignored.contains($0) || answer[$0] == version[$0] }
  }

  /// The product with a response to GET_VERSION; `nil` for a response of no product of ``all``,
  /// also for that of a twin.
  static func named(_ answer: [UInt8]) -> Type2Layout? { all.first { $0.matches(answer) } }
}

extension Type2Layout {
  /// NTAG203: 144 user bytes (NXP data sheet NTAG203, rev. 3.0, sections 8.5 and 8.8).
  ///
  /// It supports neither GET_VERSION nor FAST_READ and has neither password nor signature, so that
  /// it is identified by its pages alone, without proof. Its dynamic lock bits are grouped as on
  /// MIFARE Ultralight C; page 29h is a counter of 16 bits.
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
  /// defined. The last four pages are the key and never readable (NXP data sheet MF0ICU2, rev. 3.3,
  /// section 7.5).
  public static let ultralightC = Type2Layout(
    name: "MIFARE Ultralight C", pageCount: 48, userPages: 0x04...0x27,
    capabilityContainer: [0xE1, 0x10, 0x12, 0x00],
    factoryData: [0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00],
    dynamicLockPage: 0x28, pagesPerLockBit: 4, blocksLocksInPlace: true, tripleDESPage: 0x2A)

  /// All products that this version knows exactly.
  public static let all = [
    ntag203, ntag210, ntag212, ntag213, ntag215, ntag216, ultralight, ultralightEV1Small,
    ultralightEV1Large, ultralightC,
  ]
}
