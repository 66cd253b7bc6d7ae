import TagTypes
import Testing

@testable import SimulatedReader

@Suite("Tag commands through the chip")
struct PN532TagExchangeTests {
  @Test("InDataExchange sends the commands of the MIFARE family it knows")
  func dataExchange() throws {
    var host = try SimulatedHost(.ntag215)
    host.select()
    #expect(host.exchange([0x30, 0x03])?.prefix(5) == [0x00, 0xE1, 0x10, 0x3E, 0x00])
    #expect(host.exchange([0xA2, 0x04, 1, 2, 3, 4]) == [0x00])
    #expect(host.exchange([0xA0, 0x05, 5, 6, 7, 8] + [UInt8](repeating: 9, count: 12)) == [0x00])
    #expect(host.exchange([0x30, 0x04])?.prefix(9) == [0, 1, 2, 3, 4, 5, 6, 7, 8])
  }

  @Test(
    "InDataExchange answers any other command with an error frame",
    arguments: [
      [0x60], [0x60, 0x00], [0x3A, 0x00, 0x07], [0x39, 0x02], [0x3C, 0x00], [0x1B, 1, 2, 3, 4],
      [0x50, 0x00], [0xAF, 0x00], [0xA0, 0x04], [0x30], [0xA2, 0x04, 1, 2, 3], [],
    ] as [[UInt8]])
  func refusedCommands(command: [UInt8]) throws {
    var host = try SimulatedHost(.ntag215)
    host.select()
    let output = host.chip.receive(PN532Frame.information([0xD4, 0x40, 0x01] + command))
    #expect(output == PN532Frame.acknowledge + PN532Frame.syntaxError)
    #expect(host.exchange([0x30, 0x00])?.first == 0x00, "the tag never heard of it")
  }

  @Test("a NAK is status 13, silence 01, and after either the tag is mute until selected again")
  func refusals() throws {
    var host = try SimulatedHost(.ntag215)
    host.searchBriefly()
    host.select()
    #expect(host.exchange([0x30, 0x87]) == [0x13])
    #expect(host.exchange([0x30, 0x00]) == [0x01])
    host.select()
    #expect(host.exchange([0x60, 0x04, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4]) == [0x01])
    #expect(host.exchange([0x30, 0x00]) == [0x01])
    #expect(host.select() != nil)
  }

  @Test("InCommunicateThru with CRC carries vendor commands as they are")
  func vendorCommands() throws {
    var host = try SimulatedHost(.ntag215)
    host.select()
    #expect(host.through([0x60]) == [0x00] + (Type2Layout.ntag215.version ?? []))
    #expect(host.through([0x3A, 0x00, 0x07])?.count == 33)
    #expect(host.through([0x1B, 0xFF, 0xFF, 0xFF, 0xFF]) == [0x00, 0x00, 0x00])
    #expect(host.through([0x3C, 0x00])?.count == 33)
    #expect(host.through([0x60, 0x00]) == [0x01], "a wrong length gets no answer")
  }

  @Test("with CRC checking on, the ACK of a write looks damaged though the write happened")
  func acknowledgementWithCRC() throws {
    var host = try SimulatedHost(.ntag215)
    host.select()
    #expect(host.through([0xA2, 0x04, 1, 2, 3, 4]) == [0x02])
    #expect(host.chip.field.tag?.page(4) == [1, 2, 3, 4])
    #expect(host.through([0x30, 0x04])?.prefix(3) == [0x00, 1, 2], "an ACK leaves the tag active")
    #expect(host.through([0xA2, 0x01, 1, 2, 3, 4]) == [0x02])
    #expect(host.through([0x30, 0x04]) == [0x01], "a NAK does not")
  }

  @Test("with CRC off both ways, answers bring their CRC and four bits are one byte")
  func withoutCRC() throws {
    var host = try SimulatedHost(.ntag215)
    host.select()
    #expect(host.send([0x08, 0x63, 0x02, 0x00, 0x63, 0x03, 0x00]) == [0x09])
    let version = try #require(Type2Layout.ntag215.version)
    #expect(host.through([0x60] + CRCA.checksum([0x60])) == [0] + version + CRCA.checksum(version))
    let write: [UInt8] = [0xA2, 0x04, 1, 2, 3, 4]
    #expect(host.through(write + CRCA.checksum(write)) == [0x00, 0x0A])
    #expect(host.send([0x06, 0x63, 0x3C]) == [0x07, 0x04])
    #expect(host.through(write + [0, 0]) == [0x00, 0x01], "NAK 1: the CRC was wrong")
  }

  @Test("selecting a tag switches CRC on again")
  func crcAfterSelection() throws {
    var host = try SimulatedHost(.ntag215)
    #expect(host.send([0x08, 0x63, 0x02, 0x00, 0x63, 0x03, 0x00]) == [0x09])
    host.select()
    #expect(host.through([0x60])?.first == 0x00)
  }

  @Test("262 bytes are the longest answer, in an extended frame")
  func longAnswers() throws {
    var host = try SimulatedHost(.ntag216)
    host.select()
    #expect(host.through([0x3A, 0x00, 0x40])?.count == 261)
    #expect(host.through([0x3A, 0x00, 0x41]) == [0x07])
  }
}
