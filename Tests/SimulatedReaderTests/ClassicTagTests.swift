import TagTypes
import Testing

@testable import SimulatedReader

@Suite("MIFARE Classic")
struct ClassicTagTests {
  static let uid = SimulatedClassicTag.defaultUID
  static let ndefKey: [UInt8] = [0xD3, 0xF7, 0xD3, 0xF7, 0xD3, 0xF7]
  static let directoryKey: [UInt8] = [0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5]
  static let transportKey = [UInt8](repeating: 0xFF, count: 6)

  static func host(
    _ format: SimulatedClassicTag.Format = .ndef, faults: [Fault] = []
  ) throws -> SimulatedHost {
    var host = SimulatedHost(
      try SimulatedClassicTag(.oneKilobyte, format: format), faults: faults)
    host.searchBriefly()
    #expect(host.select() == uid)
    return host
  }

  static func open(_ block: UInt8, _ key: [UInt8], isKeyB: Bool = false) -> [UInt8] {
    [isKeyB ? 0x61 : 0x60, block] + key + uid
  }

  static func write(_ block: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    [0xA0, block] + bytes + [UInt8](repeating: 0, count: 16 - bytes.count)
  }

  @Test("selection reports a UID of four bytes, ATQA 0004 and SAK 08, or 0002 and 18 with 4 KiB")
  func selection() throws {
    for (size, description) in [
      (.oneKilobyte, [0x00, 0x04, 0x08, 0x04]), (.fourKilobytes, [0x00, 0x02, 0x18, 0x04]),
    ] as [(SimulatedClassicTag.Size, [UInt8])] {
      var host = SimulatedHost(try SimulatedClassicTag(size))
      #expect(
        host.send([0x4A, 0x01, 0x00]) == [0x4B, 0x01, 0x01] + description + Self.uid)
      #expect(host.send([0x44, 0x01]) == [0x45, 0x00])
      #expect(host.send([0x4A, 0x01, 0x00] + Self.uid)?.count == 7 + 4, "no cascade tag")
    }
  }

  @Test("a block is read only in the sector that a right key has opened")
  func authentication() throws {
    var host = try Self.host()
    #expect(host.exchange([0x30, 0x04]) == [0x13])
    host.select()
    #expect(host.exchange(Self.open(4, Self.ndefKey)) == [0x00])
    #expect(host.exchange([0x30, 0x04])?.prefix(4) == [0x00, 0x03, 0x00, 0xFE])
    #expect(host.exchange([0x30, 0x08]) == [0x13], "another sector")
    #expect(host.exchange([0x30, 0x04]) == [0x01], "mute after a NAK")
  }

  @Test("a wrong key is status 14, and the tag is mute until it is selected again")
  func wrongKey() throws {
    var host = try Self.host()
    #expect(host.exchange(Self.open(4, Self.transportKey)) == [0x14])
    #expect(host.exchange([0x30, 0x04]) == [0x01])
    host.select()
    #expect(host.exchange(Self.open(4, Self.ndefKey)) == [0x00])
    host.select()
    #expect(host.exchange([0x60, 0x04] + Self.ndefKey + [1, 2, 3, 4]) == [0x14], "another UID")
  }

  @Test("sector 0 is an application directory that gives all sectors to NDEF")
  func directory() throws {
    var host = try Self.host()
    #expect(host.exchange(Self.open(1, Self.directoryKey)) == [0x00])
    let first = host.exchange([0x30, 0x01])
    let second = host.exchange([0x30, 0x02])
    let bytes = Array((first ?? []).dropFirst()) + Array((second ?? []).dropFirst())
    #expect(bytes.count == 32)
    #expect(bytes.first == SimulatedClassicTag.directoryCheck(Array(bytes.dropFirst())))
    #expect(Array(bytes[2..<6]) == [0x03, 0xE1, 0x03, 0xE1])
    #expect(
      host.exchange([0x30, 0x03])
        == [0, 0, 0, 0, 0, 0, 0, 0x78, 0x77, 0x88, 0xC1, 0, 0, 0, 0, 0, 0], "keys are not told")
    // A directory that other software wrote for one sector of NDEF.
    let seen: [UInt8] = [0x00, 0x03, 0xE1] + [UInt8](repeating: 0, count: 28)
    #expect(SimulatedClassicTag.directoryCheck(seen) == 0xDB)
  }

  @Test("the directory takes writes with key B only, data blocks with either key")
  func accessConditions() throws {
    var host = try Self.host()
    #expect(host.exchange(Self.open(1, Self.directoryKey)) == [0x00])
    #expect(host.exchange(Self.write(1, [1])) == [0x13])
    host.select()
    #expect(host.exchange(Self.open(1, Self.transportKey, isKeyB: true)) == [0x00])
    #expect(host.exchange(Self.write(1, [1])) == [0x00])
    #expect(host.exchange(Self.write(0, [1])) == [0x13], "the maker's block")
    for isKeyB in [false, true] {
      host.select()
      let key = isKeyB ? Self.transportKey : Self.ndefKey
      #expect(host.exchange(Self.open(4, key, isKeyB: isKeyB)) == [0x00])
      #expect(host.exchange(Self.write(4, [0x03, 0x01])) == [0x00])
      #expect(host.exchange([0x30, 0x04])?.prefix(3) == [0x00, 0x03, 0x01])
    }
  }

  @Test("a tag from the factory opens with the transport key, and its readable key B opens nothing")
  func transport() throws {
    var host = try Self.host(.transport)
    #expect(host.exchange(Self.open(4, Self.transportKey)) == [0x00])
    #expect(
      host.exchange([0x30, 0x07])
        == [0, 0, 0, 0, 0, 0, 0, 0xFF, 0x07, 0x80, 0x69] + Self.transportKey)
    #expect(host.exchange(Self.write(4, [9])) == [0x00])
    #expect(host.exchange(Self.open(4, Self.transportKey, isKeyB: true)) == [0x00])
    #expect(host.exchange([0x30, 0x04]) == [0x13])
  }

  @Test("a trailer whose access bits contradict their complements closes its sector")
  func brokenTrailer() throws {
    var host = try Self.host(.transport)
    #expect(host.exchange(Self.open(4, Self.transportKey)) == [0x00])
    let trailer = Self.transportKey + [0x00, 0x00, 0x00, 0x69] + Self.transportKey
    #expect(host.exchange(Self.write(7, trailer)) == [0x00])
    #expect(host.exchange([0x30, 0x04]) == [0x13])
    host.select()
    #expect(host.exchange(Self.open(4, Self.transportKey)) == [0x00])
    #expect(host.exchange([0x30, 0x04]) == [0x13])
  }

  @Test("the upper sectors of 4 KiB have sixteen blocks and share a key")
  func largeSectors() throws {
    var host = SimulatedHost(try SimulatedClassicTag(.fourKilobytes))
    host.select()
    #expect(host.exchange(Self.open(128, Self.ndefKey)) == [0x00])
    #expect(host.exchange([0x30, 142])?.count == 17)
    #expect(host.exchange([0x30, 143])?.prefix(10).suffix(3) == [0x7F, 0x07, 0x88])
    #expect(host.exchange(Self.open(64, Self.directoryKey)) == [0x00])
    let directory = host.exchange([0x30, 64])
    #expect(directory?.suffix(4) == [0x03, 0xE1, 0x03, 0xE1])
  }

  @Test("places in faults are blocks")
  func faults() throws {
    var host = try Self.host(faults: [.refusePage(4, times: 1), .storeWrong(page: 5, times: 1)])
    #expect(host.exchange(Self.open(4, Self.ndefKey)) == [0x00])
    #expect(host.exchange(Self.write(4, [1])) == [0x13])
    host.select()
    #expect(host.exchange(Self.open(4, Self.ndefKey)) == [0x00])
    #expect(host.exchange(Self.write(5, [2, 2])) == [0x00])
    #expect(host.exchange([0x30, 0x05])?.prefix(3) == [0x00, 3, 2])
    var torn = try Self.host(faults: [.tearWrite(1, halfWritten: true)])
    #expect(torn.exchange(Self.open(4, Self.ndefKey)) == [0x00])
    #expect(torn.exchange([0xA0, 0x04] + [UInt8](repeating: 7, count: 16)) == [0x01])
    let tag = try #require(torn.chip.field.card as? SimulatedClassicTag)
    #expect(tag.block(4) == [7, 7, 7, 7, 7, 7, 7, 7, 0, 0, 0, 0, 0, 0, 0, 0])
  }

  @Test("a memory file is every block in order, and its first must check the UID")
  func memoryFile() throws {
    var tag = try SimulatedClassicTag(.oneKilobyte, uid: [1, 2, 3, 4])
    tag.place([5, 6, 7], inBlock: 8)
    #expect(tag.memory.count == 1024)
    #expect(try SimulatedClassicTag(.oneKilobyte).holding(tag.memory) == tag)
    var damaged = tag.memory
    damaged[4] ^= 1
    for memory in [damaged, Array(tag.memory.dropLast())] {
      #expect(throws: SimulatedReaderError.self) {
        try SimulatedClassicTag(.oneKilobyte).holding(memory)
      }
    }
  }
}
