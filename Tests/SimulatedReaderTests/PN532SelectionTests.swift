import TagTypes
import Testing

@testable import SimulatedReader

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
