import CliptagPlatform
import Foundation
import TagTypes
import Testing

@testable import SimulatedReader

@Suite("Control channel and scripts", .timeLimit(.minutes(10)))
struct ControlTests {
  /// A person at the socket, who writes and reads with system calls.
  private struct Person: ~Copyable {
    let descriptor: Int32

    init(_ path: String) throws {
      descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      let result = withUnsafePointer(to: address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { [descriptor] in
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      try #require(result == 0)
    }

    deinit { close(descriptor) }

    func send(_ text: String) {
      let bytes = Array(text.utf8)
      #expect(
        CliptagPlatform.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
    }

    func line() -> String {
      var bytes: [UInt8] = []
      var byte: UInt8 = 0
      while recv(descriptor, &byte, 1, 0) == 1, byte != 0x0A { bytes.append(byte) }
      return String(decoding: bytes, as: UTF8.self)
    }

    func ask(_ line: String) -> String {
      send(line + "\n")
      return self.line()
    }
  }

  @Test(
    "every command reads, and what is none is refused",
    arguments: [
      ("place ntag213", true), ("place ntag424 04A1B2C3D4E5F6", true), ("remove", true),
      ("back", true), ("next", true), ("fault tear-write=1", true), ("clear-faults", true),
      ("faults", true), ("tag", true), ("counts", true), ("memory", true), ("page 0x28", true),
      ("trace off", true), ("help", true), ("quit\r", true), ("  remove\t", true),
      ("place", false), ("place none", false), ("place ntag213 xyz", false),
      ("place ntag213 04A1B2C3D4E5F6 x", false), ("fault", false), ("fault explode=1", false),
      ("page", false), ("page -1", false), ("trace", false), ("trace maybe", false), ("", false),
      ("remove it", false), ("QUIT", false),
    ])
  func parsing(line: String, isGood: Bool) {
    #expect(((try? SimulatorCommand(parsing: line)) != nil) == isGood)
  }

  @Test("tags come and go by command, and questions are answered")
  func commands() throws {
    let folder = try MemoryFileTests.Folder()
    let reader = try SimulatedReader(tag: SimulatedTag(.ntag213))
    let channel = try ControlChannel(path: folder.path("sim"), reader: reader)
    let person = try Person(channel.path)
    let client = try PlainClient(reader)
    #expect(client.command([0x32, 0x05, 0, 1, 2]) == [0x33])
    #expect(person.ask("tag") == "ok NTAG213 04E10CDA993C80")
    #expect(client.command(SimulatedReaderTests.select).count == 14)
    #expect(person.ask("remove") == "ok")
    #expect(person.ask("tag") == "ok none")
    #expect(client.command([0x40, 1, 0x30, 0]) == [0x41, 0x01])
    #expect(client.command(SimulatedReaderTests.select) == [0x4B, 0x00])
    #expect(person.ask("back") == "ok")
    #expect(client.command(SimulatedReaderTests.select).count == 14)
    #expect(person.ask("place ntag216 04A1B2C3D4E5F6") == "ok 04A1B2C3D4E5F6")
    #expect(
      client.command(SimulatedReaderTests.select).suffix(7) == [
        4, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6,
      ])
    #expect(client.command([0x40, 1, 0xA2, 4, 1, 2, 3, 4]) == [0x41, 0x00])
    #expect(person.ask("page 4") == "ok 01020304")
    #expect(person.ask("page 231") == "error the tag has 231 pages")
    #expect(person.ask("memory").count == 3 + 924 * 2)
    #expect(
      person.ask("counts").hasPrefix("ok exchanges=7 tag-commands=1 writes=1 bytes-from-host="))
    #expect(person.ask("next") == "error the reader has no deck")
    #expect(person.ask("trace on").hasPrefix("error"))
  }

  @Test("faults that are added count from then, and can be asked for and struck off")
  func faults() throws {
    let reader = try SimulatedReader(tag: SimulatedTag(.ntag213))
    let client = try PlainClient(reader)
    #expect(client.command(SimulatedReaderTests.select).count == 14)
    #expect(client.command([0x40, 1, 0x30, 0]).prefix(2) == [0x41, 0])
    #expect(reader.perform(try SimulatorCommand(parsing: "fault mute-command=2")).isDone)
    #expect(reader.perform(.faults).description == "ok mute-command=3")
    #expect(client.command([0x40, 1, 0x30, 0]).prefix(2) == [0x41, 0])
    #expect(client.command([0x40, 1, 0x30, 0]) == [0x41, 1])
    #expect(client.command([0x40, 1, 0x30, 0]).prefix(2) == [0x41, 0])
    reader.add(.busy(1))
    reader.add(.muteCommand(1))
    #expect(reader.perform(.clearFaults).isDone)
    #expect(reader.perform(.faults).description == "ok")
    #expect(client.command([0x40, 1, 0x30, 0]).prefix(2) == [0x41, 0])
  }

