import AppClipCodeFixtures
import AppClipCodes
import CodeScanning
import Foundation
import Pictures
import Testing

/// Posters as the command makes them.
extension CommandSuite {
  @Suite("Posters") struct PosterTests {
    @Test("the words come from the card and the place, and can be searched in the PDF")
    func words() async throws {
      let sandbox = try await Sandbox.withFruta()
      let made = try await sandbox.run("poster", Fruta.cupertino, "-o", "sign.pdf", "--json")
      try #require(made.status == 0, "\(made.errors)")
      let issue = try #require(try made.lines.first)
      let code = try #require(issue["code"].text)
      let text = try await sandbox.shell("pdftotext -layout sign.pdf -").output
      for words in [
        "Fruta Cupertino", "Scan with your camera", "fruta.example.com/order/cupertino",
      ] {
        #expect(text.contains(words), "\(words) is missing in \(text)")
      }
      #expect(!text.contains(code.suffix(6)), "a customer's sign has no name of its code: \(text)")
      #expect(text.contains(/Order a\s+smoothie/))
      #expect(issue["poster"]["fonts"].elements.contains("Noto Sans Bold"))
      #expect(issue["poster"]["targetBox"] == .null)
      let listed = try await sandbox.run("code", "list", "--json").lines
      #expect(listed.map { $0["id"].text ?? $0["code"].text } == [code])
    }

    @Test("the tail of a code's name that a sign shows, as it is typed, names the code")
    func tail() async throws {
      let sandbox = try await Sandbox.withFruta()
      let made = try await sandbox.run(
        "poster", Fruta.cupertino, "-o", "sign.pdf", "--code-tail", "--json")
      let code = try #require(try made.lines("issue").first?["code"].text)
      let tail = String(code.suffix(6))
      #expect(try await sandbox.shell("pdftotext sign.pdf -").output.contains(tail))
      let typed = tail.lowercased().replacing("0", with: "o").replacing("1", with: "l")
      for command in [["code", "show"], ["code", "note", "--kind", "installed"]] {
        let shown = try await sandbox.run(command + [typed, "--json"])
        #expect(try shown.lines("code").map { $0["id"].text ?? $0["code"].text } == [code])
      }
      #expect(try await sandbox.run("code", "verify", typed).status == 0)
      let walked = try await sandbox.run(
        "audit", "--sign", "door", "--print", typed, "--dry-run", "--json")
      #expect(walked.output.contains("\"\(Fruta.cupertino)\""), "\(walked)")
      let retired = try await sandbox.run("code", "retire", typed, "--yes")
      #expect(retired.status == 0 && retired.output.contains(code), "\(retired)")
      let unknown = try await sandbox.run("code", "show", "000000")
      #expect(unknown.status == 66, "\(unknown)")
    }

    @Test("a sign carries QR code, App Clip Code and tag, and its report tells of all three")
    func appClipCode() async throws {
      let sandbox = try await Sandbox.withFruta()
      try sandbox.write(DrawnAppClipCode(Fruta.cupertino, template: 3).svg, to: "c.svg")
      let made = try await sandbox.run(
        "poster", Fruta.cupertino, "-o", "sign.pdf", "--app-clip-code", "c.svg", "--nfc-target",
        "--json")
      try #require(made.status == 0, "\(made.errors)")
      let issue = try #require(try made.lines.first)
      #expect(issue["appClipCode"]["payload"].text == Fruta.cupertino)
      #expect(issue["appClipCode"]["kind"].text == "cam")
      #expect(issue["appClipCode"]["template"].number == 3)
      #expect(issue["appClipCode"]["diameter"].number ?? 0 >= 19)
      #expect(issue["appClipCode"]["proof"] == .null)
      #expect(issue["version"].number == 3 && issue["poster"]["codeBox"] != .null)
      #expect(issue["poster"]["appClipCodeBox"] != .null && issue["poster"]["targetBox"] != .null)
      let text = try await sandbox.shell("pdftotext -layout sign.pdf -").output
      #expect(text.contains("Scan to open the App Clip"), "\(text)")
      let scanned = try await sandbox.run("scan", "sign.pdf", "--no-location", "--json")
      #expect(try scanned.lines("verification").first?["payload"].text == Fruta.cupertino)
    }

