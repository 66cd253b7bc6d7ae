import Foundation
import Subprocess
import Testing

/// The clients that are admitted, and the requests that are refused before they have any effect.
extension CommandSuite {
  @Suite("Station: who may ask") struct StationAccessTests {
    /// Runs a station without a reader.
    private func serving(
      _ body: @escaping @Sendable (RunningStation) async throws -> Void
    ) async throws {
      let outcome = try await Sandbox.withFruta().station(body: body)
      #expect(outcome.status == 130 || outcome.status == 143, "\(outcome.status)")
    }

    @Test("a link lets one browser in, and another link is printed")
    func link() async throws {
      try await serving { station in
        let http = station.client.http
        let link = try await station.nextLink()
        #expect(link != station.link)
        // Looking at a link does not use it.
        let path = try #require(link.range(of: "/?token=")).lowerBound
        for _ in 0..<2 {
          let opened = try await http.send("GET", String(link[path...]))
          #expect(opened.status == 200)
          #expect(opened.header("set-cookie") == nil)
        }
        let (_, answer) = try await StationClient.open(link, at: "/open")
        let words = try #require(answer.header("set-cookie")).components(separatedBy: "; ")
        #expect(words[0].hasPrefix("cliptag-station-\(http.port)="))
        #expect(Set(words.dropFirst()) == ["Path=/", "HttpOnly", "SameSite=Strict"])
        let page = try await http.send("GET", "/", headers: ["Cookie": words[0]])
        #expect(page.status == 200)
        // Used, and that of the first visitor, too.
        for used in [link, station.link] {
          for way in ["/open", "/api/session"] {
            let (_, again) = try await StationClient.open(used, at: way)
            #expect(again.status == 401 && again.header("set-cookie") == nil)
          }
          let plain = try await http.send(
            "POST", "/open/plain", headers: ["Content-Type": "application/x-www-form-urlencoded"],
            body: Array("token=\(used.split(separator: "=")[1])".utf8))
          #expect(plain.status == 401 && plain.header("set-cookie") == nil)
        }
        let third = try await station.nextLink()
        #expect(third != link)
        _ = try await StationClient(link: third)
      }
    }

