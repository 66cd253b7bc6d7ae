import AppClipCodeFixtures
import Foundation
import Testing

/// `sheet`: the printed labels, refusals, and the files left behind.
extension CommandSuite {
  @Suite("Label sheets") struct SheetCommandTests {
    private static let rows = """
      url,label,place,copies
      https://fruta.example.com/order/cupertino/table/1,Table 1,cupertino,
      https://fruta.example.com/order/cupertino/table/2,"Terrace, طاولة ٢",cupertino,3
      https://fruta.example.com/order/san-francisco/table/1,卓 1,,

      """
    private static let stock = ["--template", "60x40,3x6,14,20,61,42"]

    private static func scene() async throws -> Sandbox {
      let sandbox = try await Sandbox.withFruta()
      try sandbox.write(rows, to: "t.csv")
      return sandbox
    }

    @Test(
      "a cell that names a pipe, a device or a folder is a mistake of its row, and is not waited for"
    )
    func cellsThatWait() async throws {
      let sandbox = try await Sandbox.withFruta()
      _ = try await sandbox.shell("mkfifo pipe && mkdir x.svg && ln -s pipe link.json")
      let sheet = ["sheet", "t.csv", "-o", "t.pdf", "--template", "L7163", "--json"]
      let poster = ["poster", "--csv", "t.csv", "-o", "t.pdf", "--json"]
      let jobs =
        [("app-clip-code", sheet), ("app-clip-code", poster)]
        + ["logo", "image", "artwork", "template"].map { ($0, poster) }
      for (column, job) in jobs {
        let names = ["pipe", "x.svg", "/dev/zero", "/dev/tty"]
        for name in column == "template" ? ["link.json"] : names {
          try sandbox.write("url,\(column)\n\(Fruta.cupertino),\(name)\n", to: "t.csv")
          let outcome = try await sandbox.run(job)
          #expect(outcome.status == 65, "\(column) \(name): \(outcome.output)")
          let error = try #require(try outcome.lines("error").first, "\(column) \(name)")
          #expect(error["line"].number == 2 && error["column"].number == 43, "\(error)")
          #expect(error["message"].text?.contains("not a plain file") == true, "\(error)")
        }
      }
      #expect(sandbox.bytes(of: "t.pdf") == nil)
    }

    @Test("the title of the document names the table, and not the folder that it is in")
    func title() async throws {
      let sandbox = try await Self.scene()
      for job in [
        ["sheet", sandbox.path("t.csv")] + Self.stock, ["poster", "--csv", sandbox.path("t.csv")],
      ] {
        #expect(try await sandbox.run(job + ["-o", "t.pdf", "--quiet"]).status == 0)
        let facts = try await sandbox.shell("pdfinfo t.pdf").output
        #expect(facts.contains("from t.csv\n") && !facts.contains(sandbox.root), "\(facts)")
      }
    }

    @Test("every row is printed as often as it says, and a scanner finds all of them")
    func prints() async throws {
      let sandbox = try await Self.scene()
      let made = try await sandbox.run(
        ["sheet", "t.csv", "-o", "t.pdf", "--caption", "label", "--start", "17", "--json"]
          + Self.stock)
      #expect(made.status == 0, "\(made.errors)")
      let lines = try made.lines("issue")
      #expect(lines.map { $0["row"] } == [1, 2, 2, 2, 3].map { .number($0) })
      #expect(lines.map { $0["page"] } == [1, 1, 2, 2, 2].map { .number($0) })
      #expect(lines.map { $0["position"] } == [17, 18, 1, 2, 3].map { .number($0) })
      #expect(lines.allSatisfy { $0["verified"] == true && $0["output"] == "t.pdf" })
      let scanned = try await sandbox.run("scan", "t.pdf", "--no-location", "--json")
      let urls = try scanned.lines("verification").compactMap { $0["payload"].text }
      #expect(
        urls.map { $0.suffix(7) }.sorted()
          == ["table/1", "table/1", "table/2", "table/2", "table/2"])
    }