    @Test("a code made for a tag stands alone around it, and every bit of it is proven")
    func appClipCodeAroundTag() async throws {
      let sandbox = try await Sandbox.withFruta()
      try sandbox.write(DrawnAppClipCode(Fruta.cupertino, badge: .nfc).svg, to: "c.svg")
      let arguments = [
        "poster", Fruta.cupertino, "-o", "sign.pdf", "--app-clip-code", "c.svg",
        "--app-clip-code-only",
      ]
      let made = try await sandbox.run(arguments + ["--prove", "--json"])
      try #require(made.status == 0, "\(made.errors)")
      let issue = try #require(try made.lines.first)
      for key in ["version", "errorCorrection", "moduleSize", "contrast", "code", "proof"] {
        #expect(issue[key] == .null, "\(key)")
      }
      #expect(issue["verified"] == true && issue["appClipCode"]["kind"].text == "nfc")
      #expect(issue["appClipCode"]["proof"]["distance"]["enough"] == true)
      let (code, target) = (issue["poster"]["appClipCodeBox"], issue["poster"]["targetBox"])
      for (edge, side) in [("x", "width"), ("y", "height")] {
        func middle(_ box: JSON) -> Double {
          (box[edge].number ?? 0) + (box[side].number ?? 0) / 2
        }
        #expect(abs(middle(code) - middle(target)) < 0.001)
      }
      let told = try await sandbox.run(arguments)
      #expect(told.output.contains("put the tag behind the App Clip Code"), "\(told.output)")
      #expect(try await sandbox.run("code", "list", "--json").lines.isEmpty)
    }

    @Test("another payload, a code that is not on record and a missing file are refused")
    func appClipCodeRefused() async throws {
      let sandbox = try await Sandbox.withFruta()
      try sandbox.write(DrawnAppClipCode(Fruta.cupertino + "/").svg, to: "other.svg")
      try sandbox.write("<svg/>", to: "none.svg")
      for (choice, status, code) in [
        ("other.svg", 1, "different-payloads"), ("auto", 1, "no-app-clip-code"),
        ("nowhere.svg", 66, "not-found"), ("none.svg", 65, "not-an-app-clip-code"),
      ] {
        let refused = try await sandbox.run(
          "poster", Fruta.cupertino, "-o", "sign.pdf", "--app-clip-code", choice, "--json")
        #expect(refused.status == Int32(status), "\(choice): \(refused.errors)")
        #expect(try refused.lines("error").first?["code"].text == code)
        #expect(sandbox.bytes(of: "sign.pdf") == nil)
      }
      let alone = try await sandbox.run(
        "poster", Fruta.cupertino, "-o", "sign.pdf", "--app-clip-code-only")
      #expect(alone.status == 64)
    }

    @Test("a large poster as PNG is drawn with as many dots as a picture can have")
    func largePNG() async throws {
      let sandbox = try await Sandbox.withFruta()
      let made = try await sandbox.run("poster", Fruta.cupertino, "-o", "a.png", "--paper", "A1")
      #expect(made.status == 0, "\(made.errors)")
    }

    @Test("the words are those of the card in the poster's language, where there are any")
    func language() async throws {
      let sandbox = try await Sandbox.withFruta()
      let none = try await sandbox.run("poster", Fruta.cupertino, "-o", "a.pdf", "--language", "de")
      #expect(none.status == 0 && none.errors.contains("no words in the language de"))
      let pulled = try await sandbox.run(
        "registry", "pull", "--from", Repository.path("Samples/fruta/app-store-connect"))
      try #require(pulled.status == 0, "\(pulled.errors)")
      let made = try await sandbox.run("poster", Fruta.cupertino, "-o", "b.pdf", "--language", "de")
      #expect(made.status == 0 && !made.errors.contains("no words"))
      let text = try await sandbox.shell("pdftotext -layout b.pdf -").output
      #expect(text.contains("Mit der Kamera scannen"))
      #expect(!text.contains("Order a"), "\(text)")
    }

