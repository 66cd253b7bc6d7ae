import AppClipCodeFixtures
import Foundation
import SimulatedReader
import SimulatedReceivers
import TagTypes
import TestSupport
import Testing

/// Every example in a help text runs exactly as printed.
extension CommandSuite {
  @Suite("Help") struct HelpExampleTests {
    /// Commands whose examples need nothing of others' examples, so that they run beside them.
    enum Part: CaseIterable {
      case print, field, rest

      init(_ path: [String]) {
        switch path.first ?? "" {
        case "qr", "clipcode", "poster", "sheet", "grade", "banner", "association": self = .print
        case "audit", "pack", "reader", "station", "place", "clip", "experience": self = .field
        default: self = .rest
        }
      }
    }

    @Test(
      "every example of every help text runs, in order, as printed", arguments: Part.allCases)
    func examples(part: Part) async throws {
      let sandbox = try await Self.scene()
      let made = try await sandbox.run("qr", Fruta.cupertino, "-o", "code.svg", "--json")
      let code = try #require(try made.lines.first?["code"].text)
      let taken = try await sandbox.run("clipcode", "import", "taken.svg", "--json")
      let clipCode = try #require(try taken.lines.first?["code"].text)
      _ = try await sandbox.run("audit", "wall.jpg", "--place", "san-francisco", "--name", "Found")
      _ = try await sandbox.run("audit", "report", "Found")
      let listed = try await sandbox.run("audit", "findings", "--json")
      let finding = try #require(try listed.lines.first?["id"].text, "\(listed.output)")
      let gpsd = try FakeGPSD.inCupertino()
      let server = try #require(TestServer.shared, "make test starts the server").database()
      var count = 0
      for (path, help) in try await Self.helpTexts.value where Part(path) == part {
        // A separate tag for every page of help, because one of them locks it for good.
        let reader =
          path.last == "provision"
          ? try SimulatedReader(tag: try SimulatedTagKind.ntag424.card())
          : try SimulatedReader.holding { $0.hold(uri: "fruta.example.com/order/cupertino") }
        let examples = Self.examples(in: help)
        if !help.contains("SUBCOMMANDS:") {
          #expect(!examples.isEmpty, "cliptag \(path.joined(separator: " ")) has no example")
        }
        for example in examples {
          count += 1
          let command =
            example
            .replacing("pn532_uart:/dev/ttyUSB0", with: reader.connectionString)
            .replacing("127.0.0.1:2947", with: "127.0.0.1:\(gpsd.port)")
            .replacing("postgresql://db.example.com/shops", with: "'\(server.address)'")
            .replacing("c-01HF8Z3V9Q4T6W2X8Y0B1C3D5E", with: code)
            .replacing("c-01HF8Z3V9Q4T6W2X8Y0B1C3D5F", with: clipCode)
            .replacing("code show 1C3D5E", with: "code show \(code.suffix(6))")
            .replacing("f-5c1de30a6e2b94f07a88", with: finding)
          // These run until they are stopped; a signal is not a failure.
          let isEndless =
            ["reader simulate", "reader play", "station"].contains {
              command.hasPrefix("cliptag \($0)")
            }
            || command.contains("--follow")
          let outcome = try await sandbox.shell(
            isEndless ? "timeout -s INT 1 \(command)" : command,
            environment: ["LIBNFC_DEVICE": reader.connectionString])
          let allowed: Set<Int32> = isEndless ? [124] : [0, 1, 2]
          #expect(
            allowed.contains(outcome.status),
            "\(example): \(outcome.status) \(outcome.output)\(outcome.errors)")
        }
      }
      #expect(count > 10, "the examples were found")
    }

    @Test("examples fit a terminal of 80 columns, so that they can be copied from it")
    func width() async throws {
      let sandbox = try Sandbox()
      let wide = try await Self.helpTexts.value
      for (path, help) in wide {
        let narrow = try await sandbox.run(path + ["--help"], environment: ["COLUMNS": "80"])
        #expect(Self.examples(in: narrow.output) == Self.examples(in: help))
      }
    }

    @Test("help is printed on standard output and is no failure; no command at all shows it")
    func help() async throws {
      let sandbox = try Sandbox()
      let help = try await sandbox.run("--help")
      #expect(help.status == 0 && help.errors == "")
      #expect(try await sandbox.run([]).output == help.output)
      #expect(try await sandbox.run("help", "check").output.contains("OVERVIEW"))
    }

