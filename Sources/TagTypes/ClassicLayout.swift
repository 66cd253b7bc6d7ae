/// The sectors of a MIFARE Classic, and which of its blocks hold data.
///
/// NXP MF1S50YYX and MF1S70YYX data sheets, section 8.6.
package struct ClassicLayout: Hashable, Sendable {
  /// The product's name.
  package let name: String
  /// Number of sectors: the first 32 have 4 blocks, the others 16.
  package let sectorCount: Int

  /// The layout of a tag with this SAK (NXP AN10833); `nil` when it is no MIFARE Classic.
  init?(sak: UInt8) {
    switch sak {
    case 0x08, 0x88, 0x28: self.init(name: "MIFARE Classic 1K", sectorCount: 16)
    case 0x09, 0x89: self.init(name: "MIFARE Classic Mini", sectorCount: 5)
    case 0x18, 0x98, 0x38, 0xB8: self.init(name: "MIFARE Classic 4K", sectorCount: 40)
    case 0x19: self.init(name: "MIFARE Classic 2K", sectorCount: 32)
    default: return nil
    }
  }

  private init(name: String, sectorCount: Int) {
    self.name = name
    self.sectorCount = sectorCount
  }

  /// Bytes in one block.
  static let blockByteCount = 16

  /// The first block of a sector.
  static func firstBlock(of sector: Int) -> Int {
    sector < 32 ? sector * 4 : 128 + (sector - 32) * 16
  }

  /// The block with the keys and access rights of a sector, its last one.
  static func trailer(of sector: Int) -> Int { firstBlock(of: sector + 1) - 1 }

  /// The blocks of a sector that hold data.
  static func dataBlocks(of sector: Int) -> Range<Int> {
    firstBlock(of: sector)..<trailer(of: sector)
  }
}

/// The MIFARE application directory: which sectors of a MIFARE Classic hold NDEF.
///
/// NXP AN10787 (MAD) and AN1305 (NDEF on MIFARE Classic).
struct ClassicDirectory: Hashable, Sendable {
  /// The sectors with the application identifier E103 of NDEF, in ascending order.
  let sectors: [Int]

  /// Reads the two blocks of sector 0, which name the use of sectors 1 to 15.
  ///
  /// - Returns: `nil` when the CRC in the first byte does not fit.
  init?(sector0 blocks: [UInt8]) {
    self.init(blocks, firstSector: 1)
  }

  /// Reads the three blocks of sector 16, which name the use of sectors 17 to 39.
  init?(sector16 blocks: [UInt8]) {
    self.init(blocks, firstSector: 17)
  }

  private init?(_ blocks: [UInt8], firstSector: Int) {
    guard blocks.count >= 2, Self.crc(blocks.dropFirst()) == blocks[0] else { return nil }
    sectors = stride(from: 2, to: blocks.count - 1, by: 2).filter {
      blocks[$0] == 0x03 && blocks[$0 + 1] == 0xE1
    }.map { firstSector + ($0 - 2) / 2 }
  }

  /// CRC-8 with polynomial 1D and preset C7 (AN10787, section 3.7).
  static func crc(_ bytes: some Sequence<UInt8>) -> UInt8 {
    var crc: UInt8 = 0xC7
    for byte in bytes {
      crc ^= byte
      for _ in 0..<8 { crc = crc & 0x80 == 0 ? crc << 1 : crc << 1 ^ 0x1D }
    }
    return crc
  }
}
