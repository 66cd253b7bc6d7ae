import Foundation
import SimulatedReader
import Subprocess
import Testing

/// `cliptag reader record` and `cliptag reader play`, used as their help describes.
extension CommandSuite {
  @Suite("Recorded sessions") struct RecordTests {
    /// The JSON lines of a command on a played recording.
    private func played(
      _ sandbox: Sandbox, _ file: String, _ options: [String] = [], _ command: String...
    ) async throws -> Outcome {
      let results = Results()
      let outcome = try await sandbox.start(["reader", "play", file] + options) { running in
        let reader = try #require(try await running.line())
        await results.take(
          try await sandbox.run(
            command,
            environment: reader.hasPrefix("pcsc:")
              ? ["PCSCLITE_CSOCK_NAME": sandbox.root + "/play", "CLIPTAG_READER": "pcsc"]
              : ["LIBNFC_DEVICE": reader]))
        try running.send(.terminate)
      }
      #expect(outcome.status == 0, "\(outcome.errors)")
      return try #require(await results.last)
    }

    private actor Results {
      private(set) var last: Outcome?
      func take(_ outcome: Outcome) { last = outcome }
    }

    @Test("a recording that is played gives the same result as the reader that was recorded")
    func roundTrip() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader.holding { $0.hold(uri: "fruta.example.com/order/cupertino") }
      let recorded = try await sandbox.run(
        "reader", "record", "s.yaml", "--keep-uids", "--", "tag", "read", "--no-location", "--json",
        environment: ["LIBNFC_DEVICE": reader.connectionString])
      #expect(recorded.status == 0, "\(recorded.errors)")
      #expect(recorded.errors.contains("recorded "))
      let again = try await played(sandbox, "s.yaml", [], "tag", "read", "--no-location", "--json")
      #expect(again.status == 0, "\(again.errors)")
      #expect(try again.lines.first?["tag"] == recorded.lines.first?["tag"])
      #expect(try again.lines.first?["payload"].text == Fruta.cupertino)
      let attributes = try FileManager.default.attributesOfItem(atPath: sandbox.path("s.yaml"))
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      #expect(try sandbox.listing() == ["s.yaml"])
    }

    @Test("a recording of PC/SC is played at a socket")
    func overPCSC() async throws {
      let sandbox = try await Sandbox.withFruta()
      let socket = sandbox.root + "/pcscd"
      let simulated = try await sandbox.start(
        ["reader", "simulate", "--pcsc", socket, "--model", "acr1552", "--tag", "slix2"]
      ) { running in
        _ = try await running.line()
        let environment = ["PCSCLITE_CSOCK_NAME": socket, "CLIPTAG_READER": "pcsc"]
        let write = try await sandbox.run("tag", "write", Fruta.cupertino, environment: environment)
        #expect(write.status == 0, "\(write.errors)")
        let recorded = try await sandbox.run(
          "reader", "record", "s.yaml", "--", "tag", "read", "--no-location",
          environment: environment)
        #expect(recorded.status == 0, "\(recorded.errors)")
        try running.send(.terminate)
      }
      #expect(simulated.status == 0)
      let text = String(decoding: sandbox.bytes(of: "s.yaml") ?? [], as: UTF8.self)
      #expect(text.contains("note: 'ATR'") && text.contains("ACR1552"))
      #expect(!text.contains("838ed22a"), "the end of the tag's UID")
      let refused = try await sandbox.run("reader", "play", "s.yaml")
      #expect(refused.status == 64)
      let again = try await played(
        sandbox, "s.yaml", ["--pcsc", sandbox.root + "/play"], "tag", "read", "--no-location",
        "--json")
      #expect(again.status == 0, "\(again.errors)")
      #expect(try again.lines.first?["payload"].text == Fruta.cupertino)
    }