    @Test("labels have the App Clip Codes that their rows name, and mistakes are told by row")
    func appClipCodes() async throws {
      let sandbox = try await Sandbox.withFruta()
      let urls = [Fruta.cupertino, Fruta.cupertino + "/table/2"]
      try FileManager.default.createDirectory(
        atPath: sandbox.path("codes"), withIntermediateDirectories: false)
      for (index, url) in urls.enumerated() {
        try sandbox.write(DrawnAppClipCode(url, template: index).svg, to: "codes/\(index).svg")
      }
      try sandbox.write(
        "url,app-clip-code\n\(urls[0]),0.svg\n\(urls[1]),1.svg\n", to: "codes/t.csv")
      let made = try await sandbox.run(
        ["sheet", "codes/t.csv", "-o", "t.pdf", "--json"] + Self.stock)
      try #require(made.status == 0, "\(made.errors)")
      #expect(made.errors.contains("an App Clip Code "))
      let lines = try made.lines("issue")
      #expect(lines.map { $0["appClipCode"]["payload"].text } == urls)
      #expect(lines.allSatisfy { $0["version"] != .null })
      let alone = try await sandbox.run(
        ["sheet", "codes/t.csv", "-o", "a.pdf", "--json", "--app-clip-code-only"] + Self.stock)
      #expect(alone.status == 0, "\(alone.errors)")
      #expect(try alone.lines("issue").map { $0["version"] } == [.null, .null])
      try sandbox.write(
        "url,app-clip-code\n\(urls[0]),1.svg\n\(urls[1]),2.svg\n", to: "codes/t.csv")
      let refused = try await sandbox.run(
        ["sheet", "codes/t.csv", "-o", "b.pdf", "--json"] + Self.stock)
      #expect(refused.status == 65, "\(refused.errors)")
      let errors = try refused.lines("error")
      #expect(errors.map { $0["line"].number } == [2, 3])
      #expect(errors.first?["message"].text?.contains(urls[1]) == true)
      #expect(sandbox.bytes(of: "b.pdf") == nil)
    }

    @Test("all labels are alike, and their size is told before they are printed")
    func alike() async throws {
      let sandbox = try await Sandbox.withFruta()
      let base = "https://fruta.example.com/order/cupertino"
      try sandbox.write(
        "url,label\n\(base),1\n\(base)/table/2,The long table on the terrace by the old tree\n"
          + "\(base)/t/\(String(repeating: "3", count: 60)),\n\(base)/t/4,Table 4\n", to: "t.csv")
      let arguments = ["sheet", "t.csv", "-o", "t.pdf", "--caption", "label"] + Self.stock
      let rehearsed = try await sandbox.run(arguments + ["--dry-run"])
      #expect(rehearsed.status == 0, "\(rehearsed.errors)")
      #expect(rehearsed.errors.contains("every label: a code "), "\(rehearsed.errors)")
      #expect(rehearsed.output.split(separator: "\n").count == 5, "\(rehearsed.output)")
      #expect(rehearsed.errors.contains("note: row 3 has a long URL"), "\(rehearsed.errors)")
      #expect(rehearsed.errors.contains("a smaller one suffices for 3 rows."))
      let made = try await sandbox.run(arguments + ["--json"])
      #expect(made.errors == rehearsed.errors)
      let lines = try made.lines("issue")
      #expect(lines.count == 4)
      for key in ["version", "moduleSize", "width"] {
        #expect(Set(lines.map { "\($0[key])" }).count == 1, "\(key)")
      }
      let size = try #require(lines.first?["moduleSize"].number)
      #expect(made.errors.contains("modules of \(size) mm"), "\(made.errors)")
    }

