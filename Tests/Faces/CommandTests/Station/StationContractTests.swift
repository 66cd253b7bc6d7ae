import Foundation
import SimulatedReader
import Testing

/// The parts that programs build on: the document, the facts, the reader's state, work that is
/// ended.
extension CommandSuite {
  @Suite("Station: interface") struct StationContractTests {
    @Test("every route is in the document of the interface, and the document has no other")
    func openAPI() async throws {
      let sources = FileManager.default.enumerator(
        atPath: Repository.path("Sources/Faces/cliptag/Station"))
      var routes: Set<String> = []
      while let file = sources?.nextObject() as? String {
        guard file.hasSuffix(".swift"),
          let bytes = FileManager.default.contents(
            atPath: Repository.path("Sources/Faces/cliptag/Station/\(file)"))
        else { continue }
        let text = String(decoding: bytes, as: UTF8.self)
        for match in text.matches(of: /StationRoute\(\s*"([A-Z]+)",\s*"([^"\\]+)"/) {
          let path = match.2.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.first == ":" ? "{\($0.dropFirst())}" : String($0) }.joined(separator: "/")
          routes.insert("\(match.1) \(path)")
        }
      }
      // Pages and the forms on them are for people.
      routes.subtract([
        "GET /", "GET /phone", "POST /phone/picture", "POST /language", "POST /open",
        "POST /open/plain",
      ])
      try #require(routes.count > 30)
      try await Sandbox.withFruta().station { [routes] station in
        let answer = try await station.client.http.send("GET", "/api/openapi.json")
        #expect(answer.header("content-type") == "application/json")
        let document = try answer.json
        #expect(document["openapi"].text?.hasPrefix("3.") == true)
        var told: Set<String> = []
        for path in document["paths"].keys {
          for method in document["paths"][path].keys where method != "parameters" {
            told.insert("\(method.uppercased()) \(path)")
          }
        }
        told.remove("GET /api/openapi.json")
        #expect(routes.subtracting(told).sorted() == [], "routes that the document leaves out")
        #expect(told.subtracting(routes).sorted() == [], "paths that nothing answers to")
      }
    }

    @Test("the document's references lead somewhere, and every answer has a description")
    func references() async throws {
      try await Sandbox.withFruta().station { station in
        let answer = try await station.client.http.send("GET", "/api/openapi.json")
        let document = try answer.json
        let references = answer.text.matches(of: /"\$ref":\s*"#\/([^"]+)"/).map { String($0.1) }
        for reference in Set(references) {
          let found = reference.split(separator: "/").reduce(document) { $0[String($1)] }
          #expect(found != .absent, "\(reference)")
        }
        for path in document["paths"].keys {
          for method in document["paths"][path].keys where method != "parameters" {
            let operation = document["paths"][path][method]
            #expect(operation["summary"].text ?? operation["description"].text != nil, "\(path)")
            #expect(!operation["responses"].keys.isEmpty, "\(method) \(path)")
          }
        }
      }
    }

    @Test("every parameter of a query that is read is in the document")
    func queries() throws {
      let folder = Repository.path("Sources/Faces/cliptag/Station")
      var read: Set<String> = []
      for case let file as String in FileManager.default.enumerator(atPath: folder) ?? .init()
      where file.hasSuffix(".swift") {
        let text = String(
          decoding: FileManager.default.contents(atPath: "\(folder)/\(file)") ?? Data(),
          as: UTF8.self)
        for match in text.matches(of: /(?:query\[|query\(|\.number\()"([a-z]+)"/) {
          read.insert(String(match.1))
        }
      }
      let named = try StationDocument.own.get().operations.flatMap {
        $0.parameters(in: "query").compactMap { $0["name"].text }
      }
      // Links, and the secret in addresses, which is a scheme of security.
      #expect(read.subtracting(["token", "link", "view"]) == Set(named))
    }

    /// Returns a valid value for a member of that shape, and an invalid one.
    private static func example(_ schema: JSON) -> (right: JSON, wrong: JSON) {
      if let first = schema["enum"].elements.first { return (first, .number(1)) }
      let types = schema["type"].text.map { [$0] } ?? schema["type"].elements.compactMap(\.text)
      return switch types.first {
      case "boolean": (.bool(false), .string("a"))
      case "integer", "number": (.number(1), .string("a"))
      case "array": (.array([]), .string("a"))
      case "object": (.object(least(schema)), .string("a"))
      default: (.string("a"), .number(1))
      }
    }

    /// Every member.
    private static func most(_ schema: JSON) -> [String: JSON] {
      Dictionary(
        uniqueKeysWithValues: schema["properties"].keys.map {
          ($0, example(schema["properties"][$0]).right)
        })
    }

    /// Returns the required members.
    private static func least(_ schema: JSON) -> [String: JSON] {
      Dictionary(
        uniqueKeysWithValues: schema["required"].elements.compactMap(\.text).map {
          ($0, example(schema["properties"][$0]).right)
        })
    }

    /// Returns bodies in which one member is missing or wrong, and its name.
    private static func malformed(_ schema: JSON) -> [(name: String, body: [String: JSON])] {
      let least = least(schema)
      var bodies = least.keys.map { name in (name, least.filter { $0.key != name }) }
      for name in schema["properties"].keys {
        let member = schema["properties"][name]
        bodies.append((name, least.merging([name: example(member).wrong]) { $1 }))
        guard member["type"] == "object" else { continue }
        bodies += malformed(member).map { inner in
          ("\(name).\(inner.name)", least.merging([name: .object(inner.body)]) { $1 })
        }
      }
      return bodies
    }

    @Test("the document says which members are required and what each is, as the server has it")
    func members() async throws {
      try await Sandbox.withFruta().station { station in
        for operation in try StationDocument.own.get().operations {
          let schema = operation.body
          guard schema != .absent else { continue }
          let path = operation.path(naming: "nothing")
          let least = Self.least(schema)
          #expect(
            operation.json["requestBody"]["required"] == .bool(!least.isEmpty), "\(operation.path)")
          let enough = try await station.client.post(path, least)
          #expect(enough.failure != "malformed-request", "\(operation.path): \(enough)")
          for (name, body) in Self.malformed(schema) {
            let answer = try await station.client.post(path, body)
            #expect(answer.failure == "malformed-request", "\(operation.path), \(body): \(answer)")
            let message = answer.results("error").first?["message"].text ?? ""
            #expect(message.contains(name), "\(operation.path), \(body): \(message)")
          }
        }
      }
    }

    @Test("every status that the document names is answered with, and no other")
    func statuses() async throws {
      // The tests below provoke the answers of an overloaded station and of a broken registry.
      let rare: Set = [429, 500, 503]
      try await Sandbox.withFruta().station { station in
        let client = station.client
        for operation in try StationDocument.own.get().operations {
          #expect(operation.statuses.contains(413), "\(operation.path)")
          let path = operation.path(naming: "nothing")
          // A name of each shape that is on record nowhere.
          let paths =
            [path, operation.path(naming: "c-0")]
            + operation.parameters(in: "query").compactMap {
              $0["name"].text.map { "\(path)?\($0)=\(operation.json["operationId"].text ?? "")" }
            }
          var found: Set<Int> = []
          func ask(
            _ path: String, _ headers: [String: String] = [:], _ body: [UInt8] = []
          ) async throws {
            let answer = try await client.http.send(
              operation.method, path, headers: client.own.merging(headers) { $1 }, body: body)
            found.insert(answer.status)
          }
          try await ask(path, ["Authorization": ""])
          try await ask(path, ["Host": "elsewhere.example"])
          try await ask(path, ["Content-Length": "\(1 << 40)"])
          try await ask(path, ["X-Long": String(repeating: "a", count: 40_000)])
          // A stream of events has no end.
          if operation.path != "/api/events" {
            let isBinary = operation.json["requestBody"] != .absent && operation.body == .absent
            let bodies =
              isBinary
              ? [[97]]
              : try [Self.least(operation.body), Self.most(operation.body)].map {
                Array(try JSONEncoder().encode(JSON.object($0)))
              }
            for path in paths {
              for body in bodies { try await ask(path, [:], body) }
            }
          }
          let sure = operation.statuses.subtracting(rare).filter { $0 >= 300 }
          #expect(
            sure.subtracting(found).sorted() == [],
            "\(operation.method) \(operation.path): \(found)")
        }
      }
    }

    @Test("every operation that the document says to be bounded is, for one session and for all")
    func bounds() async throws {
      try await Sandbox.withFruta().station { station in
        let (client, other) = (
          station.client, try await StationClient(link: try await station.nextLink())
        )
        let operations = try StationDocument.own.get().operations
        // Together over 256 MiB, all that is taken at once.
        let bodies = try await LoopbackSocket.unfinished(
          5, "/api/check/picture", announcing: 64 << 20, to: client
        ) { try await other.send("POST", "/api/check", body: [97]).status == 503 }
        for operation in operations where operation.statuses.contains(503) {
          let path = operation.path(naming: "nothing")
          let answer = try await other.send(operation.method, path, body: [97])
          #expect(answer.status == 503, "\(operation.path): \(answer.text)")
        }
        for socket in bodies { socket.hangUp() }
        // One more than the bound, in case that the probe below takes the place of one.
        let requests = try await LoopbackSocket.unfinished(
          17, "/api/check", announcing: 100, to: other
        ) { try await other.send("GET", "/api/station", body: [97]).status == 429 }
        for operation in operations where operation.statuses.contains(429) {
          let path = operation.path(naming: "nothing")
          let answer = try await other.send(operation.method, path)
          #expect(answer.status == 429, "\(operation.path): \(answer.text)")
        }
        _ = consume requests
      }
    }

    @Test("every operation that asks the registry answers with 500 when that is broken")
    func broken() async throws {
      let sandbox = try await Sandbox.withFruta()
      // Operations on the station's own state, and one that reads its rows first.
      let own: Set = [
        "/api/session", "/api/openapi.json", "/api/station", "/api/who", "/api/now",
        "/api/jobs/{job}", "/files/{key}/{name}", "/api/batch/stop", "/api/batch/skip",
        "/api/batch/redo", "/api/batch/give-up-torn", "/api/templates", "/api/templates/{name}",
        "/api/check/tags", "/api/parcels/{place}/tags", "/api/phone", "/api/reader", "/api/sheet",
        "/api/tables",
        // A stream without an end.
        "/api/events",
      ]
      try await sandbox.station { station in
        try Data("nothing that SQLite reads".utf8).write(to: URL(filePath: sandbox.registry))
        for operation in try StationDocument.own.get().operations
        where !own.contains(operation.path) {
          let body = Array(try JSONEncoder().encode(JSON.object(Self.least(operation.body))))
          let answer = try await station.client.send(
            operation.method, operation.path(naming: "c-0"), body: body)
          #expect(answer.status == 500, "\(operation): \(answer.text)")
          #expect(try answer.json["status"] == 78, "\(operation): \(answer.text)")
        }
      }
    }

    @Test("the station says what it is, and who works there once that is known")
    func facts() async throws {
      let sandbox = try await Sandbox.withFruta()
      try await sandbox.station { station in
        let facts = try await station.client.get("/api/station")
        #expect(facts["type"] == "station" && facts["phones"] == false)
        #expect(facts["registry"].text?.contains("registry.sqlite") == true)
        #expect(facts["languages"].elements == ["en", "de", "es", "fr", "ja"])
        #expect(facts["designs"].elements == ["classic", "bold", "editorial"])
        let named = try await station.client.post("/api/who", ["by": "  Ada  "])
        #expect(named["who"] == "Ada")
        let long = try await station.client.post(
          "/api/who", ["by": .string(String(repeating: "a", count: 201))])
        #expect(long["status"] == 64, "\(long)")
        #expect(try await station.client.get("/api/station")["who"] == "Ada")
      }
    }

    @Test("a change of the registry by another program is told to every window")
    func registry() async throws {
      let sandbox = try await Sandbox.withFruta()
      try await sandbox.station { station in
        let events = try await station.client.events()
        _ = try await events.phase("idle")
        let made = try await sandbox.run("qr", Fruta.cupertino, "-o", "c.svg", "--quiet")
        #expect(made.status == 0)
        #expect(try await events.next("registry")["change"].number != nil)
        #expect(try await station.client.get("/api/codes").results("code").count == 1)
      }
    }

    @Test(
      "what the doctor finds of the reader is told in words, and a reader that is away is trouble")
    func reader() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader(tag: nil)
      try await sandbox.station(on: reader) { station in
        let answer = try await station.client.get("/api/reader")
        let checks = answer.results("check")
        #expect(!checks.isEmpty)
        #expect(
          checks.allSatisfy { ["fine", "note", "problem"].contains($0["verdict"].text ?? "") })
        #expect(
          checks.contains { $0["subject"] == "opening" && $0["verdict"] == "fine" }, "\(checks)")
        reader.stop()
        try await reader.run()
        let gone = try await station.client.get("/api/reader").results("check")
        let trouble = try #require(gone.first { $0["verdict"] == "problem" }, "\(gone)")
        #expect(trouble["hint"].text?.isEmpty == false)
        let page = try await station.client.page("/reader")
        #expect(page.text.contains("<table class=\"plain\""), "\(page.text)")
      }
    }

    @Test("a reader that a batch uses is left alone when the doctor is asked")
    func readerInUse() async throws {
      let reader = try SimulatedReader(tag: nil)
      try await Sandbox.withFruta().station(on: reader) { station in
        let events = try await station.client.events()
        try await station.client.start("tables", csv: Tables.csv(1))
        _ = try await events.phase("waiting")
        let checks = try await station.client.get("/api/reader").results("check")
        #expect(checks.map { $0["verdict"] } == ["fine"])
        reader.replaceTag(with: try Tables.tag(1))
        _ = try await events.phase("finished")
      }
    }

    @Test("work that is ended answers that it was, and leaves no file")
    func cancelled() async throws {
      let sandbox = try await Sandbox.withFruta()
      try await sandbox.station { station in
        let client = station.client
        let unknown = try await client.send("DELETE", "/api/jobs/nobody")
        #expect(unknown.status == 200, "one that has ended meanwhile needs no end")
        let csv = "url\n" + (1...2_000).map { "\(Tables.url($0))\n" }.joined()
        let events = try await client.events()
        async let made = client.post(
          "/api/sheet", ["csv": .string(csv), "template": "L7651", "dryRun": false], job: "j1")
        _ = try await events.next("progress") { $0["job"] == "j1" }
        let ended = try await client.send("DELETE", "/api/jobs/j1")
        #expect(ended.status == 200, "\(ended.text)")
        let answer = try await made
        #expect(answer["status"] == 130, "\(answer["status"])")
        let left =
          (try? FileManager.default.contentsOfDirectory(atPath: sandbox.path("prints"))) ?? []
        #expect(left == [])
        #expect(try await client.get("/api/codes").results("code").isEmpty)
      }
    }

    @Test("a station that is told to end does so with all that listens, and frees its port")
    func ended() async throws {
      let sandbox = try await Sandbox.withFruta()
      let outcome = try await sandbox.station { station in
        let events = try await station.client.events()
        _ = try await events.phase("idle")
      }
      #expect(outcome.status == 128 + 15 || outcome.status == 130)
      #expect(sandbox.processes().isEmpty)
    }

    @Test("a stream says again and again that the station is there")
    func beat() async throws {
      try await Sandbox.withFruta().station { station in
        let events = try await station.client.events()
        for _ in 0..<2 { #expect(try await events.next("beat")["time"].text != nil) }
      }
    }

    @Test("without a port it is 8642, or the next free one, which is said")
    func usualPort() async throws {
      let sandbox = try await Sandbox.withFruta()
      try await sandbox.station(port: nil) { first in
        let first = (port: first.client.port, notes: first.notes)
        try await sandbox.station(port: nil) { second in
          let second = (port: second.client.port, notes: second.notes)
          #expect(first.port != second.port)
          for station in [first, second] {
            #expect((8642..<8742).contains(station.port))
            let said = "note: Port 8642 is in use: this station has port \(station.port)."
            #expect(station.notes.contains(said) == (station.port != 8642), "\(station.notes)")
          }
        }
      }
    }

    @Test("a port that is in use is refused with what to do")
    func portInUse() async throws {
      let sandbox = try await Sandbox.withFruta()
      try await sandbox.station { station in
        let second = try await sandbox.run(
          "station", "--port", "\(station.client.port)", "--json")
        #expect(second.status == 69)
        #expect(try second.errorCodes == ["cannot-listen"])
      }
    }
  }
}
