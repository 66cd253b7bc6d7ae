import TagTypes
import Testing

@testable import SimulatedReader

@Suite("Counts and modelled time", .timeLimit(.minutes(10)))
struct TimingTests {
  /// Returns the cost of one command.
  private func cost(_ host: inout SimulatedHost, _ command: [UInt8]) -> ReaderCounts {
    let before = host.chip.counts
    #expect(host.send(command) != nil)
    return host.chip.counts - before
  }

  @Test("an exchange counts its frames, its bytes and their time at 115200 baud")
  func line() throws {
    var host = try SimulatedHost(.ntag213)
    let counts = cost(&host, [0x02])
    #expect(counts.exchanges == 1)
    #expect(counts.tagCommands == 0 && counts.writes == 0)
    #expect(counts.bytesFromHost == 9)
    #expect(counts.bytesToHost == 6 + 13)
    // 28 bytes of ten bits.
    #expect(counts.lineTime > .microseconds(2430) && counts.lineTime < .microseconds(2431))
    #expect(counts.radioTime == .zero && counts.waitingTime == .zero)
  }

  @Test("what wakes the chip counts as bytes too")
  func wakeUp() {
    var chip = SimulatedPN532(tag: nil)
    _ = chip.receive([0x55, 0x55, 0x00, 0x00, 0x00])
    #expect(chip.counts.bytesFromHost == 5)
  }

  @Test("READ and WRITE take as long in the air as the NTAG21x data sheet says, and 4.1 ms a page")
  func radio() throws {
    var host = try SimulatedHost(.ntag213)
    host.select()
    let read = cost(&host, [0x40, 0x01, 0x30, 0x04])
    // 368 µs and 1548 µs, and twice 91 µs between.
    #expect(abs(read.radioTime / .microseconds(1) - (368 + 1548 + 182)) < 2)
    #expect(read.tagCommands == 1 && read.writes == 0)
    let write = cost(&host, [0x40, 0x01, 0xA2, 0x04, 1, 2, 3, 4])
    // 708 µs and 57 µs.
    #expect(abs(write.radioTime / .microseconds(1) - (708 + 57 + 182 + 4100)) < 2)
    #expect(write.tagCommands == 1 && write.writes == 1)
    let refused = cost(&host, [0x40, 0x01, 0xA2, 0xF0, 1, 2, 3, 4])
    #expect(refused.radioTime < .milliseconds(1), "a refused write changes no memory")
  }

  @Test("a tag that does not answer costs the chip's time-out")
  func waiting() throws {
    var host = SimulatedHost(nil)
    host.searchBriefly()
    #expect(cost(&host, [0x42, 0x60]).waitingTime == .microseconds(51_200))
    #expect(cost(&host, [0x4A, 0x01, 0x00]).waitingTime == PN532Timing.attempt * 3)
  }

  @Test("another speed counts from the next exchange on, until the line is closed")
  func baudRate() throws {
    var host = try SimulatedHost(.ntag213)
    let slow = cost(&host, [0x02])
    #expect(cost(&host, [0x10, 0x07]).lineTime > .milliseconds(1))
    let fast = cost(&host, [0x02])
    #expect(abs(slow.lineTime / fast.lineTime - 8) < 0.01)
    host.chip.lineClosed()
    #expect(cost(&host, [0x02]).lineTime == slow.lineTime)
  }

  @Test("the modelled time is the sum of the three, in milliseconds")
  func sum() throws {
    var host = try SimulatedHost(.ntag213)
    host.select()
    _ = host.exchange([0x30, 0x04])
    _ = host.through([0x99])
    let counts = host.chip.counts
    #expect(counts.modelledTime == counts.lineTime + counts.radioTime + counts.waitingTime)
    #expect(counts.modelledMilliseconds == counts.modelledTime / .milliseconds(1))
  }

  @Test("answers wait for nothing, for the air, or for the air and the line")
  func delays() throws {
    var host = try SimulatedHost(.ntag213)
    host.select()
    let output = host.chip.hear(PN532Frame.information([0xD4, 0x40, 1, 0xA2, 4, 1, 2, 3, 4]))
    func total(_ timing: SimulatedTiming) -> Double {
      output.reduce(0) { $0 + $1.delay(timing) / .microseconds(1) }
    }
    #expect(total(.none) == 0)
    #expect(abs(total(.radio) - (708 + 57 + 182 + 4100)) < 2)
    // 16 bytes of the command, 6 of the acknowledgement, 10 of the response.
    #expect(abs(total(.wire) - total(.radio) - 32 * 86.8) < 1)
  }

  @Test("a host that ends a command never gets what had not been sent yet")
  func ended() throws {
    var host = try SimulatedHost(.ntag213)
    var queue = OutputQueue()
    host.chip.timing.activationRetries = 0xFE
    queue.add(
      [ChipOutput(bytes: [1], line: .seconds(3600), event: .chipAcknowledged)], timing: .wire)
    #expect(queue.takeDue().isEmpty)
    queue.add(host.chip.hear(PN532Frame.acknowledge), timing: .wire)
    #expect(queue.takeDue().map(\.bytes) == [[]])
    #expect(queue.deadline == nil)
  }

  @Test("a client on a reader with wire timing gets the same answers")
  func service() throws {
    let reader = try SimulatedReader(tag: SimulatedTag(.ntag215), timing: .wire)
    let client = try PlainClient(reader)
    #expect(client.command(SimulatedReaderTests.select).suffix(7) == SimulatedTag.defaultUID[...])
    #expect(client.command([0x40, 1, 0xA2, 4, 1, 2, 3, 4]) == [0x41, 0x00])
    #expect(client.command([0x42, 0x99]) == [0x43, 0x01])
    let counts = reader.counts
    #expect(counts.exchanges == 3 && counts.writes == 1 && counts.tagCommands == 2)
    #expect(counts.waitingTime == .microseconds(51_200))
  }
}
