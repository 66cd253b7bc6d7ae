import CliptagPlatform
import Foundation
@testable import SimulatedReader
import TagTypes
import Testing

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

@Suite("What a client leaves behind on the terminal")
struct PseudoTerminalTests {
  static func openClient(_ terminal: borrowing PseudoTerminal, _ mode: Int32 = O_RDWR) -> Int32 {
    open(terminal.path, mode | O_NOCTTY | O_NONBLOCK)
  }

  @Test("only the close of a client that could write counts as one")
  func closes() throws {
    let terminal = try PseudoTerminal()
    var closes = [terminal.hasBeenClosed()]
    // The effect of `stty` in the middle of nfcpy's session.
    close(Self.openClient(terminal, O_RDONLY))
    closes.append(terminal.hasBeenClosed())
    close(Self.openClient(terminal))
    closes.append(terminal.hasBeenClosed())
    closes.append(terminal.hasBeenClosed())
    #expect(closes == [false, false, true, false])
  }

  @Test("an unread answer, exclusive use and a cooked mode are gone for the next client")
  func tidying() throws {
    let terminal = try PseudoTerminal()
    let first = Self.openClient(terminal)
    var mode = termios()
    #expect(tcgetattr(first, &mode) == 0)
    #expect(mode.c_lflag & tcflag_t(ECHO | ICANON) == 0, "raw from the start")
    mode.c_lflag |= tcflag_t(ECHO | ICANON)
    tcsetattr(first, TCSANOW, &mode)
    #expect(ioctl(first, UInt(TIOCEXCL), 0) == 0)
    terminal.send([1, 2, 3, 0x0A])
    close(first)

    terminal.tidy()
    let second = Self.openClient(terminal)
    defer { close(second) }
    #expect(second >= 0)
    // TIOCGEXCL, which the C library's macro hides from Swift. An open alone would not show it:
    // root may open an exclusive terminal.
    var isExclusive: CInt = 1
    #expect(ioctl(second, 0x8004_5440, &isExclusive) == 0)
    #expect(isExclusive == 0)
    #expect(tcgetattr(second, &mode) == 0)
    #expect(mode.c_lflag & tcflag_t(ECHO | ICANON) == 0)
    var bytes = [UInt8](repeating: 0, count: 8)
    #expect(read(second, &bytes, bytes.count) < 0)
    terminal.send([0x0D, 0x0A, 0x03])
    #expect(read(second, &bytes, bytes.count) == 3)
    #expect(bytes.prefix(3) == [0x0D, 0x0A, 0x03])
  }

  @Test("what a client that does not read has no room for is dropped, and nothing blocks")
  func overrun() throws {
    let terminal = try PseudoTerminal()
    let client = Self.openClient(terminal)
    defer { close(client) }
    for _ in 0..<200 { terminal.send([UInt8](repeating: 7, count: 256)) }
    var byte: UInt8 = 0
    #expect(read(client, &byte, 1) == 1)
    #expect(byte == 7)
  }
}
