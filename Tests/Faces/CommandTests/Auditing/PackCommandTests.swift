import Foundation
import SimulatedReader
import TagTypes
import Testing

/// Parcels: the expected and the packed items.
extension CommandSuite {
  @Suite("Packing") struct PackCommandTests {
    /// Returns a sandbox with posters of both places as the program makes them, drawn at 150 dpi as
    /// a camera would see them.
    private static func scene() async throws -> Sandbox {
      let sandbox = try await Sandbox.withFruta()
      for (url, name) in [
        (Fruta.cupertino, "c1"), (Fruta.cupertino + "/table/2", "c2"), (Fruta.sanFrancisco, "s1"),
      ] {
        let made = try await sandbox.run("poster", url, "-o", "\(name).pdf", "--paper", "A5")
        try #require(made.status == 0, "\(made.errors)")
        let drawn = try await sandbox.shell("pdftoppm -r 150 -png -singlefile \(name).pdf \(name)")
        try #require(drawn.status == 0, "\(drawn.errors)")
      }
      return sandbox
    }

    private func results(_ outcome: Outcome) throws -> [String: [String]] {
      Dictionary(grouping: try outcome.lines("parcel-item")) { $0["result"].text ?? "" }
        .mapValues { $0.compactMap { $0["payload"].text }.sorted() }
    }

