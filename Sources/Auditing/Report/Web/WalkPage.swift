package import CodeDrawing
import Foundation
import Invocation
import Registry

/// What walks found, as one web page for a manager: first the answer, then what to do, and at the
/// end everything on which both rest.
///
/// The page is one file that loads nothing, runs nothing, and shows every text from outside as
/// text; it reads well in light and in dark, on a phone, on paper, and aloud. It goes out piece by
/// piece, with one picture in memory at a time.
package struct WalkPage {
  /// What was found.
  package let report: WalkReport
  /// Where pictures and stops come from.
  package let material: WalkMaterial

  /// More stops than this are folded away until somebody asks for them.
  static let mostOpenStops = 200

  /// Describes a page.
  package init(_ report: WalkReport, material: WalkMaterial) {
    self.report = report
    self.material = material
  }

  /// Writes the page.
  ///
  /// - Parameter sink: Where the bytes go.
  /// - Returns: The sink, which has all bytes.
  /// - Throws: What the sink or the material throws. Cancelling the task ends the writing.
  package func write<Sink: ByteSink>(to sink: Sink) throws -> Sink {
    var output = Output(sink: sink)
    let exhibits = report.exhibits
    let numbers = Dictionary(
      exhibits.enumerated().map { (WalkReport.ExhibitKey($1.stop), $0 + 1) },
      uniquingKeysWith: { first, _ in first })
    let map = WalkMap(of: report)
    try output.put(head)
    try output.put(header(hasMap: map != nil, pictures: exhibits.count))
    try output.put("<main>\n")
    try writeFindings(to: &output, pictures: numbers)
    if let map { try output.put(self.map(map)) }
    try output.put(places)
    try writePictures(exhibits, to: &output)
    try output.put(unvisited)
    try writeStops(to: &output)
    try output.put("</main>\n\(footer)</body>\n</html>\n")
    return output.sink
  }

  /// Text on its way to a sink.
  struct Output<Sink: ByteSink> {
    var sink: Sink

    mutating func put(_ text: String) throws { try sink.write(Array(text.utf8)) }
  }

  // MARK: Parts

  private var head: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; \
    style-src 'unsafe-inline'">
    <meta name="referrer" content="no-referrer">
    <meta name="color-scheme" content="light dark">
    <title>\(Self.text(report.title.nameForPeople)): walk report</title>
    <style>
    \(Self.style)
    </style>
    </head>
    <body>

    """
  }

  private func header(hasMap: Bool, pictures: Int) -> String {
    var facts = [report.days ?? "No stops yet"]
    if !report.walkers.isEmpty {
      let names = report.walkers.prefix(12).map { Self.name($0) }
      let rest = report.walkers.count - names.count
      facts.append("walked by " + Counted.list(names + (rest > 0 ? ["\(rest) more"] : [])))
    }
    facts.append(Counted.text(report.stopCount, "stop"))
    var links = [("todo", "What to do")]
    if hasMap { links.append(("map", "Map")) }
    if !report.sections.isEmpty { links.append(("places", "Places")) }
    if pictures > 0 { links.append(("pictures", "Pictures")) }
    if !report.unvisited.isEmpty { links.append(("unvisited", "Not visited")) }
    links.append(("stops", "All stops"))
    return """
      <header>
      <p class="eyebrow">Walk report</p>
      <h1>\(Self.name(report.title))</h1>
      <p class="facts">\(facts.joined(separator: " · "))</p>
      <p class="answer \(report.standing.rawValue)">\(Self.sign(report.severity))\
      <span>\(Self.text(report.answer))</span></p>
      \(figures)
      <nav aria-label="On this page">\
      \(links.map { "<a href=\"#\($0.0)\">\($0.1)</a>" }.joined(separator: " "))</nav>
      </header>

      """
  }

  private var figures: String {
    func figure(_ title: String, _ count: Int, of all: Int? = nil, _ kind: String) -> String {
      let total = all.map { "<small> of \(Counted.grouped($0))</small>" } ?? ""
      return "<div class=\"\(count > 0 || all != nil ? kind : "none")\"><dt>\(title)</dt>"
        + "<dd>\(Counted.grouped(count))\(total)</dd></div>"
    }
    let figures = [
      figure("Where they belong", report.seenCount, of: report.expectedCount, "fine"),
      figure("Missing", report.missingCount, "error"),
      figure("Wrong", report.wrongCount, "error"),
      figure("Need a look", report.doubtfulCount, "warning"),
      figure("Places not visited", report.unvisited.count, "warning"),
    ]
    return "<dl class=\"figures\">\(figures.joined(separator: "\n"))</dl>"
  }

  private var unvisited: String {
    guard !report.unvisited.isEmpty else { return "" }
    let names = report.unvisited.map { "<li>\(Self.name($0.name))</li>" }
    return """
      <section id="unvisited" aria-labelledby="unvisited-title">
      <h2 id="unvisited-title">Not visited</h2>
      <p>Codes should hang at \(Counted.text(report.unvisited.count, "more place")), where no stop \
      was made. Nothing is known of them.</p>
      <ul class="columns">
      \(names.joined(separator: "\n"))
      </ul>
      </section>

      """
  }

  private var footer: String {
    """
    <footer><p>Made on \(WalkReport.Day(report.made).text) by cliptag from its registry. Days and \
    times are in UTC.</p></footer>

    """
  }

  // MARK: Words

  /// Text as it stands between tags or in an attribute.
  static func text(_ text: String) -> String { xmlEscaped(text) }

  /// A name, whose direction of writing turns nothing around it.
  static func name(_ text: String) -> String { "<bdi>\(xmlEscaped(text.nameForPeople))</bdi>" }

  /// A payload, which may be broken where a URL has a joint.
  static func payload(_ text: String) -> String {
    var parts = [""]
    for scalar in text.payloadForPeople.unicodeScalars {
      parts[parts.count - 1].unicodeScalars.append(scalar)
      if "/?&=,;".unicodeScalars.contains(scalar) { parts.append("") }
    }
    return "<code dir=\"ltr\">\(parts.map(xmlEscaped).joined(separator: "<wbr>"))</code>"
  }

  /// A sentence that may hold names of any direction.
  static func sentence(_ text: String) -> String {
    "<span dir=\"auto\">\(xmlEscaped(text.sentenceForPeople))</span>"
  }

  /// The sign of a severity; beside it stand words.
  static func sign(_ severity: Finding.Severity?) -> String {
    let path = MapSign.path(severity, centre: DrawingPoint(x: 12, y: 12), radius: 9)
    let strokes =
      switch severity {
      case .error: "M8 8L16 16M16 8L8 16"
      case .warning: "M12 8.5V14M12 16.6V18"
      case .note: "M12 11V17M12 7V8.6"
      case nil: "M7.5 12.5L10.8 16L16.5 8.5"
      }
    let ink = MapSign.ink(severity).rawValue
    return "<svg class=\"sign\" viewBox=\"0 0 24 24\" aria-hidden=\"true\">"
      + "<path class=\"ink-\(ink)\" d=\"\(path.svg)\"/>"
      + "<path class=\"stroke-\(ink)\" d=\"\(strokes)\"/></svg>"
  }

  /// Where a stop stands in the appendix.
  func anchor(_ number: Int, of walk: Walk.ID) -> String {
    let index = report.walks.firstIndex { $0.id == walk } ?? report.walks.count
    return "stop-\(index + 1)-\(number)"
  }
}

extension WalkReport {
  /// The gravest of all that was found; `nil` for nothing.
  var severity: Finding.Severity? { sections.lazy.compactMap(\.severity).max() }

  /// How a report begins.
  enum Standing: String {
    case error, warning, fine
  }

  var standing: Standing {
    switch severity {
    case .error: .error
    case .warning: .warning
    case .note, nil: stopCount == 0 ? .warning : .fine
    }
  }
}
