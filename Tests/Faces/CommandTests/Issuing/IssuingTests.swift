import CodeScanning
import Foundation
import Pictures
import SimulatedReader
import Testing

/// Issuing: refusals, records, and the contents of the output.
extension CommandSuite {
  @Suite("Issuing") struct IssuingTests {
    static let formats = ["svg", "png", "pdf", "eps"]

    @Test("what the check rejects is refused: findings, no file, no record, no tag written")
    func refused() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader.holding()
      let before = reader.memory
      for url in ["https://elsewhere.example.net/", "http://fruta.example.com/order", "nonsense"] {
        for format in Self.formats {
          let outcome = try await sandbox.run("qr", url, "-o", "a.\(format)", "--json")
          #expect(outcome.status == 1)
          #expect(try outcome.lines.count == 1)
          #expect(try outcome.lines.first?["type"] == "verification")
          #expect(try outcome.lines.first?["findings"].elements.isEmpty == false)
        }
        let tag = try await sandbox.tag("write", url, on: reader)
        #expect(tag.status == 1)
        #expect(tag.errors.contains("--unregistered"))
      }
      #expect(try sandbox.listing() == [])
      #expect(reader.memory == before)
      #expect(try await sandbox.run("code", "list", "--all").output == "")
    }

    @Test("--unregistered issues it all the same, says so and records it so")
    func unregistered() async throws {
      let sandbox = try await Sandbox.withFruta()
      let url = "https://elsewhere.example.net/x"
      let reader = try SimulatedReader.holding()
      let file = try await sandbox.run("qr", url, "-o", "a.png", "--unregistered")
      #expect(file.status == 0)
      #expect(file.errors.contains("unregistered"))
      #expect(try await sandbox.tag("write", url, "--unregistered", on: reader).status == 0)
      let codes = try await sandbox.run("code", "list", "--json").lines
      #expect(codes.map { $0["registered"] } == [false, false])
      #expect(codes.map { $0["url"].text } == [url, url])
    }

