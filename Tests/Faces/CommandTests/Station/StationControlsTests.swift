import Foundation
import SimulatedReader
import TagTypes
import Testing

/// Every control of the station's pages, each used once in one browser.
extension CommandSuite {
  @Suite(
    "Station: controls", .serialized,
    .enabled(if: Browser.isThere, "Chromium is missing: make browser-deps installs it"))
  struct StationControlsTests {
    /// Controls that another test uses, and that test.
    private static let elsewhere = [
      "open-plain": "StationBrowserTests.withoutScripts: it is there without JavaScript alone"
    ]

    @Test("every control of every page is used by a step, and does something")
    func controls() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader(tag: nil, faults: [.tearWrite(4)])
      for (url, name) in [(Fruta.cupertino, "c.png"), (Fruta.sanFrancisco, "s.png")] {
        try #require(try await sandbox.run("qr", url, "-o", name, "--quiet").status == 0)
      }
      try sandbox.write(Tables.csv(3), to: "tables.csv")
      try sandbox.write(
        "url,label\n\(Tables.url(1)),One\nhttp://fruta.example.com/order/1,Two\n", to: "bad.csv")
      try sandbox.write(
        "url,label\n\(Tables.url(1)),One\nhttps://elsewhere.example/1,Two\n", to: "labels.csv")
      try sandbox.write(
        "url\n" + (1...2_000).map { "\(Tables.url($0))\n" }.joined(), to: "many.csv")
      try await sandbox.browser { browser in
        try await sandbox.station("--listen", "0.0.0.0", on: reader) { station in
          let visit = try await Visit(browser, station, reader)
          try await visit.begin()
          try await visit.header()
          try await visit.languages()
          try await visit.review()
          try await visit.bench()
          try await visit.batches()
          try await visit.check()
          try await visit.phone()
          try await visit.parcel()
          try await visit.walk()
          try await visit.findings()
          try await visit.poster()
          try await visit.sheet()
          try await visit.reader()
          // The browser logs the mistakes that were made on purpose.
          let mistaken = ["/api/batches/review", "/api/poster"]
          let complaints = try await browser.complaints()
          #expect(complaints.filter { line in !mistaken.contains { line.contains($0) } } == [])
          try await visit.end()
          let (seen, used) = try await visit.controls()
          #expect(seen.filter { $0.contains("?") } == [], "controls without a name")
          #expect(seen.subtracting(used).sorted() == [], "controls that no step used")
          // A circle's name has its value behind it.
          let names = Set(
            used.map { String($0.split(separator: "/").last ?? "") }
              .flatMap { [$0, String($0.prefix { $0 != "=" })] })
          let stated = try Self.stated()
          #expect(
            stated.subtracting(names).subtracting(Self.elsewhere.keys).sorted() == [],
            "controls of the page's sources that no step used")
        }
      }
    }

    /// Returns the names of the controls in the page's sources, as far as they are literal.
    private static func stated() throws -> Set<String> {
      let folder = Repository.path("Sources/Faces/CStationPage/page")
      var names: Set<String> = []
      for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
        guard ["js", "html", "part"].contains((file as NSString).pathExtension) else { continue }
        let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
        for match in text.matches(of: /h\("(?:button|a|select|input|textarea|summary)", \{/) {
          let properties = properties(text[match.range.upperBound...])
          let name = try name(
            properties, #"\bdo: "([^"]+)""#, #"\bid: "([^"]+)""#, #"\bname: "([^"]+)""#)
          if let name { names.insert(name) }
          #expect(
            properties.contains(/\b(do|id|name)\b/) || properties.isEmpty,
            "\(file): a control without a name: \(properties.prefix(80))")
        }
        for match in text.matches(of: /<(?:button|a|select|input|textarea|summary)\b([^>]*)>/)
        where !match.1.contains("type=\"hidden\"") {
          let name = try name(
            match.1, #"data-(?:do|nav)="([^"]+)""#,
            #"type="(?:radio|submit)" name="([^"]+)" value="([^"]+)""#, #"\bid="([^"]+)""#,
            #"\bname="([^"]+)""#)
          #expect(name != nil, "\(file): a control without a name: \(match.0)")
          if let name { names.insert(name) }
        }
      }
      try #require(names.count > 80)
      return names
    }

    /// Returns the text up to the brace that closes an object.
    private static func properties(_ text: Substring) -> Substring {
      var depth = 1
      let end = text.firstIndex {
        depth += $0 == "{" ? 1 : $0 == "}" ? -1 : 0
        return depth == 0
      }
      return text[..<(end ?? text.endIndex)]
    }

    /// The first name that patterns find, the parts of one with two joined as a recorded name is.
    private static func name(_ text: Substring, _ patterns: String...) throws -> String? {
      for pattern in patterns {
        guard let match = text.firstMatch(of: try Regex(pattern)) else { continue }
        return match.output.dropFirst().compactMap { $0.substring.map(String.init) }
          .joined(separator: "=")
      }
      return nil
    }
  }
}

