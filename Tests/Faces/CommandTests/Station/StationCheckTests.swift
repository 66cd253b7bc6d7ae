import Foundation
import SimulatedReader
import TagTypes
import Testing

/// URLs, pictures, tags and phones, as the page checks them.
extension CommandSuite {
  @Suite("Station: check") struct StationCheckTests {
    private static let wall: [UInt8] = Array(
      FileManager.default.contents(atPath: Repository.path("Samples/pictures/wall.jpg")) ?? Data())

    @Test("URLs, a picture and a tag are checked as the command checks them")
    func check() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader(tag: nil)
      try await sandbox.station(on: reader) { station in
        let client = station.client
        let urls = try await client.post(
          "/api/check",
          ["urls": .array([.string(Fruta.cupertino), "https://elsewhere.example.net/"])])
        #expect(
          urls.results("verification").map { $0["verdict"] } == ["accepted", "rejected"], "\(urls)")
        let terminal = try await client.post("/api/check", ["urls": .array(["-"])])
        #expect(terminal.failure == "malformed-request", "the terminal's lines are not read")
        let wall = try await client.upload("/api/check/picture", Self.wall)
        let direct = try await sandbox.run(
          "scan", Repository.path("Samples/pictures/wall.jpg"), "--no-location", "--json")
        #expect(
          wall.results("verification").map { $0["payload"] }
            == (try direct.lines("verification").map { $0["payload"] }))
        #expect(!wall.results("verification").isEmpty)
        let drawn = try await station.fetch(wall["preview"].text, as: "drawn.png")
        #expect(drawn.header("content-type") == "image/png")

        let events = try await client.events()
        let on = try await client.post("/api/check/tags", ["on": true])
        #expect(on["status"] == 0, "\(on)")
        _ = try await events.phase("waiting")
        var tag = try Tables.tag(1)
        tag.hold(uri: "fruta.example.com/order/cupertino")
        reader.replaceTag(with: tag)
        let seen = try await events.next("tag") { $0["type"] == "verification" }
        #expect(seen["url"].text == Fruta.cupertino && seen["verdict"] == "accepted", "\(seen)")
        reader.replaceTag(with: nil)
        _ = try await events.next("tag") { $0["type"] == "gone" }
        #expect(reader.counts.writes == 0, "a check writes nothing")
        try await client.post("/api/check/tags", ["on": false])
        _ = try await events.phase("idle")
      }
    }

    @Test("what is no picture is told so, and a picture without codes, too")
    func noPicture() async throws {
      try await Sandbox.withFruta().station { station in
        let bad = try await station.client.upload("/api/check/picture", Array("no picture".utf8))
        #expect(bad["status"] != 0 && bad.failure != nil, "\(bad)")
        #expect(!"\(bad)".contains(station.sandbox.root), "no path of the computer is told")
      }
    }

    @Test("phones are let in only with --listen, send pictures, and reach nothing else")
    func phone() async throws {
      let sandbox = try await Sandbox.withFruta()
      try await sandbox.station { station in
        let off = try await station.client.send("POST", "/api/phone", body: Array("{}".utf8))
        #expect(off.status == 409)
        #expect(try off.json.failure == "phones-off")
      }
      try await sandbox.station("--listen", "0.0.0.0") { station in
        let client = station.client
        let link = try #require(try await client.post("/api/phone").results("phone-link").first)
        let url = try #require(link["url"].text)
        let code = try await station.fetch(link["qr"].text, as: "link.svg")
        #expect(code.header("content-type") == "image/svg+xml")
        let scanned = try await sandbox.run("scan", "link.svg", "--no-location", "--json")
        #expect(try scanned.lines("verification").map { $0["payload"].text } == [url])

        let path = String(url[try #require(url.range(of: "/phone?link=")).lowerBound...])
        let page = try await client.http.send("GET", path)
        #expect(page.status == 200)
        #expect(page.header("set-cookie") == nil, "cookies ignore ports")
        let send = path.replacing("/phone?", with: "/phone/picture?")
        #expect(page.text.contains("action=\"\(send)\""), "\(page.text)")
        let events = try await client.events()
        let without = try await client.http.send("POST", "/phone/picture", body: Self.wall)
        #expect(without.status == 401)
        let sent = try await client.http.send(
          "POST", send, headers: ["Content-Type": "image/jpeg"], body: Self.wall)
        #expect(try !sent.json.results("verification").isEmpty, "\(sent.text)")
        let heard = try await events.next("phone")
        #expect(!heard["results"].elements.isEmpty && heard["picture"].text != nil)
        // A form without JavaScript, and one whose file has the longest name that fits a body's
        // part.
        for name in ["<b>", String(repeating: "n", count: 800_000)] {
          let form =
            Array("--x\r\nContent-Disposition: form-data; name=\"other\"\r\n\r\n\r\n".utf8)
            + Array(
              "--x\r\nContent-Disposition: form-data; name=\"picture\"; filename=\"\(name).jpg\"\r\n\r\n"
                .utf8)
            + Self.wall + Array("\r\n--x--\r\n".utf8)
          let before = try station.processorTime
          let plain = try await client.http.send(
            "POST", send, headers: ["Content-Type": "multipart/form-data; boundary=x"], body: form)
          #expect(plain.status == 200 && plain.text.contains("<table"), "\(plain.text.prefix(900))")
          #expect(!plain.text.contains("<b>.jpg"))
          let spent = try station.processorTime - before
          #expect(spent < .seconds(30))
        }
        let token = path.split(separator: "=")[1]
        for other in ["/", "/api/station", "/api/codes", "/api/events", "/batch"] {
          for headers in [
            ["Authorization": "Bearer \(token)"],
            ["Cookie": "cliptag-station-\(client.port)=\(token)"], [:],
          ] {
            let answer = try await client.http.send(
              "GET", "\(other)?link=\(token)", headers: headers)
            #expect(answer.status == 401)
          }
        }
        _ = try await client.send("DELETE", "/api/phone")
        #expect(try await client.http.send("POST", send, body: Self.wall).status == 401)
        #expect(try await client.http.send("GET", path).status == 401)
      }
    }
  }
}
