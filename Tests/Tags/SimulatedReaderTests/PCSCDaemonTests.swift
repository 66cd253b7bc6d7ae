import TagTypes
import Testing
@testable import SimulatedReader

/// The messages between pcsc-lite's library and its daemon (winscard_msg.h).
@Suite("A PC/SC service that is simulated")
struct PCSCDaemonTests {
  private func daemon() throws -> PCSCDaemon {
    let chip = SimulatedPN532(tag: try SimulatedTag(.ntag213), faults: [])
    return PCSCDaemon(SimulatedPCSCReader(chip: chip, model: .acr1252))
  }

  private func bytes(_ words: [UInt32]) -> [UInt8] {
    words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
  }

  private func answer(
    _ daemon: inout PCSCDaemon, _ command: UInt32, _ body: [UInt32] = []
  ) -> [UInt8] {
    var message = bytes([UInt32(body.count * 4), command] + body)
    return daemon.take(&message, from: 1).flatMap(\.bytes)
  }

  @Test(
    "every client hears a version that it takes: its own up to 4:5, an older one if it is newer",
    arguments: [(4, 4), (5, 5), (6, 5)])
  func version(client: UInt32, answered: UInt32) throws {
    var daemon = try daemon()
    #expect(answer(&daemon, 0x11, [4, client, 0]) == bytes([4, answered, 0]))
  }

  @Test("a client of version 4:5 hears how often readers came and went")
  func readerEvents() throws {
    var daemon = try daemon()
    let words = answer(&daemon, 0x15)
    #expect(words.count == 8)
    #expect(words.suffix(4) == [0, 0, 0, 0])
  }

  @Test("a message that is cut waits for its rest, and one of no sense is answered")
  func damaged() throws {
    var daemon = try daemon()
    var half: [UInt8] = [12, 0, 0, 0, 0x11, 0, 0, 0, 4]
    #expect(daemon.take(&half, from: 1).isEmpty)
    #expect(half.count == 9)
    for command: UInt32 in 0...0x20 {
      for count in [0, 1, 2, 3, 6, 38] {
        _ = answer(&daemon, command, [UInt32](repeating: .max, count: count))
      }
    }
  }
}