    @Test("the manifest says which label holds what, by the names in the registry")
    func manifest() async throws {
      let sandbox = try await Self.scene()
      let made = try await sandbox.run(
        ["sheet", "t.csv", "-o", "t.pdf", "--caption", "label"] + Self.stock)
      #expect(made.status == 0, "\(made.errors)")
      let text = String(decoding: try #require(sandbox.bytes(of: "t-manifest.csv")), as: UTF8.self)
      let lines = text.split(separator: "\r\n").map(String.init)
      #expect(lines[0] == "file,page,position,row,url,code,place,label,item")
      #expect(lines.count == 6)
      let codes = try await sandbox.run("code", "list", "--json").lines("code")
      #expect(codes.count == 3, "a row is one code, however many copies it has")
      for (row, line) in [("1", lines[1]), ("2", lines[2]), ("3", lines[5])] {
        let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        #expect(fields[3] == row)
        let code = codes.first { $0["code"].text == fields[5] }
        #expect(code?["url"].text == fields[4], "\(line)")
      }
      #expect(lines[2].contains(",cupertino,\"Terrace, طاولة ٢\","))
      #expect(lines[5].contains(",san-francisco,卓 1,"))
      for line in lines.dropFirst() {
        let item = line.split(separator: ",").last.map { JSON.string(String($0)) }
        let items = codes.flatMap { $0["items"].elements.map { $0["item"] } }
        #expect(items.contains { $0 == item }, "\(line)")
      }
    }

    @Test("each print has its name in the results and, with --item-name, on its labels")
    func itemNames() async throws {
      let sandbox = try await Sandbox.withFruta()
      let url = Fruta.cupertino
      try sandbox.write("url,label,copies\n\(url),Door,2\n\(url),Counter,\n", to: "t.csv")
      let arguments = ["sheet", "t.csv", "-o", "t.pdf", "--caption", "label", "--item-name"]
      let made = try await sandbox.run(arguments + ["--json"] + Self.stock)
      try #require(made.status == 0, "\(made.errors)")
      let names = try made.lines("issue").compactMap { $0["item"].text }
      #expect(names.count == 3 && names[0] == names[1] && names[1] != names[2])
      let code = try #require(try await sandbox.run("code", "show", names[2], "--json").lines.first)
      let items = code["items"].elements
      #expect(items.map { $0["item"].text } == [names[0], names[2]])
      #expect(items.map { $0["copies"] } == [2, 1])
      let text = try await sandbox.shell("pdftotext t.pdf - | tr -d '\\n -'").output
      for name in Set(names) {
        let shown = text.ranges(of: name.replacing("-", with: "")).count
        #expect(shown == names.count { $0 == name }, "\(text)")
      }
      // Printed again, the names are the same.
      let again = try await sandbox.run(arguments + ["--json"] + Self.stock)
      #expect(try again.lines("issue").compactMap { $0["item"].text } == names)

      let small = try await sandbox.run(arguments + ["--template", "12x12,6x10,14,20,17,16"])
      #expect(small.status == 64 || small.status == 65, "\(small.status)")
      #expect(small.errors.contains("Row 1 (line 2), the name of the item:"), "\(small.errors)")
      #expect(small.errors.contains("leave --item-name out"), "\(small.errors)")
    }

    @Test("the same file gives the same bytes")
    func sameBytes() async throws {
      let sandbox = try await Self.scene()
      for name in ["a.pdf", "b.pdf"] {
        let made = try await sandbox.run(["sheet", "t.csv", "-o", name] + Self.stock)
        #expect(made.status == 0, "\(made.errors)")
      }
      #expect(sandbox.bytes(of: "a.pdf") == sandbox.bytes(of: "b.pdf"))
    }

    @Test("a dry run makes and proves all, and leaves nothing")
    func dryRun() async throws {
      let sandbox = try await Self.scene()
      let made = try await sandbox.run(
        ["sheet", "t.csv", "-o", "t.pdf", "--dry-run", "--printer", "office", "--offset", "1,1"]
          + Self.stock)
      #expect(made.status == 0 && made.output.contains("would write t.pdf"), "\(made.errors)")
      #expect(try sandbox.listing() == ["t.csv"])
      #expect(try await sandbox.run("code", "list", "--json").output.isEmpty)
      let kept = try await sandbox.run(
        ["sheet", "t.csv", "-o", "t.pdf", "--dry-run", "--printer", "office"] + Self.stock)
      #expect(kept.status == 64 && kept.errors.contains("No calibration is stored"))
    }

    static let refused:
      [(name: String, csv: String, more: [String], status: Int32, words: String)] =
        [
          (
            "a URL that is not accepted", "url\nhttps://nobody.example.org/a\n", [], 1,
            "t.csv:2:1"
          ),
          (
            "mistakes in the file", "url,copies\nu,0\n,1\n", [], 65,
            "t.csv:3:1: The row has no url."
          ),
          (
            "a place that the URL does not name",
            "url,place\nhttps://fruta.example.com/order/cupertino,san-francisco\n", [], 65,
            "t.csv:2:43: The row has the place"
          ),
          (
            "a caption without room",
            "url,label\nhttps://fruta.example.com/order/cupertino,a\n"
              + "https://fruta.example.com/order/cupertino,\(String(repeating: "x", count: 90))\n",
            ["--caption", "label"], 65, "Row 2 (line 3), column label: "
          ),
          (
            "a letter that no font has",
            "url,label\nhttps://fruta.example.com/order/cupertino,\u{E000}\n",
            ["--caption", "LABEL"], 65, "Row 1 (line 2): "
          ),
          (
            "labels too small for any code",
            "url\nhttps://fruta.example.com/order/cupertino\n",
            ["--template", "3.3,5x5,10,10,20,20"],
            64, "Labels of 3.3 × 3.3 mm are too small for a code of version 3, which needs 6.27 mm"
          ),
          ("an unknown column", rows, ["--caption", "floor"], 64, "no column “floor”"),
          ("a start beyond the sheet", rows, ["--start", "19"], 64, "beyond the 18 labels"),
          ("a calibration beyond belief", rows, ["--offset", "30,0"], 64, "--offset must be"),
        ]

    @Test("what is refused leaves neither a file nor a record", arguments: refused.indices)
    func refusals(index: Int) async throws {
      let (name, csv, more, status, words) = Self.refused[index]
      let sandbox = try await Sandbox.withFruta()
      try sandbox.write(csv, to: "t.csv")
      let made = try await sandbox.run(["sheet", "t.csv", "-o", "t.pdf"] + Self.stock + more)
      #expect(made.status == status, "\(name): \(made.errors)")
      #expect((made.output + made.errors).contains(words), "\(name): \(made.output)\(made.errors)")
      #expect(try sandbox.listing() == ["t.csv"], "\(name)")
      #expect(try await sandbox.run("code", "list", "--json").output.isEmpty, "\(name)")
    }

    @Test("a template that is unknown, ambiguous or no sheet is wrong usage and says what would do")
    func templates() async throws {
      let sandbox = try await Self.scene()
      for (template, words) in [
        ("L71633", "Avery L7163"), ("60x40,9x6,14,20,61,42", "mm off the paper"),
      ] {
        let made = try await sandbox.run("sheet", "t.csv", "-o", "t.pdf", "--template", template)
        #expect(made.status == 64 && made.errors.contains(words), "\(made.errors)")
      }
    }

    @Test("templates are listed by words, with what there is room for")
    func list() async throws {
      let sandbox = try Sandbox()
      let listed = try await sandbox.run("sheet", "--list-templates", "avery 22806", "--json")
      let line = try #require(try listed.lines("template").first)
      #expect(line["name"].text == "Avery 22806" && line["labels"] == .number(12))
      let none = try await sandbox.run("sheet", "--list-templates", "nosuchmaker")
      #expect(none.status == 2)
    }

    @Test("a printer's calibration is kept, and moves the labels the next time")
    func calibration() async throws {
      let sandbox = try await Self.scene()
      let sheet = ["sheet", "t.csv", "--json"] + Self.stock
      for arguments in [
        ["-o", "plain.pdf"], ["-o", "first.pdf", "--printer", "p", "--offset", "2,-1"],
        ["-o", "again.pdf", "--printer", "p"], ["-o", "units.pdf", "--offset", "0.2cm,-1mm"],
      ] {
        let made = try await sandbox.run(sheet + arguments)
        #expect(made.status == 0, "\(made.errors)")
      }
      #expect(sandbox.bytes(of: "first.pdf") == sandbox.bytes(of: "again.pdf"))
      #expect(sandbox.bytes(of: "first.pdf") == sandbox.bytes(of: "units.pdf"))
      #expect(sandbox.bytes(of: "first.pdf") != sandbox.bytes(of: "plain.pdf"))
    }

    @Test("a calibration sheet needs no file and no registry")
    func calibrationSheet() async throws {
      let sandbox = try Sandbox()
      let made = try await sandbox.run(
        ["sheet", "--calibration-sheet", "-o", "c.pdf", "--json"] + Self.stock)
      #expect(made.status == 0, "\(made.errors)")
      let line = try #require(try made.lines("calibration-sheet").first)
      #expect(line["rulerAcross"] == .number(190) && line["rulerDown"] == .number(200))
      #expect(try sandbox.listing() == ["c.pdf"])
    }

    @Test("the sheet goes to standard output when asked, whole")
    func standardOutput() async throws {
      let sandbox = try await Self.scene()
      let made = try await sandbox.shell(
        "cliptag sheet - -o - --template 60x40,3x6,14,20,61,42 < t.csv > out.pdf")
      #expect(made.status == 0, "\(made.errors)")
      #expect(try sandbox.listing() == ["out.pdf", "t.csv"])
      #expect(try #require(sandbox.bytes(of: "out.pdf")).suffix(6) == Array("%%EOF\n".utf8))
    }

    @Test(
      "--format makes a proven file for each row, with a manifest",
      arguments: ["svg", "png", "pdf", "eps"])
    func files(format: String) async throws {
      let sandbox = try await Self.scene()
      let made = try await sandbox.run(
        "sheet", "t.csv", "-o", "codes/", "--format", format, "--width", "30", "--caption", "label",
        "--json")
      #expect(made.status == 0, "\(made.errors)")
      let lines = try made.lines("issue")
      #expect(lines.map { $0["output"].text } == (1...3).map { "codes/\($0).\(format)" })
      #expect(lines.allSatisfy { $0["verified"] == true && ($0["width"].number ?? 99) <= 30 })
      let listing = try await sandbox.shell("ls codes").output
      #expect(listing == "1.\(format)\n2.\(format)\n3.\(format)\nmanifest.csv\n")
      let manifest = try await sandbox.shell("cat codes/manifest.csv").output
      #expect(
        manifest.contains("2.\(format),,,2,https://fruta.example.com/order/cupertino/table/2,c-"))
      if format == "png" {
        let scan = try await sandbox.run("scan", "codes/2.png", "--no-location", "--json")
        #expect(try scan.lines.first?["payload"].text?.hasSuffix("/cupertino/table/2") == true)
      }
      let names = try await sandbox.run("code", "list", "--json").lines("code")
      #expect(names.count == 3)
    }

