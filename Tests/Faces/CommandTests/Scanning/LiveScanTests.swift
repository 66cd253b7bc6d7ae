import CliptagPlatform
import Foundation
import Pictures
import Subprocess
import Testing

/// Codes that come from a camera or a scanner while the command runs.
extension CommandSuite {
  @Suite("Live scan") struct LiveScanTests {
    /// The scanner's end of a serial port that the command opens.
    private final class Scanner: Sendable {
      let path: String
      private let device: Int32

      init() throws {
        var device: Int32 = -1
        var port: Int32 = -1
        var name = [CChar](repeating: 0, count: 128)
        try #require(openpty(&device, &port, &name, nil, nil) == 0)
        _ = fcntl(device, F_SETFD, FD_CLOEXEC)
        var mode = termios()
        tcgetattr(port, &mode)
        cfmakeraw(&mode)
        tcsetattr(port, TCSANOW, &mode)
        close(port)
        path = String(
          decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.device = device
      }

      func send(_ text: String) { _ = write(device, text, text.utf8.count) }
      func unplug() { close(device) }
    }

    @Test("each line of standard input is verified and answered before the next one comes")
    func lines() async throws {
      let sandbox = try await Sandbox.withFruta()
      let outcome = try await sandbox.start(
        "scan", "--lines", "--json", "--at", Fruta.inCupertino
      ) { running in
        try await running.write("]Q1" + Fruta.cupertino + "\r\n")
        let first = try JSON(parsing: try #require(try await running.line()))
        #expect(first["type"] == "verification")
        #expect(first["source"] == "-")
        #expect(first["carrier"] == "qr")
        #expect(first["payload"] == .string(Fruta.cupertino))
        #expect(first["verdict"] == "accepted")
        #expect(first["symbol"] == .null)
        try await running.write(Fruta.sanFrancisco + "\n")
        let second = try JSON(parsing: try #require(try await running.line()))
        #expect(second["carrier"] == "barcode")
        #expect(second["verdict"] == "undecided", "no iPhone takes a code of unknown kind")
        try await running.endInput()
        #expect(try await running.remainingLines() == [])
      }
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("AIM identifiers"))
    }

    @Test("with --assume-qr a scanner without identifiers is one for QR codes")
    func assumed() async throws {
      let sandbox = try await Sandbox.withFruta()
      let outcome = try await sandbox.run(
        "scan", "--lines", "--assume-qr", "--json", "--no-location",
        stdin: Array("\(Fruta.cupertino)\n\(Fruta.cupertino)\n".utf8))
      #expect(outcome.status == 0)
      #expect(try outcome.lines.map { $0["carrier"] } == ["qr"], "once, because it stayed")
    }

    @Test("nothing at all is nothing found, and so are fewer codes than were asked for")
    func nothing() async throws {
      let sandbox = try await Sandbox.withFruta()
      let none = try await sandbox.run("scan", "--lines", "--json", stdin: [])
      #expect(none.status == 2)
      #expect(try none.errorCodes == ["no-code"])
      let few = try await sandbox.run(
        "scan", "--lines", "--assume-qr", "--count", "2", "--no-location", "--json",
        stdin: Array(Fruta.cupertino.utf8))
      #expect(few.status == 2)
      #expect(try few.lines("verification").count == 1)
    }

    @Test("a time-out ends a scan that nothing comes to")
    func timeout() async throws {
      let sandbox = try await Sandbox.withFruta()
      let scanner = try Scanner()
      let outcome = try await sandbox.run(
        "scan", "--serial", scanner.path, "--timeout", "0.2", "--json")
      #expect(outcome.status == 2)
      scanner.unplug()
    }

    @Test("Ctrl-C ends a serial scan with 130; what was read stays reported")
    func interrupted() async throws {
      let sandbox = try await Sandbox.withFruta()
      let scanner = try Scanner()
      let outcome = try await sandbox.start(
        "scan", "--serial", scanner.path, "--json", "--no-location", "--assume-qr"
      ) { running in
        scanner.send(Fruta.cupertino + "\r")
        let line = try JSON(parsing: try #require(try await running.line()))
        #expect(line["payload"] == .string(Fruta.cupertino))
        #expect(line["source"] == .string(scanner.path))
        try running.send(.interrupt)
        #expect(try await running.remainingLines() == [])
      }
      #expect(outcome.status == 130)
      scanner.unplug()
    }

    @Test("a scanner that is unplugged ends the scan with 69, after what it read")
    func unplugged() async throws {
      let sandbox = try await Sandbox.withFruta()
      let scanner = try Scanner()
      let outcome = try await sandbox.start(
        "scan", "--serial", scanner.path, "--json", "--no-location", "--assume-qr"
      ) { running in
        scanner.send(Fruta.cupertino + "\r")
        _ = try #require(try await running.line())
        scanner.unplug()
        let last = try JSON(parsing: try #require(try await running.line()))
        #expect(last["code"] == "device-lost")
        #expect(try await running.remainingLines() == [])
      }
      #expect(outcome.status == 69)
    }

    @Test("what is no UTF-8 is told, and the next code is still read")
    func encoding() async throws {
      let sandbox = try await Sandbox.withFruta()
      let outcome = try await sandbox.run(
        "scan", "--lines", "--assume-qr", "--no-location", "--json",
        stdin: [0x63, 0xE9, 0x0A] + Array(Fruta.cupertino.utf8) + [0x0A])
      #expect(outcome.status == 65)
      #expect(try outcome.errorCodes == ["unreadable-scan"])
      #expect(try outcome.lines("verification").count == 1)
    }

    @Test("recorded keys of a scanner are verified")
    func keys() async throws {
      let sandbox = try await Sandbox.withFruta()
      // struct input_event of a 64-bit machine: 16 bytes of time, type, code, value. "a", Enter.
      let keys: [(UInt8, UInt8)] = [(30, 1), (30, 0), (28, 1), (28, 0)]
      var events: [UInt8] = []
      for (code, value) in keys {
        events += [UInt8](repeating: 0, count: 16)
        events += [1, 0, code, 0, value, 0, 0, 0]
      }
      try sandbox.write(events, to: "keys")
      let outcome = try await sandbox.run("scan", "--wedge", "keys", "--json")
      #expect(outcome.status == 1)
      #expect(try outcome.lines.map { $0["payload"] } == ["a"])
    }

    @Test("a code in a camera's recording is verified once, with its symbol")
    func camera() async throws {
      let sandbox = try await Sandbox.withFruta()
      try await sandbox.run("qr", Fruta.cupertino, "-o", "code.png", "--json")
      let bytes = try #require(sandbox.bytes(of: "code.png"))
      let picture = try await PictureLoader().open(bytes, named: "code").page(1).firstLook
      let frame: [UInt8] = picture.pixels.flatMap { [$0, 128] as [UInt8] }
      try sandbox.write(frame + frame + frame, to: "recording.yuv")
      let outcome = try await sandbox.run(
        "scan", "--camera", "recording.yuv", "--yuyv", "\(picture.width)x\(picture.height)",
        "--no-location", "--json")
      #expect(outcome.status == 0, "\(outcome.output)")
      let lines = try outcome.lines
      #expect(lines.map { $0["payload"] } == [.string(Fruta.cupertino)])
      #expect(lines.first?["carrier"] == "qr")
      #expect(lines.first?["symbol"]["corners"].elements.count == 4)
    }

    @Test(
      "a device that is not there is unavailable",
      arguments: [
        ["--camera", "/dev/video-none"], ["--serial", "/dev/ttyACM-none"],
        ["--wedge", "/dev/input/none"],
      ])
    func missing(arguments: [String]) async throws {
      let sandbox = try await Sandbox.withFruta()
      let outcome = try await sandbox.run(["scan", "--json"] + arguments)
      #expect(outcome.status == 69)
      #expect(try outcome.errorCodes == ["no-device"])
      #expect(outcome.errors.contains(arguments[1]))
    }

    @Test(
      "contradicting options are wrong usage",
      arguments: [
        [], ["--lines", "wall.jpg"], ["--lines", "--serial", "/dev/null"],
        ["--count", "1", "wall.jpg"], ["--lines", "--count", "0"], ["--lines", "--timeout", "-1"],
        ["--serial", "/dev/null", "--baud", "1"], ["--camera", "x", "--again", "0"],
        ["--lines", "--yuyv", "2x2"], ["--camera", "x", "--yuyv", "2"], ["--lines", "--keys", "-"],
      ])
    func usage(arguments: [String]) async throws {
      let sandbox = try await Sandbox.withFruta()
      #expect(try await sandbox.run(["scan"] + arguments).status == 64)
    }
  }
}
