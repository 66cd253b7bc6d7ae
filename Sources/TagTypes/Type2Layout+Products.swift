extension Type2Layout {
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
    ntag210, ntag212, ntag213, ntag215, ntag216, ultralight, ultralightEV1Small,
    ultralightEV1Large, ultralightC,
  ]
}
