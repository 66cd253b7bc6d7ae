import CliptagBasics
@testable import SimulatedReader
import TagTypes
import TestSupport
import Testing

@Suite("The chip itself")
struct PN532ChipTests {
  @Test("five rising edges wake the chip, and what came before them is lost")
  func wakeUp() {
    let command = PN532FrameTests.firmwareCommand
    var asleep = SimulatedPN532(tag: nil)
    #expect(asleep.receive(command).isEmpty)
    var byFives = SimulatedPN532(tag: nil)
    #expect(!byFives.receive([0x55] + command).isEmpty)
    var byZeros = SimulatedPN532(tag: nil)
    #expect(!byZeros.receive([0, 0, 0, 0, 0] + command).isEmpty)
  }

  @Test("after PowerDown the chip needs waking again and its field is off")
  func powerDown() throws {
    var host = try SimulatedHost(.ntag213)
    #expect(host.select() != nil)
    #expect(host.send([0x16, 0xF0]) == [0x17, 0x00])
    #expect(host.send([0x02]) == nil)
    #expect(!host.chip.field.isOn)
    _ = host.chip.receive([0x55, 0x55])
    #expect(host.send([0x02]) == [0x03, 0x32, 0x01, 0x06, 0x07])
  }

  @Test(
    "commands that need no tag are answered as the manual says",
    arguments: [
      ([0x00, 0x00] + Array("libnfc".utf8), [0x01, 0x00] + Array("libnfc".utf8)),
      ([0x00, 0x01], [0x01, 0x00]), ([0x00, 0x02], [0x01, 0x00]), ([0x00, 0x06], [0x01, 0x27]),
      ([0x04], [0x05, 0x00, 0x00, 0x00, 0x00]), ([0x10, 0x07], [0x11]), ([0x12, 0x14], [0x13]),
      ([0x14, 0x01, 0x14, 0x01], [0x15]), ([0x32, 0x01, 0x01], [0x33]),
      ([0x32, 0x05, 0xFF, 0x01, 0x02], [0x33]), ([0x44, 0x00], [0x45, 0x00]),
      ([0x52, 0x00], [0x53, 0x00]), ([0x52, 0x01], [0x53, 0x27]), ([0x54, 0x01], [0x55, 0x27]),
      ([0x50, 0x01, 0x00], [0x51, 0x27]), ([0x56, 0x00, 0x00, 0x00], [0x57, 0x01]),
      ([0x40, 0x01, 0x30, 0x00], [0x41, 0x27]), ([0x42, 0x30, 0x00], [0x43, 0x01]),
      ([0x86], [0x87, 0x27]),
    ] as [([UInt8], [UInt8])])
  func withoutTag(command: [UInt8], response: [UInt8]) {
    var host = SimulatedHost(nil)
    #expect(host.send(command) == response)
  }

  @Test(
    "wrong parameters bring an error frame",
    arguments: [
      [0x06], [0x06, 0x63], [0x08, 0x63, 0x02], [0x10, 0x09], [0x12], [0x14, 0x00], [0x16],
      [0x32, 0x03, 0x00], [0x40], [0x4A, 0x00, 0x00], [0x4A, 0x03, 0x00], [0x4A, 0x01, 0x05],
      [0x44], [0x54, 0x01, 0x01], [0x60, 0x01, 0x01],
    ] as [[UInt8]])
  func wrongParameters(command: [UInt8]) {
    var host = SimulatedHost(nil)
    let output = host.chip.receive(PN532Frame.information([0xD4] + command))
    #expect(output == PN532Frame.acknowledge + PN532Frame.syntaxError)
  }

  @Test("registers hold what was written")
  func registers() {
    var host = SimulatedHost(nil)
    #expect(host.send([0x08, 0x63, 0x02, 0x00, 0x63, 0x3D, 0x07]) == [0x09])
    #expect(host.send([0x06, 0x63, 0x3D, 0x63, 0x02]) == [0x07, 0x07, 0x00])
  }

  @Test("a silent tag costs the time that RFConfiguration sets")
  func answerTime() {
    var host = SimulatedHost(nil)
    _ = host.chip.receive(PN532Frame.information([0xD4, 0x42, 0x30, 0x00]))
    #expect(host.chip.delay == .microseconds(51_200))
    #expect(host.send([0x32, 0x02, 0x00, 0x0B, 0x04]) == [0x33])
    _ = host.chip.receive(PN532Frame.information([0xD4, 0x42, 0x30, 0x00]))
    #expect(host.chip.delay == .microseconds(800))
  }

