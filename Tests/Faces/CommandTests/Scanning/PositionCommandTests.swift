import Foundation
import SimulatedReceivers
import Synchronization
import Testing

/// The position of the reader, from gpsd, a receiver, a picture or a surveyor.
extension CommandSuite {
  @Suite("Positions") struct PositionCommandTests {
    @Test("a position from gpsd confirms a code, and its source is told")
    func fromGPSD() async throws {
      let sandbox = try await Sandbox.withFruta()
      let server = try FakeGPSD.inCupertino()
      let outcome = try await sandbox.run(
        "check", Fruta.cupertino, "--gpsd", "127.0.0.1:\(server.port)", "--json")
      #expect(outcome.status == 0)
      let location = try #require(try outcome.lines.first)["location"]
      #expect(location["result"] == "inside")
      #expect(location["accuracy"] == 8)
      let source = location["source"]
      source.expectKeys([
        "kind", "name", "latitude", "longitude", "time", "reports", "simulated", "note",
      ])
      #expect(source["kind"] == "gpsd")
      #expect(source["name"].text == "127.0.0.1:\(server.port)")
      #expect(source["latitude"] == .number(37.3230))
      #expect(source["simulated"] == false)
      let far = try await sandbox.run(
        "check", "https://fruta.example.com/order/san-francisco", "--gpsd",
        "127.0.0.1:\(server.port)")
      #expect(far.status == 1)
      #expect(far.output.contains("outside"))
    }

    @Test("where no gpsd listens, or something else, the service is unavailable")
    func absent() async throws {
      let sandbox = try await Sandbox.withFruta()
      var port = 0
      do { port = try FakeGPSD { _, _ in }.port }
      for command in [["check", Fruta.cupertino], ["scan", "--lines"], ["scan", "a.png"]] {
        let outcome = try await sandbox.run(
          command + ["--gpsd", "127.0.0.1:\(port)", "--json"])
        #expect(outcome.status == 69)
        #expect(try outcome.lines.first?["code"] == "no-gpsd")
      }
      let other = try FakeGPSD { connection, _ in connection.send("SSH-2.0-OpenSSH_9.2") }
      let outcome = try await sandbox.run(
        "check", Fruta.cupertino, "--gpsd", "127.0.0.1:\(other.port)", "--json")
      #expect(outcome.status == 69)
      #expect(try outcome.lines.first?["code"] == "not-gpsd")
    }