    @Test(
      "another command than the recorded one ends the player; a lenient one lets the tag answer")
    func another() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader.holding { $0.hold(uri: "fruta.example.com/order/cupertino") }
      try await sandbox.run(
        "reader", "record", "s.yaml", "--", "tag", "read", "--no-location",
        environment: ["LIBNFC_DEVICE": reader.connectionString])
      let strict = try await sandbox.start("reader", "play", "s.yaml", "--json") { running in
        let line = try JSON(parsing: try #require(try await running.line()))
        let port = try #require(line["reader"].text)
        let write = try await sandbox.run(
          "tag", "write", "\(Fruta.cupertino)/table/7", "--reader", port)
        #expect(write.status != 0)
      }
      #expect(strict.status == 74)
      let lenient = try await played(
        sandbox, "s.yaml", ["--lenient", "--tag", "ntag215"], "tag", "info", "--json")
      #expect(lenient.status == 0, "\(lenient.errors)")
    }

    @Test(
      "a recording has no password, no key and no UID; a signature keeps the UID, which is said")
    func secrets() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader.holding { $0.hold(uri: "fruta.example.com/order/cupertino") }
      let environment = ["LIBNFC_DEVICE": reader.connectionString]
      try sandbox.write("A1B2C3D4:0102\n", to: "pw")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: sandbox.path("pw"))
      let set = try await sandbox.run(
        "reader", "record", "s.yaml", "--", "tag", "password", "set", "--password-file", "pw",
        environment: environment)
      #expect(set.status == 0, "\(set.errors)")
      let read = try await sandbox.run(
        "reader", "record", "t.yaml", "--no-message", "--", "tag", "read", "--no-location",
        "--password-file", "pw", environment: environment)
      #expect(read.status == 0, "\(read.errors)")
      for name in ["s.yaml", "t.yaml"] {
        let text = String(decoding: sandbox.bytes(of: name) ?? [], as: UTF8.self)
        #expect(!text.contains("a1b2c3d4"), "\(name) has the password")
        #expect(!text.contains("04e10c") && !text.contains("da993c80"), "\(name) has the UID")
      }
      let message = String(decoding: sandbox.bytes(of: "t.yaml") ?? [], as: UTF8.self)
      #expect(!message.contains("6672757461"), "fruta")
      let signed = try await sandbox.run(
        "reader", "record", "u.yaml", "--", "tag", "info",
        environment: environment)
      #expect(signed.errors.contains("UIDs stay"), "\(signed.errors)")
      let text = String(decoding: sandbox.bytes(of: "u.yaml") ?? [], as: UTF8.self)
      #expect(text.contains("04e10c"))
    }

    @Test("a run that is killed leaves what was recorded before")
    func killed() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader(.none)
      let outcome = try await sandbox.start(
        ["reader", "record", "s.yaml", "--", "tag", "read", "--timeout", "600"],
        environment: ["LIBNFC_DEVICE": reader.connectionString]
      ) { running in
        try await until {
          sandbox.bytes(of: "s.yaml").map { String(decoding: $0, as: UTF8.self) }?
            .contains("{device: 'd54b00'") == true
        }
        try running.send(.kill)
      }
      #expect(outcome.status == 128 + 9)
      let played = try await sandbox.start("reader", "play", "s.yaml") { running in
        #expect(try await running.line()?.hasPrefix("pn532_uart:") == true)
        try running.send(.terminate)
      }
      #expect(played.status == 0, "\(played.errors)")
      #expect(try sandbox.listing() == ["s.yaml"])
    }

    @Test("without a reader there is no file; the status is that of the command")
    func nothing() async throws {
      let sandbox = try await Sandbox.withFruta()
      let none = try await sandbox.run("reader", "record", "s.yaml", "--", "check", Fruta.cupertino)
      #expect(none.status == 2 && none.errors.contains("opened no reader"), "\(none.errors)")
      let wrong = try await sandbox.run("reader", "record", "s.yaml", "--", "tag", "fly")
      #expect(wrong.status == 64)
      let folder = try await sandbox.run("reader", "record", "no/s.yaml", "--", "tag", "read")
      #expect(folder.status == 73)
      #expect(try sandbox.listing() == [])
      let reader = try SimulatedReader(.none)
      let empty = try await sandbox.run(
        "reader", "record", "s.yaml", "--", "tag", "read", "--timeout", "0",
        environment: ["LIBNFC_DEVICE": reader.connectionString])
      #expect(empty.status == 2)
      #expect(try sandbox.listing() == ["s.yaml"])
    }
  }
}