  @Test("any bytes at all leave the chip answering", arguments: 0..<20 as Range<UInt64>)
  func noise(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var host = try SimulatedHost(.ntag213)
    for _ in 0..<300 {
      let body = (0..<Int.random(in: 1...24, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      // Half are frames with a real command code, so that parameters are reached.
      let code = UInt8.random(in: 0...0x4B, using: &generator) * 2
      let isFramed = Bool.random(using: &generator)
      _ = host.chip.receive(isFramed ? PN532Frame.information([0xD4, code] + body) : body)
      if host.chip.delay != nil { _ = host.chip.delayElapsed() }
    }
    // The rest of a frame that noise began, then a wake-up in case noise said PowerDown.
    _ = host.chip.receive([UInt8](repeating: 0x55, count: 300))
    #expect(host.send([0x02]) == [0x03, 0x32, 0x01, 0x06, 0x07])
  }
}

@Suite("Finding tags")
struct PN532SelectionTests {
  static let uid = SimulatedTag.defaultUID

  @Test("a tag is reported with ATQA 0044, SAK 00 and its seven bytes of UID")
  func found() throws {
    var host = try SimulatedHost(.ntag215)
    #expect(
      host.send([0x4A, 0x01, 0x00]) == [0x4B, 0x01, 0x01, 0x00, 0x44, 0x00, 0x07] + Self.uid)
    #expect(host.send([0x04]) == [0x05, 0x00, 0x01, 0x01, 0x01, 0x00, 0x00, 0x00, 0x00])
  }

  @Test("without a tag a search with few retries ends empty, with 255 it waits for one")
  func retries() throws {
    var host = SimulatedHost(nil)
    _ = host.chip.receive(PN532Frame.information([0xD4, 0x4A, 0x01, 0x00]))
    #expect(host.chip.delay == nil)
    let output = host.chip.replaceTag(with: try SimulatedTag(.ntag213))
    #expect(output == PN532Frame.information([0xD5, 0x4B, 1, 1, 0, 0x44, 0, 7] + Self.uid))
    host.searchBriefly()
    #expect(host.chip.replaceTag(with: nil).isEmpty)
    _ = host.chip.receive(PN532Frame.information([0xD4, 0x4A, 0x01, 0x00]))
    #expect(host.chip.delay == .milliseconds(15))
    #expect(host.chip.delayElapsed() == PN532Frame.information([0xD5, 0x4B, 0x00]))
  }

  @Test("after an empty search the FIFO still holds the request, which tells nfcpy that no tag was")
  func requestLeftInFIFO() {
    var host = SimulatedHost(nil)
    host.searchBriefly()
    #expect(host.send([0x4A, 0x01, 0x00]) == [0x4B, 0x00])
    #expect(host.send([0x06, 0x63, 0x39]) == [0x07, 0x26])
  }

  @Test("other modulations find nothing", arguments: 1...4 as ClosedRange<UInt8>)
  func modulations(modulation: UInt8) throws {
    var host = try SimulatedHost(.ntag213)
    host.searchBriefly()
    #expect(host.send([0x4A, 0x01, modulation, 0x00]) == [0x4B, 0x00])
  }

  @Test("REQA passes over a halted tag, and its UID wakes it", arguments: [0x44, 0x52] as [UInt8])
  func halted(release: UInt8) throws {
    var host = try SimulatedHost(.ntag213)
    host.searchBriefly()
    host.select()
    #expect(host.send([release, 0x01]) == [release + 1, 0x00])
    #expect(host.select() == nil)
    #expect(host.send([0x4A, 0x01, 0x00, 0x88] + Self.uid)?.count == 14)
    // Woken from HALT, it falls back to HALT.
    #expect(host.exchange([0x30, 0xFF]) == [0x13])
    #expect(host.select() == nil)
    #expect(host.send([0x32, 0x01, 0x00]) == [0x33])
    #expect(host.select() == Self.uid)
  }

  @Test("a UID that is not there finds nothing")
  func otherUID() throws {
    var host = try SimulatedHost(.ntag213)
    host.searchBriefly()
    #expect(host.send([0x4A, 1, 0, 0x88, 4, 1, 2, 3, 4, 5, 6]) == [0x4B, 0x00])
    #expect(host.send([0x4A, 1, 0] + Self.uid) == [0x4B, 0x00])
  }

  @Test("a deselected target is selected again by InSelect, and by an exchange")
  func reselection() throws {
    var host = try SimulatedHost(.ntag213)
    host.select()
    #expect(host.send([0x44, 0x01]) == [0x45, 0x00])
    #expect(host.through([0x30, 0x00]) == [0x01])
    #expect(host.send([0x54, 0x01]) == [0x55, 0x00])
    #expect(host.through([0x30, 0x00])?.first == 0x00)
    #expect(host.send([0x44, 0x01]) == [0x45, 0x00])
    #expect(host.exchange([0x30, 0x00])?.first == 0x00)
    #expect(host.send([0x52, 0x01]) == [0x53, 0x00])
    #expect(host.exchange([0x30, 0x00]) == [0x27])
  }

  @Test("InAutoPoll reports a tag of the MIFARE family, and without one takes its rounds")
  func autoPoll() throws {
    var host = try SimulatedHost(.ntag213)
    #expect(
      host.send([0x60, 0x01, 0x01, 0x20, 0x10])
        == [0x61, 0x01, 0x10, 0x0C, 0x01, 0x00, 0x44, 0x00, 0x07] + Self.uid)
    #expect(host.chip.replaceTag(with: nil).isEmpty)
    _ = host.chip.receive(PN532Frame.information([0xD4, 0x60, 0x02, 0x01, 0x20, 0x10]))
    #expect(host.chip.delay == .milliseconds(600))
    #expect(host.chip.delayElapsed() == PN532Frame.information([0xD5, 0x61, 0x00]))
  }
}

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
