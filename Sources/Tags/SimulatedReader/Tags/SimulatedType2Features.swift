package import TagTypes

/// The products that the toolkit knows by name only, with as much of their memory as public data
/// sheets, tools and recorded tags show.
extension Type2Layout {
  /// NTAG I2C 1K (NT3H1101, rev. 3.3): 888 user bytes; sector 3 has the session registers.
  package static let ntagI2C1K = ntagI2C("NTAG I2C 1K", revision: 1, size: 0x13)
  /// NTAG I2C 2K (NT3H1201, rev. 3.3): 1904 user bytes in sectors 0 and 1.
  package static let ntagI2C2K = Type2Layout(
    name: "NTAG I2C 2K", pageCount: 0x200, userPages: 0x04...0x1DF,
    capabilityContainer: [0xE1, 0x10, 0xEA, 0x00], factoryData: emptyMessage,
    dynamicLockPage: 0x1E0, pagesPerLockBit: 32,
    version: [0x00, 0x04, 0x04, 0x05, 0x02, 0x01, 0x15, 0x03])
  /// NTAG I2C plus 1K (NT3H2111): as NTAG I2C 1K, with a password.
  package static let ntagI2CPlus1K = ntagI2C(
    "NTAG I2C plus 1K", revision: 2, size: 0x13, configurationPage: 0xE3)
  /// NTAG I2C plus 2K (NT3H2211): as NTAG I2C plus 1K, with a second sector for data outside of the
  /// NDEF area.
  package static let ntagI2CPlus2K = ntagI2C(
    "NTAG I2C plus 2K", revision: 2, size: 0x15, configurationPage: 0xE3, pageCount: 0x200)
  /// MIFARE Ultralight AES (MF0AES20): 144 user bytes. Pages 30h to 37h are its two keys.
  package static let ultralightAES = Type2Layout(
    name: "MIFARE Ultralight AES", pageCount: 0x38, userPages: 0x04...0x27,
    capabilityContainer: [0xE1, 0x10, 0x12, 0x00], factoryData: [UInt8](repeating: 0, count: 8),
    dynamicLockPage: 0x28, configurationPage: 0x29,
    version: [0x00, 0x04, 0x03, 0x01, 0x04, 0x00, 0x0F, 0x03])
  /// NTAG 223 DNA (NT2H2331): 144 user bytes. Its configuration is memory without effect here.
  package static let ntag223 = Type2Layout(
    name: "NTAG 223 DNA", pageCount: 0x3C, userPages: 0x04...0x27,
    capabilityContainer: [0xE1, 0x10, 0x12, 0x00], factoryData: emptyMessage,
    dynamicLockPage: 0x28, version: [0x00, 0x04, 0x04, 0x02, 0x04, 0x00, 0x0F, 0x03])
  /// NTAG 224 DNA (NT2H2421): 208 user bytes. Its configuration is memory without effect here.
  package static let ntag224 = Type2Layout(
    name: "NTAG 224 DNA", pageCount: 0x4C, userPages: 0x04...0x37,
    capabilityContainer: [0xE1, 0x10, 0x1A, 0x00], factoryData: emptyMessage,
    version: [0x00, 0x04, 0x04, 0x02, 0x05, 0x00, 0x10, 0x03])

  private static let emptyMessage: [UInt8] = [0x03, 0x00, 0xFE, 0x00, 0x00, 0x00, 0x00, 0x00]

  private static func ntagI2C(
    _ name: String, revision: UInt8, size: UInt8, configurationPage: Int? = nil,
    pageCount: Int = 0x100
  ) -> Type2Layout {
    Type2Layout(
      name: name, pageCount: pageCount, userPages: 0x04...0xE1,
      capabilityContainer: [0xE1, 0x10, 0x6D, 0x00], factoryData: emptyMessage,
      dynamicLockPage: 0xE2, pagesPerLockBit: 16, configurationPage: configurationPage,
      version: [0x00, 0x04, 0x04, 0x05, 0x02, revision, size, 0x03])
  }
}

/// The features in which a Type 2 product differs from NTAG21x and MIFARE Ultralight.
struct SimulatedType2Features: Hashable, Sendable {
  /// The length of the response to READ_SIG in bytes; 0 for a product without signature.
  var signatureByteCount = 32
  /// A Boolean value that indicates whether the product compares a password (PWD_AUTH).
  var hasPassword = true
  /// The page of the first AES key (MIFARE Ultralight AES); the second follows.
  var keyPage: Int?
  /// The registers and sectors of an NTAG I2C; `nil` for any other product.
  var interface: Interface?