/// One person's way through the pages.
private struct Visit {
  let browser: Browser
  let station: RunningStation
  let simulated: SimulatedReader
  let base: String
  private let sandbox: Sandbox

  init(_ browser: Browser, _ station: RunningStation, _ reader: SimulatedReader) async throws {
    (self.browser, self.station, simulated) = (browser, station, reader)
    sandbox = station.sandbox
    base = "http://127.0.0.1:\(station.client.port)"
    try await browser.runOnEveryPage(Self.recording)
    try await browser.locate(latitude: 37.3230, longitude: -122.0322)
    try await browser.download(into: sandbox.path("downloads"))
  }

  /// Keeps the names of the controls that are there, and of those that are used, for the window's
  /// life.
  private static let recording = """
    if (location.protocol === "http:") {
      const CONTROLS = "button, a[href], select, input:not([type=hidden]), textarea, summary, [role=radio], [role=switch], [role=tab]";
      const TYPED = "select, textarea, input:not([type=checkbox]):not([type=radio])";
      const keep = (key, name) => {
        const all = new Set(JSON.parse(sessionStorage.getItem(key) ?? "[]"));
        if (all.size !== all.add(name).size) sessionStorage.setItem(key, JSON.stringify([...all]));
      };
      const nameOf = (one) => {
        const { name, value, type } = one;
        const own = one.dataset.do ?? one.dataset.nav ?? (["radio", "submit"].includes(type) && name ? `${name}=${value}` : one.id || name);
        const dialog = one.closest("dialog");
        if (dialog) return `${dialog.dataset.dialog ?? "?"}/${own || "?" + one.outerHTML}`;
        const isCommon = one.closest("header.top, footer.foot, .skip, .working");
        return `${isCommon ? "" : document.body.dataset.page}/${own || "?" + one.outerHTML}`;
      };
      const look = () => {
        for (const one of document.querySelectorAll(CONTROLS)) keep("test-seen", nameOf(one));
      };
      new MutationObserver(look).observe(document, { subtree: true, childList: true, attributeFilter: ["href"] });
      for (const kind of ["click", "input", "change"])
        document.addEventListener(kind, ({ target }) => {
          const one = target.closest(CONTROLS);
          if (one && (kind !== "click" || !one.matches(TYPED))) keep("test-used", nameOf(one));
        }, true);
    }
    """

  /// The names of the controls that were there, and of those that were used.
  func controls() async throws -> (seen: Set<String>, used: Set<String>) {
    func names(_ key: String) async throws -> Set<String> {
      let text = try await browser.run("return sessionStorage.getItem('\(key)')").text
      return Set(try JSON(parsing: text ?? "[]").elements.compactMap(\.text))
    }
    return (try await names("test-seen"), try await names("test-used"))
  }

  // MARK: Hands

  private func wait(_ selector: String) async throws { try await browser.wait(for: selector) }
  private func click(_ selector: String) async throws { try await browser.click(selector) }
  private func type(_ text: String, _ selector: String) async throws {
    try await browser.type(text, into: selector)
  }

  /// Clicks the words of a box or a circle, as they are the larger aim.
  private func tick(_ selectors: String...) async throws {
    for selector in selectors { try await click("label:has(\(selector))") }
  }

  private func choose(_ value: String, _ selector: String) async throws {
    try await click("\(selector) option[value=\"\(value)\"]")
  }

  private func file(_ name: String, _ selector: String) async throws {
    try await type(sandbox.path(name), selector)
  }