    @Test("what the check warns of is said where a code is issued, and stands in its JSON")
    func warnings() async throws {
      let sandbox = try await Sandbox.withFruta()
      let url = "https://fruta.example.com/order"
      try sandbox.write("url\n\(url)\n\(url)?second\n", to: "rows.csv")
      let reader = try SimulatedReader.holding()
      let qr = try await sandbox.run("qr", url, "-o", "a.svg", "--json")
      let poster = try await sandbox.run("poster", url, "-o", "a.pdf", "--json")
      let sheet = try await sandbox.run(
        "sheet", "rows.csv", "-o", "b.pdf", "--template", "L7163", "--json")
      let files = try await sandbox.run(
        "sheet", "rows.csv", "-o", "c", "--format", "svg", "--json")
      let tag = try await sandbox.tag("write", url, "--json", on: reader)
      let image = try await sandbox.run(
        "tag", "image", url, "-o", "a.bin", "--size", "512", "--json")
      for outcome in [qr, poster, sheet, files, tag, image] {
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("[bare-prefix]"))
        for line in try outcome.lines {
          #expect(line["findings"].elements.contains { $0["code"] == "bare-prefix" })
        }
      }
      #expect(sheet.errors.contains("row 1 (2 rows in all): "))
      let batch = try await sandbox.run("tag", "batch", "rows.csv", "--dry-run", "--json")
      #expect(try batch.lines[0]["findings"][1]["row"] == 2)
      #expect(batch.errors.contains("[bare-prefix]"))
    }

    @Test("a code for a misspelt place is issued by nothing, unless told otherwise")
    func unknownPlace() async throws {
      let sandbox = try await Sandbox.withFruta()
      let url = "https://fruta.example.com/order/cupertinno"
      try sandbox.write("url\n\(url)\n", to: "rows.csv")
      let reader = try SimulatedReader.holding()
      let before = reader.memory
      for arguments in [
        ["qr", url, "-o", "a.svg"], ["poster", url, "-o", "a.pdf"],
        ["sheet", "rows.csv", "-o", "b.pdf", "--template", "L7163"],
        ["tag", "image", url, "-o", "a.bin", "--size", "512"],
        ["tag", "batch", "rows.csv", "--dry-run"],
      ] {
        let outcome = try await sandbox.run(arguments + ["--json"])
        #expect(outcome.status == 1, "\(arguments)")
        #expect(try outcome.lines[0]["findings"][0]["code"] == "unknown-place")
        #expect(!outcome.errors.contains("--strict"), "\(outcome.errors)")
      }
      #expect(try await sandbox.tag("write", url, on: reader).status == 1)
      #expect(reader.memory == before)
      // The phone opens it all the same: that is what check says.
      #expect(try await sandbox.run("check", url).status == 0)
      #expect(try await sandbox.run("qr", url, "-o", "a.svg", "--unregistered").status == 0)
      let due = try await sandbox.run("code", "due", "--json")
      #expect(try due.lines.contains { $0["reason"] == "unknown-place" }, "\(due.output)")
      let review = try await sandbox.run("registry", "check", "--json")
      #expect(
        try review.lines.contains {
          $0["code"] == "unknown-place" && $0["message"].text?.contains("cupertinno") == true
        }, "\(review.output)")
    }

    @Test("--strict refuses what the check accepts but warns of, and only that")
    func strict() async throws {
      let sandbox = try await Sandbox.withFruta()
      let url = "https://fruta.example.com/order"
      try sandbox.write("url\n\(Fruta.cupertino)\n\(url)\n", to: "rows.csv")
      let reader = try SimulatedReader.holding()
      let before = reader.memory
      let files = try sandbox.listing()
      for arguments in [
        ["qr", url, "-o", "a.svg"], ["qr", url], ["poster", url, "-o", "a.pdf"],
        ["sheet", "rows.csv", "-o", "b.pdf", "--template", "L7163"],
        ["sheet", "rows.csv", "-o", "c", "--format", "svg"],
        ["tag", "image", url, "-o", "a.bin", "--size", "512"],
        ["tag", "batch", "rows.csv", "--dry-run"],
      ] {
        let outcome = try await sandbox.run(arguments + ["--strict", "--json"])
        #expect(outcome.status == 1, "\(arguments)")
        #expect(try outcome.lines.count == 1)
        #expect(try outcome.lines[0]["findings"][0]["code"] == "bare-prefix")
      }
      let tag = try await sandbox.tag("write", url, "--strict", on: reader)
      #expect(tag.status == 1)
      #expect(tag.errors.contains("--strict"))
      #expect(reader.memory == before)
      #expect(try sandbox.listing() == files)
      #expect(try await sandbox.run("qr", Fruta.cupertino, "--strict").status == 0)
      let both = try await sandbox.run("qr", url, "--strict", "--unregistered")
      #expect(both.status == 64)
    }

    @Test(
      "every format says exactly the URL, by zbar from pixels that another program drew",
      arguments: formats)
    func decodes(format: String) async throws {
      let sandbox = try await Sandbox.withFruta()
      let urls = [
        Fruta.cupertino, "HTTPS://FRUTA.EXAMPLE.COM/order/cupertino",
        Fruta.cupertino + "?name=Jos%C3%A9&q=a+b#top",
        Fruta.cupertino + "?q=" + String(repeating: "0123456789", count: 40),
      ]
      for url in urls {
        let outcome = try await sandbox.run("qr", url, "-o", "a.\(format)", "--width", "60")
        try #require(outcome.status == 0, "\(outcome.errors)")
        let bytes = try #require(sandbox.bytes(of: "a.\(format)"))
        let picture: GreyPicture
        if let kind = DocumentRenderer.Format(rawValue: format) {
          picture = try await DocumentRenderer(limits: .ownDrawing).render(
            bytes, as: kind, dotsPerInch: 200, named: "a.\(format)")[0]
        } else {
          picture = try await PictureLoader().open(bytes, named: "a.png").page(1).firstLook
        }
        let codes = try CodeScanner().readBack(picture)
        #expect(codes.map(\.text) == [url])
      }
      #expect(try sandbox.listing() == ["a.\(format)"])
    }

    @Test("--compact prints capitals that check and scan take for the same URL, and says the risk")
    func compact() async throws {
      let sandbox = try await Sandbox.withFruta()
      let url = Fruta.cupertino + "/table/12345"
      let made = try await sandbox.run(
        "qr", url, "-o", "a.png", "--compact", "--error-correction", "Q", "--json")
      let issue = try #require(try made.lines.first)
      let printed = "HTTPS://FRUTA.EXAMPLE.COM/order/cupertino/table/12345"
      #expect(issue["url"].text == printed)
      #expect(issue["version"] == 4)
      #expect(issue["compact"]["applied"] == true)
      #expect(issue["compact"]["savedVersions"] == 1)
      #expect(made.errors.contains("device"))
      let scan = try await sandbox.run("scan", "a.png", "--at", Fruta.inCupertino, "--json")
      let line = try #require(try scan.lines.first)
      #expect(scan.status == 0 && line["verdict"] == "accepted")
      #expect(line["payload"].text == printed)
      #expect(line["url"].text == url)
      #expect(line["experience"]["link"] == "https://fruta.example.com/order")
      let code = try #require(issue["code"].text)
      let record = try await sandbox.run("code", "show", code, "--json").lines.first
      #expect(record?["place"] == "cupertino" && record?["registered"] == true)
    }

    @Test("--compact that gains nothing says so and prints the URL as it is")
    func compactInVain() async throws {
      let sandbox = try await Sandbox.withFruta()
      let made = try await sandbox.run("qr", Fruta.cupertino, "--compact", "--json")
      let issue = try #require(try made.lines.first)
      #expect(issue["url"].text == Fruta.cupertino)
      #expect(issue["compact"]["applied"] == false)
      #expect(issue["compact"]["savedBits"] == 52)
      #expect(made.errors.contains("the URL is unchanged"))
    }

    @Test("--explain adds up: segments to bits, bits and spare bits to the capacity")
    func explain() async throws {
      let sandbox = try await Sandbox.withFruta()
      let url = Fruta.cupertino + "/table/12345"
      let made = try await sandbox.run(
        "qr", url, "-o", "a.svg", "-o", "a.png", "--explain", "--json")
      #expect(try made.lines.map { $0["type"].text } == ["issue", "issue", "symbol"])
      let symbol = try #require(try made.lines("symbol").first)
      #expect(symbol["url"].text == url)
      let segments = symbol["segments"].elements
      #expect(segments.compactMap { $0["text"].text }.joined() == url)
      let bits = try #require(symbol["bits"].number)
      #expect(segments.compactMap { $0["bits"].number }.reduce(0, +) == bits)
      #expect(symbol["capacity"].number == bits + (symbol["spareBits"].number ?? 0))
      #expect(!symbol["suggestions"].elements.isEmpty)

      let shown = try await sandbox.run("qr", url, "--explain")
      for word in ["segments", "numeric", "12345", "mask", "spare", "fewer at the end"] {
        #expect(shown.output.contains(word), "\(word)")
      }
      let piped = try await sandbox.run("qr", url, "--explain", "-o", "-")
      #expect(piped.output.hasPrefix("<?xml") && piped.output.hasSuffix("</svg>\n"))
      #expect(piped.errors.contains("segments"))
    }

    @Test("--distance sets the size; beside --width it warns, and refuses what no phone reads")
    func distance() async throws {
      let sandbox = try await Sandbox.withFruta()
      func run(_ options: String...) async throws -> Outcome {
        try await sandbox.run(["qr", Fruta.cupertino, "-o", "a.svg", "--json"] + options)
      }
      let wall = try #require(try await run("--distance", "1000").lines.first)
      #expect(wall["moduleSize"].number == 3.048)
      #expect(wall["width"].number == 112.776)
      #expect((wall["readingDistance"].number ?? 0) >= 1000)
      let far = try await run("--width", "40", "--distance", "400")
      #expect(far.status == 0)
      #expect(try far.lines.first?["findings"].elements.map { $0["code"] } == ["too-far"])
      #expect(far.errors.contains("warning:"))
      let tooFar = try await run("--width", "40", "--distance", "1000")
      #expect(tooFar.status == 64)
      #expect(try tooFar.lines.map { $0["code"] } == ["too-far"])
      #expect(tooFar.errors.contains("112.78 mm"))
    }

    @Test("colours are read back in every format; too little contrast is warned of, then refused")
    func colours() async throws {
      let sandbox = try await Sandbox.withFruta()
      let files = Self.formats.flatMap { ["-o", "a.\($0)"] }
      func run(_ dark: String, _ light: String) async throws -> Outcome {
        try await sandbox.run(
          ["qr", Fruta.cupertino, "--foreground", dark, "--background", light, "--json"] + files)
      }
      let blue = try await run("#003366", "fff8e0")
      #expect(blue.status == 0)
      #expect(try blue.lines.map { $0["verified"] } == [true, true, true, true])
      #expect((try blue.lines.first?["contrast"].number ?? 0) > 0.8)
      let pale = try await run("c0c0c0", "ffffff")
      #expect(pale.status == 0)
      #expect(try pale.lines.first?["findings"].elements.map { $0["code"] } == ["low-contrast"])
      let red = try await run("ff0000", "ffffff")
      #expect(red.status == 64)
      #expect(try red.lines.map { $0["code"] } == ["low-contrast"])
      let inverted = try await run("ffffff", "000000")
      #expect(try inverted.lines.map { $0["code"] } == ["inverted-colours"])
      #expect(try await run("reddish", "ffffff").status == 64)
    }

    @Test("a code for another page has no ground and no quiet zone, with a word about the room")
    func placed() async throws {
      let sandbox = try await Sandbox.withFruta()
      func run(_ options: [String]) async throws -> Outcome {
        try await sandbox.run(["qr", Fruta.cupertino, "--background", "none"] + options)
      }
      let files = Self.formats.flatMap { ["-o", "a.\($0)"] }
      let bare = try await run(["--quiet-zone", "0", "--module-size", "0.5", "--json"] + files)
      #expect(bare.status == 0)
      #expect(try bare.lines.map { $0["verified"] } == [true, true, true, true])
      #expect(try bare.lines.map { $0["width"].number } == Array(repeating: 14.732, count: 4))
      #expect(
        try bare.lines.first?["findings"].elements.map { $0["code"] } == ["small-quiet-zone"])
      #expect(bare.errors.contains("warning: A quiet zone of 0 modules"))
      #expect(bare.errors.contains("2.04 mm"))
      let svg = String(decoding: try #require(sandbox.bytes(of: "a.svg")), as: UTF8.self)
      #expect(!svg.contains("<rect"))
      let shown = try await run(["--quiet-zone", "2"])
      #expect(shown.status == 0 && shown.errors.contains("warning: A quiet zone of 2 modules"))
      let whole = try await run(["-o", "b.svg"])
      #expect(whole.status == 0 && !whole.errors.contains("warning"))
      let wide = try await run(["--quiet-zone", "41", "-o", "c.svg", "--json"])
      #expect(try wide.status == 64 && wide.lines.map { $0["code"] } == ["invalid-size"])
      let poster = try await sandbox.run(
        "poster", Fruta.cupertino, "--background", "none", "-o", "d.pdf")
      #expect(poster.status == 64)
    }

    @Test("the same URL printed again is the same code with a longer history")
    func history() async throws {
      let sandbox = try await Sandbox.withFruta()
      let first = try await sandbox.run("qr", Fruta.cupertino, "-o", "a.svg", "--json").lines
      let more = try await sandbox.run(
        "qr", Fruta.cupertino, "-o", "b.png", "-o", "c.pdf", "--json"
      ).lines
      let code = try #require(first.first?["code"].text)
      #expect(more.map { $0["code"].text } == [code, code])
      let shown = try #require(try await sandbox.run("code", "show", code, "--json").lines.first)
      #expect(shown["place"] == "cupertino")
      let history = shown["history"].elements
      #expect(
        history.map { $0["kind"] }
          == Array(repeating: ["issued", "verified"], count: 3).flatMap(\.self))
      #expect(history.map { $0["sequence"].number } == [1, 2, 3, 4, 5, 6])
      #expect(history.map { $0["details"]["output"] }.first == "a.svg")
      for event in history {
        let time = try #require(event["time"].text)
        #expect(
          time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/) != nil, "RFC 3339, UTC")
      }
    }

    @Test("a retired code is not taken up again, and cannot be retired twice")
    func retiring() async throws {
      let sandbox = try await Sandbox.withFruta()
      let made = try await sandbox.run("qr", Fruta.cupertino, "-o", "a.svg", "--json").lines
      let code = try #require(made.first?["code"].text)
      #expect(try await sandbox.run("code", "retire", code).status == 64, "needs --yes")
      #expect(
        try await sandbox.run("code", "retire", "--yes", code, "--reason", "worn").status == 0)
      #expect(try await sandbox.run("code", "retire", "--yes", code).status == 64)
      #expect(try await sandbox.run("code", "list").output == "")
      let again = try await sandbox.run("qr", Fruta.cupertino, "-o", "a.svg", "--json").lines
      #expect(again.first?["code"].text != code)
      let all = try await sandbox.run("code", "list", "--all", "--json").lines
      #expect(all.map { $0["status"] } == ["retired", "issued"])
      let show = try #require(try await sandbox.run("code", "show", code, "--json").lines.first)
      #expect(show["history"].elements.last?["details"]["reason"] == "worn")
    }

    @Test("overwriting and erasing a tag retire the codes it carried")
    func tagCodes() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader.holding()
      for url in [Fruta.cupertino, Fruta.sanFrancisco] {
        #expect(try await sandbox.tag("write", url, on: reader).status == 0)
      }
      var all = try await sandbox.run("code", "list", "--all", "--json").lines
      #expect(all.map { $0["status"] } == ["retired", "issued"])
      #expect(all.map { $0["uid"] } == ["04E10CDA993C80", "04E10CDA993C80"])
      #expect(try await sandbox.tag("erase", on: reader).status == 0)
      all = try await sandbox.run("code", "list", "--all", "--json").lines
      #expect(all.map { $0["status"] } == ["retired", "retired"])
      let last = try #require(all.last?["code"].text)
      let shown = try #require(try await sandbox.run("code", "show", last, "--json").lines.first)
      #expect(
        shown["history"].elements.map { $0["kind"] } == [
          "issued", "written", "verified", "erased", "retired",
        ])
      let read = try await sandbox.tag("read", "--json", "--no-location", on: reader)
      #expect(read.status == 1)
      #expect(try read.lines.first?["findings"][0]["code"] == "empty-tag")
    }

    @Test("somebody else's data on a tag needs --overwrite")
    func foreignData() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader.holding { $0.hold(uri: "foreign.example.net/menu") }
      let before = reader.memory
      for command in [["write", Fruta.cupertino], ["erase"]] {
        let outcome = try await sandbox.run(
          ["tag"] + command + ["--json", "--reader", reader.connectionString])
        #expect(outcome.status == 1)
        #expect(try outcome.errorCodes == ["foreign-data"])
        #expect(try outcome.lines.first?["hint"].text?.contains("--overwrite") == true)
      }
      #expect(reader.memory == before)
      #expect(
        try await sandbox.tag("write", Fruta.cupertino, "--overwrite", on: reader).status == 0)
      let read = try await sandbox.tag("read", "--no-location", "--json", on: reader)
      #expect(try read.lines.first?["payload"].text == Fruta.cupertino)
    }

    @Test("tags of every kind take the URL and give it back")
    func kinds() async throws {
      let sandbox = try await Sandbox.withFruta()
      let url = Fruta.cupertino
      for kind in [SimulatedTagKind.ntag213, .ntag215, .ntag216, .ultralight] {
        let reader = try SimulatedReader.holding(try #require(kind.layout))
        let write = try await sandbox.tag("write", url, on: reader)
        #expect(write.status == 0, "\(kind): \(write.errors)")
        let read = try await sandbox.tag("read", "--no-location", "--json", on: reader)
        #expect(try read.lines.first?["payload"].text == url, "\(kind)")
      }
    }

    @Test("the terminal shows a code whose blocks decode")
    func terminalCode() async throws {
      let sandbox = try await Sandbox.withFruta()
      let outcome = try await sandbox.run("qr", Fruta.cupertino)
      #expect(outcome.status == 0)
      #expect(outcome.output.contains("█") || outcome.output.contains("▀"))
      #expect(try await sandbox.run("code", "list", "--all").output == "", "nothing was made")
    }
  }
}