  /// The second interface of an NTAG I2C, as the radio sees it.
  struct Interface: Hashable, Sendable {
    /// The pages of sectors 0 and 1 that do not exist.
    let missingPages: [ClosedRange<Int>]
    /// The first page of the configuration registers.
    let registerPage: Int
    /// A Boolean value that indicates whether the session registers are in sector 0, too.
    let isPlus: Bool
    /// The sectors that SECTOR SELECT reaches.
    let sectors: Set<Int>

    /// NC_REG, LAST_NDEF_BLOCK, SRAM_MIRROR_BLOCK, WDT_LS, WDT_MS, I2C_CLOCK_STR, REG_LOCK.
    static let factoryRegisters: [UInt8] = [0x01, 0x00, 0xF8, 0x48, 0x08, 0x01, 0x00, 0x00]

    /// Returns `true` for a page of the session registers.
    func isSession(page: Int, sector: Int) -> Bool {
      sector == 3 && (0xF8...0xF9).contains(page)
        || isPlus && sector == 0 && (0xEC...0xED).contains(page)
    }
  }

  /// The features of a product; those of an NTAG21x for any that has no others.
  static func of(_ layout: Type2Layout) -> SimulatedType2Features {
    switch layout {
    case .ntagI2C1K:
      SimulatedType2Features(
        signatureByteCount: 0, hasPassword: false,
        interface: Interface(
          missingPages: [0xE3...0xE7, 0xEA...0xFF], registerPage: 0xE8, isPlus: false,
          sectors: [0, 3]))
    case .ntagI2C2K:
      SimulatedType2Features(
        signatureByteCount: 0, hasPassword: false,
        interface: Interface(
          missingPages: [0x1E1...0x1E7, 0x1EA...0x1FF], registerPage: 0x1E8, isPlus: false,
          sectors: [0, 1, 3]))
    case .ntagI2CPlus1K, .ntagI2CPlus2K:
      SimulatedType2Features(
        interface: Interface(
          missingPages: [0xEA...0xFF], registerPage: 0xE8, isPlus: true,
          sectors: layout.pageCount > 0x100 ? [0, 1, 3] : [0, 3]))
    case .ultralightAES:
      SimulatedType2Features(signatureByteCount: 48, hasPassword: false, keyPage: 0x30)
    case .ntag223, .ntag224: SimulatedType2Features(signatureByteCount: 48, hasPassword: false)
    default: SimulatedType2Features()
    }
  }
}

/// The sectors and registers of an NTAG I2C.
extension SimulatedTag {
  /// SECTOR SELECT, part 2: a sector that exists is acknowledged by silence, and the tag stays
  /// selected (NFC Forum Type 2 Tag, section 5.4; NT3H1101, section 10.6).
  mutating func selectSector(_ command: [UInt8]) -> TagAnswer {
    isSelectingSector = false
    guard command.count == 4, features.interface?.sectors.contains(Int(command[0])) == true else {
      fallBack()
      return .refused(0)
    }
    sector = Int(command[0])
    return .silence
  }

  /// The page in ``memory`` that a command addresses; the number of pages for none.
  func stored(_ page: UInt8) -> Int {
    guard let interface = features.interface else { return Int(page) }
    let place = sector * 0x100 + Int(page)
    let isMissing = sector > 1 || interface.missingPages.contains { $0.contains(place) }
    return isMissing ? layout.pageCount : place
  }

  /// READ of an NTAG I2C: a page that does not exist is refused; after the last one there are zeros.
  func readSector(from page: UInt8, of interface: SimulatedType2Features.Interface) -> TagAnswer {
    let visible = visibleMemory
    let pages = (0..<4).map { offset -> [UInt8]? in
      let number = Int(page) + offset
      guard number <= 0xFF else { return nil }
      if interface.isSession(page: number, sector: sector) {
        let registers = Array(visible[interface.registerPage * 4..<interface.registerPage * 4 + 6])
        // NS_REG: a field is present.
        return number & 1 == 0 ? Array(registers[0..<4]) : registers[4...] + [0x01, 0x00]
      }
      let place = stored(UInt8(number))
      return place < layout.pageCount && isOpen(page: place, reading: true)
        ? Array(visible[place * 4..<place * 4 + 4]) : nil
    }
    guard pages[0] != nil else { return .refused(0) }
    return .data(pages.flatMap { $0 ?? [0, 0, 0, 0] })
  }
}