  /// Opens a dialog, leaves it, opens it again and does what it offers.
  private func dialog(
    _ name: String, by opener: String, _ button: String, _ fill: () async throws -> Void = {}
  ) async throws {
    try await leave(name, by: opener)
    try await click(opener)
    try await wait("dialog[open][data-dialog=\(name)]")
    try await fill()
    try await click("dialog[open] [data-do=\(button)]")
    try await wait("body:not(:has(dialog))")
  }

  private func leave(_ name: String, by opener: String) async throws {
    try await click(opener)
    try await click("dialog[open][data-dialog=\(name)] [data-do=cancel]")
    try await wait("body:not(:has(dialog))")
  }

  /// Clicks a link that leads to a file, and waits until the file is there.
  private func download(_ selector: String) async throws {
    func count() -> Int {
      let files = try? FileManager.default.contentsOfDirectory(atPath: sandbox.path("downloads"))
      return (files ?? []).filter { !$0.hasSuffix(".crdownload") && !$0.hasPrefix(".") }.count
    }
    let before = count()
    try await click(selector)
    try await browser.wait { count() > before }
  }

  private func phase(_ phase: String) async throws { try await wait("#stage[data-phase=\(phase)]") }

  private func row(_ label: String) async throws {
    try await phase("waiting")
    try await browser.wait(
      until: "document.getElementById('stage-label').textContent === '\(label)'")
  }

  // MARK: Pages

  func begin() async throws {
    let link = try await station.nextLink()
    let query = try #require(link.firstIndex(of: "?"))
    try await browser.open("\(base)/\(link[query...])")
    try await wait("[data-do=begin]")
  }

  func header() async throws {
    try await browser.press(Browser.Key.tab)
    try await browser.press(Browser.Key.enter)
    try await wait("#main:focus")
    try await click("#tool-sound")
    try await wait("#tool-sound[aria-pressed=true]")
    try await click("#tool-sound")
    try await wait("#tool-sound[aria-pressed=false]")
    for theme in ["html[data-theme=light]", "html[data-theme=dark]", "html:not([data-theme])"] {
      try await click("#tool-theme")
      try await wait(theme)
    }
    try await click("#tool-help")
    for tone in ["good", "look", "bad"] { try await click("[data-do=listen-\(tone)]") }
    try await click("dialog [data-do=cancel]")
    try await dialog("who", by: "[data-do=who-change]", "save") {
      try await type(" Lovelace", "#who-name")
    }
    try await browser.wait(
      until: "document.getElementById('foot-who').textContent.endsWith('Lovelace')")
    try await click("[data-do=home]")
    try await wait("body[data-page=now] [data-do=begin]")
    try await click("[data-do=begin]")
    try await wait("#batch-drop-file")
  }

  func languages() async throws {
    for language in ["de", "fr", "es", "ja", "en"] {
      try await click("button[value=\(language)]")
      try await wait("html[lang=\(language)] #batch-drop-file")
      try await wait("button[value=\(language)][aria-current]")
    }
  }

  /// A new batch, which sets a password.
  func review() async throws {
    try await file("bad.csv", "#batch-drop-file")
    try await wait("#review tbody tr:nth-child(2)")
    try await tick("#only-objections")
    try await wait("#review tbody:not(:has(tr:nth-child(2)))")
    try await file("tables.csv", "#batch-drop-file")
    try await wait("#batch-start:not([disabled])")
    try await type("-1", "#batch-name")
    try await click("[data-do=more]")
    try await choose("ntag213", "#batch-type")
    // One at a time: some exclude each other, and the review may begin between two clicks.
    for name in ["overwrite", "reuse", "allowDuplicates", "requireGenuine"] {
      try await tick("[name=\(name)]", "[name=\(name)]")
    }
    // Both exclude each other, and the advice leads to the first.
    try await tick("[name=unregistered]", "[name=strict]")
    try await click("#review [data-do=advice]")
    try await wait("[name=unregistered]:focus")
    try await tick("[name=unregistered]", "[name=strict]")
    try await tick("[value=lock]")
    try await wait("#batch-start[disabled]")
    try await tick("#understood")
    try await wait("#batch-start:not([disabled])")
    try await tick("[value=open]", "[value=password]")
    try await type("A1B2", "#batch-password")
    try await wait("#batch-password[aria-invalid=true]")
    try await wait("#batch-start[disabled]")
    try await type("C3D4:0F0F", "#batch-password")
    try await wait("#batch-password[aria-invalid=false]")
    try await click("#batch-start:not([disabled])")
    try await phase("waiting")
  }