    @Test(
      "help has the whole name of its command, however it is asked for",
      arguments: ["--help", "-h", "-qh", "--help-hidden"])
    func wholeName(option: String) async throws {
      let help = try await Sandbox().run("code", "list", option)
      #expect(help.status == 0 && help.output.contains("USAGE: cliptag code list "))
    }

    /// Returns a sandbox with the files that the examples name.
    private static func scene() async throws -> Sandbox {
      let sandbox = try Sandbox()
      let files = FileManager.default
      try files.copyItem(atPath: Repository.path("Samples"), toPath: sandbox.path("Samples"))
      try files.createDirectory(
        atPath: sandbox.path("posters"), withIntermediateDirectories: false)
      try files.copyItem(atPath: sandbox.keys, toPath: sandbox.path("keys.yaml"))
      try await sandbox.run("registry", "import", "Samples/fruta/registry.yaml")
      try sandbox.write(DrawnAppClipCode(Fruta.cupertino).svg, to: "clip.svg")
      try sandbox.write(DrawnAppClipCode("\(Fruta.cupertino)/taken").svg, to: "taken.svg")
      let table = "\(Fruta.cupertino)/table/7"
      try sandbox.write(DrawnAppClipCode(table).svg, to: "table-7.svg")
      try sandbox.write("SVG File Name,URL\ntable-7.svg,\(table)\n", to: "mapping.csv")
      let zipped = try await sandbox.shell(
        "/usr/bin/python3 -m zipfile -c codes.zip table-7.svg mapping.csv")
      try #require(zipped.status == 0)
      let made = try await sandbox.run(
        "qr", Fruta.cupertino, "-o", "posters/a.png", "-o", "proofs.pdf", "--width", "40")
      try #require(made.status == 0)
      // The name of a picture does not matter.
      for folder in ["photos", "field"] {
        try files.createDirectory(atPath: sandbox.path(folder), withIntermediateDirectories: false)
      }
      for copy in ["registry.sqlite", "field/registry.sqlite"] {
        try files.copyItem(atPath: sandbox.registry, toPath: sandbox.path(copy))
      }
      for name in ["wall.jpg", "photo.jpg", "photos/a.jpg"] {
        try files.copyItem(
          atPath: sandbox.path("posters/a.png"), toPath: sandbox.path(name))
      }
      try sandbox.write("\(Fruta.cupertino)\n\(Fruta.sanFrancisco)\n", to: "urls.txt")
      for name in ["tag.password", "new.password"] {
        try sandbox.write("A1B2C3D4:0102\n", to: name)
        try files.setAttributes(
          [.posixPermissions: 0o600], ofItemAtPath: sandbox.path(name))
      }
      try sandbox.write(ProvisionTests.file(ProvisionTests.keys), to: "tag-keys.yaml")
      try files.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: sandbox.path("tag-keys.yaml"))
      // xxd is not installed everywhere, and its output is not under test.
      try sandbox.write("#!/bin/sh\nexec cat\n", to: "../bin/xxd")
      try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: sandbox.root + "/bin/xxd")
      return sandbox
    }

    /// The help of every command, parents first, found by following the lists of subcommands; asked
    /// for once for all tests.
    static let helpTexts = Task {
      let sandbox = try Sandbox()
      var texts: [(path: [String], help: String)] = []
      var paths: [[String]] = [[]]
      while !paths.isEmpty {
        let path = paths.removeFirst()
        let outcome = try await sandbox.run(path + ["--help"], environment: ["COLUMNS": "500"])
        try #require(outcome.status == 0)
        texts.append((path, outcome.output))
        guard let list = outcome.output.split(separator: "SUBCOMMANDS:\n").dropFirst().first else {
          continue
        }
        for line in list.split(separator: "\n") {
          if let name = line.wholeMatch(of: /\s+([a-z]+)(?: \(default\))?\s\s+\S.*/)?.output.1 {
            paths.append(path + [String(name)])
          }
        }
      }
      try #require(texts.count > 25)
      return texts
    }

    /// The indented lines that begin with the command's name.
    private static func examples(in help: String) -> [String] {
      help.replacing(/\\\n\s+/, with: "").split(separator: "\n")
        .filter { $0.hasPrefix("  cliptag ") }.map { String($0.drop { $0 == " " }) }
    }
  }
}
