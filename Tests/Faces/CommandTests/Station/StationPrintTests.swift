import Foundation
import Testing

/// Signs and sheets, as the page shows and prints them.
extension CommandSuite {
  @Suite("Station: print") struct StationPrintTests {
    @Test(
      "a sign is shown as its page before anything is recorded, and printed with the code on record"
    )
    func poster() async throws {
      try await Sandbox.withFruta().station { station in
        let (client, sandbox) = (station.client, station.sandbox)
        let look = try await client.post(
          "/api/poster", ["url": .string(Fruta.cupertino), "design": "bold", "dryRun": true])
        #expect(look["status"] == 0 && look["files"].elements.isEmpty, "\(look)")
        let picture = try await station.fetch(look["preview"].text, as: "preview.png")
        #expect(picture.header("content-type") == "image/png")
        let read = try await sandbox.run("scan", "preview.png", "--no-location", "--json")
        #expect(try read.lines("verification").map { $0["payload"].text } == [Fruta.cupertino])
        #expect(try await client.get("/api/codes").results("code").isEmpty)
        #expect(try sandbox.listing() == ["preview.png"])

        let made = try await client.post(
          "/api/poster",
          [
            "url": .string(Fruta.cupertino), "design": "bold", "codeTail": true, "dryRun": false,
          ])
        let issue = try #require(made.results("issue").first, "\(made)")
        let code = try #require(issue["code"].text)
        #expect(
          try await client.get("/api/codes").results("code").map { $0["code"].text } == [code])
        let file = try #require(made["files"].elements.first)
        let page = try await station.fetch(file["url"].text, as: "sign.pdf")
        #expect(page.header("content-type") == "application/pdf")
        let name = try #require(file["name"].text)
        #expect(sandbox.bytes(of: "prints/\(name)") == page.bytes)
        let text = try await sandbox.shell("pdftotext sign.pdf -").output
        #expect(text.contains(code.suffix(6)) && !text.contains(code.prefix(8)), "\(text)")
      }
    }

    @Test("signs and labels show the names of their prints when the request says so")
    func itemNames() async throws {
      try await Sandbox.withFruta().station { station in
        let url = JSON.string(Fruta.cupertino)
        let wanted: [(String, [String: JSON])] = [
          ("poster", ["url": url, "itemName": true, "dryRun": false]),
          (
            "sheet",
            [
              "csv": .string("url\n\(Fruta.cupertino)\n"), "template": "60x40,3x6,14,20,61,42",
              "itemName": true, "dryRun": false,
            ]
          ),
        ]
        for (kind, order) in wanted {
          let made = try await station.client.post("/api/\(kind)", order)
          let item = try #require(made.results("issue").first?["item"].text, "\(made)")
          let file = try #require(made["files"].elements.first)
          _ = try await station.fetch(file["url"].text, as: "\(kind).pdf")
          let text = try await station.sandbox.shell("pdftotext \(kind).pdf - | tr -d '\\n -'")
            .output
          #expect(text.contains(item.replacing("-", with: "")), "\(text)")
        }
      }
    }

    @Test("a file of rows is read in every encoding that the command reads")
    func tables() async throws {
      try await Sandbox.withFruta().station { station in
        let rows = "url,label\n\(Fruta.cupertino),Café\n"
        let latin = Array("url,label\n\(Fruta.cupertino),Caf".utf8) + [0xE9, 0x0A]
        var utf16: [UInt8] = [0xFF, 0xFE]
        for unit in rows.utf16 { utf16 += [UInt8(unit & 255), UInt8(unit >> 8)] }
        let files: [(bytes: [UInt8], note: String?)] = [
          (Array(rows.utf8), nil), (latin, "Windows-1252"), (utf16, "UTF-16"),
        ]
        for (bytes, note) in files {
          let read = try await station.client.send("POST", "/api/tables", body: bytes).json
          #expect(read["text"].text == rows)
          #expect(note.map { read["note"].text?.contains($0) == true } ?? (read["note"] == .null))
        }
        // A damaged file is refused later, at the place of its letter.
        let damaged = try await station.client.send(
          "POST", "/api/tables", body: Array("url\n\u{FFFD}\n".utf8)
        ).json
        #expect(damaged["text"].text == "url\n\u{FFFD}\n")
      }
    }

    @Test(
      "a table that is sent opens no file of the computer, and does not tell which ones there are")
    func namedFiles() async throws {
      try await Sandbox.withFruta().station { station in
        let sandbox = station.sandbox
        _ = try await sandbox.shell("mkfifo pipe")
        let paths = [
          "pipe", sandbox.path("pipe"), "none.svg", "/dev/zero", "/etc/passwd",
          Repository.path("Samples/fruta/registry.yaml"),
        ]
        var said: Set<String> = []
        for path in paths {
          let answer = try await station.client.post(
            "/api/sheet",
            [
              "csv": .string("url,app-clip-code\n\(Fruta.cupertino),\(path)\n"),
              "template": "60x40,3x6,14,20,61,42", "name": "rows.csv",
            ])
          let error = try #require(answer.results("error").first, "\(answer)")
          #expect(error["line"].number == 2 && error["column"].number == 43, "\(error)")
          said.insert((error["message"].text ?? "").replacing(path, with: "PATH"))
        }
        #expect(said.count == 1, "\(said)")
      }
    }

