import CliptagPlatform
import Foundation
import SimulatedReader
import Subprocess
import TagTypes
import Testing

/// A Unix socket that takes connections and sends nothing.
private final class SilentService {
  private let descriptor: Int32

  init(path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    try #require(descriptor >= 0 && bytes.count < MemoryLayout.size(ofValue: address.sun_path))
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0 && listen(descriptor, 8) == 0)
  }

  deinit { close(descriptor) }
}

/// The command over the real pcsc-lite library, against `reader simulate --pcsc` in place of pcscd.
extension CommandSuite {
  @Suite("PC/SC readers") struct PCSCTests {
    /// Runs `body` while a simulated reader serves, with an environment in which it is the only
    /// one.
    private func serving(
      _ model: SimulatedPCSCModel, _ arguments: String...,
      body: @escaping @Sendable (Sandbox, [String: String]) async throws -> Void
    ) async throws {
      let sandbox = try await Sandbox.withFruta()
      let socket = sandbox.root + "/pcscd"
      let outcome = try await sandbox.start(
        ["reader", "simulate", "--pcsc", socket, "--model", model.rawValue] + arguments
      ) { running in
        #expect(try await running.line() == "pcsc:\(model.readerName)")
        try await body(sandbox, ["PCSCLITE_CSOCK_NAME": socket, "CLIPTAG_READER": "pcsc"])
        try running.send(.terminate)
      }
      #expect(outcome.status == 0)
    }

    private static func writePassword(_ sandbox: Sandbox) throws {
      try sandbox.write("A1B2C3D4:0102", to: "pw")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: sandbox.path("pw"))
    }

    @Test(
      "every reader writes an NTAG215, reads it back and names it",
      arguments: SimulatedPCSCModel.allCases.filter { $0 != .omnikey5426 })
    func write(model: SimulatedPCSCModel) async throws {
      try await serving(model, "--tag", "ntag215") { sandbox, environment in
        let write = try await sandbox.run(
          "tag", "write", Fruta.cupertino, "--json", environment: environment)
        #expect(write.status == 0, "\(write.errors)")
        let read = try await sandbox.run(
          "tag", "read", "--no-location", "--json", environment: environment)
        #expect(read.status == 0, "\(read.errors)")
        let line = try #require(try read.lines.first)
        #expect(line["payload"].text == Fruta.cupertino)
        #expect(line["tag"]["type"] == "NTAG215")
      }
    }