    @Test("a word that is divided at the end of a line is one word in the file")
    func dividedWord() async throws {
      let sandbox = try await Sandbox.withFruta()
      let made = try await sandbox.run(
        "poster", Fruta.cupertino, "-o", "a.pdf", "--language", "de", "--landscape", "--headline",
        "Geschwindigkeitsbegrenzung beachten")
      #expect(made.status == 0, "\(made.errors)")
      let text = try await sandbox.shell("pdftotext -layout a.pdf -").output
      #expect(text.contains("Geschwindigkeitsbegrenzung"), "\(text)")
      #expect(!text.unicodeScalars.contains("\u{AD}"))
    }

    @Test(
      "every format shows the code where the report says", arguments: ["pdf", "svg", "png", "eps"])
    func formats(format: String) async throws {
      let sandbox = try await Sandbox.withFruta()
      let made = try await sandbox.run(
        "poster", Fruta.cupertino, "-o", "a.\(format)", "--paper", "A6", "--design", "bold",
        "--nfc-target", "--dpi", "200", "--json")
      try #require(made.status == 0, "\(made.errors)")
      let issue = try #require(try made.lines.first)
      let bytes = try #require(sandbox.bytes(of: "a.\(format)"))
      let picture: GreyPicture
      if let kind = DocumentRenderer.Format(rawValue: format) {
        picture = try await DocumentRenderer(limits: .ownDrawing).render(
          bytes, as: kind, dotsPerInch: 200, named: "a.\(format)")[0]
      } else {
        picture = try await PictureLoader(firstLookPixels: .max).open(bytes, named: "a.png")
          .page(1).firstLook
      }
      #expect(abs(picture.width - Int(105 * 200 / 25.4)) <= 2)
      let found = try #require(try CodeScanner().readBack(picture).first)
      #expect(found.text == Fruta.cupertino)
      let box = issue["poster"]["codeBox"]
      let x = try #require(box["x"].number)
      let module = try #require(issue["moduleSize"].number)
      let corner = try #require(found.corners.first)
      #expect(abs(Double(corner.x) - (x + 4 * module) * 200 / 25.4) < 4)
      #expect(issue["poster"]["targetBox"]["width"].number ?? 0 > 25)
    }

    @Test("the same command gives the same bytes, and a date only from the environment")
    func reproducible() async throws {
      let sandbox = try await Sandbox.withFruta()
      for name in ["a.pdf", "b.pdf"] {
        let made = try await sandbox.run(
          ["poster", Fruta.cupertino, "-o", name, "--design", "editorial"],
          environment: ["SOURCE_DATE_EPOCH": "1700000000"])
        try #require(made.status == 0, "\(made.errors)")
      }
      #expect(sandbox.bytes(of: "a.pdf") == sandbox.bytes(of: "b.pdf"))
      let information = try await sandbox.shell("TZ=UTC pdfinfo -isodates a.pdf").output
      #expect(information.contains("2023-11-14T22:13:20Z"))
      #expect(information.contains(/Tagged: +yes/))
    }

    @Test("a black poster prints with black ink alone, and independent programs find it sound")
    func blackInk() async throws {
      let sandbox = try await Sandbox.withFruta()
      let made = try await sandbox.run(
        "poster", Fruta.cupertino, "-o", "a.pdf", "--bleed", "3", "--crop-marks", "--nfc-target")
      try #require(made.status == 0, "\(made.errors)")
      let ink = try await sandbox.shell("gs -q -sDEVICE=inkcov -o - a.pdf").output
      #expect(ink.contains(/^ *0\.00000 +0\.00000 +0\.00000 +0\.[0-9]*[1-9]/))
      let check = try await sandbox.shell("qpdf --check a.pdf && mutool draw -q -F txt a.pdf")
      #expect(check.status == 0, "\(check.output) \(check.errors)")
      #expect(check.output.contains("No syntax or stream encoding errors"))
      #expect(check.output.contains("Scan with your camera"))
    }

