import Foundation
import Testing

/// `poster --csv`: the posters of many rows.
extension CommandSuite {
  @Suite("Runs of posters") struct PosterRunTests {
    private static let rows = """
      url,place,headline,language,design,paper,copies
      https://fruta.example.com/order/cupertino/table/1,cupertino,Order at table 1,,bold,A6,2
      https://fruta.example.com/order/cupertino/table/2,cupertino,Smoothie bestellen,de,,A6,
      https://fruta.example.com/order/san-francisco,,,,editorial,,

      """

    private static func scene() async throws -> Sandbox {
      let sandbox = try await Sandbox.withFruta()
      try sandbox.write(rows, to: "t.csv")
      return sandbox
    }

    @Test("every row is a page with its own words, size and code, and a scanner finds all of them")
    func prints() async throws {
      let sandbox = try await Self.scene()
      let made = try await sandbox.run(
        "poster", "--csv", "t.csv", "-o", "run.pdf", "--code-tail", "--json")
      try #require(made.status == 0, "\(made.errors)")
      let lines = try made.lines("issue")
      #expect(lines.map { $0["row"] } == [1, 1, 2, 3].map { .number($0) })
      #expect(lines.map { $0["page"] } == [1, 2, 3, 4].map { .number($0) })
      #expect(lines.allSatisfy { $0["verified"] == true && $0["output"] == "run.pdf" })
      #expect(
        lines.map { $0["poster"]["design"].text } == ["bold", "bold", "classic", "editorial"])
      #expect(lines.map { $0["poster"]["width"].number } == [105, 105, 105, 210])
      let scanned = try await sandbox.run("scan", "run.pdf", "--no-location", "--json")
      let urls = try scanned.lines("verification").compactMap { $0["payload"].text }
      #expect(urls == lines.compactMap { $0["url"].text })
      for (page, words) in [
        (1, ["Order at table 1", "Fruta Cupertino"]), (3, ["Smoothie bestellen"]),
        (4, ["Order a", "Fruta San Francisco"]),
      ] {
        let text = try await sandbox.shell("pdftotext -f \(page) -l \(page) run.pdf -").output
        let line = text.split(separator: "\n").joined(separator: " ")
        for word in words { #expect(line.contains(word), "\(word) is missing in \(text)") }
        let code = try #require(lines[page - 1]["code"].text)
        #expect(text.contains(code.suffix(6)), "page \(page) shows the tail of its code")
      }
    }

    @Test("the manifest lists the pages by the names in the registry, and a second run keeps them")
    func manifest() async throws {
      let sandbox = try await Self.scene()
      let arguments = ["poster", "--csv", "t.csv", "-o", "run.pdf"]
      let made = try await sandbox.run(arguments)
      try #require(made.status == 0, "\(made.errors)")
      #expect(made.output.contains("4 pages of 3 rows"), "\(made.output)")
      let list = try #require(sandbox.bytes(of: "run-manifest.csv"))
      let lines = String(decoding: list, as: UTF8.self).split(separator: "\r\n")
      #expect(lines.first == "file,page,position,row,url,code,place,item")
      #expect(lines.count == 5 && lines.last?.hasPrefix("run.pdf,4,,3,") == true)
      let codes = try await sandbox.run("code", "list", "--json").lines("code")
      #expect(codes.count == 3)
      let pieces = codes.flatMap { $0["items"].elements.map { $0["copies"] } }
      #expect(pieces.compactMap(\.number).sorted() == [1, 1, 2])
      _ = try await sandbox.run(arguments)
      #expect(sandbox.bytes(of: "run-manifest.csv") == list)
      #expect(try await sandbox.run("code", "list", "--json").lines("code").count == 3)
    }

