import Foundation
import Testing

/// The rows of the contract's table, and the precedence between several inputs. Trouble with tags
/// is in `TagTroubleTests`, with registries in `RegistryTroubleTests`.
extension CommandSuite {
  @Suite("Exit status") struct ExitStatusTests {
    @Test("0: every payload examined was accepted")
    func accepted() async throws {
      let sandbox = try await Sandbox.withFruta()
      #expect(try await sandbox.run("check", Fruta.cupertino, Fruta.sanFrancisco).status == 0)
      #expect(try await sandbox.run("--version").status == 0)
      #expect(try await sandbox.run("check", "--help").status == 0)
    }

    @Test(
      "1: a payload was rejected or could not be decided",
      arguments: [
        ["check", "https://elsewhere.example.net/"],
        ["check", "http://fruta.example.com/order/cupertino"],
        ["check", Fruta.cupertino, "--at", Fruta.inSanFrancisco],
        ["check", Fruta.cupertino, "--at", Fruta.inCupertino, "--accuracy", "150"],
        ["qr", "https://elsewhere.example.net/", "-o", "a.svg"],
        ["qr", "https://elsewhere.example.net/"],
      ])
    func notAccepted(arguments: [String]) async throws {
      let sandbox = try await Sandbox.withFruta()
      #expect(try await sandbox.run(arguments).status == 1)
      #expect(try sandbox.listing() == [])
    }

    @Test("2: no code in the picture")
    func nothingFound() async throws {
      let sandbox = try await Sandbox.withFruta()
      try sandbox.write(Picture.white, to: "white.pgm")
      let outcome = try await sandbox.run("scan", "white.pgm", "--json")
      #expect(outcome.status == 2)
      #expect(try outcome.errorCodes == ["no-code"])
    }

    @Test(
      "64: wrong usage, said on standard error and with --json on standard output too",
      arguments: [
        ["frobnicate"], ["check"], ["check", "--frobnicate", "x"], ["check", "x", "--at", "north"],
        ["check", "x", "--at", "91,0"], ["check", "x", "--at", "1,2,3"],
        ["check", "x", "--accuracy", "5"], ["check", "x", "--at", "1,2", "--accuracy", "-1"],
        ["check", "x", "--at", "1,2", "--no-location"], ["scan"], ["qr"],
        ["qr", Fruta.cupertino, "-o", "code.gif"], ["qr", Fruta.cupertino, "-o", "code"],
        ["qr", Fruta.cupertino, "--width", "-3", "-o", "a.svg"],
        ["qr", Fruta.cupertino, "--dpi", "0", "-o", "a.svg"],
        ["qr", Fruta.cupertino, "--error-correction", "X"],
        ["qr", Fruta.cupertino, "--width", "1", "-o", "a.svg"],
        ["tag", "read", "--timeout", "-1"], ["tag", "read", "--timeout", "soon"],
        ["reader", "simulate", "--tag", "cassette"],
        ["reader", "simulate", "--fault", "explode=1"],
        ["reader", "simulate", "--uid", "04"], ["reader", "simulate", "--uid", "zz"],
        ["place", "add", "x", "--at", "1,2", "--radius", "501"],
        ["place", "add", "x", "--at", "1,2", "--radius", "0"],
        ["registry", "import", "registry.toml"], ["registry", "export", "registry.toml"],
        ["code", "retire", "c-01HF8Z3V9Q4T6W2X8Y0B1C3D5E"],
        ["experience", "add", "no link", "--clip", "com.example.fruta.Clip"],
      ])
    func usage(arguments: [String]) async throws {
      let sandbox = try await Sandbox.withFruta()
      try sandbox.write("clips: []\n", to: "registry.toml")
      let scripts = try await sandbox.run(arguments + ["--json"])
      #expect(scripts.status == 64)
      #expect(scripts.errors != "")
      #expect(try scripts.lines("error").count == 1, "\(scripts.output)")
      #expect(try scripts.lines.count == 1)
      #expect(try sandbox.listing() == ["registry.toml"])
    }