    @Test("posters of Cupertino and San Francisco that were mixed are found before they are sent")
    func story() async throws {
      let sandbox = try await Self.scene()
      let right = try await sandbox.run("pack", "verify", "cupertino", "c1.png", "c2.png", "--json")
      #expect(right.status == 0, "\(right.output)\(right.errors)")
      #expect(try right.lines("parcel").first?["complete"] == true)
      #expect(right.output.contains("pack cupertino --record"))

      // The printing team puts the San Francisco poster into the Cupertino parcel.
      let mixed = try await sandbox.run("pack", "verify", "cupertino", "c1.png", "s1.png", "--json")
      #expect(mixed.status == 1)
      #expect(!mixed.output.contains("--record"), "nothing that is missing is recorded as packed")
      #expect(
        try results(mixed) == [
          "expected": [Fruta.cupertino], "swapped": [Fruta.sanFrancisco],
          "missing": [Fruta.cupertino + "/table/2"],
        ])
      let swapped = try #require(
        try mixed.lines("parcel-item").first { $0["result"] == "swapped" })
      #expect(swapped["place"] == "san-francisco")
      #expect(
        swapped["findings"].elements.first?["message"].text?
          .contains("belongs to Fruta San Francisco (san-francisco), not to Fruta Cupertino")
          == true)
      let last = try #require(try mixed.lines("parcel").first)
      #expect(last["complete"] == false && last["expected"] == 2 && last["read"] == 1)

      let other = try await sandbox.run("pack", "verify", "san-francisco", "c2.png", "--json")
      #expect(other.status == 1)
      #expect(
        try results(other) == [
          "swapped": [Fruta.cupertino + "/table/2"], "missing": [Fruta.sanFrancisco],
        ])
    }

    @Test("one picture with two posters of one code has one too many; a foreign code is named")
    func duplicatesAndForeign() async throws {
      let sandbox = try await Self.scene()
      try await sandbox.run(
        "qr", "https://elsewhere.example.net/", "-o", "f.png", "--unregistered")
      // Issued without a place; a registry without it does not know it at all.
      let joined = try await sandbox.run(
        "pack", "verify", "cupertino", "c1.png", "c1.pdf", "c2.png", "f.png", "--json")
      #expect(joined.status == 1)
      #expect(
        try results(joined) == [
          "expected": [Fruta.cupertino, Fruta.cupertino + "/table/2"],
          "duplicate": [Fruta.cupertino], "swapped": ["https://elsewhere.example.net/"],
        ])
      let copies = try await sandbox.run(
        "pack", "verify", "cupertino", "c1.png", "c1.pdf", "c2.png", "--copies", "2")
      #expect(copies.status == 0, "\(copies.output)")
      let lines = try await sandbox.run(
        "pack", "verify", "cupertino", "-", "--json",
        stdin: Array("\(Fruta.cupertino)\r\nhttps://stranger.example.org/\n".utf8))
      #expect(lines.status == 1)
      #expect(try results(lines)["foreign"] == ["https://stranger.example.org/"])
    }

    @Test(
      "tags of the parcel are read one after another, until there are as many as were asked for")
    func tags() async throws {
      let sandbox = try await Sandbox.withFruta()
      let tags = try (1...4).map { try SimulatedTag(.ntag213, uid: [4, 1, 2, 3, 4, 5, $0]) }
      let bench = try SimulatedReader(tag: tags[0])
      let urls = [Fruta.cupertino, Fruta.cupertino + "/table/2", Fruta.sanFrancisco]
      var written: [SimulatedTag] = []
      for (tag, url) in zip(tags, urls) {
        bench.replaceTag(with: tag)
        let outcome = try await sandbox.tag("write", url, on: bench)
        try #require(outcome.status == 0, "\(outcome.errors)")
        written.append(try #require(bench.tag))
      }
      // A forged copy of the first tag's URL.
      var copy = tags[3]
      copy.hold(uri: "fruta.example.com/order/cupertino")
      let parcel = [written[0], written[2], copy, written[1]]
      bench.replaceTag(with: parcel[0])
      let results = Results()
      let outcome = try await sandbox.start(
        "pack", "verify", "cupertino", "--count", "4", "--json", "--reader", bench.connectionString
      ) { running in
        while let line = try await running.line() {
          let value = try JSON(parsing: line)
          let count = await results.append(value["result"].text ?? value["type"].text ?? "")
          if count < parcel.count { bench.replaceTag(with: parcel[count]) }
        }
      }
      #expect(outcome.status == 1, "\(outcome.errors)")
      #expect(await results.all == ["expected", "swapped", "foreign", "expected", "parcel"])
    }

    @Test("labels are listed as they lie on the sheets, with what is printed beside each")
    func labels() async throws {
      let sandbox = try await Sandbox.withFruta()
      let rows = (1...24).map { "\(Fruta.cupertino)/table/\($0),Table \($0),\($0 == 3 ? 2 : 1)" }
      try sandbox.write("url,label,copies\n" + rows.joined(separator: "\n") + "\n", to: "t.csv")
      // One of them was printed before, and would come first by its name.
      try await sandbox.run("qr", "\(Fruta.cupertino)/table/9", "-o", "nine.svg")
      let made = try await sandbox.run(
        "sheet", "t.csv", "-o", "t.pdf", "--caption", "label", "--template",
        "60x40,3x6,15,20,60,42,A4")
      try #require(made.status == 0, "\(made.errors)")
      let outcome = try await sandbox.run("pack", "cupertino", "--json")
      let listed = try outcome.lines("packing")
      #expect(listed.compactMap { $0["label"].text } == (1...24).map { "Table \($0)" })
      #expect(listed.map { $0["row"] } == (1...24).map { .number(Double($0)) })
      #expect(
        listed.prefix(4).map { [$0["sheet"], $0["position"], $0["copies"]] }
          == [[1, 1, 1], [1, 2, 1], [1, 3, 2], [1, 5, 1]])
      #expect(listed.last.map { [$0["sheet"], $0["position"]] } == [2, 7])
      let text = try await sandbox.run("pack", "cupertino").output.split(separator: "\n")
      #expect(text[2].contains("“Table 3”"), "\(text[2])")
      #expect(text[2].contains("t.pdf, sheet 1, label 3 and 1 more after it, "), "\(text[2])")
      #expect(text[8].contains("“Table 9”") && text[8].contains("sheet 1, label 10"))
      try await sandbox.run("pack", "cupertino", "-o", "p.pdf", "--csv", "p.csv")
      let page = try await sandbox.shell("pdftotext -layout p.pdf -").output
      #expect(page.contains("Table 24"), "\(page)")
      #expect(page.contains("sheet 2, label 7"), "\(page)")
      #expect(try await sandbox.shell("sed -n 25p p.csv").output.contains(",Table 24,2,7,1,1,c-"))
    }

    @Test("two signs with one URL are two items of one code, and a parcel of both needs both")
    func twins() async throws {
      let sandbox = try await Sandbox.withFruta()
      for name in ["door", "counter"] {
        try await sandbox.run(
          "poster", Fruta.cupertino, "-o", "\(name).pdf", "--paper", "A5", "--item-name")
        let drawn = try await sandbox.shell("pdftoppm -r 150 -png -singlefile \(name).pdf \(name)")
        try #require(drawn.status == 0, "\(drawn.errors)")
      }
      // The same print in another format is no other item.
      try await sandbox.run("qr", Fruta.cupertino, "-o", "door.svg")
      let listed = try #require(try await sandbox.run("code", "list", "--json").lines.first)
      let code = try #require(listed["code"].text)
      #expect(listed["pieces"] == 2)
      let items = listed["items"].elements.compactMap { $0["item"].text }
      #expect(items.count == 2)
      #expect(try await sandbox.run("code", "list").output.contains("2 items"))
      let shown = try await sandbox.run("code", "show", code).output
      for item in items { #expect(shown.contains("item \(item)")) }
      // The small print of each sign has its own name.
      let printed = try await sandbox.shell("pdftotext counter.pdf - | tr -d '\\n -'").output
      let counter = try #require(
        listed["items"].elements.first { $0["output"] == "counter.pdf" }?["item"].text)
      #expect(printed.contains(counter.replacing("-", with: "")), "\(printed)")

      let packed = try await sandbox.run("pack", "cupertino").output
      #expect(packed.contains("1 code: 1 printed, 0 tags; 2 items"))
      for item in items { #expect(packed.contains("item \(item)")) }
      let one = try await sandbox.run("pack", "verify", "cupertino", "door.png")
      #expect(one.status == 1 && one.output.contains("1 of 2 seen"), "\(one.output)")
      let lines = try await sandbox.run("pack", "verify", "cupertino", "door.png", "--json")
      let incomplete = try #require(
        try lines.lines("parcel-item").first { $0["result"] == "incomplete" })
      #expect(incomplete["seen"] == 1 && incomplete["pieces"] == 2)
      #expect(incomplete["findings"].elements.first?["code"] == "parcel-incomplete")
      #expect(try lines.lines("parcel").first?["complete"] == false)
      let both = try await sandbox.run(
        "pack", "verify", "cupertino", "door.png", "counter.png", "--json")
      #expect(both.status == 0, "\(both.output)")
      #expect(try both.lines("parcel").first?["piecesRead"] == 2)
      #expect(both.output.contains("parcel-read-apart"))
      try await sandbox.run("audit", "door.png", "--place", "cupertino", "--name", "W")
      let report = try await sandbox.run("audit", "report", "W").output
      #expect(report.contains("1 of 1 seen, 1 of 2 prints and tags, 1 stop"), "\(report)")
      #expect(report.contains("1 of 2 seen") && report.contains("[prints-not-seen]"))

      // Lists name every file, not only the last.
      for command in [["code", "list"], ["code", "show", code], ["pack", "cupertino"]] {
        let head = try await sandbox.run(command).output.split(separator: "\n").first ?? ""
        #expect(head.contains("counter.pdf, door.svg"), "\(head)")
      }

      // The counter sign is thrown away: everything counts the door poster alone.
      #expect(try await sandbox.run("code", "retire", "--yes", counter).status == 0)
      #expect(try await sandbox.run("pack", "verify", "cupertino", "door.png").status == 0)
      for command in [["code", "list"], ["code", "show", code], ["pack", "cupertino"]] {
        let lines = try await sandbox.run(command).output.split(separator: "\n")
        #expect(lines[0].contains("door.svg") && !lines[0].contains("counter"), "\(lines)")
        #expect(!lines.contains { $0.contains("2 items") }, "\(lines)")
      }
      #expect(
        try await sandbox.run("pack", "cupertino", "--json").lines("packing-list").first?["pieces"]
          == 1)
      let rest = try await sandbox.run("audit", "report", "W", "--json")
      let sum = try #require(try rest.lines("audit-report").first)
      #expect(sum["pieces"] == 1 && sum["piecesSeen"] == 1, "\(sum)")
      #expect(!rest.output.contains("prints-not-seen"))
      #expect(try await sandbox.run("code", "due").status == 0)
      let last = try await sandbox.run("code", "retire", "--yes", items.filter { $0 != counter }[0])
      #expect(last.status == 64 && last.errors.contains("only item of its code"), "\(last.errors)")
    }

    @Test("a sheet of one URL counts all its labels, and its file is named with them")
    func labelsOfOneURL() async throws {
      let sandbox = try await Sandbox.withFruta()
      try sandbox.write("url,label\n\(Fruta.cupertino),Counter\n", to: "t.csv")
      try await sandbox.run(
        "sheet", "t.csv", "-o", "t.pdf", "--caption", "label", "--copies", "24", "--template",
        "60x40,3x6,14,20,61,42")
      func head(_ command: String...) async throws -> String {
        try await String(sandbox.run(command).output.split(separator: "\n").first ?? "")
      }
      #expect(try await head("code", "list").hasSuffix("t.pdf (sheet 1, 24 labels)  24 prints"))
      #expect(
        try await head("pack", "cupertino").contains("t.pdf, sheet 1, label 1 and 23 more after it")
      )
      #expect(
        try await sandbox.run("pack", "cupertino").output
          .contains("1 code: 1 printed, 0 tags; 24 prints"))
      try await sandbox.run("poster", Fruta.cupertino, "-o", "door.pdf", "--paper", "A5")
      let both = "t.pdf (sheet 1, 24 labels), door.pdf"
      #expect(try await head("code", "list").hasSuffix("\(both)  2 items, 25 prints"))
      #expect(try await head("pack", "cupertino").contains(both))
      let packed = try #require(
        try await sandbox.run("pack", "cupertino", "--json").lines("packing").first)
      #expect(packed["pieces"] == 25 && packed["where"].text == both)
      #expect(packed["label"] == "Counter")
    }

    @Test("a list is made for people and for spreadsheets, and recorded only when that is said")
    func lists() async throws {
      let sandbox = try await Self.scene()
      let listed = try await sandbox.run("pack", "cupertino", "--json")
      #expect(listed.status == 0)
      let urls = try listed.lines("packing").compactMap { $0["url"].text }
      #expect(urls == [Fruta.cupertino, Fruta.cupertino + "/table/2"])
      let made = try await sandbox.run(
        "pack", "cupertino", "-o", "list.pdf", "--csv", "list.csv", "--json")
      #expect(made.status == 0, "\(made.errors)")
      #expect(try made.lines("packing-list").first?["pages"] == 1)
      let text = try await sandbox.shell("pdftotext -layout list.pdf -").output
      for code in try listed.lines("packing") {
        let id = try #require(code["code"].text)
        #expect(text.contains(id))
        let csv = String(decoding: try #require(sandbox.bytes(of: "list.csv")), as: UTF8.self)
        #expect(csv.contains("\(id),qr,,\(code["url"].text ?? ""),cupertino,"))
        let history = try await sandbox.run("code", "show", id).output
        #expect(!history.contains("packed"))
      }
      // No code to scan by mistake is on the list.
      #expect(try await sandbox.run("scan", "list.pdf", "--no-location").status == 2)
      let recorded = try await sandbox.run("pack", "cupertino", "--record", "--json")
      #expect(try recorded.lines("packing-list").first?["recorded"] == true)
      let id = try #require(try listed.lines("packing").first?["code"].text)
      #expect(try await sandbox.run("code", "show", id).output.contains("packed"))
    }

    @Test("without WeasyPrint a web page is made, and a PDF is one error that names both ways")
    func withoutPrinter() async throws {
      let sandbox = try await Self.scene()
      _ = try await sandbox.run("audit", "c1.png", "--place", "cupertino")
      for command in ["pack cupertino -o", "audit report -o report.html -o"] {
        let outcome = try await sandbox.shell(
          "command=$(command -v cliptag); PATH=/nonexistent \"$command\" \(command) no.pdf")
        #expect(outcome.status == 69, "\(outcome.errors)")
        #expect(outcome.errors.contains("weasyprint is not installed"))
        #expect(outcome.errors.contains("apt-get install weasyprint; or make a web page (.html)"))
      }
      #expect(sandbox.bytes(of: "no.pdf") == nil && sandbox.bytes(of: "report.html") == nil)
      let page = try await sandbox.shell(
        "command=$(command -v cliptag); PATH=/nonexistent \"$command\" pack cupertino -o list.html")
      #expect(page.status == 0, "\(page.errors)")
      let html = String(decoding: try #require(sandbox.bytes(of: "list.html")), as: UTF8.self)
      #expect(html.contains("<title>Packing list of Fruta Cupertino</title>"))
    }

    @Test("a place without codes, and an unknown one, are told apart")
    func nothing() async throws {
      let sandbox = try await Sandbox.withFruta()
      let empty = try await sandbox.run("pack", "cupertino", "--json")
      #expect(empty.status == 2)
      #expect(try empty.errorCodes == ["nothing-to-pack"])
      let unknown = try await sandbox.run("pack", "verify", "atlantis", "a.png", "--json")
      #expect(unknown.status == 66)
      #expect(try unknown.errorCodes == ["not-found"])
    }

    private actor Results {
      private(set) var all: [String] = []

      func append(_ result: String) -> Int {
        all.append(result)
        return all.count
      }
    }
  }
}