    @Test(
      "a row's file is named as its column code says; names that clash or leave the folder do not")
    func fileNames() async throws {
      let sandbox = try await Sandbox.withFruta()
      let base = "https://fruta.example.com/order/cupertino/table"
      try sandbox.write("url,code\n\(base)/1,bar\n\(base)/2,terrace\n", to: "good.csv")
      let made = try await sandbox.run("sheet", "good.csv", "-o", "codes", "--format", "png")
      #expect(!made.errors.contains("not of this run"))
      try sandbox.write("https://fruta.example.com", to: "codes/old.txt")
      let again = try await sandbox.run("sheet", "good.csv", "-o", "codes", "--format", "png")
      #expect(again.errors.contains("codes also contains 1 file that is not of this run"))
      _ = try await sandbox.shell("rm codes/old.txt")
      #expect(made.status == 0, "\(made.errors)")
      #expect(try await sandbox.shell("ls codes").output == "bar.png\nmanifest.csv\nterrace.png\n")
      try sandbox.write(
        "url,code\n\(base)/1,bar\n\(base)/2,Bar\n\(base)/3,../x\n\(base)/4,.hidden\n", to: "bad.csv"
      )
      let refused = try await sandbox.run("sheet", "bad.csv", "-o", "other", "--format", "png")
      #expect(refused.status == 65)
      for line in ["bad.csv:3:", "bad.csv:4:", "bad.csv:5:"] {
        #expect(refused.errors.contains(line), "\(refused.errors)")
      }
      let left = try sandbox.listing()
      #expect(left == ["bad.csv", "codes", "good.csv"])
    }

    @Test("a row that cannot be drawn leaves no file, no folder and no record")
    func filesAllOrNone() async throws {
      let sandbox = try await Self.scene()
      let made = try await sandbox.run(
        "sheet", "t.csv", "-o", "codes", "--format", "svg", "--width", "1")
      #expect(made.status == 64, "\(made.errors)")
      #expect(try sandbox.listing() == ["t.csv"])
      #expect(try await sandbox.run("code", "list", "--all").output == "")
    }
  }
}
