import Foundation
import Testing

/// Many pictures at once, folders, and pictures that bring their reader down.
extension CommandSuite {
  @Suite("Scanning many pictures") struct ScanManyTests {
    /// A folder with codes in several formats, below each other, and things that are no pictures.
    private static func scene() async throws -> Sandbox {
      let sandbox = try await Sandbox.withFruta()
      let files = FileManager.default
      try files.createDirectory(
        atPath: sandbox.path("walls/old"), withIntermediateDirectories: true)
      for name in ["walls/b.png", "walls/old/a.svg", "walls/c.pdf"] {
        let made = try await sandbox.run("qr", Fruta.cupertino, "-o", name)
        try #require(made.status == 0, "\(made.errors)")
      }
      try sandbox.write("words", to: "walls/notes.txt")
      try files.createSymbolicLink(
        atPath: sandbox.path("walls/old/loop"), withDestinationPath: "..")
      return sandbox
    }

    @Test(
      "a folder is scanned with all below it, in order, and what is no picture is counted",
      arguments: [[], ["--isolate"]])
    func folder(options: [String]) async throws {
      let sandbox = try await Self.scene()
      let outcome = try await sandbox.run(
        ["scan", "--recursive", "walls", "--no-location", "--json"] + options)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let found = try outcome.lines("verification")
      #expect(
        found.map { $0["source"].text } == ["walls/b.png", "walls/c.pdf", "walls/old/a.svg"])
      #expect(found.allSatisfy { $0["payload"].text == Fruta.cupertino })
      #expect(found[1]["page"] == 1 && found[0]["page"] == .null)
      #expect(try outcome.lines.count == 3)
      #expect(outcome.errors.contains("skipped 1 file that is no picture"))
    }

    @Test(
      "a folder without --recursive says what to add; one without pictures, that there are none")
    func folderTrouble() async throws {
      let sandbox = try await Self.scene()
      let plain = try await sandbox.run("scan", "walls")
      #expect(plain.status == 66 && plain.isOneProblem)
      #expect(plain.errors.contains("--recursive"))
      try FileManager.default.createDirectory(
        atPath: sandbox.path("none"), withIntermediateDirectories: true)
      let none = try await sandbox.run("scan", "-r", "none", "--json")
      #expect(none.status == 2)
      #expect(try none.errorCodes == ["no-pictures"])
    }

    @Test("where the budget ends a search, a note tells how many codes were read, and what to do")
    func cutShort() async throws {
      let sandbox = try await Sandbox.withFruta()
      let wall = Repository.path("Samples/pictures/wall.jpg")
      // Of its six codes; how many depends on the picture, which is made anew now and then.
      let note = /the search ended at its budget after [1-6] codes?; use --budget 0/
      try #require(try await sandbox.run("qr", Fruta.cupertino, "-o", "a.png").status == 0)
      for command in [
        ["scan", "--no-location"], ["scan", "--no-location", "--isolate"],
        ["audit", "--place", "cupertino"], ["pack", "verify", "cupertino"],
      ] {
        let short = try await sandbox.run(command + [wall, "--budget", "20", "--json"])
        #expect(
          short.errors.contains("note: \(wall): the search") && short.errors.contains(note),
          "\(command) \(short.errors)")
      }
      for command in [
        ["scan", "--no-location"], ["scan", "--no-location", "--budget", "40", "--first"],
        ["audit", "--place", "cupertino", "--name", "first", "--budget", "40", "--first"],
      ] {
        let whole = try await sandbox.run(command + [wall, "--json"])
        #expect(!whole.output.isEmpty && !whole.errors.contains("budget"), "\(command)")
      }
    }

    @Test("results come in the order of the arguments, whatever takes longer")
    func order() async throws {
      let sandbox = try await Self.scene()
      let names = (0..<12).flatMap { _ in ["walls/c.pdf", "walls/b.png", "missing.png"] }
      let outcome = try await sandbox.run(["scan", "--no-location", "--json"] + names)
      #expect(outcome.status == 66)
      #expect(try outcome.lines.map { $0["source"].text } == names)
    }

    @Test("a picture that brings its reader down is one error, and the others are read")
    func crash() async throws {
      let sandbox = try await Self.scene()
      // 98 megapixels are within the limit for pictures, but not within the memory given here, and
      // take no room on the disk.
      let header = "P5 20000 4900 255\n"
      try sandbox.write(header, to: "bomb.pgm")
      let bomb = try FileHandle(forWritingTo: URL(fileURLWithPath: sandbox.path("bomb.pgm")))
      try bomb.truncate(atOffset: UInt64(header.utf8.count + 20_000 * 4900))
      try bomb.close()
      let outcome = try await sandbox.run(
        "scan", "--isolate", "--memory-limit", "256", "--no-location", "--json", "walls/b.png",
        "bomb.pgm", "walls/b.png")
      #expect(outcome.status == 65)
      let lines = try outcome.lines
      try #require(lines.count == 3, "\(outcome.output)")
      #expect(lines[0]["payload"].text == Fruta.cupertino)
      #expect(lines[1]["code"] == "decoder-crashed" && lines[1]["source"] == "bomb.pgm")
      #expect(lines[2]["payload"].text == Fruta.cupertino, "\(outcome.output)")
    }

    @Test("standard input and missing files are told apart in a process of its own, too")
    func isolatedInputs() async throws {
      let sandbox = try await Self.scene()
      let bytes = try #require(sandbox.bytes(of: "walls/b.png"))
      let piped = try await sandbox.run(
        "scan", "-", "--isolate", "--no-location", "--json", stdin: bytes)
      #expect(piped.status == 0)
      #expect(try piped.lines.first?["source"] == "-")
      let text = try await sandbox.run("scan", "-", "--isolate", "--json", stdin: [1, 2, 3])
      #expect(try text.lines.first?["code"] == "not-a-picture")
      #expect(try text.lines.first?["source"] == "-")
      let missing = try await sandbox.run("scan", "gone.png", "--isolate", "--json")
      #expect(missing.status == 66)
      #expect(try missing.lines.first?["source"] == "gone.png")
    }

    @Test(
      "without a search path that leads anywhere, a drawing is one error that says what is missing")
    func missingRenderer() async throws {
      let sandbox = try await Self.scene()
      let outcome = try await sandbox.shell(
        "command=$(command -v cliptag); PATH=/nonexistent \"$command\" scan walls/old/a.svg")
      #expect(outcome.status == 69 && outcome.isOneProblem, "\(outcome.errors)")
      #expect(outcome.errors.contains("rsvg-convert is not installed"))
      #expect(!outcome.errors.contains(".."))
    }
  }
}
