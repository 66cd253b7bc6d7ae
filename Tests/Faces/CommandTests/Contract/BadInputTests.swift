import Foundation
import Testing

/// Hostile and broken inputs: the contract's error and status, and no loss of data.
extension CommandSuite {
  @Suite("Bad input") struct BadInputTests {
    @Test("what is no picture is named as what it is, and costs one error")
    func pictures() async throws {
      let sandbox = try await Sandbox.withFruta()
      let table: [(name: String, bytes: [UInt8], status: Int32)] = [
        ("text.png", Array("This is not a PNG.".utf8), 65),
        ("empty.png", [], 65),
        ("one-byte.jpg", [0xFF], 65),
        ("start-only.jpg", [0xFF, 0xD8, 0xFF], 65),
        ("huge.png", Self.hugePNG, 65),
        ("cut.png", Array(Self.hugePNG.prefix(20)), 65),
        ("huge.pgm", Array("P5 100000 100000 255\n".utf8), 65),
        ("cut.pgm", Array("P5 64 64 255\nshort".utf8), 65),
        ("cut.pdf", Array("%PDF-1.7\n".utf8), 65),
      ]
      for (name, bytes, status) in table {
        try sandbox.write(bytes, to: name)
        let outcome = try await sandbox.run("scan", name)
        #expect(outcome.status == status, "\(name): \(outcome.errors)")
        #expect(outcome.isOneProblem, "\(name): \(outcome.errors)")
        #expect(outcome.errors.contains(name))
        let piped = try await sandbox.run("scan", "-", "--json", stdin: bytes)
        #expect(piped.status == status, "\(name) on standard input: \(piped.output)")
        #expect(try piped.lines.map { $0["type"] } == ["error"])
      }
    }

    @Test("a name that reads like advice stays as it is")
    func namesLikeAdvice() async throws {
      let sandbox = try await Sandbox.withFruta()
      for name in ["Redo row 3.png", "or open another..png", "ask for no product..png"] {
        try sandbox.write(Array("no picture".utf8), to: name)
        for options in [[], ["--json"]] {
          let outcome = try await sandbox.run(["scan", name] + options)
          #expect(outcome.status == 65)
          #expect(
            (outcome.output + outcome.errors).contains("\(name) is not a picture"), "\(outcome)")
        }
      }
    }

