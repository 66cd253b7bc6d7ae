/// The memory map of one Type 2 tag product, in pages of four bytes.
///
/// Source: NXP data sheets NTAG213/215/216 (rev. 3.2, sections 8.5 and 10.1) and MF0ICU1
/// (MIFARE Ultralight).
public struct Type2Layout: Hashable, Sendable {
  /// The product's name as data sheets print it, for example `NTAG215`.
  public let name: String
  /// All pages, including configuration.
  public let pageCount: Int
  /// The pages users may fill.
  public let userPages: ClosedRange<Int>
  /// Capability container of a tag formatted for NDEF.
  public let capabilityContainer: [UInt8]
  /// What pages 4 and 5 hold when the tag leaves the factory.
  public let factoryData: [UInt8]
  /// Page of the dynamic lock bytes.
  public let dynamicLockPage: Int?
  /// Page of CFG0; CFG1, PWD and PACK follow it.
  public let configurationPage: Int?
  /// Answer to GET_VERSION; `nil` when the product does not know the command.
  public let version: [UInt8]?

  /// NTAG213: 144 user bytes.
  public static let ntag213 = Type2Layout(
    name: "NTAG213", pageCount: 45, userPages: 0x04...0x27,
    capabilityContainer: [0xE1, 0x10, 0x12, 0x00],
    factoryData: [0x01, 0x03, 0xA0, 0x0C, 0x34, 0x03, 0x00, 0xFE],
    dynamicLockPage: 0x28, configurationPage: 0x29,
    version: [0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x0F, 0x03])

  /// NTAG215: 504 user bytes.
  public static let ntag215 = Type2Layout(
    name: "NTAG215", pageCount: 135, userPages: 0x04...0x81,
    capabilityContainer: [0xE1, 0x10, 0x3E, 0x00],
    factoryData: [0x03, 0x00, 0xFE, 0x00, 0x00, 0x00, 0x00, 0x00],
    dynamicLockPage: 0x82, configurationPage: 0x83,
    version: [0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x11, 0x03])

  /// NTAG216: 888 user bytes.
  public static let ntag216 = Type2Layout(
    name: "NTAG216", pageCount: 231, userPages: 0x04...0xE1,
    capabilityContainer: [0xE1, 0x10, 0x6D, 0x00],
    factoryData: [0x03, 0x00, 0xFE, 0x00, 0x00, 0x00, 0x00, 0x00],
    dynamicLockPage: 0xE2, configurationPage: 0xE3,
    version: [0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x13, 0x03])

  /// MIFARE Ultralight (MF0ICU1): 48 user bytes; blank from the factory.
  public static let ultralight = Type2Layout(
    name: "MIFARE Ultralight", pageCount: 16, userPages: 0x04...0x0F,
    capabilityContainer: [0xE1, 0x10, 0x06, 0x00],
    factoryData: [0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00],
    dynamicLockPage: nil, configurationPage: nil, version: nil)

  /// Every product this version knows exactly.
  public static let all = [ntag213, ntag215, ntag216, ultralight]
}
