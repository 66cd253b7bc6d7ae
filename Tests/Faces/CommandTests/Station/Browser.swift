import Foundation
import Subprocess
import Testing

/// Debian's Chromium, driven by its chromedriver (W3C WebDriver, level 1).
///
/// Missing elements are waited for, at most ``patience`` long; there are no fixed delays.
final class Browser: Sendable {
  private let http: LoopbackHTTP
  private let session: String

  private static let patience = 180_000

  static let isThere = ["chromium", "chromedriver"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
  }

  fileprivate init(port: UInt16, profile: String, scripts: Bool) async throws {
    http = LoopbackHTTP(port: port)
    let arguments: [JSON] = [
      // The tests may be run by root, which Chromium's own sandbox does not allow.
      "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
      "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync",
      "--disable-default-apps", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
      "--force-prefers-reduced-motion", .string("--user-data-dir=\(profile)"),
    ]
    var options: [String: JSON] = ["args": .array(arguments), "binary": "/usr/bin/chromium"]
    if !scripts {
      options["prefs"] = .object(["profile.managed_default_content_settings.javascript": 2])
    }
    let limit = JSON.number(Double(Self.patience))
    let wanted: JSON = .object([
      "capabilities": .object([
        "alwaysMatch": .object([
          "goog:chromeOptions": .object(options),
          "goog:loggingPrefs": .object(["browser": "ALL"]),
          "timeouts": .object(["implicit": limit, "script": limit, "pageLoad": limit]),
        ])
      ])
    ])
    let made = try await Self.ask(http, "POST", "/session", wanted)
    session = try #require(made["sessionId"].text, "\(made)")
  }

  private static func ask(
    _ http: LoopbackHTTP, _ method: String, _ path: String, _ body: JSON? = nil
  ) async throws -> JSON {
    let bytes = try body.map { Array(try JSONEncoder().encode($0)) } ?? []
    let answer = try await http.send(
      method, path, headers: ["Content-Type": "application/json"], body: bytes)
    let value = try answer.json["value"]
    guard answer.status == 200 else {
      throw LoopbackHTTP.Trouble(
        description: "\(value["error"].text ?? "")\n\(value["message"].text ?? "")")
    }
    return value
  }

  @discardableResult
  private func ask(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> JSON {
    try await Self.ask(http, method, "/session/\(session)\(path)", body)
  }

  /// Closes every window.
  fileprivate func quit() async throws { try await ask("DELETE", "") }

  // MARK: Windows

  func open(_ url: String) async throws {
    try await ask("POST", "/url", .object(["url": .string(url)]))
  }

  var url: String { get async throws { try await ask("GET", "/url").text ?? "" } }

  func reload() async throws { try await ask("POST", "/refresh", .object([:])) }

  /// The present window.
  var window: JSON { get async throws { try await ask("GET", "/window") } }

  /// Opens another window, which becomes the present one.
  func openWindow() async throws -> JSON {
    let window = try await ask("POST", "/window/new", .object(["type": "window"]))["handle"]
    try await look(at: window)
    return window
  }

  func look(at window: JSON) async throws {
    try await ask("POST", "/window", .object(["handle": window]))
  }

  /// Shows pages as a screen of that width does.
  func resize(to width: Int, height: Int = 900) async throws {
    try await command(
      "Emulation.setDeviceMetricsOverride",
      [
        "width": .number(Double(width)), "height": .number(Double(height)), "deviceScaleFactor": 1,
        "mobile": false,
      ])
  }

  /// Prefers light or dark pages.
  func prefer(_ scheme: String) async throws {
    try await command(
      "Emulation.setEmulatedMedia",
      ["features": .array([.object(["name": "prefers-color-scheme", "value": .string(scheme)])])])
  }

  /// Runs a script on each page that is opened from now on, before the page's own.
  func runOnEveryPage(_ script: String) async throws {
    try await command("Page.addScriptToEvaluateOnNewDocument", ["source": .string(script)])
  }

  /// Gives pages the position of the computer.
  func locate(latitude: Double, longitude: Double) async throws {
    try await command("Browser.grantPermissions", ["permissions": .array(["geolocation"])])
    try await command(
      "Emulation.setGeolocationOverride",
      ["latitude": .number(latitude), "longitude": .number(longitude), "accuracy": 10])
  }

  /// Puts files that links lead to into a folder.
  func download(into folder: String) async throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try await command(
      "Browser.setDownloadBehavior", ["behavior": "allow", "downloadPath": .string(folder)])
  }

  /// Shows the present window before its other tabs.
  func bringToFront() async throws { try await command("Page.bringToFront", [:]) }

  func forgetCookies() async throws { try await ask("DELETE", "/cookie") }

  private func command(_ name: String, _ values: [String: JSON]) async throws {
    try await ask(
      "POST", "/goog/cdp/execute", .object(["cmd": .string(name), "params": .object(values)]))
  }

  // MARK: Elements

  /// The first element that a selector of CSS finds, once there is one.
  private func find(_ selector: String) async throws -> String {
    let found = try await ask(
      "POST", "/element", .object(["using": "css selector", "value": .string(selector)]))
    return try #require(found[found.keys.first ?? ""].text)
  }

  /// Waits until a selector finds something.
  func wait(for selector: String) async throws { _ = try await find(selector) }

  /// Waits until an expression of JavaScript is true.
  func wait(until condition: String) async throws {
    try await wait { try await run("return Boolean(\(condition))") == true }
  }

