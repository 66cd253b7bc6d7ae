@testable import TagTypes

/// A MIFARE Classic in memory: sectors, keys A, and the rule that a refused command closes every
/// sector, as the MF1S50YYX data sheet describes them.
actor ModelClassicTag: TagChannel {
  nonisolated let target: TagTarget
  private(set) var blocks: [[UInt8]]
  private(set) var commands: [[UInt8]] = []
  /// Commands (counted from 0) that stay unanswered once, or are refused once.
  private var lost: Set<Int> = []
  private var refused: Set<Int> = []
  private var vanishesAfter: Int?
  private var openSector: Int?
  private var sent = 0

  /// Makes a tag whose sectors have one key each, and general purpose bytes.
  init(sak: UInt8 = 0x08, uid: [UInt8] = [0x9A, 0x12, 0x34, 0x56], sectorCount: Int = 16) {
    target = TagTarget(atqa: [0x00, 0x04], sak: sak, uid: uid)
    let count = ClassicLayout.firstBlock(of: sectorCount)
    blocks = Array(repeating: [UInt8](repeating: 0, count: 16), count: count)
    for sector in 0..<sectorCount {
      blocks[ClassicLayout.trailer(of: sector)] =
        [UInt8](repeating: 0xFF, count: 6) + [0xFF, 0x07, 0x80, 0x69]
        + [UInt8](repeating: 0xFF, count: 6)
    }
  }

  /// Formats sectors for NDEF and fills them, across their borders, with bytes.
  func format(
    sectors: [Int], data: [UInt8], version: UInt8 = 1, generalPurpose: UInt8 = 0x40
  ) {
    setKey(0, [0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5], generalPurpose: 0xC0 | version)
    var directory = [UInt8](repeating: 0, count: 32)
    var second = [UInt8](repeating: 0, count: 48)
    for sector in sectors {
      if sector < 16 {
        directory.replaceSubrange(sector * 2..<sector * 2 + 2, with: [0x03, 0xE1])
      } else {
        let start = (sector - 16) * 2
        second.replaceSubrange(start..<start + 2, with: [0x03, 0xE1])
      }
      setKey(sector, [0xD3, 0xF7, 0xD3, 0xF7, 0xD3, 0xF7], generalPurpose: generalPurpose)
    }
    directory[0] = Self.crc(directory)
    store(directory, from: 1)
    if version == 2 {
      setKey(16, [0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5], generalPurpose: 0xC2)
      second[0] = Self.crc(second)
      store(second, from: 64)
    }
    let places = sectors.flatMap { ClassicLayout.dataBlocks(of: $0) }
    for (index, byte) in data.enumerated() { blocks[places[index / 16]][index % 16] = byte }
  }

  func store(_ bytes: [UInt8], from block: Int) {
    for (index, byte) in bytes.enumerated() { blocks[block + index / 16][index % 16] = byte }
  }

  func setKey(_ sector: Int, _ key: [UInt8], generalPurpose: UInt8 = 0x69) {
    let trailer = ClassicLayout.trailer(of: sector)
    blocks[trailer].replaceSubrange(0..<6, with: key)
    blocks[trailer][9] = generalPurpose
  }

  func setFaults(lost: Set<Int> = [], refused: Set<Int> = [], vanishesAfter: Int? = nil) {
    self.lost = lost
    self.refused = refused
    self.vanishesAfter = vanishesAfter
    sent = 0
    commands = []
    openSector = nil
  }

  /// Computes the checksum of the directory bit by bit, from AN10787's description.
  private static func crc(_ bytes: [UInt8]) -> UInt8 {
    var register = 0xC7
    for byte in bytes.dropFirst() {
      for bit in (0..<8).reversed() {
        let feedback = (register >> 7 & 1) ^ Int(byte >> bit & 1)
        register = register << 1 & 0xFF ^ (feedback == 1 ? 0x1D : 0)
      }
    }
    return UInt8(register)
  }

  func exchange(_ command: [UInt8]) async throws(TagChannelError) -> [UInt8] {
    defer { sent += 1 }
    if let vanishesAfter, sent >= vanishesAfter { throw TagChannelError(.tagLost, "no answer") }
    if lost.contains(sent) { throw TagChannelError(.tagLost, "no answer") }
    commands.append(command)
    guard !refused.contains(sent), let answer = answer(command) else {
      openSector = nil
      throw TagChannelError(.refused, "NAK")
    }
    return answer
  }

  func reselect(fieldCycle: Bool) async throws(TagChannelError) {
    if let vanishesAfter, sent >= vanishesAfter { throw TagChannelError(.tagLost, "no tag") }
    openSector = nil
  }

  private func answer(_ command: [UInt8]) -> [UInt8]? {
    guard command.count >= 2, command[1] < blocks.count else { return nil }
    let block = Int(command[1])
    let sector = block < 128 ? block / 4 : 32 + (block - 128) / 16
    let trailer = ClassicLayout.trailer(of: sector)
    switch (command[0], command.count) {
    case (0x60, 12):
      guard Array(command[2..<8]) == Array(blocks[trailer][..<6]),
        Array(command[8...]) == Array(target.uid.suffix(4))
      else { return nil }
      openSector = sector
      return []
    case (0x30, 2):
      guard openSector == sector else { return nil }
      // Key A is never readable.
      return block == trailer
        ? [UInt8](repeating: 0, count: 6) + blocks[block][6...] : blocks[block]
    default: return nil
    }
  }
}