  /// The bench while tags are written.
  func bench() async throws {
    try await row("Table 1")
    try await click("#do-full")
    try await wait("#main:fullscreen")
    try await click("#do-full")
    try await wait("body:not(:has(:fullscreen))")
    try await dialog("skip", by: "#do-skip:not([disabled])", "yes") {
      try await type("broken", "#reason")
    }
    try await row("Table 2")
    simulated.replaceTag(with: try Tables.tag(2))
    try await phase("torn")
    simulated.replaceTag(with: nil)
    try await click("[data-nav=batch]")
    try await leave("give-up", by: "[data-do=give-up]")
    try await click("[data-nav=now]")
    try await dialog("stop", by: "#do-stop:not([disabled])", "stop")
    try await phase("stopped")
    try await download("[data-do=report]")
    try await dialog("password", by: "#go-on", "go") {
      try await type("A1B2C3D4:0F0F", "#go-password")
    }
    // What was begun in another run is asked for when nothing else is left.
    try await row("Table 3")
    simulated.replaceTag(with: try Tables.tag(3))
    try await phase("done")
    simulated.replaceTag(with: nil)
    try await phase("own-tags")
    try await dialog("give-up", by: "#stage [data-do=give-up]", "yes") {
      try await type("lost", "#reason")
    }
    try await row("Table 2")
    try await dialog("redo", by: "#do-redo:not([disabled])", "yes") {
      try await type("scratched", "#reason")
    }
    for number: UInt8 in [12, 13] {
      try await phase("waiting")
      simulated.replaceTag(with: try Tables.tag(number))
      try await wait("#stage:is([data-phase=done], [data-phase=finished])")
      simulated.replaceTag(with: nil)
    }
    try await phase("finished")
    try await click("[data-do=another]")
    try await wait("#batch-drop-file")
  }

  /// Batches that are gone on with.
  func batches() async throws {
    try await file("tables.csv", "#batch-drop-file")
    try await wait("#batch-start")
    try await type("-2", "#batch-name")
    try await tick("[value=lock]")
    try await tick("#understood")
    try await click("#batch-start:not([disabled])")
    try await phase("waiting")
    try await click("#do-stop:not([disabled])")
    try await click("[data-do=stop]")
    try await phase("stopped")
    try await station.client.start("many", csv: Tables.csv(150))
    try await phase("waiting")
    let stopped = try await station.client.post("/api/batch/stop", ["batch": "many"])
    try #require(stopped["status"] == 0, "\(stopped)")
    try await phase("stopped")
    try await click("[data-nav=batch]")
    let many = "#batches article:has([href*='/many/'])"
    try await click("\(many) [data-do=rows]")
    try await click("\(many) [data-do=rows-next]")
    try await wait("\(many) [data-do=rows-before]:not([disabled])")
    try await click("\(many) [data-do=rows-before]")
    try await wait("\(many) [data-do=rows-before][disabled]")
    try await click("\(many) tbody tr:first-child [data-do=row-skip]")
    try await click("dialog[open] [data-do=yes]")
    try await wait("\(many) tbody tr:first-child [data-do=row-redo]")
    try await choose("skipped", "\(many) [data-do=rows-filter]")
    try await wait("\(many) tbody:not(:has(tr:nth-child(2)))")
    try await click("\(many) [data-do=row-redo]")
    try await click("dialog[open] [data-do=yes]")
    try await wait("\(many):not(:has(tbody))")
    try await download("\(many) [data-do=report]")
    let locking = "#batches article:has([href*='/tables-2/'])"
    try await dialog("lock", by: "\(locking) [data-do=go-on]", "go") {
      try await tick("[name=understood]")
    }
    try await phase("waiting")
    try await click("#do-stop:not([disabled])")
    try await click("[data-do=stop]")
    try await phase("stopped")
  }