    @Test("an NTAG 424 DNA is made ready, tapped, found ready again and locked")
    func provision() async throws {
      try await serving(.acr1252, "--tag", "ntag424") { sandbox, environment in
        try sandbox.write(ProvisionTests.file(ProvisionTests.keys), to: "keys.yaml")
        try FileManager.default.setAttributes(
          [.posixPermissions: 0o600], ofItemAtPath: sandbox.path("keys.yaml"))
        for isReady in [false, true] {
          let made = try await sandbox.run(
            "tag", "provision", Fruta.cupertino, "--keys", "keys.yaml", "--json",
            environment: environment)
          #expect(made.status == 0, "\(made.output)\(made.errors)")
          #expect(
            try made.lines("provision").first?["alreadyCorrect"] == (isReady ? true : false))
          let tap = try await sandbox.run(
            "tag", "read", "--no-location", "--keys", "keys.yaml", "--json",
            environment: environment)
          #expect(tap.status == 0, "\(tap.output)\(tap.errors)")
        }
        for isLocked in [false, true] {
          let lock = try await sandbox.run(
            "tag", "lock", "--keys", "keys.yaml", "--json", environment: environment)
          #expect(lock.status == 0, "\(lock.output)\(lock.errors)")
          #expect(try lock.lines("lock").first?["alreadyLocked"] == (isLocked ? true : false))
        }
      }
    }

    @Test(
      "every reader locks an NTAG213",
      arguments: SimulatedPCSCModel.allCases.filter { $0 != .omnikey5426 })
    func lock(model: SimulatedPCSCModel) async throws {
      try await serving(model, "--tag", "ntag213") { sandbox, environment in
        let write = try await sandbox.run("tag", "write", Fruta.cupertino, environment: environment)
        #expect(write.status == 0, "\(write.errors)")
        let lock = try await sandbox.run("tag", "lock", "--yes", environment: environment)
        #expect(lock.status == 0, "\(lock.errors)")
        let again = try await sandbox.run(
          "tag", "write", "https://fruta.example.com/order/san-francisco", "--overwrite", "--json",
          environment: environment)
        #expect(try again.errorCodes == ["tag-locked"])
      }
    }

    @Test(
      "a password is set and used where the reader passes PWD_AUTH on",
      arguments: [SimulatedPCSCModel.acr122, .acr1252, .acr1552])
    func password(model: SimulatedPCSCModel) async throws {
      try await serving(model, "--tag", "ntag215") { sandbox, environment in
        let write = try await sandbox.run("tag", "write", Fruta.cupertino, environment: environment)
        #expect(write.status == 0, "\(write.errors)")
        try Self.writePassword(sandbox)
        let set = try await sandbox.run(
          "tag", "password", "set", "--password-file", "pw", environment: environment)
        #expect(set.status == 0, "\(set.errors)")
        let closed = try await sandbox.run(
          "tag", "write", "https://fruta.example.com/order/san-francisco", "--overwrite", "--json",
          environment: environment)
        #expect(try closed.errorCodes == ["tag-password"])
        let opened = try await sandbox.run(
          "tag", "write", "https://fruta.example.com/order/san-francisco", "--overwrite",
          "--password-file",
          "pw",
          environment: environment)
        #expect(opened.status == 0, "\(opened.errors)")
      }
    }

    @Test("a reader that ends at page 16 reads what it reaches, and changes nothing")
    func endsEarly() async throws {
      let long = "https://fruta.example.com/order/cupertino?" + String(repeating: "x", count: 60)
      for (url, code) in [(Fruta.cupertino, nil), (long, "reader-unsupported")] {
        let holder = try SimulatedReader.holding(.ntag213)
        let prepared = try await Sandbox.withFruta()
        let write = try await prepared.tag("write", url, on: holder)
        #expect(write.status == 0, "\(write.errors)")
        let memory = prepared.path("memory")
        try Data(holder.memory).write(to: URL(filePath: memory))
        try await serving(.omnikey5426, "--tag", "ntag213", "--memory", memory) {
          sandbox, environment in
          let read = try await sandbox.run(
            "tag", "read", "--no-location", "--json", environment: environment)
          if let code {
            #expect(read.status == 69)
            #expect(try read.errorCodes == [code])
          } else {
            #expect(read.status == 0, "\(read.errors)")
            #expect(try #require(try read.lines.first)["payload"].text == url)
          }
          for arguments in [
            ["tag", "write", Fruta.cupertino, "--overwrite", "--json"],
            ["tag", "erase", "--overwrite", "--json"], ["tag", "lock", "--yes", "--json"],
          ] {
            let refused = try await sandbox.run(arguments, environment: environment)
            #expect(refused.status == 69, "\(arguments): \(refused.output)")
            #expect(try refused.errorCodes == ["reader-unsupported"])
          }
          #expect(try Data(contentsOf: URL(filePath: memory)) == Data(holder.memory))
        }
      }
    }

    @Test(
      "a reader that carries no PWD_AUTH says so before anything is written",
      arguments: [SimulatedPCSCModel.omnikey5022, .utrust3700])
    func noPassword(model: SimulatedPCSCModel) async throws {
      try await serving(model, "--tag", "ntag215") { sandbox, environment in
        try Self.writePassword(sandbox)
        let set = try await sandbox.run(
          "tag", "password", "set", "--password-file", "pw", "--json", environment: environment)
        #expect(set.status == 69)
        #expect(try set.errorCodes == ["reader-unsupported"])
        let info = try await sandbox.run("tag", "info", "--json", environment: environment)
        #expect(info.status == 0, "\(info.errors)")
      }
    }

    @Test("a reader that hangs in a write is given up in time, and the tag's state told")
    func hangs() async throws {
      try await serving(.acr1252, "--tag", "ntag215", "--fault", "silent-after=14") {
        sandbox, environment in
        let write = try await sandbox.run(
          "tag", "write", Fruta.cupertino, "--timeout", "1", "--json", environment: environment)
        #expect(write.status == 74)
        let failure = try #require(try write.lines.last)
        #expect(failure["code"] == "reader-failed")
        #expect(failure["message"].text?.contains("had been written") == true, "\(failure)")
      }
    }

    @Test("Ctrl-C while a reader hangs says what was written to the tag")
    func interruptedWhileHanging() async throws {
      let sandbox = try await Sandbox.withFruta()
      let socket = sandbox.root + "/pcscd"
      let reader = try SimulatedReader(
        .ntag215, faults: [.silence(afterCommands: 14)], pcsc: PCSCSocket(.acr1252, path: socket))
      let environment = ["PCSCLITE_CSOCK_NAME": socket, "CLIPTAG_READER": "pcsc"]
      let outcome = try await sandbox.start(
        ["tag", "write", Fruta.cupertino], environment: environment
      ) { running in
        try await until { reader.commandCount > 14 }
        try running.send(.interrupt)
        _ = try await running.remainingLines()
      }
      #expect(outcome.status == 130)
      #expect(outcome.errors.contains("had been written"), "\(outcome.errors)")
      reader.stop()
      try await reader.run()
    }

    @Test("a smart card service that never answers is told as that")
    func mutedService() async throws {
      let sandbox = try await Sandbox.withFruta()
      let socket = sandbox.root + "/pcscd"
      let listener = try SilentService(path: socket)
      let read = try await sandbox.run(
        "tag", "read", "--timeout", "1", "--json",
        environment: ["PCSCLITE_CSOCK_NAME": socket, "CLIPTAG_READER": "pcsc"])
      #expect(read.status == 69)
      #expect(try read.errorCodes == ["reader-failed"])
      withExtendedLifetime(listener) {}
    }

    @Test(
      "other kinds of tags are read and written",
      arguments: ["ntag424", "desfire", "ultralight-ev1-11"])
    func otherTags(kind: String) async throws {
      try await serving(.acr1252, "--tag", kind) { sandbox, environment in
        let short = "https://fruta.example.com/order"
        let write = try await sandbox.run("tag", "write", short, environment: environment)
        #expect(write.status == 0, "\(write.errors)")
        let read = try await sandbox.run(
          "tag", "read", "--no-location", "--json", environment: environment)
        #expect(try read.lines.first?["payload"].text == short, "\(read.errors)")
      }
    }

    @Test(
      "a tag that leaves after any command of a write is finished by the next run",
      arguments: [SimulatedPCSCModel.acr122, .acr1552, .utrust3700])
    func removed(model: SimulatedPCSCModel) async throws {
      for count in stride(from: 1, through: 25, by: 4) {
        try await serving(model, "--tag", "ntag213", "--fault", "remove-after=\(count)") {
          sandbox, environment in
          let first = try await sandbox.run(
            "tag", "write", Fruta.cupertino, "--timeout", "1", "--json", environment: environment)
          if first.status != 0 {
            let codes: Set<String> = ["torn-write", "tag-lost", "no-tag"]
            #expect(try Set(first.errorCodes).isSubset(of: codes), "\(count): \(first.errors)")
          }
          let second = try await sandbox.run(
            "tag", "write", Fruta.cupertino, environment: environment)
          #expect(second.status == 0, "\(count): \(second.errors)")
          // A late fault takes the tag from the first of these.
          var payloads: [String?] = []
          for _ in 0..<2 {
            let read = try await sandbox.run(
              "tag", "read", "--no-location", "--json", environment: environment)
            payloads.append(try read.lines.first?["payload"].text)
          }
          #expect(payloads.contains(Fruta.cupertino))
        }
      }
    }

    @Test(
      "a Type 5 tag is written, read back and named by readers that reach one",
      arguments: [
        "slix", "slix2", "slix-s", "icode3", "ntag5", "st25dv04k", "st25dv04kc", "st25dv64k",
        "mb89r118", "lri2k", "tag-it",
      ],
      [SimulatedPCSCModel.acr1552, .omnikey5022])
    func vicinity(kind: String, model: SimulatedPCSCModel) async throws {
      // What an OMNIKEY cannot ask it does not know: how large a tag is whose UID does not say it.
      let certain = ["slix", "slix2", "slix-s", "st25dv04k", "st25dv04kc"]
      if model == .omnikey5022, !certain.contains(kind) { return }
      try await serving(model, "--tag", kind) { sandbox, environment in
        let write = try await sandbox.run(
          "tag", "write", Fruta.cupertino, "--json", environment: environment)
        #expect(write.status == 0, "\(write.errors)")
        let read = try await sandbox.run(
          "tag", "read", "--no-location", "--json", environment: environment)
        #expect(read.status == 0, "\(read.errors)")
        #expect(try read.lines.first?["payload"].text == Fruta.cupertino)
      }
    }

    @Test("a Type 5 tag is locked, and its password set, where the reader passes such commands on")
    func vicinityGuards() async throws {
      try await serving(.acr1552, "--tag", "slix2") { sandbox, environment in
        _ = try await sandbox.run("tag", "write", Fruta.cupertino, environment: environment)
        try Self.writePassword(sandbox)
        let set = try await sandbox.run(
          "tag", "password", "set", "--password-file", "pw", environment: environment)
        #expect(set.status == 0, "\(set.errors)")
        #expect(set.output.contains("blocks 0 to 78"))
        let closed = try await sandbox.run(
          "tag", "write", "https://fruta.example.com/order/san-francisco", "--json",
          environment: environment)
        #expect(try closed.errorCodes == ["tag-password"])
        let lock = try await sandbox.run(
          "tag", "lock", "--yes", "--password-file", "pw", environment: environment)
        #expect(lock.status == 0, "\(lock.errors)")
        let info = try await sandbox.run("tag", "info", "--json", environment: environment)
        let line = try #require(try info.lines.first)
        #expect(line["tag"]["locked"] == true)
        #expect(line["details"]["firstProtectedBlock"] == 0)
      }
      try await serving(.omnikey5022, "--tag", "slix2") { sandbox, environment in
        _ = try await sandbox.run("tag", "write", Fruta.cupertino, environment: environment)
        let lock = try await sandbox.run(
          "tag", "lock", "--yes", "--json", environment: environment)
        #expect(try lock.errorCodes == ["reader-unsupported"])
      }
    }

    @Test("a Type 5 tag is locked if it can be, and otherwise refused before it is written")
    func vicinityLocks() async throws {
      for kind in ["icode3", "lri2k", "tag-it"] {
        try await serving(.acr1552, "--tag", kind) { sandbox, environment in
          let write = try await sandbox.run(
            "tag", "write", Fruta.cupertino, "--lock", environment: environment)
          #expect(write.status == 0, "\(write.errors)")
          let isDoubtful = kind != "icode3"
          let doubts = write.errors.components(separatedBy: "can be locked is not known").count - 1
          #expect(doubts == (isDoubtful ? 1 : 0), "\(write.errors)")
          let info = try await sandbox.run("tag", "info", "--json", environment: environment)
          #expect(try info.lines.first?["tag"]["locked"] == true)
          let again = try await sandbox.run(
            "tag", "write", "https://fruta.example.com/order/san-francisco", "--json",
            environment: environment)
          #expect(try again.errorCodes == ["tag-locked"])
        }
      }
      try await serving(.acr1552, "--tag", "st25dv04kc") { sandbox, environment in
        let write = try await sandbox.run(
          "tag", "write", Fruta.cupertino, "--lock", "--json", environment: environment)
        #expect(try write.errorCodes == ["tag-unsupported"])
        let info = try await sandbox.run("tag", "info", "--json", environment: environment)
        let line = try #require(try info.lines.first)
        #expect(line["tag"]["locked"] == false)
        #expect(line["details"]["capabilityContainer"] == .null)
      }
      try await serving(.omnikey5022, "--tag", "tag-it") { sandbox, environment in
        let write = try await sandbox.run(
          "tag", "write", Fruta.cupertino, "--json", environment: environment)
        #expect(try write.errorCodes == ["reader-unsupported"])
      }
    }

    @Test("the rehearsal of a lock names each block of a Type 5 tag once")
    func lockRehearsed() async throws {
      try await serving(.acr1552, "--tag", "slix") { sandbox, environment in
        let arguments = [
          ["tag", "write", Fruta.cupertino, "--lock", "--dry-run"],
          ["tag", "write", Fruta.cupertino], ["tag", "lock", "--dry-run"],
        ]
        for arguments in arguments {
          let outcome = try await sandbox.run(arguments, environment: environment)
          #expect(outcome.status == 0, "\(outcome.errors)")
          guard arguments.contains("--dry-run") else { continue }
          let lines = outcome.output.split(separator: "\n")
          // The last block, which the message does not reach.
          #expect(lines.filter { $0.contains("block 26 ") }.count == 1, "\(outcome.output)")
          #expect(lines.contains("  cannot be undone: 27 blocks are locked"), "\(outcome.output)")
        }
      }
    }

    @Test("a Type 5 tag that only its container closes is called so, and not locked")
    func closedByContainer() async throws {
      var card = try SimulatedType5Tag(.st25dv04kc)
      card.place([0xE1, 0x43, 0x3F, 0x00, 0x03, 0x00, 0xFE, 0x00], atBlock: 0)
      let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).simmem")
      try Data(card.memory).write(to: file)
      defer { try? FileManager.default.removeItem(at: file) }
      try await serving(.acr1552, "--tag", "st25dv04kc", "--memory", file.path) {
        sandbox, environment in
        let info = try await sandbox.run("tag", "info", "--json", environment: environment)
        #expect(try info.lines.first?["tag"]["locked"] == false)
        let text = try await sandbox.run("tag", "info", environment: environment)
        #expect(text.output.contains("closed by its container, which is not locked"))
        #expect(text.output.contains("no block is locked"))
        let write = try await sandbox.run(
          "tag", "write", Fruta.cupertino, "--json", environment: environment)
        #expect(try write.errorCodes == ["tag-locked"])
        #expect(write.errors.contains("closed only by its container"))
      }
    }

    @Test(
      "a Type 4 tag of the standard is made read-only; its files are dumped, a Type 5 tag's blocks too"
    )
    func type4() async throws {
      try await serving(.acr1252, "--tag", "type4") { sandbox, environment in
        let write = try await sandbox.run(
          "tag", "write", Fruta.cupertino, "--android-package", "com.example.fruta", "--lock",
          environment: environment)
        #expect(write.status == 0, "\(write.errors)")
        let again = try await sandbox.run(
          "tag", "write", "https://fruta.example.com/order/san-francisco", "--json",
          environment: environment)
        #expect(try again.errorCodes == ["tag-locked"])
        let dump = try await sandbox.run("tag", "dump", "tag.json", environment: environment)
        #expect(dump.status == 0, "\(dump.errors)")
        let text = try String(contentsOfFile: sandbox.path("tag.json"), encoding: .utf8)
        #expect(text.contains("000F20003B00340406E104080000FF"))
        let info = try await sandbox.run(
          "tag", "info", "--hex", "--json", environment: environment)
        let records = try #require(try info.lines.first)["records"]
        #expect(records[0]["holds"].text == Fruta.cupertino)
        #expect(records[1]["holds"] == "com.example.fruta")
        #expect(records[1]["payload"] == "636F6D2E6578616D706C652E6672757461")
      }
      try await serving(.acr1552, "--tag", "slix") { sandbox, environment in
        _ = try await sandbox.run("tag", "write", Fruta.cupertino, environment: environment)
        let dump = try await sandbox.run(
          "tag", "dump", "tag.bin", "--json", environment: environment)
        #expect(try dump.lines.first?["bytes"] == 112)
      }
    }

    @Test("a blank tag whose size nobody can tell through the reader is not formatted by a guess")
    func unknownSize() async throws {
      try await serving(.utrust3700, "--tag", "ultralight") { sandbox, environment in
        let write = try await sandbox.run(
          "tag", "write", "https://fruta.example.com/order", "--json", environment: environment)
        #expect(write.status == 69)
        #expect(try write.errorCodes == ["reader-unsupported"])
      }
    }

    @Test("an answer that is cut is never taken for another URL")
    func cutAnswer() async throws {
      for number in 24...36 {
        try await serving(
          .omnikey5022, "--tag", "ntag213", "--fault", "short-answer=\(number)"
        ) { sandbox, environment in
          let write = try await sandbox.run(
            "tag", "write", Fruta.cupertino, environment: environment)
          guard write.status == 0 else { return }
          let read = try await sandbox.run(
            "tag", "read", "--no-location", "--json", environment: environment)
          #expect(try read.lines.first?["payload"].text == Fruta.cupertino, "\(number)")
        }
      }
    }

    @Test(
      "with the real pcscd between, a tag is written, read, named and locked",
      .enabled(if: RealService.isPossible, "no mount namespace can be made here for pcscd's /run"),
      arguments: [
        (SimulatedPCSCModel.acr122, "ntag213", "NTAG213"), (.acr1252, "ntag215", "NTAG215"),
        (.acr1552, "slix2", "ICODE SLIX2"), (.omnikey5022, "ntag216", "NTAG216"),
        (.utrust3700, "ntag213", "NTAG213"), (.acr1552, "type4", "Type 4"),
      ])
    func realService(model: SimulatedPCSCModel, kind: String, name: String) async throws {
      try await serving(model, "--tag", kind) { sandbox, environment in
        let socket = try #require(environment["PCSCLITE_CSOCK_NAME"])
        let outcome = try await sandbox.shell(
          """
          script=$1; shift
          exec "$script" "$1" sh -c 'set -e; export CLIPTAG_READER="pcsc:Virtual PCD 00 00"
          "$0" tag write "$1" --json; "$0" tag read --no-location --json; "$0" tag lock --yes --json
          "$0" tag info --json' "$2" "$3"
          """, Repository.path("Tests/Scripts/with-pcscd.sh"), socket, Repository.command,
          Fruta.cupertino)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let lines = try outcome.lines
        try #require(lines.map { $0["type"].text } == ["write", "verification", "lock", "tag"])
        #expect(lines[1]["payload"].text == Fruta.cupertino)
        #expect(lines[3]["tag"]["type"].text?.contains(name) == true)
        #expect(lines[3]["tag"]["locked"] == true)
      }
    }

    @Test("pcsc_scan, opensc-tool and pyscard work with the simulated reader as they are")
    func otherPrograms() async throws {
      try await serving(.acr1252, "--tag", "ntag215") { sandbox, environment in
        let name = SimulatedPCSCModel.acr1252.readerName
        let scan = try await sandbox.shell("pcsc_scan -r; pcsc_scan -c", environment: environment)
        #expect(scan.output.contains(name), "\(scan.errors)")
        let atr = "3b8f8001804f0ca0000003060300030000000068"
        let tool = try await sandbox.shell(
          "opensc-tool --reader 0 --atr; opensc-tool --reader 0 --send-apdu FFCA000000",
          environment: environment)
        #expect(tool.output.replacing(":", with: "").contains(atr), "\(tool.output)\(tool.errors)")
        #expect(tool.output.contains("04 E1 0C DA 99 3C 80"), "\(tool.output)\(tool.errors)")
        let python = try await sandbox.shell(
          """
          exec /usr/bin/python3 -c '
          from smartcard.System import readers
          card = readers()[0].createConnection()
          card.connect()
          print(bytes(card.getATR()).hex(), bytes(card.transmit([0xFF, 0xCA, 0, 0, 0])[0]).hex())
          '
          """, environment: environment)
        #expect(python.output.contains("\(atr) 04e10cda993c80"), "\(python.errors)")
      }
    }

    @Test("readers are listed with what names them, and the slot for SAM cards is none")
    func list() async throws {
      try await serving(.acr1252) { sandbox, environment in
        let list = try await sandbox.run("reader", "list", "--json", environment: environment)
        let readers = try list.lines.compactMap { $0["reader"].text }
        #expect(readers.contains("pcsc:\(SimulatedPCSCModel.acr1252.readerName)"))
        #expect(!readers.contains { $0.contains("SAM") })
        let part = try await sandbox.run(
          "tag", "info", "--reader", "pcsc:acr1252", environment: environment)
        #expect(part.status == 0, "\(part.errors)")
        let wrong = try await sandbox.run(
          "tag", "info", "--reader", "pcsc:omnikey", environment: environment)
        #expect(wrong.status == 69)
        #expect(wrong.errors.contains("ACR1252"))
      }
    }

    @Test("without a service the message names the command that starts it")
    func noService() async throws {
      let sandbox = try await Sandbox.withFruta()
      let outcome = try await sandbox.run(
        "tag", "info", "--reader", "pcsc", environment: ["PCSCLITE_CSOCK_NAME": "/nonexistent"])
      #expect(outcome.status == 69)
      #expect(outcome.errors.contains("systemctl start pcscd.socket"))
    }
  }
}

/// The conditions for running the real pcscd here, in a separate mount namespace.
private enum RealService {
  static let isPossible: Bool = {
    let process = Process()
    process.executableURL = URL(filePath: Repository.path("Tests/Scripts/with-pcscd.sh"))
    process.arguments = ["--check"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()
}