    @Test(
      "a row with a place alone has the place's URL, and the manifest repeats a caption's column")
    func placesAndCaptions() async throws {
      let sandbox = try await Sandbox.withFruta()
      try sandbox.write("url,place,table\n,cupertino,7\n\(Fruta.cupertino)/8,,8\n", to: "t.csv")
      let made = try await sandbox.run(
        "poster", "--csv", "t.csv", "-o", "run.pdf", "--paper", "A6", "--caption", "table", "--json"
      )
      #expect(made.status == 0, "\(made.errors)")
      #expect(try made.lines("issue").first?["url"].text == Fruta.cupertino)
      let list = String(
        decoding: try #require(sandbox.bytes(of: "run-manifest.csv")), as: UTF8.self)
      let lines = list.split(separator: "\r\n").map {
        $0.split(separator: ",", omittingEmptySubsequences: false)
      }
      #expect(lines.first?.suffix(2) == ["table", "item"])
      #expect(lines.dropFirst().map { $0[7] } == ["7", "8"])
      try sandbox.write("url\n\(Fruta.cupertino)\n", to: "u.csv")
      let unknown = try await sandbox.run(
        "poster", "--csv", "u.csv", "-o", "b.pdf", "--caption", "tisch")
      #expect(unknown.status == 64 && unknown.errors.contains("tisch"), "\(unknown.errors)")
    }

    @Test("one refused row issues nothing, and is told with its line; --unregistered issues all")
    func refused() async throws {
      let sandbox = try await Sandbox.withFruta()
      try sandbox.write(
        "url,headline\n\(Fruta.cupertino),Order\nhttps://elsewhere.example.net/,Order\n",
        to: "t.csv")
      let arguments = ["poster", "--csv", "t.csv", "-o", "run.pdf", "--paper", "A6", "--json"]
      let refused = try await sandbox.run(arguments)
      #expect(refused.status == 1)
      let source = try refused.lines("verification").first?["source"].text
      #expect(source?.hasPrefix("t.csv:3:") == true, "\(refused.output)")
      #expect(sandbox.bytes(of: "run.pdf") == nil && sandbox.bytes(of: "run-manifest.csv") == nil)
      #expect(try await sandbox.run("code", "list", "--json").lines.isEmpty)
      let made = try await sandbox.run(arguments + ["--unregistered"])
      #expect(made.status == 0 && sandbox.bytes(of: "run.pdf") != nil, "\(made.errors)")
    }

    @Test("with --format every row is a file in a folder, listed with its code")
    func folder() async throws {
      let sandbox = try await Sandbox.withFruta()
      try sandbox.write(
        "url,id,copies\n\(Fruta.cupertino),door,3\n\(Fruta.cupertino)/table/2,,\n", to: "t.csv")
      let arguments = ["poster", "--csv", "t.csv", "-o", "signs", "--format", "svg", "--json"]
      let made = try await sandbox.run(arguments)
      try #require(made.status == 0, "\(made.errors)")
      let lines = try made.lines("issue")
      #expect(lines.map { $0["output"].text } == ["signs/door.svg", "signs/2.svg"])
      #expect(lines.allSatisfy { $0["page"] == .null && $0["verified"] == true })
      for line in lines {
        let name = try #require(line["output"].text)
        let scanned = try await sandbox.run("scan", name, "--no-location", "--json")
        #expect(try scanned.lines("verification").map { $0["payload"] } == [line["url"]])
      }
      let list = String(
        decoding: try #require(sandbox.bytes(of: "signs/manifest.csv")), as: UTF8.self)
      #expect(list.contains("door.svg,,,1,\(Fruta.cupertino),"))
      let codes = try await sandbox.run("code", "list", "--json").lines("code")
      #expect(codes.flatMap { $0["items"].elements.map { $0["copies"] } }.count == 2)
      let again = try await sandbox.run(arguments)
      #expect(try again.lines("issue").map { $0["item"] } == lines.map { $0["item"] })
    }

    @Test("--all-places takes codes on record, else the URL of an experience, and can be narrowed")
    func allPlaces() async throws {
      let sandbox = try await Sandbox.withFruta()
      let table = Fruta.cupertino + "/table/9"
      _ = try await sandbox.run("qr", table, "-o", "table.svg")
      let arguments = ["poster", "--all-places", "--paper", "A6", "--json"]
      let made = try await sandbox.run(arguments + ["-o", "signs", "--format", "pdf"])
      try #require(made.status == 0, "\(made.errors)")
      let lines = try made.lines("issue")
      #expect(
        lines.map { $0["output"].text } == ["signs/cupertino.pdf", "signs/san-francisco.pdf"])
      #expect(lines.first?["url"].text == table)
      #expect(lines.last?["url"].text == "https://fruta.example.com/order/san-francisco")
      let narrowed = try await sandbox.run(
        arguments + ["-o", "a.pdf", "--place", "san-francisco"])
      #expect(try narrowed.lines("issue").map { $0["url"] } == [try #require(lines.last)["url"]])
      let other = try await sandbox.run(
        arguments + ["-o", "b.pdf", "--clip", "com.example.fruta.rewards.Clip"])
      #expect(other.status == 2 && sandbox.bytes(of: "b.pdf") == nil, "\(other.errors)")
    }

    @Test(
      "a run takes rows or a URL, and one file of pages",
      arguments: [
        ["poster", "-o", "a.pdf"], ["poster", Fruta.cupertino, "--csv", "t.csv", "-o", "a.pdf"],
        ["poster", "--csv", "t.csv", "-o", "a.svg"],
        ["poster", "--csv", "t.csv", "-o", "a.pdf", "-o", "b.pdf"],
        ["poster", "--csv", "t.csv", "-o", "a.pdf", "--prove"],
        ["poster", Fruta.cupertino, "-o", "a.pdf", "--format", "pdf"],
        ["poster", Fruta.cupertino, "-o", "a.pdf", "--caption", "headline"],
        ["poster", "--csv", "t.csv", "-o", "-", "--format", "pdf"],
        ["poster", "--csv", "t.csv", "-o", "a.pdf", "--all-places"],
        ["poster", "--csv", "t.csv", "-o", "a.pdf", "--place", "cupertino"],
      ])
    func usage(arguments: [String]) async throws {
      let sandbox = try await Self.scene()
      let outcome = try await sandbox.run(arguments)
      #expect(outcome.status == 64, "\(outcome.errors)")
    }
  }
}
