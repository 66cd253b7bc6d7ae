import Synchronization
import TagTypes
import Testing

@testable import SimulatedReader

@Suite("Trace")
struct TraceTests {
  @Test(
    "commands are named, and those to a tag decoded",
    arguments: [
      ([0x02], "GetFirmwareVersion"),
      ([0x32, 0x01, 0x00], "RFConfiguration field off"),
      ([0x4A, 0x01, 0x00], "InListPassiveTarget type A"),
      ([0x4A, 0x01, 0x00, 0x88, 0x04], "InListPassiveTarget type A, 8804"),
      ([0x60, 0x02, 0x01, 0x00], "InAutoPoll types 00, 2 times 150 ms"),
      ([0x40, 0x01, 0x30, 0x04], "InDataExchange READ page 4"),
      ([0x40, 0x01, 0xA2, 0x09, 1, 2, 3, 4], "InDataExchange WRITE page 9: 01020304"),
      ([0x42, 0x60], "InCommunicateThru GET_VERSION"),
      ([0x42, 0x3A, 0x00, 0x0F], "InCommunicateThru FAST_READ pages 0 to 15"),
      ([0x42, 0x1B, 1, 2, 3, 4], "InCommunicateThru PWD_AUTH"),
      (
        [0x40, 0x01, 0x00, 0xA4, 0x04, 0x00, 0x07, 0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01, 0x00],
        "InDataExchange SELECT NDEF application"
      ),
      ([0x40, 0x01, 0x00, 0xA4, 0x00, 0x0C, 0x02, 0xE1, 0x04], "InDataExchange SELECT file E104"),
      (
        [0x40, 0x01, 0x00, 0xB0, 0x01, 0x02, 0x0F],
        "InDataExchange READ BINARY offset 258, 15 bytes"
      ),
      (
        [0x40, 0x01, 0x00, 0xD6, 0x00, 0x00, 0x02, 0, 0],
        "InDataExchange UPDATE BINARY offset 0, 2 bytes"
      ),
      ([0xEE, 0x01], "command EE"), ([], "an empty frame"),
    ] as [([UInt8], String)])
  func commands(bytes: [UInt8], words: String) {
    #expect(PN532Wording.command(bytes) == words)
  }

  @Test(
    "answers are told in words",
    arguments: [
      ([0x03, 0x32, 0x01, 0x06, 0x07], [0x02], "PN532 version 1.6"),
      ([0x41, 0x00], [0x40, 0x01, 0xA2, 0x04, 0, 0, 0, 0], "ok"),
      ([0x41, 0x13], [0x40, 0x01, 0xA2, 0x04, 0, 0, 0, 0], "NAK or wrong format (13)"),
      ([0x43, 0x01], [0x42, 0x60], "time-out (01)"),
      ([0x41, 0x00, 0x90, 0x00], [0x40, 0x01, 0x00, 0xB0, 0, 0, 0], "ok, 9000"),
      ([0x41, 0x00, 7, 0x90, 0x00], [0x40, 0x01, 0x00, 0xB0, 0, 0, 1], "ok, 9000, 1 byte"),
      ([0x4B, 0x00], [0x4A, 0x01, 0x00], "nothing found"),
      ([0x53, 0x27], [0x52, 0x01], "no such target (27)"),
      ([0x7F], [0xEE], "error frame: the command is not understood"), ([0x41], [0x40], "nothing"),
    ] as [([UInt8], [UInt8], String)])
  func answers(bytes: [UInt8], command: [UInt8], words: String) {
    #expect(PN532Wording.response(bytes, to: command) == words)
  }

  @Test("an exchange reads as command and answer")
  func exchange() throws {
    var host = try SimulatedHost(.ntag213)
    host.select()
    _ = host.exchange([0x30, 0x04])
    #expect(host.chip.exchanges.last?.description == "InDataExchange READ page 4 → ok, 16 bytes")
    #expect(
      host.chip.exchanges.first?.description
        == "InListPassiveTarget type A → 1 found: 04E10CDA993C80, ATQA 0044, SAK 00")
  }

  @Test("no bytes at all make the wording trap")
  func anyBytes() {
    for code in UInt8.min...UInt8.max {
      for length in 0...24 {
        for fill in [0x00, 0x01, 0x90, 0xA4, 0xFF] as [UInt8] {
          let command = [code] + [UInt8](repeating: fill, count: length)
          #expect(!PN532Wording.command(command).isEmpty)
          #expect(!PN532Wording.response(command, to: [code]).isEmpty)
          #expect(!TagWording.command(command).isEmpty)
        }
      }
    }
  }

  @Test("a trace holds every frame both ways in order, and what faults do")
  func order() throws {
    var host = try SimulatedHost(.ntag213, faults: [.dropResponse(2)])
    host.select()
    let output =
      host.chip.hear(PN532Frame.information([0xD4, 0x40, 0x01, 0x30, 0x04]))
      + host.chip.hear([0x00, 0x00, 0xFF, 0xFF, 0x00, 0x00])
      + host.chip.hear(PN532Frame.acknowledge)
    #expect(
      output.compactMap(\.event).map(\.description) == [
        "> InDataExchange READ page 4  [D4 40 01 30 04]", "< ACK",
        "- fault drop-response=2: the response is lost", "> NAK",
        "< InDataExchange: ok, 16 bytes  [D5 41 00 01 03 A0 0C 34 03 00 FE 00 00 00 00 00 00 00 00]",
        "> ACK",
      ])
  }

  @Test("a trace has zeros in place of passwords, on the pages of the tag in the field")
  func secrets() throws {
    for (layout, hides) in [(Type2Layout.ntag213, true), (.ntag215, false)] {
      var host = try SimulatedHost(layout)
      host.select()
      func trace(_ body: [UInt8]) -> [String] {
        host.chip.hear(PN532Frame.information([0xD4] + body)).compactMap(\.event)
          .map(\.description)
      }
      let written = trace([0x40, 0x01, 0xA2, 0x2B, 0x11, 0x22, 0x33, 0x44])
      #expect(written.contains { $0.contains("11 22 33 44") } == !hides, "\(written)")
      let given = trace([0x42, 0x1B, 0xFF, 0xFE, 0xFD, 0xFC])
      #expect(given.first == "> InCommunicateThru PWD_AUTH  [D4 42 1B 00 00 00 00]")
    }
    var host = try SimulatedHost(.ntag213)
    host.select()
    let answer = host.chip.hear(PN532Frame.information([0xD4, 0x42, 0x1B, 0xFF, 0xFF, 0xFF, 0xFF]))
    #expect(answer.last?.event?.description == "< InCommunicateThru: ok, 2 bytes  [D5 43 00 00 00]")
  }

  @Test("a time is printed in milliseconds with three decimals")
  func times() {
    let entry = TraceEntry(time: .microseconds(1_234_056), event: .chipAcknowledged)
    #expect(entry.description == "    1234.056  < ACK")
    #expect(
      TraceEntry(time: .nanoseconds(7), event: .hostRefused).description == "       0.000  > NAK")
  }

  @Test("a running reader hands over its trace while it works")
  func handler() throws {
    let events = Mutex<[TraceEvent]>([])
    let reader = try SimulatedReader(tag: SimulatedTag(.ntag213)) { entry in
      events.withLock { $0.append(entry.event) }
    }
    let client = try PlainClient(reader)
    #expect(client.command([0x02]).count == 5)
    #expect(
      events.withLock { $0 } == [
        .command(body: [0xD4, 0x02]), .chipAcknowledged,
        .response(body: [0xD5, 0x03, 0x32, 0x01, 0x06, 0x07], command: [0x02]),
      ])
  }
}