  @Test("a client that waits for a tag gets the next one when it is called for")
  func nextForWaitingClient() throws {
    let reader = try SimulatedReader(
      deck: SimulatedDeck([nil, nil, try SimulatedTag(.ntag213)]))
    let client = try PlainClient(reader)
    // Two pauses are two searches that find nothing; a call skips the remaining ones.
    #expect(client.command([0x32, 0x05, 0, 1, 0xFE]) == [0x33])
    client.send(PN532Frame.information([0xD4] + SimulatedReaderTests.select))
    #expect(client.receive(6) == PN532Frame.acknowledge)
    #expect(reader.perform(.next).isDone)
    #expect(client.receive(21).count == 21)
  }

  @Test("garbage, long lines and clients that leave do no harm")
  func rudeClients() throws {
    let folder = try MemoryFileTests.Folder()
    let reader = try SimulatedReader(tag: SimulatedTag(.ntag213))
    let channel = try ControlChannel(path: folder.path("sim"), reader: reader)
    do {
      let rude = try Person(channel.path)
      rude.send("remo")
    }
    do {
      let rude = try Person(channel.path)
      rude.send(String(repeating: "memory\n", count: 200))
    }
    let person = try Person(channel.path)
    #expect(person.ask("\u{0}\u{1}garbage").hasPrefix("error"))
    #expect(
      person.ask(String(repeating: "x", count: 5000)) == "error a line has at most 1024 bytes")
    #expect(person.ask("\n\r\ntag") == "ok NTAG213 04E10CDA993C80")
    person.send("tag\ntag\nta")
    #expect(person.line() == person.line())
    #expect(person.ask("g") == "ok NTAG213 04E10CDA993C80")
  }

  @Test("a live socket is refused, a stale one replaced, another file left alone")
  func socketFile() throws {
    let folder = try MemoryFileTests.Folder()
    let path = folder.path("sim")
    let reader = try SimulatedReader(tag: nil)
    do {
      let channel = try ControlChannel(path: path, reader: reader)
      let error = #expect(throws: SimulatedReaderError.self) {
        try ControlChannel(path: path, reader: reader)
      }
      #expect(error?.code == .noControlChannel)
      #expect(try Person(path).ask("tag") == "ok none", "the first one goes on")
      channel.close()
      #expect(!FileManager.default.fileExists(atPath: path))
    }
    let stale = try ControlSocket.listen(at: path)
    close(stale)
    #expect(FileManager.default.fileExists(atPath: path))
    let channel = try ControlChannel(path: path, reader: reader)
    #expect(try Person(path).ask("tag") == "ok none")
    channel.close()
    try Data([1]).write(to: URL(filePath: path))
    #expect(throws: SimulatedReaderError.self) { try ControlChannel(path: path, reader: reader) }
    #expect(FileManager.default.contents(atPath: path) == Data([1]))
    #expect(throws: SimulatedReaderError.self) {
      try ControlChannel(path: folder.path(String(repeating: "x", count: 200)), reader: reader)
    }
  }

  @Test("quit ends the reader")
  func quit() async throws {
    let reader = try SimulatedReader(tag: nil)
    reader.perform(.quit)
    try await reader.run()
  }

  @Test("a script happens between two commands, each line once and at its moment")
  func script() throws {
    var host = try SimulatedHost(.ntag213)
    host.searchBriefly()
    host.chip.script = try SimulatorScript(
      parsing: """
        after 4 commands: remove   # the tag has been read once
        after 5 commands: back
        after 2 tag-commands: fault mute-after-write=1
        """)
    host.select()
    #expect(host.exchange([0x30, 0x04])?.first == 0)
    #expect(host.exchange([0x30, 0x04])?.first == 0)
    #expect(host.exchange([0x30, 0x04]) == [0x01])
    host.select()
    #expect(host.exchange([0xA2, 0x04, 1, 2, 3, 4]) == [0x01])
    #expect(host.chip.field.tag?.page(4) == [1, 2, 3, 4])
    #expect(host.chip.script.lines.isEmpty)
  }

  @Test("a line for a time waits for it, and one without moment is done at the start")
  func scriptInTime() throws {
    var chip = SimulatedPN532(tag: try SimulatedTag(.ntag213))
    chip.script = try SimulatorScript(parsing: "remove\nafter 500 ms: back\n")
    #expect(chip.script.nextTime == .milliseconds(500))
    _ = chip.letTimePass(.zero)
    #expect(chip.field.presentCard == nil)
    _ = chip.letTimePass(.milliseconds(499))
    #expect(chip.field.presentCard == nil)
    let output = chip.letTimePass(.milliseconds(500))
    #expect(chip.field.presentCard != nil)
    #expect(output.compactMap(\.event) == [.note("script: back → ok")])
    #expect(chip.script.nextTime == nil)
  }

  @Test(
    "a script that cannot be read names the line",
    arguments: [
      "after 12 commands remove", "after x commands: remove", "after 12 days: remove",
      "after 12 commands:", "after", "explode", "after 1 ms: explode",
    ])
  func badScript(line: String) {
    let error = #expect(throws: SimulatedReaderError.self) {
      try SimulatorScript(parsing: "remove\n\n\(line)\n")
    }
    #expect(error?.code == .malformedScript)
    #expect(error?.message.contains("Line 3") == true)
  }
}
