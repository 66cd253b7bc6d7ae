/// A MIFARE Classic in memory, as a reader's chip sees it: sectors behind keys.
///
/// The cipher between chip and tag (Crypto1) is left out. ``authenticate(_:)`` takes
/// the place of the three passes that prove a key, and frames are in clear. Keys, access
/// conditions and memory are those of the data sheets MF1S50yyX/V1 (rev. 3.2, sections 8.6 and
/// 8.7) and MF1S70yyX/V1.
package struct SimulatedClassicTag: Hashable, Sendable {
  /// How much the tag holds.
  package enum Size: Hashable, Sendable {
    /// 16 sectors of four blocks.
    case oneKilobyte
    /// 32 sectors of four blocks and eight of sixteen.
    case fourKilobytes

    var blockCount: Int { self == .oneKilobyte ? 64 : 256 }
    var sectorCount: Int { self == .oneKilobyte ? 16 : 40 }
    var name: String { self == .oneKilobyte ? "MIFARE Classic 1K" : "MIFARE Classic 4K" }
  }

  /// What the tag holds at first.
  package enum Format: Hashable, Sendable {
    /// As from the factory: zeros, and the transport key FFFFFFFFFFFF for everything.
    case transport
    /// Formatted for NDEF with NXP's public keys, the message empty (AN1304 and AN10787).
    case ndef
  }

  /// The UID of a tag for which none is given.
  package static let defaultUID: [UInt8] = [0x9C, 0x3A, 0xDA, 0x0E]
  /// Bytes in a block.
  package static let blockByteCount = 16

  /// How much it holds.
  package let size: Size
  /// Every block in order, keys in clear.
  package internal(set) var memory: [UInt8]

  var state = TypeAState()
  var session: Session?
  var announcedBlock: Int?

  /// The sector that a key has opened, and which key it was.
  struct Session: Hashable, Sendable {
    let sector: Int
    let isKeyB: Bool
  }

  /// A tag as it leaves the factory, or formatted.
  ///
  /// - Parameters:
  ///   - size: How large its memory is.
  ///   - format: What is on it.
  ///   - uid: Four bytes.
  /// - Throws: `.malformedUID`.
  package init(
    _ size: Size, format: Format = .ndef, uid: [UInt8] = SimulatedClassicTag.defaultUID
  ) throws(SimulatedReaderError) {
    guard uid.count == 4 else {
      throw SimulatedReaderError(
        .malformedUID, "A UID of \(uid.count) bytes was given for a \(size.name).",
        hint: "Give four bytes, for example 9C3ADA0E.")
    }
    self.size = size
    memory = [UInt8](repeating: 0, count: size.blockCount * Self.blockByteCount)
    let description: [UInt8] = size == .oneKilobyte ? [0x08, 0x04, 0x00] : [0x18, 0x02, 0x00]
    let maker: [UInt8] = [0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69]
    store(uid + [uid.reduce(0, ^)] + description + maker, in: 0)
    for sector in 0..<size.sectorCount {
      switch format {
      case .transport: storeTrailer(of: sector, key: 0xFFFF_FFFF_FFFF, access: 0xFF07_8069)
      case .ndef: formatSector(sector)
      }
    }
  }

  /// The sector of a block.
  static func sector(ofBlock block: Int) -> Int {
    block < 128 ? block / 4 : 32 + (block - 128) / 16
  }

  /// The blocks of a sector; the last is its trailer.
  static func blocks(ofSector sector: Int) -> Range<Int> {
    let first = sector < 32 ? sector * 4 : 128 + (sector - 32) * 16
    return first..<first + (sector < 32 ? 4 : 16)
  }

  /// The sixteen bytes stored in a block; empty when there is no such block.
  package func block(_ block: Int) -> [UInt8] {
    guard (0..<size.blockCount).contains(block) else { return [] }
    return Array(memory[block * Self.blockByteCount..<(block + 1) * Self.blockByteCount])
  }

  /// Puts bytes into a block as if they had always been there; the first block stays.
  package mutating func place(_ bytes: [UInt8], inBlock block: Int) {
    guard (1..<size.blockCount).contains(block) else { return }
    store(Array((bytes + self.block(block).dropFirst(bytes.count)).prefix(16)), in: block)
  }

  mutating func store(_ bytes: [UInt8], in block: Int) {
    let start = block * Self.blockByteCount
    memory.replaceSubrange(start..<start + bytes.count, with: bytes)
  }

  /// Writes a trailer: key A, access conditions with the general purpose byte, key B FFFFFFFFFFFF.
  private mutating func storeTrailer(of sector: Int, key: UInt64, access: UInt32) {
    let keyA = (0..<6).map { UInt8(truncatingIfNeeded: key >> (40 - 8 * $0)) }
    let conditions = (0..<4).map { UInt8(truncatingIfNeeded: access >> (24 - 8 * $0)) }
    store(
      keyA + conditions + [UInt8](repeating: 0xFF, count: 6),
      in: Self.blocks(ofSector: sector).upperBound - 1)
  }

  /// One sector of a tag formatted for NDEF: an application directory in sector 0 (and 16), else
  /// data that begins with an empty message in sector 1.
  private mutating func formatSector(_ sector: Int) {
    let publicDirectoryKey: UInt64 = 0xA0A1_A2A3_A4A5
    switch sector {
    case 0:
      let version: UInt32 = size == .oneKilobyte ? 0x7877_88C1 : 0x7877_88C2
      storeTrailer(of: 0, key: publicDirectoryKey, access: version)
      storeDirectory(entries: 15, in: 1..<3)
    case 16 where size == .fourKilobytes:
      storeTrailer(of: 16, key: publicDirectoryKey, access: 0x7877_88C2)
      storeDirectory(entries: 23, in: 64..<67)
    default:
      storeTrailer(of: sector, key: 0xD3F7_D3F7_D3F7, access: 0x7F07_8840)
      if sector == 1 { store([0x03, 0x00, 0xFE], in: 4) }
    }
  }

  /// An application directory that gives every sector to NDEF, its CRC first (AN10787).
  private mutating func storeDirectory(entries: Int, in blocks: Range<Int>) {
    var content: [UInt8] = [0x00]
    for _ in 0..<entries { content += [0x03, 0xE1] }
    let bytes = [Self.directoryCheck(content)] + content
    for (index, block) in blocks.enumerated() {
      store(Array(bytes[index * 16..<(index + 1) * 16]), in: block)
    }
  }

  /// CRC-8 with the polynomial 1D and the preset C7.
  static func directoryCheck(_ bytes: [UInt8]) -> UInt8 {
    bytes.reduce(0xC7) { check, byte in
      (0..<8).reduce(check ^ byte) { value, _ in
        value & 0x80 != 0 ? value << 1 ^ 0x1D : value << 1
      }
    }
  }
}