    @Test("a cookie, which every server of this computer gets, does nothing by itself")
    func cookieAlone() async throws {
      let sandbox = try await Sandbox.withFruta()
      try #require(try await sandbox.run("qr", Fruta.cupertino, "-o", "c.png").status == 0)
      try await sandbox.station { station in
        let http = station.client.http
        let browser = try await BrowserSession(link: try await station.nextLink())
        let key = String(try #require(browser.cookie["Cookie"]?.split(separator: "=").last))
        for path in [
          "/api/station", "/api/codes", "/api/events", "/api/batches/a/report.csv", "/files/a/b",
          "/walks/report.html",
        ] {
          let alone = try await http.send("GET", path, headers: browser.cookie)
          #expect(alone.status == 403, "\(path)")
          let bearer = try await http.send(
            "GET", path, headers: ["Authorization": "Bearer \(key)"])
          #expect(bearer.status == 401, "\(path)")
        }
        let (secret, facts) = (
          try #require(browser.page.values.first), [Fruta.cupertino, sandbox.registry]
        )
        for path in ["/", "/batch", "/print", "/check", "/parcel", "/walk", "/reader"] {
          let page = try await http.send(
            "GET", path, headers: browser.cookie.merging(["Accept": "text/html"]) { $1 })
          #expect(page.status == 200, "\(path)")
          for text in facts + [secret, browser.view] {
            #expect(!page.text.contains(text), "\(path): \(text)")
          }
        }
        // Together with what the page knows, it does.
        let codes = try await http.send("GET", "/api/codes", headers: browser.headers)
        #expect(try codes.json.results("code").count == 1)
        let files = "/files/a/b?view=\(browser.view)"
        #expect(try await http.send("GET", files, headers: browser.cookie).status == 404)
        // The secret in addresses permits neither changes nor other requests.
        for (method, path) in [("GET", "/api/codes"), ("POST", "/api/who")] {
          let viewed = try await http.send(
            method, "\(path)?view=\(browser.view)", headers: browser.cookie)
          #expect(viewed.status == 403, "\(path)")
        }
      }
    }

    @Test("the browser is given a private file, and no program's words hold the link")
    func redirectFile() async throws {
      let sandbox = try await Sandbox.withFruta()
      let opener = sandbox.root + "/bin/xdg-open"
      try Data("#!/bin/sh\nprintf '%s' \"$*\" > opened.part && mv opened.part opened\n".utf8).write(
        to: URL(filePath: opener))
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: opener)
      let outcome = try await sandbox.startShell(
        "exec cliptag station --json --open 2>&1", []
      ) { running in
        var opened = sandbox.bytes(of: "opened")
        while opened == nil {
          await Task.yield()
          opened = sandbox.bytes(of: "opened")
        }
        let path = String(decoding: opened ?? [], as: UTF8.self)
        #expect(!path.contains("token"), "\(path)")
        for (path, mode) in [(path, 0o600), ((path as NSString).deletingLastPathComponent, 0o700)] {
          let facts = try FileManager.default.attributesOfItem(atPath: path)
          #expect(facts[.posixPermissions] as? Int == mode, "\(path)")
        }
        let page = try String(contentsOfFile: path, encoding: .utf8)
        let link = String(try #require(page.firstMatch(of: /url=(http[^"]+)"/)?.1))
        _ = try await StationClient(link: link)
        // It goes when its link was used: another link is printed then.
        while let line = try await running.line(), !line.hasPrefix("another browser: ") {}
        #expect(!FileManager.default.fileExists(atPath: path))
        try running.send(.terminate)
        _ = try await running.remainingLines()
      }
      #expect(outcome.status == 128 + 15 || outcome.status == 130)
    }

    /// Requests without permission, and their answers.
    struct Hostile: Sendable, CustomTestStringConvertible {
      let testDescription: String
      let status: Int
      let code: String
      var headers: [String: String] = [:]
      var hasCookie = true
      var hasToken = true
    }

    static let hostile: [Hostile] = [
      .init(
        testDescription: "without a session", status: 401, code: "no-session", hasCookie: false),
      .init(
        testDescription: "with a session that nobody has", status: 401, code: "no-session",
        headers: ["Authorization": "Bearer a-b-c"]),
      .init(testDescription: "without the token", status: 403, code: "no-token", hasToken: false),
      .init(
        testDescription: "with a wrong token", status: 403, code: "no-token",
        headers: ["X-CSRF-Token": "a-b-c"]),
      .init(
        testDescription: "from another origin", status: 403, code: "foreign-origin",
        headers: ["Origin": "https://evil.example"]),
      .init(
        testDescription: "from another port of this computer", status: 403, code: "foreign-origin",
        headers: ["Origin": "http://127.0.0.1:1"]),
      .init(
        testDescription: "from a file", status: 403, code: "foreign-origin",
        headers: ["Origin": "null"]),
      .init(
        testDescription: "by a name that was pointed here", status: 403, code: "foreign-host",
        headers: ["Host": "rebound.example:8080"]),
      .init(
        testDescription: "from a page of another site", status: 403, code: "foreign-origin",
        headers: ["Sec-Fetch-Site": "cross-site"]),
      .init(
        testDescription: "from a page of the same site", status: 403, code: "foreign-origin",
        headers: ["Sec-Fetch-Site": "same-site"]),
    ]

    @Test("a request is refused and changes nothing", arguments: hostile)
    func refused(_ hostile: Hostile) async throws {
      try await serving { station in
        let client = station.client
        let browser = try await BrowserSession(link: try await station.nextLink())
        var headers = hostile.hasCookie ? browser.cookie : [:]
        if hostile.hasToken { headers.merge(browser.page) { $1 } }
        headers.merge(hostile.headers) { $1 }
        let order = try JSONEncoder().encode(
          JSON.object(["batch": "tables", "csv": .string(Tables.csv(2))]))
        for (path, body) in [
          ("/api/who", #"{"by":"Mallory"}"#),
          ("/api/batches/start", String(decoding: order, as: UTF8.self)),
          ("/api/poster", #"{"url":"\#(Fruta.cupertino)","dryRun":false}"#),
          ("/api/parcels/cupertino/packed", "{}"),
        ] {
          let answer = try await client.http.send(
            "POST", path, headers: headers.merging(["Content-Type": "application/json"]) { $1 },
            body: Array(body.utf8))
          #expect(answer.status == hostile.status, "\(path): \(answer.text)")
          #expect(try answer.json.failure == hostile.code, "\(path): \(answer.text)")
        }
        let who = try await client.get("/api/station")["who"]
        #expect(who != "Mallory")
        #expect(try await client.get("/api/batches")["results"].elements.isEmpty)
        #expect(try await client.get("/api/now")["mode"] == "idle")
        #expect(try await client.get("/api/codes").results("code").isEmpty)
        #expect(try station.sandbox.listing() == [])
      }
    }

    @Test(
      "what is read is refused, too",
      arguments: [
        ("Host", "rebound.example", 403), ("Origin", "https://evil.example", 403),
        ("Cookie", "cliptag-station-1=a", 401),
      ])
    func read(header: String, value: String, status: Int) async throws {
      try await serving { station in
        let browser = try await BrowserSession(link: try await station.nextLink())
        for path in ["/", "/batch", "/api/station", "/api/events", "/files/a/b", "/nowhere"] {
          let headers = browser.headers.merging([header: value]) { $1 }
          let answer = try await station.client.http.send("GET", path, headers: headers)
          #expect(answer.status == status, "\(path)")
          #expect(!answer.text.contains(browser.page.values.first ?? ""))
        }
      }
    }

    @Test("every answer tells browsers to run and load what is the station's own, and keep nothing")
    func policy() async throws {
      try await serving { station in
        let client = station.client
        for path in [
          "/", "/batch", "/print", "/check", "/parcel", "/walk", "/reader", "/style.css", "/app.js",
          "/api/station", "/nowhere",
        ] {
          for headers in [client.own, [:]] {
            let answer = try await client.http.send(
              "GET", path, headers: headers.merging(["Accept": "text/html"]) { $1 })
            let policy = try #require(answer.header("content-security-policy"), "\(path)")
            let rules = Set(policy.components(separatedBy: "; "))
            #expect(
              rules == [
                "default-src 'none'", "script-src 'self'", "style-src 'self'",
                "img-src 'self' blob: data:", "connect-src 'self'", "form-action 'self'",
                "frame-ancestors 'none'", "base-uri 'none'",
              ], "\(path)")
            #expect(answer.header("x-content-type-options") == "nosniff")
            #expect(answer.header("referrer-policy") == "same-origin")
            #expect(answer.header("cache-control") == "no-store")
            // What the policy forbids would not work.
            guard answer.header("content-type")?.hasPrefix("text/html") == true else { continue }
            #expect(!answer.text.contains(" style=\""), "\(path)")
            #expect(!answer.text.contains("<style"), "\(path)")
            #expect(answer.text.firstMatch(of: /<script(?![^>]* src=)/) == nil, "\(path)")
            #expect(
              answer.text.firstMatch(of: /(src|href|action)="(https?:)?\/\//) == nil, "\(path)")
          }
        }
      }
    }

    @Test("a page is shown to a browser that is not let in, and says how it would be")
    func refusalPage() async throws {
      try await serving { station in
        let page = try await station.client.http.send(
          "GET", "/batch", headers: ["Accept": "text/html"])
        #expect(page.status == 401)
        #expect(page.header("content-type") == "text/html; charset=utf-8")
        #expect(page.text.contains("<h1>"))
        #expect(!page.text.contains("{{"), "\(page.text)")
      }
    }

    @Test("a body that is too large is refused with 413, whether or not it says how large it is")
    func tooLarge() async throws {
      try await serving { station in
        let client = station.client
        let said = try await client.send(
          "POST", "/api/check/picture", headers: ["Content-Length": "\(1 << 40)"])
        #expect(said.status == 413)
        #expect(try said.json.failure == "request-too-large")
        let part = [UInt8](repeating: 65, count: 1 << 24)
        let parts = (0..<5).flatMap { _ in Array("1000000\r\n".utf8) + part + Array("\r\n".utf8) }
        let sent = try await client.send(
          "POST", "/api/check/picture",
          headers: ["Transfer-Encoding": "chunked", "Content-Length": ""],
          body: parts + Array("0\r\n\r\n".utf8))
        #expect(sent.status == 413)
        #expect(try await client.get("/api/station")["type"] == "station", "it serves on")
      }
    }

    @Test(
      "JSON that is none, or of another shape, is refused with 400 and a place where to look",
      arguments: ["{", "[]", "\u{FF}", #"{"batch":1}"#, #"{"batch":"a","csv":[]}"#, "null", ""])
    func malformed(body: String) async throws {
      try await serving { station in
        let answer = try await station.client.send(
          "POST", "/api/batches/start", headers: ["Content-Type": "application/json"],
          body: Array(body.utf8))
        #expect(answer.status == 400, "\(answer.text)")
        #expect(try answer.json.failure == "malformed-request")
        #expect(try answer.json.results("error").first?["hint"].text?.isEmpty == false)
      }
    }

    @Test("a path that is not served is told so to visitors, and nobody else learns what there is")
    func nowhere() async throws {
      try await serving { station in
        for path in ["/api/nowhere", "/files/../../etc/passwd", "/words/../../app", "/%2e%2e/x"] {
          #expect(try await station.client.send("GET", path).status == 404, "\(path)")
          let stranger = try await station.client.http.send("GET", path)
          #expect(stranger.status == 401, "\(path)")
        }
        #expect(try await station.client.send("PUT", "/api/who").status == 405)
        #expect(try await station.client.http.send("PUT", "/api/who").status == 401)
      }
    }

    @Test(
      "the language is that of the browser until one is chosen, and the form sends back to its page"
    )
    func language() async throws {
      try await serving { station in
        let client = station.client
        #expect(
          try await client.page("/batch", language: "de-AT,en;q=0.5").text.contains(#"lang="de""#))
        #expect(try await client.page("/batch", language: "tlh").text.contains(#"lang="en""#))
        let chosen = try await client.send(
          "POST", "/language", headers: ["Content-Type": "application/x-www-form-urlencoded"],
          body: Array("language=ja&page=/batch".utf8))
        #expect(chosen.status == 303)
        #expect(chosen.header("location") == "/batch")
        let cookie = try #require(chosen.header("set-cookie")?.split(separator: ";").first)
        let page = try await client.send(
          "GET", "/batch",
          headers: ["Cookie": String(cookie), "Accept": "text/html"])
        #expect(page.text.contains(#"lang="ja""#))
        let elsewhere = try await client.send(
          "POST", "/language", headers: ["Content-Type": "application/x-www-form-urlencoded"],
          body: Array("language=de&page=//evil.example".utf8))
        #expect(elsewhere.header("location") == "/")
      }
    }
  }
}