  func check() async throws {
    try await click("[data-nav=check]")
    try await type(Fruta.cupertino, "#url")
    try await click("#check-urls")
    try await wait("#verdicts .verdict[data-tone=good]")
    try await click("[data-do=where]")
    try await click("#check-here")
    try await browser.wait(until: "document.getElementById('check-at').value !== ''")
    try await type("0", "#check-at")
    try await type("0", "#check-accuracy")
    try await file("c.png", "#picture-drop-file")
    try await wait("#verdicts .drawn img")
    try await click("#tag-switch")
    try await wait("#tag-switch[aria-checked=true]")
    try await click("[data-nav=now]")
    try await click("[data-do=open-mode]")
    try await click("#tag-switch[aria-checked=true]")
    try await wait("#tag-switch[aria-checked=false]")
    // Without work the bench offers what was stopped.
    try await click("[data-nav=now]")
    try await click("[data-do=begin-another]")
    try await wait("#batch-drop-file")
    try await click("[data-nav=now]")
    try await wait("[data-do=go-on]")
    try await click("[data-do=go-on-other]")
    try await click("dialog[open] [data-do=cancel]")
    try await wait("body:not(:has(dialog))")
  }

  func phone() async throws {
    try await click("[data-nav=check]")
    try await click("#phone-begin")
    let link = try await browser.text("#phone-link .code")
    try await browser.open(base + link[try #require(link.range(of: "/phone?")).lowerBound...])
    try await file("c.png", "#picture")
    try await wait("#verdicts .verdict")
    try await browser.run("document.getElementById('verdicts').replaceChildren()")
    try await click("#phone-send:not([disabled])")
    try await wait("#verdicts .verdict")
    try await browser.open("\(base)/check")
    try await click("#phone-begin")
    try await click("#phone-end")
    try await wait("#phone-link:empty")
  }

  func parcel() async throws {
    try await click("[data-nav=parcel]")
    try await choose("cupertino", "#parcel-place")
    try await choose("san-francisco", "#parcel-place")
    try await wait("#list-missing ~ .items li")
    try await download("#parcel-list")
    try await type(Fruta.sanFrancisco, "#scan")
    try await click("#scan-send")
    try await wait("#parcel-answer .answer[data-tone=good]")
    try await dialog("parcel-reset", by: "#parcel-reset", "yes")
    try await wait("#list-missing ~ .items li")
    try await click("#parcel-switch")
    try await wait("#parcel-switch[aria-checked=true]")
    try await click("#parcel-switch")
    try await wait("#parcel-switch[aria-checked=false]")
    try await file("s.png", "#parcel-drop-file")
    try await wait("#parcel-answer .answer[data-tone=good]")
    try await click("#parcel-packed:not([disabled])")
    try await wait("#parcel-state .message[data-tone=good]")
  }

  func walk() async throws {
    try await click("[data-nav=walk]")
    try await type("Spring", "#walk-new")
    try await choose("cupertino", "#walk-place")
    try await type("37.3230, -122.0322", "#walk-at")
    try await type("0", "#walk-accuracy")
    try await file("s.png", "#walk-drop-file")
    try await wait("#walk-answer [data-do=tick]")
    _ = try await station.client.upload(
      "/api/walks/picture?name=Autumn&place=cupertino",
      try #require(sandbox.bytes(of: "c.png")), type: "image/png")
    try await browser.reload()
    try await choose("Autumn", "#walk-name")
    try await wait("#walk-pdf[href*=Autumn]")
    try await choose("Spring", "#walk-name")
    try await wait("#walk-pdf[href*=Spring]")
    try await click("#walk-page")
    // The report's own tab is in front now, and a tab behind it draws nothing.
    try await browser.bringToFront()
    try await download("#walk-pdf")
    try await click("#walk-keep")
    try await wait("#walk-answer:not(:has(#walk-keep))")
    try await dialog("tick", by: ".found:first-child [data-do=tick]", "tick") {
      try await tick("[value=replaced]", "[value=installed]", "[value=read]")
      try await type("seen", "#tick-note")
    }
    try await choose("done", "#walk-filter")
    try await click("[data-do=untick]")
    try await wait("#walk-answer:not(:has(.found))")
    try await choose("open", "#walk-filter")
  }

  func findings() async throws {
    try await click("[data-do=follow]")
    try await wait(".found [data-do=assign]")
    try await click("[data-do=all-findings]")
    try await wait("#findings-state")
    try await dialog("assign", by: ".found:first-child [data-do=assign]", "assign") {
      try await type("Ada", "#finding-owner")
      try await type("12012026", "#finding-due")
      try await type("soon", "#finding-note")
    }
    try await choose("Ada", "#findings-owner")
    try await choose("cupertino", "#findings-place")
    try await click("[data-do=history]")
    try await click("[data-do=statistics]")
    try await browser.picture("findings")
    try await dialog("close", by: ".found:first-child [data-do=done]", "close") {
      try await tick("[value=done]", "[value=will-not]")
      try await type("agreed", "#finding-note")
    }
    try await choose("will-not", "#findings-state")
    try await click("[data-do=reopen]")
    try await wait("#findings:not(:has(.found))")
    try await click("[data-nav=findings]")
    try await wait("#findings-state")
  }

  func poster() async throws {
    try await click("[data-nav=print]")
    try await wait("#poster-preview img")
    try await choose("", "#poster-experience")
    try await choose("0", "#poster-experience")
    try await choose("san-francisco", "#poster-place")
    try await choose("cupertino", "#poster-place")
    try await tick("[value=bold]", "[value=editorial]", "[value=classic]")
    try await choose("A5", "#poster-paper")
    try await choose("yes", "#poster-landscape")
    try await choose("de", "#poster-language")
    try await choose("beside", "#poster-appClipCode")
    try await choose("", "#poster-appClipCode")
    try await file("c.png", "#poster-logo")
    try await click("#logo-remove")
    for name in ["headline", "brand", "callToAction", "placeName"] {
      try await type("Words", "#poster-\(name)")
    }
    try await tick("[name=nfcTarget]", "[name=smallPrint]")
    try await choose("item", "#poster-shownName")
    try await choose("tail", "#poster-shownName")
    try await click("#poster-form [data-do=more]")
    for name in ["accent", "ink", "foreground", "background"] {
      // The system's window for colours is not part of the page.
      try await browser.run(
        """
        const picker = document.getElementById("poster-\(name)");
        picker.value = "#123456";
        for (const kind of ["input", "change"]) picker.dispatchEvent(new Event(kind, {bubbles: true}));
        """)
      try await click("[data-do=reset-\(name)]")
    }
    try await type("2", "#poster-distance")
    try await browser.clear("#poster-distance")
    try await type("60", "#poster-width")
    try await tick("[name=unregistered]:is(#poster *)", "[name=strict]:is(#poster *)")
    // Both exclude each other, and the advice leads to the first.
    try await click("#poster-result [data-do=advice]")
    try await wait("[name=unregistered]:focus")
    try await tick("[name=unregistered]:is(#poster *)", "[name=strict]:is(#poster *)")
    // The last preview is that of the last change.
    try await type("/table/7", "#poster-url")
    try await wait("#poster-preview img[alt*='/table/7']")
    try await click("#poster-prove")
    try await wait("#poster-result table")
    try await click("#poster-make")
    try await download("#poster-result [data-do=download]")
    try await type("nothing has this", "#code-search")
    try await wait("#codes .empty")
  }

  func sheet() async throws {
    try await click("#tab-sheet")
    try await file("labels.csv", "#sheet-drop-file")
    try await type("6", "#sheet-words")
    try await tick("[name=template][value='Avery L7163']")
    try await wait("#sheet-grid .spot")
    try await tick("[data-do=caption]")
    try await tick(
      "[name=itemName]:is(#sheet *)", "[name=cutMarks]:is(#sheet *)",
      "[name=outlines]:is(#sheet *)")
    try await click(".spot:nth-of-type(3)")
    try await wait(".spot:nth-of-type(3)[aria-checked=true]")
    try await type("0", "#sheet-copies")
    try await browser.clear("#sheet-copies")
    try await type("2", "#sheet-copies")
    try await tick("[name=unregistered]:is(#sheet *)")
    try await click("#sheet-result [data-do=warned]")
    try await click("#sheet-make")
    try await download("#sheet-result [data-do=download]")
    try await file("many.csv", "#sheet-drop-file")
    try await click("[data-do=cancel-work]")
    try await wait("#sheet-result:not(:has(.working))")
    try await click("#tab-poster")
    try await wait("#tab-poster[aria-selected=true]")
  }

  func reader() async throws {
    try await click("[data-nav=reader]")
    try await wait(".check-item")
    try await browser.run("document.querySelector('.check-item').remove()")
    try await click("#look-again")
    try await wait(".check-item:first-child")
  }

  /// The session ends.
  func end() async throws {
    try await browser.forgetCookies()
    try await click("#look-again")
    try await click("#session-again")
    try await click("[data-do=leave-error]")
    try await wait("body[data-page=error]")
  }
}