  /// Waits until a condition holds. Each look at the page in between takes some time.
  func wait(_ isSo: () async throws -> Bool) async throws {
    let end = ContinuousClock.now + .milliseconds(Self.patience)
    while try await !isSo() {
      guard ContinuousClock.now < end else {
        throw LoopbackHTTP.Trouble(description: "what was waited for did not come")
      }
      _ = try await url
    }
  }

  /// Does something with the element that a selector finds. A page that draws itself anew meanwhile
  /// puts another in its place, which is found then.
  @discardableResult
  private func element(
    _ selector: String, _ method: String, _ verb: String, _ body: JSON? = nil
  ) async throws -> JSON {
    for _ in 1..<20 {
      do {
        return try await ask(method, "/element/\(try await find(selector))/\(verb)", body)
      } catch let error as LoopbackHTTP.Trouble
        where error.description.hasPrefix("stale element reference")
      {
        continue
      }
    }
    return try await ask(method, "/element/\(try await find(selector))/\(verb)", body)
  }

  func click(_ selector: String) async throws {
    // In the middle of the window no fixed element covers it.
    try await run(
      "document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", on: selector)
    try await element(selector, "POST", "click", .object([:]))
  }

  /// Types into a field, or sets the file of a place for files.
  func type(_ text: String, into selector: String) async throws {
    try await element(selector, "POST", "value", .object(["text": .string(text)]))
  }

  /// Empties a field.
  func clear(_ selector: String) async throws {
    try await element(selector, "POST", "clear", .object([:]))
  }

  func text(_ selector: String) async throws -> String {
    try await element(selector, "GET", "text").text ?? ""
  }

  private func run(_ script: String, on selector: String) async throws {
    try await wait(for: selector)
    try await perform(script, [.string(selector)])
  }

  @discardableResult
  private func perform(_ script: String, _ values: [JSON]) async throws -> JSON {
    try await ask(
      "POST", "/execute/sync", .object(["script": .string(script), "args": .array(values)]))
  }

  /// Runs a script and returns its result.
  @discardableResult
  func run(_ script: String) async throws -> JSON { try await perform(script, []) }

  /// Runs a script that calls its last argument when it is done.
  func runUntilDone(_ script: String) async throws -> JSON {
    try await ask(
      "POST", "/execute/async", .object(["script": .string(script), "args": .array([])]))
  }

  /// Presses keys one after another, as a keyboard does.
  func press(_ keys: String...) async throws {
    let actions: [JSON] = keys.flatMap { key in
      ["keyDown", "keyUp"].map { .object(["type": .string($0), "value": .string(key)]) }
    }
    try await ask(
      "POST", "/actions",
      .object([
        "actions": .array([
          .object(["type": "key", "id": "keyboard", "actions": .array(actions)])
        ])
      ]))
  }

  enum Key {
    static let tab = "\u{E004}", enter = "\u{E007}", escape = "\u{E00C}"
  }

  // MARK: Observations

  /// Returns the browser's complaints since the last call: errors of scripts, and refusals of the
  /// content policy or the server.
  func complaints() async throws -> [String] {
    try await ask("POST", "/se/log", .object(["type": "browser"])).elements
      .filter {
        $0["level"] == "SEVERE" || $0["message"].text?.contains("Content Security") == true
      }
      .compactMap { $0["message"].text }
  }

  /// Keeps a picture of the window among the outputs of the build.
  func picture(_ name: String) async throws {
    let folder = Repository.path(".build/station-screenshots")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let text = try #require(try await ask("GET", "/screenshot").text)
    try #require(Data(base64Encoded: text)).write(to: URL(filePath: "\(folder)/\(name).png"))
  }

  /// Returns the barriers to using the page that axe-core finds.
  func barriers() async throws -> [String] {
    let axe = try String(contentsOfFile: Repository.path(".build/axe/axe.min.js"), encoding: .utf8)
    try await run(axe)
    let found = try await runUntilDone(
      """
      const done = arguments[arguments.length - 1];
      axe.run(document, {resultTypes: ["violations"]}).then(
        (found) => done(found.violations.map(
          (one) => `${one.id}: ${one.nodes.map((node) => node.target.join(" ")).join(", ")}`)),
        (error) => done([String(error)]));
      """)
    return found.elements.compactMap(\.text)
  }
}

extension Sandbox {
  /// Runs a browser whose files lie in this world while `body` uses it, and ends it.
  func browser(
    scripts: Bool = true, _ body: @escaping @Sendable (Browser) async throws -> Void
  ) async throws {
    let profile = root + "/browser"
    // A crashed test leaves neither chromedriver nor what it started.
    _ = try await startShell(
      "exec chromedriver --port=0 2>&1", [], environment: ["PATH": "/usr/bin:/bin"]
    ) { running in
      var port: UInt16?
      while port == nil, let line = try await running.line() {
        port = line.firstMatch(of: /successfully on port (\d+)/).flatMap { UInt16($0.1) }
      }
      let browser = try await Browser(
        port: try #require(port, "chromedriver said no port"), profile: profile, scripts: scripts)
      do {
        try await body(browser)
      } catch {
        try? await browser.picture("failed")
        try? await browser.quit()
        try? running.send(.terminate)
        throw error
      }
      try await browser.quit()
      try? running.send(.terminate)
      _ = try await running.remainingLines()
    }
  }
}
