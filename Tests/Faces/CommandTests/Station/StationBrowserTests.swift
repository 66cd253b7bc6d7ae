import Foundation
import SimulatedReader
import Subprocess
import TagTypes
import Testing

/// The station's pages in Chromium, as people use them.
extension CommandSuite {
  @Suite(
    "Station: pages", .serialized,
    .enabled(if: Browser.isThere, "Chromium is missing: make browser-deps installs it"))
  struct StationBrowserTests {
    private static let wall = Repository.path("Samples/pictures/wall.jpg")

    /// Opens the station's link in a browser of that width.
    private func browsing(
      _ width: Int, on reader: SimulatedReader? = nil, in sandbox: Sandbox,
      _ body: @escaping @Sendable (Browser, RunningStation) async throws -> Void
    ) async throws {
      try await sandbox.browser { browser in
        try await browser.resize(to: width)
        try await sandbox.station(on: reader) { station in
          try await browser.open(try await station.nextLink())
          try await browser.wait(for: "#stage[data-phase]")
          try await body(browser, station)
          #expect(try await browser.complaints() == [])
        }
      }
    }

    @Test(
      "a file is dropped, each tag is asked for and done in large, and all rows are on record",
      arguments: [390, 1280])
    func batch(width: Int) async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader(tag: nil)
      try sandbox.write(Tables.csv(2), to: "tables.csv")
      try await browsing(width, on: reader, in: sandbox) { browser, station in
        try await browser.picture("now-idle-\(width)")
        try await browser.click("[data-nav=batch]")
        try await browser.type(sandbox.path("tables.csv"), into: "#batch-drop-file")
        try await browser.wait(for: "#batch-start:not([disabled])")
        try await browser.picture("batch-review-\(width)")
        // Another choice is reviewed first, and what was agreed to before it is asked for again.
        try await browser.click("label:has([value=lock])")
        try await browser.wait(for: "#understood")
        try await browser.picture("batch-lock-\(width)")
        try await browser.click("label:has(#understood)")
        try await browser.wait(for: "#batch-start:not([disabled])")
        let canBegin = try await browser.run(
          """
          document.querySelector('#batch-form [value=open]').click();
          return !document.getElementById('batch-start').disabled;
          """)
        #expect(canBegin == false)
        try await browser.wait(for: "#review:not(:has(#understood))")
        try await browser.click("#batch-start:not([disabled])")
        try await browser.wait(for: "#stage[data-phase=waiting]")
        #expect(try await browser.text("#stage-label") == "Table 1")
        let size = try await browser.run(
          "return parseFloat(getComputedStyle(document.getElementById('stage-label')).fontSize)")
        #expect(try #require(size.number) >= 40)
        try await browser.picture("now-waiting-\(width)")
        for row: UInt8 in [1, 2] {
          reader.replaceTag(with: try Tables.tag(row))
          if row == 1 {
            try await browser.wait(for: "#stage[data-phase=done]")
            #expect(try await browser.text("#stage-label") == "Table 1")
            try await browser.picture("now-done-\(width)")
            reader.replaceTag(with: nil)
            try await browser.wait(for: "#stage[data-phase=waiting]")
            #expect(try await browser.text("#stage-label") == "Table 2")
            var foreign = try Tables.tag(9)
            foreign.hold(uri: "elsewhere.example.net/")
            reader.replaceTag(with: foreign)
            try await browser.wait(for: "#stage[data-phase=refused]")
            try await browser.picture("now-refused-\(width)")
            reader.replaceTag(with: nil)
            try await browser.wait(for: "#stage[data-phase=waiting]")
          }
        }
        try await browser.wait(for: "#stage[data-phase=finished]")
        try await browser.picture("now-finished-\(width)")
        #expect(try await station.client.get("/api/codes").results("code").count == 2)
        try await browser.click("[data-nav=batch]")
        try await browser.wait(for: "#batches .batch .done-word")
        try await browser.picture("batch-done-\(width)")
      }
    }

