import Foundation
import TagTypes
import Testing

@testable import SimulatedReader

@Suite("The reader on its pseudo-terminal", .timeLimit(.minutes(10)))
struct SimulatedReaderTests {
  static let select: [UInt8] = [0x4A, 0x01, 0x00]

  @Test("a client with plain open, write and read selects a tag and writes to it")
  func plainClient() throws {
    let reader = try SimulatedReader(tag: SimulatedTag(.ntag215))
    #expect(reader.connectionString == "pn532_uart:" + reader.devicePath)
    let client = try PlainClient(reader)
    #expect(client.command([0x02]) == [0x03, 0x32, 0x01, 0x06, 0x07])
    #expect(client.command(Self.select).suffix(7) == SimulatedTag.defaultUID[...])
    // All the characters a terminal could swallow or change.
    #expect(client.command([0x40, 1, 0xA2, 4, 0x03, 0x04, 0x0D, 0x0A]) == [0x41, 0x00])
    #expect(client.command([0x40, 1, 0xA2, 5, 0x11, 0x13, 0x1A, 0x7F]) == [0x41, 0x00])
    #expect(
      client.command([0x40, 1, 0x30, 4]).prefix(10)
        == [0x41, 0, 0x03, 0x04, 0x0D, 0x0A, 0x11, 0x13, 0x1A, 0x7F])
    #expect(reader.tag?.page(5) == [0x11, 0x13, 0x1A, 0x7F])
    #expect(reader.commandCount == 5)
    #expect(reader.exchanges.last?.command == [0x40, 1, 0x30, 4])
  }

  @Test("clients come and go, and each finds the tag that a fault had taken from the last")
  func clientsInTurn() throws {
    let reader = try SimulatedReader(
      tag: SimulatedTag(.ntag213), faults: [.removeTag(afterCommands: 1)])
    do {
      let client = try PlainClient(reader)
      #expect(client.command([0x32, 0x05, 0, 1, 2]) == [0x33])
      #expect(client.command(Self.select).count == 14)
      #expect(client.command([0x40, 1, 0xA2, 4, 1, 2, 3, 4]) == [0x41, 0x00])
      #expect(client.command([0x40, 1, 0x30, 4]) == [0x41, 0x01])
      #expect(client.command(Self.select) == [0x4B, 0x00])
    }
    for _ in 0..<5 {
      let client = try PlainClient(reader)
      // The close is noticed by the reader's thread: an empty search may still come before it.
      var found: [UInt8] = []
      while found.count != 14 { found = client.command(Self.select) }
      #expect(client.command([0x40, 1, 0x30, 4]).prefix(6) == [0x41, 0, 1, 2, 3, 4])
    }
  }

  @Test("a client that waits for a tag gets it when one is laid down")
  func tagLaidDown() throws {
    let reader = try SimulatedReader(tag: nil)
    let client = try PlainClient(reader)
    client.send(PN532Frame.information([0xD4] + Self.select))
    #expect(client.receive(6) == PN532Frame.acknowledge)
    reader.replaceTag(with: try SimulatedTag(.ntag213))
    #expect(client.receive(21).count == 21)
  }

  @Test("an answer that comes late comes")
  func lateAnswer() throws {
    let reader = try SimulatedReader(tag: nil)
    let client = try PlainClient(reader)
    #expect(client.command([0x32, 0x02, 0, 0x0B, 0x01]) == [0x33])
    #expect(client.command([0x42, 0x30, 0x00]) == [0x43, 0x01])
  }

  @Test("an unplugged reader hangs up and has run to its end")
  func unplugged() async throws {
    let reader = try SimulatedReader(tag: nil, faults: [.unplug(afterCommands: 1)])
    let client = try PlainClient(reader)
    #expect(client.command([0x02]).count == 5)
    #expect(client.command([0x02]) == [])
    try await reader.run()
  }

  @Test("cancelling the task that runs a reader ends it, and a second run ends at once")
  func cancellation() async throws {
    let reader = try SimulatedReader(tag: nil)
    let task = Task { try await reader.run() }
    task.cancel()
    try await task.value
    try await reader.run()
    reader.stop()
  }

  @Test("several readers run side by side")
  func severalReaders() throws {
    let readers = try (1...4).map { number in
      try SimulatedReader(tag: SimulatedTag(.ntag213, uid: [4, 0, 0, 0, 0, 0, UInt8(number)]))
    }
    for (number, reader) in readers.enumerated() {
      let client = try PlainClient(reader)
      #expect(client.command(Self.select).last == UInt8(number + 1))
    }
    #expect(Set(readers.map(\.devicePath)).count == 4)
  }

  @Test("a write that the client has heard of is in the memory file")
  func persistence() throws {
    let folder = try MemoryFileTests.Folder()
    let path = folder.path("tag.bin")
    let reader = try SimulatedReader(tag: SimulatedTag(.ntag213), memoryFile: path)
    let client = try PlainClient(reader)
    #expect(client.command(Self.select).count == 14)
    for number in 1...3 as ClosedRange<UInt8> {
      #expect(client.command([0x40, 1, 0xA2, 4, number, 0, 0, 0]) == [0x41, 0x00])
      #expect([UInt8](try Data(contentsOf: URL(filePath: path)))[16] == number)
    }
  }

  @Test("a change that cannot be kept ends the run with an error that names the file")
  func persistenceFails() async throws {
    let folder = try MemoryFileTests.Folder()
    let path = folder.path("tag.bin")
    let reader = try SimulatedReader(tag: SimulatedTag(.ntag213), memoryFile: path)
    let client = try PlainClient(reader)
    #expect(client.command(Self.select).count == 14)
    try FileManager.default.removeItem(at: folder.url)
    _ = client.command([0x40, 1, 0xA2, 4, 1, 0, 0, 0])
    let error = await #expect(throws: SimulatedReaderError.self) { try await reader.run() }
    #expect(error?.code == .memoryUnwritable)
    #expect(error?.path == path)
  }
}