    @Test("a URL that is refused makes no file, no preview and no record")
    func refusedPoster() async throws {
      try await Sandbox.withFruta().station { station in
        let answer = try await station.client.post(
          "/api/poster", ["url": "http://fruta.example.com/order/cupertino", "dryRun": false])
        #expect(answer["status"] == 1, "\(answer)")
        #expect(answer.results("verification").first?["verdict"] == "rejected")
        #expect(answer["files"].elements.isEmpty && answer["preview"] == .null)
        #expect(try await station.client.get("/api/codes").results("code").isEmpty)
        #expect(try station.sandbox.listing().filter { $0 != "prints" } == [])
      }
    }

    @Test("a mistake names the field of the request, with its values, and no option")
    func mistakes() async throws {
      try await Sandbox.withFruta().station { station in
        let poster = try await station.client.post(
          "/api/poster", ["url": .string(Fruta.cupertino), "language": "tlh"])
        let error = try #require(poster.results("error").first, "\(poster)")
        #expect(error["code"] == "usage" && error["advice"]["name"] == "no-words-in-language")
        #expect(error["advice"]["inputs"].elements.map(\.text) == ["callToAction"])
        #expect(error["advice"]["values"]["language"] == "tlh")
        let bleed = try await station.client.post(
          "/api/poster", ["url": .string(Fruta.cupertino), "bleed": 80])
        #expect(bleed.results("error").first?["advice"]["inputs"].elements == ["bleed"])
        for answer in [poster, bleed] { #expect(!"\(answer)".contains("--"), "\(answer)") }
      }
    }

    @Test("two posters of one URL that are asked for at once are two files")
    func atOnce() async throws {
      try await Sandbox.withFruta().station { station in
        let order: [String: JSON] = ["url": .string(Fruta.cupertino), "dryRun": false]
        let client = station.client
        async let first = client.post("/api/poster", order)
        async let second = client.post("/api/poster", order)
        let names = try await [first, second].compactMap {
          $0["files"].elements.first?["name"].text
        }
        #expect(Set(names).count == 2, "\(names)")
        #expect(
          try FileManager.default.contentsOfDirectory(atPath: station.sandbox.folder + "/prints")
            .count == 2)
      }
    }

    @Test(
      "a text that looks like an option is text, in every field that becomes a word of a command")
    func optionsAreText() async throws {
      try await Sandbox.withFruta().station { station in
        let answer = try await station.client.post(
          "/api/poster",
          [
            "url": .string(Fruta.cupertino), "headline": "--output=/tmp/x", "brand": "-h",
            "dryRun": true,
          ])
        #expect(answer["status"] == 0, "\(answer)")
        let url = try await station.client.post("/api/poster", ["url": "--version"])
        #expect(url["status"] != 0 && url.results("issue").isEmpty, "\(url)")
        let check = try await station.client.post("/api/check", ["urls": .array(["--help"])])
        #expect(check.results("verification").count == 1, "\(check)")
      }
    }

    @Test("a sheet is made of a file's rows, from the label that was chosen")
    func sheet() async throws {
      try await Sandbox.withFruta().station { station in
        let client = station.client
        let stock = try await client.get("/api/templates?words=avery+l7163").results("template")
        let name = try #require(stock.first?["name"].text, "\(stock)")
        let escaped = try #require(
          name.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        let geometry = try await client.get("/api/templates/\(escaped)")
        #expect(geometry["labels"].elements.count == 14, "\(geometry)")
        let order: [String: JSON] = [
          "csv": .string(Tables.csv(3)), "name": "tables.csv", "template": .string(name),
          "start": 3,
          "captions": .array(["label"]),
        ]
        let look = try await client.post("/api/sheet", order)
        #expect(look.results("issue").count == 3, "\(look)")
        try await station.fetch(look["preview"].text, as: "look.png")
        let made = try await client.post("/api/sheet", order.merging(["dryRun": false]) { $1 })
        #expect(made["files"].elements.count == 2, "\(made)")
        try await station.fetch(made["files"][0]["url"].text, as: "sheet.pdf")
        let read = try await station.sandbox.run("scan", "sheet.pdf", "--no-location", "--json")
        #expect(
          Set(try read.lines("verification").compactMap { $0["payload"].text })
            == Set((1...3).map { Tables.url($0) }))
        #expect(try await client.get("/api/codes").results("code").count == 3)
        let newest = try await client.get("/api/codes?limit=2")
        #expect(newest["total"] == 3 && newest.results("code").count == 2)
        #expect(
          newest.results("code").map { $0["code"].text ?? "" }.sorted(by: >)
            == newest.results("code").map { $0["code"].text ?? "" }, "the newest first")
        let found = try await client.get("/api/codes?search=TABLE/2").results("code")
        #expect(found.map { $0["url"].text } == [Tables.url(2)])
      }
    }
  }
}

extension RunningStation {
  /// Fetches what an answer points to, and puts it into the sandbox's folder.
  @discardableResult
  func fetch(_ path: String?, as name: String) async throws -> LoopbackHTTP.Answer {
    let answer = try await client.send("GET", try #require(path))
    try #require(answer.status == 200, "\(answer.text)")
    try sandbox.write(answer.bytes, to: name)
    return answer
  }
}