    @Test(
      "what speaks against a file is shown by line, and there is nothing to begin", arguments: [390]
    )
    func objections(width: Int) async throws {
      let sandbox = try await Sandbox.withFruta()
      try sandbox.write("url,label\nhttp://fruta.example.com/order/1,<b>x</b>\n", to: "bad.csv")
      try await browsing(width, in: sandbox) { browser, _ in
        try await browser.click("[data-nav=batch]")
        try await browser.type(sandbox.path("bad.csv"), into: "#batch-drop-file")
        try await browser.wait(for: "#review .objection")
        #expect(try await browser.text("#review table").contains("<b>x</b>"))
        #expect(try await browser.run("return document.querySelector('#review b')") == .null)
        #expect(try await browser.run("return document.getElementById('batch-start')") == .null)
        try await browser.picture("batch-objections-\(width)")
      }
    }

    @Test("skip, redo and stop are done by the keyboard alone")
    func keyboard() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader(tag: nil)
      try await browsing(1280, on: reader, in: sandbox) { browser, station in
        try await station.client.start("tables", csv: Tables.csv(3))
        try await browser.wait(for: "#stage[data-phase=waiting]")
        try await browser.wait(for: "#do-skip:not([disabled])")
        try await browser.press("s")
        try await browser.wait(for: "dialog[open] #reason")
        try await browser.press(Browser.Key.enter)
        try await browser.wait(for: "#dock:not([hidden])")
        let events = try await station.client.events()
        _ = try await events.phase("waiting", row: 2)
        reader.replaceTag(with: try Tables.tag(2))
        _ = try await events.phase("done", row: 2)
        reader.replaceTag(with: nil)
        _ = try await events.phase("waiting", row: 3)
        try await browser.wait(for: "#do-redo:not([disabled])")
        try await browser.press("r")
        try await browser.wait(for: "dialog[open] #reason")
        try await browser.press(Browser.Key.enter)
        _ = try await events.phase("waiting", row: 2)
        try await browser.wait(for: "body:not(:has(dialog[open]))")
        try await browser.press(".")
        try await browser.wait(for: "dialog[open] button[value=stop]")
        try await browser.press(Browser.Key.enter)
        try await browser.wait(for: "#stage[data-phase=stopped]")
        let rows = try await station.client.get("/api/batches/tables/rows")["results"].elements
        #expect(rows.map { $0["state"] } == ["skipped", "pending", "pending"])
      }
    }

    @Test("two windows show the same, and what one stops is stopped in the other")
    func twoWindows() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader(tag: nil)
      try await browsing(1280, on: reader, in: sandbox) { browser, station in
        let first = try await browser.window
        let second = try await browser.openWindow()
        try await browser.open("http://127.0.0.1:\(station.client.port)/")
        try await browser.wait(for: "#stage[data-phase=idle]")
        try await station.client.start("tables", csv: Tables.csv(2))
        for window in [first, second] {
          try await browser.look(at: window)
          try await browser.wait(for: "#stage[data-phase=waiting]")
          #expect(try await browser.text("#stage-label") == "Table 1")
        }
        try await browser.click("#do-stop")
        try await browser.click("dialog[open] button[value=stop]")
        try await browser.look(at: first)
        try await browser.wait(for: "#stage[data-phase=stopped]")
      }
    }

    @Test("eight windows of one browser hear what happens, over one connection")
    func manyWindows() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader(tag: nil)
      try await browsing(1280, on: reader, in: sandbox) { browser, station in
        var windows = [try await browser.window]
        for _ in 1..<8 {
          windows.append(try await browser.openWindow())
          try await browser.open("http://127.0.0.1:\(station.client.port)/")
          try await browser.wait(for: "#stage[data-phase=idle]")
        }
        try await station.client.start("tables", csv: Tables.csv(1))
        for window in windows {
          try await browser.look(at: window)
          try await browser.wait(for: "#stage[data-phase=waiting]")
        }
      }
    }

    @Test("a station that stands still is missed, and its page goes on with it")
    func stopped() async throws {
      let sandbox = try await Sandbox.withFruta()
      try await browsing(1280, in: sandbox) { browser, station in
        try await browser.wait(for: "#stage[data-phase=idle]")
        try station.send(.suspend)
        try await browser.wait(for: "#line-state[data-state=gone]:not([hidden])")
        try station.send(.resume)
        try await browser.wait(for: "#line-state[hidden]")
        try await browser.wait(for: "#stage[data-phase=idle]")
      }
    }

    @Test("the page's language is chosen at its foot", arguments: [390, 1280])
    func language(width: Int) async throws {
      let sandbox = try await Sandbox.withFruta()
      try await browsing(width, in: sandbox) { browser, _ in
        try await browser.click("[data-nav=batch]")
        try await browser.wait(for: "#batch-drop-file")
        try await browser.click("#language-form button[value=ja]")
        try await browser.wait(for: "html[lang=ja] #batch-drop-file")
        try await browser.click("#language-form button[value=de]")
        try await browser.wait(for: "html[lang=de] #batch-drop-file")
        #expect(try await browser.url.hasSuffix("/batch"))
      }
    }

    @Test(
      "a station that was killed is missed; once it is back its page goes on by itself, the batch with its row",
      arguments: [390, 1280])
    func restarted(width: Int) async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader(tag: try Tables.tag(1))
      try await sandbox.browser { browser in
        try await browser.resize(to: width)
        let port = Box<UInt16>()
        try await sandbox.station(on: reader) { station in
          port.value = station.client.port
          try await browser.open(try await station.nextLink())
          try await station.client.start("tables", csv: Tables.csv(2))
          try await browser.wait(for: "#stage[data-phase=done]")
          reader.replaceTag(with: nil)
          try await browser.wait(for: "#stage[data-phase=waiting]")
          #expect(try await browser.complaints() == [])
          try await station.kill()
        }
        try await browser.wait(for: "#line-state[data-state=gone]:not([hidden])")
        try await browser.picture("killed-\(width)")
        try await sandbox.station(port: "\(try #require(port.value))", on: reader) { _ in
          try await browser.wait(for: "#stage[data-phase=idle]")
          try await browser.wait(for: "#line-state[hidden]")
          try await browser.picture("restarted-\(width)")
          try await browser.click("#go-on")
          try await browser.wait(for: "#stage[data-phase=waiting]")
          #expect(try await browser.text("#stage-label") == "Table 2")
          reader.replaceTag(with: try Tables.tag(2))
          try await browser.wait(for: "#stage[data-phase=finished]")
        }
      }
    }

    @Test("where no session goes on, the link that one window opens lets the others go on")
    func forgotten() async throws {
      let sandbox = try await Sandbox.withFruta()
      try await sandbox.browser { browser in
        let port = Box<UInt16>()
        try await sandbox.station { station in
          port.value = station.client.port
          try await browser.open(try await station.nextLink())
          try await browser.wait(for: "#stage[data-phase=idle]")
        }
        let first = try await browser.window
        try await sandbox.station(
          "--forget-sessions", port: "\(try #require(port.value))"
        ) { station in
          try await browser.wait(for: "#gone-title")
          _ = try await browser.openWindow()
          try await browser.open(try await station.nextLink())
          try await browser.wait(for: "#stage[data-phase=idle]")
          try await browser.look(at: first)
          try await browser.wait(for: "#stage[data-phase=idle]")
        }
      }
    }

    @Test("a second link in the same browser leaves the windows of the first one listening")
    func secondLink() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader(tag: nil)
      try await browsing(1280, on: reader, in: sandbox) { browser, station in
        let first = try await browser.window
        _ = try await browser.openWindow()
        try await browser.open(try await station.nextLink())
        try await browser.wait(for: "#stage[data-phase=idle]")
        try await station.client.start("tables", csv: Tables.csv(1))
        try await browser.look(at: first)
        try await browser.wait(for: "#stage[data-phase=waiting]")
        try await browser.click("#do-stop")
        try await browser.click("dialog[open] button[value=stop]")
        try await browser.wait(for: "#stage[data-phase=stopped]")
      }
    }

    /// A value that one task hands to the next.
    private final class Box<Value: Sendable>: @unchecked Sendable {
      // Written before the closure that reads it begins.
      var value: Value?
    }

    @Test(
      "a sign is seen before it is made, and its code is on record then", arguments: [390, 1280])
    func sign(width: Int) async throws {
      let sandbox = try await Sandbox.withFruta()
      try await browsing(width, in: sandbox) { browser, station in
        try await browser.click("[data-nav=print]")
        try await browser.wait(for: "#poster-preview img")
        try await browser.wait(for: "#poster-result .facts")
        try await browser.picture("print-\(width)")
        #expect(try await station.client.get("/api/codes").results("code").isEmpty)
        // The preview goes with the form until the form ends.
        try await browser.run(
          "document.getElementById('codes-title').scrollIntoView({block: 'end'})")
        // Made before the preview of the last change began: no preview takes its place.
        try await browser.run(
          """
          document.getElementById("poster-headline").dispatchEvent(new Event("input", {bubbles: true}));
          setTimeout(() => (document.body.dataset.later = ""), 1000);
          document.querySelector("#poster-result .actions .primary").click();
          """)
        try await browser.wait(for: "body[data-later]")
        try await browser.wait(for: "#poster-result .files a")
        let code = try #require(
          try await station.client.get("/api/codes").results("code").first?["code"].text)
        #expect(try await browser.text("#poster-result .message").contains(code))
        try await browser.wait(for: "#codes tbody tr")
        #expect(try await browser.text("#codes").contains(code))
        #expect(try sandbox.listing().contains("prints"))
      }
    }

    @Test(
      "a URL and a picture are checked, and the picture shows its verdicts", arguments: [390, 1280])
    func check(width: Int) async throws {
      let sandbox = try await Sandbox.withFruta()
      try await browsing(width, in: sandbox) { browser, _ in
        try await browser.click("[data-nav=check]")
        try await browser.type(Fruta.cupertino, into: "#url")
        try await browser.click("#check-url button[type=submit]")
        try await browser.wait(for: "#verdicts .verdict[data-tone=good]")
        try await browser.type(Self.wall, into: "#picture-drop-file")
        try await browser.wait(for: "#verdicts .drawn img")
        try await browser.picture("check-\(width)")
      }
    }

    @Test("a tag that is laid down is shown while the switch is on")
    func checkTag() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader(tag: nil)
      try await browsing(1280, on: reader, in: sandbox) { browser, _ in
        try await browser.click("[data-nav=check]")
        try await browser.click("#tag-switch")
        try await browser.wait(for: "#tag-switch[aria-checked=true]")
        var tag = try Tables.tag(1)
        tag.hold(uri: "fruta.example.com/order/cupertino")
        reader.replaceTag(with: tag)
        try await browser.wait(for: "#verdicts .verdict[data-tone=good]")
        try await browser.picture("check-tag-1280")
        try await browser.click("#tag-switch")
        try await browser.wait(for: "#tag-switch[aria-checked=false]")
      }
    }

    @Test(
      "a parcel is scanned until it is complete, and recorded as packed", arguments: [390, 1280])
    func parcel(width: Int) async throws {
      let sandbox = try await Sandbox.withFruta()
      for (url, name) in [(Fruta.cupertino, "c.png"), (Fruta.sanFrancisco, "s.png")] {
        try #require(try await sandbox.run("qr", url, "-o", name).status == 0)
      }
      try await browsing(width, in: sandbox) { browser, station in
        try await browser.open("http://127.0.0.1:\(station.client.port)/parcel?place=cupertino")
        try await browser.wait(for: "#list-missing")
        try await browser.type(Fruta.sanFrancisco + Browser.Key.enter, into: "#scan")
        try await browser.wait(for: "#parcel-answer .answer[data-tone=bad]")
        try await browser.picture("parcel-wrong-\(width)")
        try await station.client.post("/api/parcels/cupertino/reset")
        try await browser.reload()
        try await browser.type(Fruta.cupertino + Browser.Key.enter, into: "#scan")
        try await browser.wait(for: "#parcel-answer .answer[data-tone=good]")
        try await browser.click("#parcel-packed")
        try await browser.wait(for: "#parcel-state .message[data-tone=good]")
        try await browser.picture("parcel-packed-\(width)")
        let code = try #require(
          try await station.client.get("/api/codes?place=cupertino").results("code").first?["code"]
            .text)
        #expect(try await sandbox.run("code", "show", code).output.contains("packed"))
      }
    }

    @Test(
      "a picture of a walk is added, and its findings are shown with it", arguments: [390, 1280])
    func walk(width: Int) async throws {
      let sandbox = try await Sandbox.withFruta()
      try await browsing(width, in: sandbox) { browser, station in
        try await browser.click("[data-nav=walk]")
        try await browser.type("Spring", into: "#walk-new")
        try await browser.type(Self.wall, into: "#walk-drop-file")
        try await browser.wait(for: "#walk-answer .answer")
        try await browser.wait(for: "#walk-answer .found-list img")
        // What is shown is there: no picture without a position to draw, none that is not loaded.
        #expect(
          try await browser.run("return document.querySelector('#walk-answer .map')") == .null)
        try await browser.picture("walk-\(width)")
        #expect(
          try await station.client.get("/api/walks").results("walk").map { $0["name"] } == [
            "Spring"
          ])
      }
    }

    @Test("the doctor's findings are shown in words", arguments: [390, 1280])
    func reader(width: Int) async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader(tag: nil)
      try await browsing(width, on: reader, in: sandbox) { browser, _ in
        try await browser.click("[data-nav=reader]")
        try await browser.wait(for: "#reader .check-item")
        try await browser.picture("reader-\(width)")
      }
    }

    @Test("without JavaScript what is only read is there as tables")
    func withoutScripts() async throws {
      let sandbox = try await Sandbox.withFruta()
      try #require(try await sandbox.run("qr", Fruta.cupertino, "-o", "c.png").status == 0)
      try await sandbox.browser(scripts: false) { browser in
        try await sandbox.station { station in
          try await browser.open(try await station.nextLink())
          try await browser.click("#open-plain")
          try await browser.wait(for: "body[data-page=now]")
          let base = "http://127.0.0.1:\(station.client.port)"
          for (path, text) in [
            ("/print", Fruta.cupertino), ("/parcel", "Fruta Cupertino"), ("/check", "Fruta"),
          ] {
            try await browser.open(base + path)
            #expect(try await browser.text("table.plain").contains(text), "\(path)")
            try await browser.picture("noscript\(path.replacing("/", with: "-"))")
          }
          try await browser.open(base + "/reader")
          #expect(try await browser.text("#main").isEmpty == false)
        }
      }
    }

    @Test("axe finds nothing on any page, in light and dark, narrow and wide")
    func barriers() async throws {
      let sandbox = try await Sandbox.withFruta()
      try #require(try await sandbox.run("qr", Fruta.cupertino, "-o", "c.png").status == 0)
      let reader = try SimulatedReader(tag: nil)
      try await browsing(1280, on: reader, in: sandbox) { browser, station in
        let client = station.client
        _ = try await client.upload(
          "/api/walks/picture?name=Spring",
          Array(FileManager.default.contents(atPath: Self.wall) ?? Data()))
        let base = "http://127.0.0.1:\(client.port)"
        for width in [390, 1280] {
          for scheme in ["light", "dark"] {
            try await browser.resize(to: width)
            try await browser.prefer(scheme)
            for (path, ready) in [
              ("/", "#stage[data-phase=idle]"), ("/batch", "#batch-drop-file"),
              ("/print", "#poster-result .facts"), ("/check", "#tag-switch"),
              ("/parcel?place=cupertino", "#list-missing"), ("/walk", "#walk-answer .answer"),
              ("/findings", "#findings-state"),
              ("/reader", "#reader .check-item"),
            ] {
              try await browser.open(base + path)
              try await browser.wait(for: ready)
              let found = try await browser.barriers()
              #expect(found == [], "\(path) at \(width), \(scheme)")
              if scheme == "dark" {
                let name = path.split(whereSeparator: { "/?=".contains($0) }).first ?? "now"
                try await browser.picture("dark-\(name)-\(width)")
              }
            }
          }
        }
      }
    }
  }
}