    @Test("a PDF with a password is refused with the advice to remove it")
    func passwordPDF() async throws {
      let sandbox = try await Sandbox.withFruta()
      let file = try #require(
        Bundle.module.path(forResource: "password", ofType: "pdf", inDirectory: "Inputs"))
      let outcome = try await sandbox.run("scan", file)
      #expect(outcome.status == 65)
      #expect(outcome.isOneProblem)
      #expect(outcome.errors.lowercased().contains("password"))
    }

    @Test("a URL of 3,000 bytes is examined, but no symbol and no tag takes it")
    func longURL() async throws {
      let sandbox = try await Sandbox.withFruta()
      let url = Fruta.cupertino + "?q=" + String(repeating: "x", count: 2956)
      #expect(url.utf8.count == 3000)
      let check = try await sandbox.run("check", url, "--json")
      #expect(try check.lines.first?["payload"].text == url)
      let symbol = try await sandbox.run("qr", "--unregistered", url, "-o", "a.svg", "--json")
      #expect(symbol.status == 65)
      #expect(try symbol.errorCodes.count == 1)
      #expect(try sandbox.listing() == [])
      #expect(try await sandbox.run("code", "list").output == "")
    }

    @Test(
      "a URL with a control character is rejected, and cannot steer the terminal",
      arguments: ["\u{1B}[2J", "\u{07}", "\r\n", "\u{7F}", "\u{202E}", "\u{9B}"])
    func controlCharacters(control: String) async throws {
      let sandbox = try await Sandbox.withFruta()
      let url = Fruta.cupertino + control + "x"
      let people = try await sandbox.run("check", url)
      #expect(people.status == 1)
      #expect(!people.output.contains(control) && !people.errors.contains(control))
      #expect(people.output.contains("malformed"))
      let scripts = try await sandbox.run("check", url, "--json")
      #expect(try scripts.lines.first?["payload"].text == url, "the text exactly as it came")
      #expect(try scripts.lines.count == 1)
      let issue = try await sandbox.run("qr", url, "-o", "a.svg")
      #expect(issue.status == 1)
      #expect(!issue.output.contains(control) && !issue.errors.contains(control))
      #expect(try sandbox.listing() == [])
    }

    @Test("a registry file with ten mistakes reports all ten with their lines and changes nothing")
    func tenMistakes() async throws {
      let sandbox = try await Sandbox.withFruta()
      let before = try Data(contentsOf: URL(filePath: sandbox.registry))
      try sandbox.write(Self.tenMistakes, to: "ten.yaml")
      let outcome = try await sandbox.run("registry", "import", "ten.yaml", "--json")
      #expect(outcome.status == 65)
      let lines = try outcome.lines("error").compactMap { $0["line"].number }.map { Int($0) }
      #expect(lines == [2, 4, 6, 7, 9, 11, 12, 15, 16, 17])
      #expect(try outcome.lines.count == 10)
      let people = try await sandbox.run("registry", "import", "ten.yaml")
      for line in lines { #expect(people.errors.contains("ten.yaml:\(line):")) }
      #expect(try Data(contentsOf: URL(filePath: sandbox.registry)) == before)
    }

    @Test("a full disk leaves the old file whole and no temporary file")
    func fullDisk() async throws {
      let sandbox = try await Sandbox.withFruta()
      let places = (0..<2000).map {
        "  - { id: p\($0), name: Place \($0), region: { latitude: 1, longitude: 2, radius: 9 } }\n"
      }
      try sandbox.write("places:\n" + places.joined(), to: "many.yaml")
      try #require(try await sandbox.run("registry", "import", "many.yaml").status == 0)
      try sandbox.write("old", to: "out.yaml")
      // A limit on the size of files represents the full disk; 128 blocks of 512 bytes leave room
      // for SQLite's shared memory. The signal of the limit is ignored, as ENOSPC has none. The
      // counters of `make coverage` would not fit either, and report it.
      let outcome = try await sandbox.shell(
        """
        export LLVM_PROFILE_FILE=/dev/null
        trap '' XFSZ; ulimit -f 128; exec cliptag registry export out.yaml
        """)
      #expect(outcome.status == 73)
      #expect(outcome.isOneProblem, "\(outcome.errors)")
      #expect(sandbox.bytes(of: "out.yaml") == Array("old".utf8))
      #expect(try sandbox.listing() == ["many.yaml", "out.yaml"])
    }

    @Test("standard output on a full device is an output that cannot be written")
    func fullDevice() async throws {
      let sandbox = try await Sandbox.withFruta()
      for command in [
        "check \(Fruta.cupertino)", "place list", "registry export -", "code list --help",
      ] {
        let outcome = try await sandbox.shell("cliptag \(command) > /dev/full")
        #expect(outcome.status == (command.hasSuffix("--help") ? outcome.status : 73), "\(command)")
      }
    }

    /// A PNG header that promises 100,000 × 100,000 pixels of 16-bit RGBA, and no data.
    private static let hugePNG: [UInt8] =
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
      + [0x00, 0x01, 0x86, 0xA0, 0x00, 0x01, 0x86, 0xA0, 16, 6, 0, 0, 0]
      + [0xF8, 0xC2, 0xD7, 0x8B]

    private static let tenMistakes = """
      clips:
        - clip: com.example.new.Clip
          domains: [new.example.com]
          team: 12
          locationConfirmation: true
          appStoreID: abc
          flavour: strawberry
          defaultExperience:
            action: EAT
          experiences:
            - link: http://new.example.com/a
              status: MAYBE
              title: New
      places:
        - id: "bad id/"
          name: 7
          region: { latitude: 91, longitude: 2, radius: 100 }

      """
  }
}