    @Test("what cannot be printed is refused by name, and nothing is written or recorded")
    func refused() async throws {
      let sandbox = try await Sandbox.withFruta()
      let word = String(repeating: "Donaudampfschifffahrt", count: 8)
      let table: [(arguments: [String], status: Int32, word: String)] = [
        (["--headline", "Order \u{10FFFD}"], 69, "U+10FFFD"),
        (["--paper", "B12"], 64, "B12"),
        (["--paper", "A6", "--width", "200"], 64, "200"),
        (["--paper", "A6", "--distance", "5000"], 64, "5000"),
        (["--language", "tlh"], 64, "--call-to-action"),
        (["--bleed", "80"], 64, "--bleed"),
        (["--paper", "A7", "--brand", word], 64, "use a larger --paper"),
        (["--paper", "A7", "--headline", word], 64, "use a larger --paper"),
        (["--nfc-target", "--target-caption", word + word], 64, "use a larger --paper"),
      ]
      for (arguments, status, word) in table {
        let made = try await sandbox.run(["poster", Fruta.cupertino, "-o", "a.pdf"] + arguments)
        #expect(made.status == status, "\(arguments): \(made.errors)")
        #expect(made.errors.contains(word), "\(arguments): \(made.errors)")
        #expect(!made.errors.contains(/\.[0-9]{4}/), "numbers are rounded: \(made.errors)")
      }
      #expect(try sandbox.listing() == [])
      #expect(try await sandbox.run("code", "list", "--all").output == "")
    }

    @Test("--prove measures the code of the finished page, bleed and marks around it or not")
    func proven() async throws {
      let sandbox = try await Sandbox.withFruta()
      let made = try await sandbox.run(
        "poster", Fruta.cupertino, "-o", "a.svg", "--paper", "A6", "--bleed", "3", "--crop-marks",
        "--prove", "--json")
      try #require(made.status == 0, "\(made.errors)")
      let issue = try #require(try made.lines.first)
      #expect(issue["proof"] != .null)
      #expect(issue["findings"].elements.isEmpty)
    }

    @Test("a poster printed again keeps its code's name")
    func again() async throws {
      let sandbox = try await Sandbox.withFruta()
      var names: Set<String?> = []
      for name in ["a.pdf", "b.svg"] {
        let made = try await sandbox.run("poster", Fruta.cupertino, "-o", name, "--json")
        names.insert(try made.lines.first?["code"].text)
      }
      #expect(names.count == 1)
    }

    @Test("a designer's page keeps what is on it, and has the code and the words of its fields")
    func artwork() async throws {
      let sandbox = try await Sandbox.withFruta()
      let art = Repository.path("Samples/fruta/table-card.svg")
      let made = try await sandbox.run(
        "poster", Fruta.cupertino, "-o", "card.pdf", "--artwork", art, "--field",
        "headline=8,10,62,24,size=26pt", "--field", "table=8,36,62,9", "--text", "table=Table 12",
        "--json")
      try #require(made.status == 0, "\(made.errors)")
      let issue = try #require(try made.lines.first)
      #expect(issue["poster"]["design"].text == "artwork")
      #expect(issue["poster"]["width"].number == 105 && issue["poster"]["height"].number == 148)
      let text = try await sandbox.shell("pdftotext -layout card.pdf -").output
      for words in ["pressed to order", "Table 12", "smoothie"] { #expect(text.contains(words)) }
      let scanned = try await sandbox.run("scan", "card.pdf", "--no-location", "--json")
      #expect(
        try scanned.lines("verification").map { $0["payload"].text } == [Fruta.cupertino])
    }