    @Test("a simulated position decides nothing unless it is allowed, which is told")
    func simulated() async throws {
      let sandbox = try await Sandbox.withFruta()
      let server = try FakeGPSD.inCupertino(
        #""mode":3,"status":8,"lat":37.3230,"lon":-122.0322,"eph":8"#)
      let address = "127.0.0.1:\(server.port)"
      let refused = try await sandbox.run(
        "check", Fruta.cupertino, "--gpsd", address, "--position-timeout", "1", "--json")
      #expect(refused.status == 1)
      let line = try #require(try refused.lines.first)
      #expect(line["verdict"] == "undecided")
      #expect(line["location"]["result"] == "noPosition")
      #expect(line["findings"][0]["code"] == "unusable-position")
      let allowed = try await sandbox.run(
        "check", Fruta.cupertino, "--gpsd", address, "--allow-simulated-position", "--json")
      #expect(allowed.status == 0)
      #expect(try allowed.lines.first?["location"]["source"]["simulated"] == true)
      #expect(try allowed.lines.first?["findings"][0]["code"] == "simulated-position")
    }

    @Test("codes that a scanner reads on a walk are confirmed by a receiver on a serial port")
    func fromReceiver() async throws {
      let sandbox = try await Sandbox.withFruta()
      let receiver = try SteadyReceiver()
      let outcome = try await sandbox.run(
        ["scan", "--lines", "--assume-qr", "--nmea", "\(receiver.path):9600", "--json"],
        stdin: Array((Fruta.cupertino + "\n").utf8))
      await receiver.stop()
      #expect(outcome.status == 0)
      let location = try #require(try outcome.lines.first)["location"]
      #expect(location["result"] == "inside")
      #expect(location["source"]["kind"] == "nmea")
      #expect(location["source"]["name"].text == receiver.path)
    }

    @Test("a receiver confirms the codes of pictures, too, also when each page has its process")
    func pictures() async throws {
      let sandbox = try await Sandbox.withFruta()
      try await sandbox.run("qr", Fruta.cupertino, "-o", "a.png")
      let server = try FakeGPSD.inCupertino()
      for isolation in [[], ["--isolate"]] {
        let outcome = try await sandbox.run(
          ["scan", "a.png", "a.png", "--gpsd", "127.0.0.1:\(server.port)", "--json"] + isolation)
        #expect(outcome.status == 0)
        #expect(try outcome.lines.map { $0["location"]["source"]["kind"] } == ["gpsd", "gpsd"])
      }
    }

    @Test(
      "a picture's own position confirms its code, and needs an error, also in a process of its own",
      arguments: ["--isolate", "--no-isolate"])
    func exif(isolation: String) async throws {
      let sandbox = try await Sandbox.withFruta()
      try await sandbox.run("qr", Fruta.cupertino, "-o", "a.png")
      let plain = try Data(contentsOf: URL(fileURLWithPath: sandbox.path("a.png")))
      for (name, error) in [("exact.png", 5), ("vague.png", nil)] {
        try Self.adding(Self.block(error: error), to: plain)
          .write(to: URL(fileURLWithPath: sandbox.path(name)))
      }
      let table: [(arguments: [String], result: String, finding: String?, status: Int)] = [
        (["exact.png"], "inside", nil, 0), (["a.png"], "noPosition", "no-position", 1),
        (["vague.png"], "noPosition", "position-without-error", 1),
        (["vague.png", "--accuracy", "20"], "inside", nil, 0),
      ]
      for (arguments, result, finding, status) in table {
        let outcome = try await sandbox.run(
          ["scan", "--exif-position", "--json", isolation] + arguments)
        let line = try #require(try outcome.lines.first)
        #expect(line["location"]["result"].text == result, "\(arguments)")
        #expect(line["findings"][0]["code"].text == finding)
        #expect(outcome.status == status)
        guard status == 0 else { continue }
        #expect(line["location"]["source"]["kind"] == "exif")
        #expect(line["location"]["source"]["time"] == "2026-11-22T09:26:50Z")
      }
      // The remark is said once a run, and the result in words with each code.
      let text = try await sandbox.run(
        "scan", "--exif-position", isolation, "vague.png", "vague.png"
      ).output
      #expect(text.ranges(of: "[position-without-error]").count == 1, "\(text)")
      #expect(text.ranges(of: "unknown position").count == 2, "\(text)")
    }

    @Test("a surveyor's note is kept with the position")
    func note() async throws {
      let sandbox = try await Sandbox.withFruta()
      let outcome = try await sandbox.run(
        "check", Fruta.cupertino, "--at", Fruta.inCupertino, "--position-note", "J. Doe, indoors",
        "--json")
      let source = try #require(try outcome.lines.first)["location"]["source"]
      #expect(source["kind"] == "given")
      #expect(source["note"] == "J. Doe, indoors")
    }

    @Test("one source of the position only, and what belongs to one is refused without it")
    func usage() async throws {
      let sandbox = try await Sandbox.withFruta()
      for arguments in [
        ["check", Fruta.cupertino, "--at", "1,2", "--gpsd", "127.0.0.1:1"],
        ["check", Fruta.cupertino, "--nmea", "/dev/null", "--gpsd", "127.0.0.1:1"],
        ["check", Fruta.cupertino, "--no-location", "--nmea", "/dev/null"],
        ["check", Fruta.cupertino, "--position-note", "x"],
        ["check", Fruta.cupertino, "--allow-simulated-position"],
        ["check", Fruta.cupertino, "--at", "1,2", "--position-timeout", "3"],
        ["check", Fruta.cupertino, "--gpsd", "127.0.0.1:1", "--position-timeout", "0"],
        ["check", Fruta.cupertino, "--accuracy", "3"],
        ["check", Fruta.cupertino, "--gpsd", "127.0.0.1:0"], ["check", Fruta.cupertino, "--gpsd"],
        ["check", Fruta.cupertino, "--nmea", "/dev/x:7"],
        ["scan", "a.png", "--exif-position", "--at", "1,2"],
        ["scan", "--lines", "--exif-position"],
      ] {
        #expect(try await sandbox.run(arguments).status == 64, "\(arguments)")
      }
      let device = try await sandbox.run("check", Fruta.cupertino, "--nmea", "/dev/null", "--json")
      #expect(device.status == 69)
      #expect(try device.lines.first?["code"] == "wrong-device")
    }

    // MARK: A picture with a position

    /// A TIFF structure with a position in Cupertino.
    private static func block(error: Int?) -> [UInt8] {
      func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      }
      func rationals(_ values: [(Int, Int)]) -> [UInt8] {
        values.flatMap { number($0.0, 4) + number($0.1, 4) }
      }
      var fields: [(tag: Int, type: Int, count: Int, data: [UInt8])] = [
        (1, 2, 2, Array("N\0".utf8)), (2, 5, 3, rationals([(37, 1), (19, 1), (2280, 100)])),
        (3, 2, 2, Array("W\0".utf8)), (4, 5, 3, rationals([(122, 1), (1, 1), (5592, 100)])),
        (7, 5, 3, rationals([(9, 1), (26, 1), (50, 1)])),
        (0x1D, 2, 11, Array("2026:11:22\0".utf8)),
      ]
      if let error { fields.append((0x1F, 5, 1, rationals([(error, 1)]))) }
      var directory = number(fields.count, 2)
      var data: [UInt8] = []
      for field in fields {
        directory += number(field.tag, 2) + number(field.type, 2) + number(field.count, 4)
        if field.data.count <= 4 {
          directory += field.data + [UInt8](repeating: 0, count: 4 - field.data.count)
        } else {
          directory += number(26 + 6 + fields.count * 12 + data.count, 4)
          data += field.data
        }
      }
      return [0x4D, 0x4D, 0, 0x2A] + number(8, 4) + number(1, 2) + number(0x8825, 2) + number(4, 2)
        + number(1, 4) + number(26, 4) + number(0, 4) + directory + number(0, 4) + data
    }

    /// A PNG file with an `eXIf` chunk behind its header.
    private static func adding(_ block: [UInt8], to png: Data) -> Data {
      let body = Array("eXIf".utf8) + block
      // CRC-32 as PNG has it (third edition, annex D).
      let sum = body.reduce(UInt32.max) { sum, byte in
        (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in
          sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1
        }
      }
      func number(_ value: UInt32) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      }
      let chunk = number(UInt32(block.count)) + body + number(~sum)
      return Data(png.prefix(33)) + Data(chunk) + Data(png.dropFirst(33))
    }
  }
}