    @Test("64: without --json nothing is printed on standard output")
    func usageForPeople() async throws {
      let sandbox = try Sandbox()
      for arguments in [["check"], ["frobnicate"], ["qr", "x", "-o", "code.gif"]] {
        let outcome = try await sandbox.run(arguments)
        #expect(outcome.status == 64)
        #expect(outcome.output == "")
      }
    }

    @Test(
      "64: wrong usage has the words of every error: what was wrong, and what to do next",
      arguments: [
        (
          ["qr", "x", "--foreground", "rde"],
          "The value 'rde' is invalid for '--foreground <colour>'.",
          "Give --foreground <colour>: the colour of the modules in files: d81f26, #fff, or navy. "
            + "See cliptag qr --help."
        ),
        (
          ["poster", "x", "-o", "a.pdf", "--bleed", "3q"],
          "The value '3q' is invalid for '--bleed <mm>': 3q is not a length: write 30 for "
            + "millimetres, or 30mm, 3cm, 1.2in.",
          "Give --bleed <mm>: the bleed beyond every edge, in millimetres (default: the template's, else "
            + "0). See cliptag poster --help."
        ),
        (
          ["tag", "wite"], "Unknown command “wite”. Did you mean “write”?",
          "See cliptag tag --help."
        ),
        (
          ["sheet", "t.csv", "-o", "t.jpg", "--template", "L7163"],
          "Sheets are PDF files: give t.pdf, not t.jpg.", nil
        ),
        (
          ["sheet", "t.csv", "-o", "t.pdf", "--template", "L7163", "--offset", "1"],
          "The value '1' is invalid for '--offset <x,y>': 1 is not two lengths: write 0.6,-0.4 for "
            + "millimetres, or 1mm,0.1in.", nil
        ),
        (
          ["poster", "--csv", "t.csv", "-o", "t.svg"],
          "Many posters are pages of one PDF file: give t.pdf, not t.svg, or --format for a folder "
            + "of files.", nil
        ),
        (
          ["poster", "--csv", "t.csv", "--all-places", "-o", "t.pdf"],
          "--csv and --all-places exclude each other: give one of them.", nil
        ),
        (
          ["poster", "x", "--csv", "t.csv", "-o", "t.pdf"],
          "The URL of one poster and --csv exclude each other: give one of them.", nil
        ),
        (
          ["poster", "-o", "t.pdf"],
          "Give the URL of one poster, or many posters with --csv or --all-places.", nil
        ),
        (
          ["clipcode", "export", "-o", "p.jpg"],
          "The mapping is a CSV file: give p.csv, not p.jpg.", nil
        ),
        (
          ["code", "export", "-o", "p.jpg"],
          "The record is written as csv or jsonl: end the name so, such as p.csv, or add --format; "
            + "got p.jpg.", nil
        ),
        (
          ["pack", "x", "-o", "p.jpg"],
          "Packing lists are PDF files or web pages: end the name in .pdf or .html, such as p.pdf; "
            + "got p.jpg.", nil
        ),
        (
          ["poster", "https://a.example/1", "-o", "p.jpg"],
          "The extension of p.jpg is not that of a supported format.",
          "End the file name in .svg, .png, .pdf or .eps, such as p.png."
        ),
        (["frobnicate"], "Unknown command “frobnicate”.", "See cliptag --help."),
        (["check"], "Missing expected argument '<url> ...'.", nil),
      ] as [([String], String, String?)])
    func voice(arguments: [String], message: String, hint: String?) async throws {
      let outcome = try await Sandbox().run(arguments)
      let lines = outcome.errors.split(separator: "\n")
      #expect(lines.count == 2 && lines.first == "error: \(message)", "\(outcome.errors)")
      if let hint { #expect(lines.last == "next: \(hint)", "\(outcome.errors)") }
    }

    @Test("64: help of an unknown command, and which one was probably meant")
    func unknownHelp() async throws {
      let outcome = try await Sandbox().run("help", "tag", "wirte")
      #expect(outcome.status == 64 && outcome.output.isEmpty)
      #expect(outcome.errors.contains("Did you mean “write”?\nnext: See cliptag tag --help."))
    }

    @Test("66: a place without codes is listed, an unknown one is not, and a similar one is named")
    func unknownPlace() async throws {
      let sandbox = try await Sandbox.withFruta()
      #expect(try await sandbox.run("code", "list", "--place", "cupertino").status == 0)
      let outcome = try await sandbox.run("code", "list", "--place", "cupertnio")
      #expect(outcome.status == 66 && outcome.output.isEmpty)
      #expect(outcome.errors.contains("Did you mean “cupertino”?"), "\(outcome.errors)")
    }

    @Test("the options of every command may precede it, with their values")
    func optionsFirst() async throws {
      let sandbox = try await Sandbox.withFruta()
      let outcome = try await sandbox.run(
        "--json", "--by=ann", "place", "--color", "never", "show", "cupertino")
      #expect(outcome.status == 0 && outcome.output.hasPrefix("{"), "\(outcome.errors)")
      #expect(try await sandbox.run("--jsno", "place", "list").status == 64)
    }

    @Test("a code is known by a part of its name or URL that no other code has")
    func partOfCode() async throws {
      let sandbox = try await Sandbox.withFruta()
      for url in [Fruta.cupertino, Fruta.sanFrancisco] {
        #expect(try await sandbox.run("qr", url, "-o", "\(url.utf8.count).svg").status == 0)
      }
      let one = try await sandbox.run("code", "show", "CUPERTINO", "--json")
      #expect(one.status == 0 && one.output.contains(Fruta.cupertino), "\(one.errors)")
      let several = try await sandbox.run("code", "show", "fruta.example")
      #expect(several.status == 64 && several.errors.contains("of 2 codes contain"))
      #expect(try await sandbox.run("code", "show", "100%").status == 66)
    }

    @Test("lengths, sheets and colours are understood as people write them")
    func notations() async throws {
      let sandbox = try await Sandbox.withFruta()
      let poster = try await sandbox.run(
        "poster", Fruta.cupertino, "-o", "p.pdf", "--dry-run", "--paper", "10x15cm", "--accent",
        "navy", "--bleed", "3mm")
      #expect(poster.status == 0, "\(poster.errors)")
      let code = try await sandbox.run(
        "qr", Fruta.cupertino, "-o", "c.svg", "--dry-run", "--width", "1.2in", "--background",
        "#fff",
        "--json")
      #expect(code.status == 0, "\(code.errors)")
      let annotated = try await sandbox.run("scan", "a.png", "--annotate", "p.jpg")
      #expect(annotated.errors.contains("such as p.png, or give an existing folder."))
    }

    @Test("65: an input's content is malformed")
    func malformedInput() async throws {
      let sandbox = try await Sandbox.withFruta()
      try sandbox.write("hello", to: "a.png")
      #expect(try await sandbox.run("scan", "a.png").status == 65)
      try sandbox.write("clips: [", to: "a.yaml")
      #expect(try await sandbox.run("registry", "import", "a.yaml").status == 65)
      try sandbox.write([1, 2, 3], to: "tag.bin")
      let reader = try await sandbox.run("reader", "simulate", "--memory", "tag.bin")
      #expect(reader.status == 65)
      #expect(sandbox.bytes(of: "tag.bin") == [1, 2, 3])
      let list = try await sandbox.run(
        "check", "-", stdin: [0xFF, 0xFE, 0x0A] + Array(Fruta.cupertino.utf8))
      #expect(list.status == 65)
      #expect(list.output.contains("ACCEPTED"), "the other lines are examined all the same")
    }

    @Test(
      "66: an input does not exist or cannot be read",
      arguments: [
        ["scan", "missing.png"], ["registry", "import", "missing.yaml"], ["scan", "."],
        ["registry", "import", "folder.yaml"], ["place", "show", "atlantis"],
        ["code", "show", "c-01HF8Z3V9Q4T6W2X8Y0B1C3D5E"],
        ["experience", "show", "https://fruta.example.com/nowhere"],
      ])
    func noInput(arguments: [String]) async throws {
      let sandbox = try await Sandbox.withFruta()
      try FileManager.default.createDirectory(
        atPath: sandbox.path("folder.yaml"), withIntermediateDirectories: false)
      let outcome = try await sandbox.run(arguments)
      #expect(outcome.status == 66)
      #expect(outcome.isOneProblem, "\(outcome.errors)")
    }

    @Test(
      "69: a reader that does not exist, or is no reader, is unavailable",
      arguments: ["pn532_uart:/dev/cliptag-missing", "nonsense", "pn532_uart:/dev/null"])
    func unavailable(reader: String) async throws {
      let sandbox = try await Sandbox.withFruta()
      let outcome = try await sandbox.run("tag", "read", "--reader", reader, "--json")
      #expect(outcome.status == 69)
      #expect(try outcome.lines.count == 1)
      #expect(try outcome.lines("error").first?["hint"].text?.isEmpty == false)
    }

    @Test(
      "73: an output cannot be created, and nothing is left behind",
      arguments: [
        "missing/a.svg", "file.txt/a.svg", "folder.svg", "/proc/a.svg", "/dev/full/a.svg",
      ])
    func cannotCreate(output: String) async throws {
      let sandbox = try await Sandbox.withFruta()
      try sandbox.write("text", to: "file.txt")
      try FileManager.default.createDirectory(
        atPath: sandbox.path("folder.svg"), withIntermediateDirectories: false)
      let outcome = try await sandbox.run("qr", Fruta.cupertino, "-o", output, "--json")
      #expect(outcome.status == 73)
      #expect(try outcome.errorCodes == ["cannot-create"])
      #expect(try sandbox.listing() == ["file.txt", "folder.svg"])
      #expect(sandbox.bytes(of: "file.txt") == Array("text".utf8))
      let codes = try await sandbox.run("code", "list", "--json")
      #expect(codes.output == "", "nothing was issued, so nothing is recorded")
    }

    @Test("the first trouble of 64 and above decides, then 1, then 2; every input is reported")
    func ranking() async throws {
      let sandbox = try await Sandbox.withFruta()
      try sandbox.write(Picture.white, to: "white.pgm")
      try sandbox.write("hello", to: "text.png")
      try await sandbox.run("qr", Fruta.cupertino, "-o", "good.png")
      try await sandbox.run(
        "qr", "--unregistered", "https://elsewhere.example.net/", "-o", "bad.png")
      let table: [([String], Int32)] = [
        (["good.png", "good.png"], 0), (["good.png", "white.pgm"], 2),
        (["white.pgm", "bad.png", "good.png"], 1), (["bad.png", "white.pgm"], 1),
        (["bad.png", "text.png", "missing.png", "good.png"], 65),
        (["white.pgm", "missing.png", "text.png", "bad.png"], 66),
      ]
      for (files, status) in table {
        let outcome = try await sandbox.run(["scan", "--json", "--no-location"] + files)
        #expect(outcome.status == status, "\(files)")
        #expect(try outcome.lines.map { $0["source"].text } == files)
      }
    }
  }
}

extension Outcome {
  /// A Boolean value that indicates whether a failure is one line about the problem and one about
  /// the next step, with an empty standard output.
  var isOneProblem: Bool {
    let lines = errors.split(separator: "\n", omittingEmptySubsequences: false)
    return output.isEmpty && lines.count == 3 && lines[0].hasPrefix("error: ")
      && lines[1].hasPrefix("next: ") && lines[2].isEmpty
  }
}

/// Pictures that tests write themselves.
enum Picture {
  /// A white picture of 64 × 64 pixels, as PGM.
  static let white = Array("P5 64 64 255\n".utf8) + [UInt8](repeating: 255, count: 64 * 64)
}