    @Test("a row's artwork is found beside a CSV file in the current folder")
    func artworkOfRow() async throws {
      let sandbox = try await Sandbox.withFruta()
      try sandbox.write(
        try String(
          contentsOfFile: Repository.path("Samples/fruta/table-card.svg"), encoding: .utf8),
        to: "card.svg")
      try sandbox.write("url,artwork\n\(Fruta.cupertino),card.svg\n", to: "rows.csv")
      let made = try await sandbox.run("poster", "--csv", "rows.csv", "-o", "run.pdf", "--json")
      try #require(made.status == 0, "\(made.output) \(made.errors)")
      #expect(try made.lines.first?["poster"]["design"].text == "artwork")
    }

    @Test(
      "what an artwork leaves no room for is wrong usage",
      arguments: [
        ["--design", "bold"], ["--bleed", "3"], ["--crop-marks"], ["--field", "headline=1,2"],
        ["--text", "price=3"],
      ])
    func artworkUsage(_ options: [String]) async throws {
      let sandbox = try await Sandbox.withFruta()
      try sandbox.write(
        "<svg xmlns='http://www.w3.org/2000/svg' width='105mm' height='148mm'/>", to: "art.svg")
      let made = try await sandbox.run(
        [
          "poster", Fruta.cupertino, "-o", "a.pdf", "--artwork", "art.svg", "--field",
          "code=9,9,40",
        ]
          + options)
      #expect(made.status == 64, "\(made.errors)")
      #expect(try !sandbox.listing().contains("a.pdf"))
    }

    @Test("templates are listed, shown, and adapted in a file")
    func templates() async throws {
      let sandbox = try await Sandbox.withFruta()
      let listed = try await sandbox.run("poster", "--list-templates", "--json")
      let lines = try listed.lines
      let names = lines.compactMap { $0["name"].text }
      #expect(listed.status == 0 && names.contains("table-tent") && names.count >= 12)
      #expect(lines.allSatisfy { $0["type"].text == "poster-template" })
      let shown = try await sandbox.run("poster", "--show-template", "table-number")
      #expect(shown.status == 0)
      try sandbox.write(
        shown.output.replacingOccurrences(of: "\"width\": 100", with: "\"width\": 101"),
        to: "mine.json")
      let made = try await sandbox.run(
        "poster", Fruta.cupertino, "-o", "t.pdf", "--template", "mine.json", "--text", "table=12",
        "--json")
      try #require(made.status == 0, "\(made.output) \(made.errors)")
      let poster = try #require(try made.lines.first)["poster"]
      #expect(poster["width"].number == 101 && poster["design"].text == "mine")
      let schema = try await sandbox.run("poster", "--show-template", "schema")
      #expect(schema.output.contains("json-schema.org"))
    }

    @Test(
      "what a template has no place for, or no words, is wrong usage with the option that helps",
      arguments: [
        (["--template", "tabel-number"], "table-number"),
        (["--template", "table-number"], "--text table=…"),
        (["--template", "menu", "--text", "menu=A|1", "--text", "tabel=1"], "no place for tabel"),
        (["--template", "table-number", "--design", "bold"], "leave --design away"),
        (["--template", "table-tent", "--artwork", "a.svg"], "exclude each other"),
        (["--image", "a.png"], "--image needs --template"),
      ])
    func templateUsage(_ example: (options: [String], words: String)) async throws {
      let sandbox = try await Sandbox.withFruta()
      try sandbox.write("<svg xmlns='http://www.w3.org/2000/svg'/>", to: "a.svg")
      try sandbox.write("no picture", to: "a.png")
      let made = try await sandbox.run(
        ["poster", Fruta.cupertino, "-o", "a.pdf"] + example.options)
      #expect(made.status == 64, "\(made.errors)")
      #expect(made.errors.contains(example.words), "\(made.errors)")
      #expect(try !sandbox.listing().contains("a.pdf"))
    }
  }
}
