import CliptagBasics
package import CodeDrawing
import Foundation
import Invocation
import Pictures
import Registry

/// The report of walks as one web page for a manager, or printed: first the answer, then the tasks,
/// and finally the evidence for both. ``ReportOutline`` has the texts.
///
/// The page is one file that loads and runs nothing, and shows every external text as text; it
/// supports light and dark mode, phones, print, and screen readers. It is written piece by piece,
/// with one picture in memory at a time.
package struct WalkPage {
  private let outline: ReportOutline
  private let material: WalkMaterial
  /// The address that opens a finding; `nil` if none does.
  private let link: FindingLink?
  /// The sheet to be printed on; `nil` for a screen.
  private var paper: PrintedPaper?
  private var report: WalkReport { outline.report }

  /// With more stops than this, the list of stops is initially collapsed.
  private static let mostOpenStops = 200
  /// The maximum number of stops that are printed; more would fill a hundred sheets.
  private static let mostPrintedStops = 500

  /// Describes a page.
  ///
  /// - Parameters:
  ///   - report: The report.
  ///   - material: The source of pictures and stops.
  ///   - link: The address that opens a finding: a link on a screen, a QR code on paper.
  package init(_ report: WalkReport, material: WalkMaterial, link: FindingLink? = nil) {
    outline = ReportOutline(of: report)
    self.material = material
    self.link = link
  }

  /// Prints the page, with the places first and a sheet to take along for each.
  ///
  /// - Parameters:
  ///   - size: The sheet, at least 120 mm wide and 160 mm high.
  ///   - creationTime: The creation time in the document, in seconds since 1970; `nil` for none.
  /// - Returns: The bytes of the PDF file; the same report gives the same bytes.
  /// - Throws: `CodeDrawingError` with `invalidPaper` for a sheet that is too small, `PictureError`
  ///   with `rendererMissing` without WeasyPrint, or the errors of the material. Cancelling the task
  ///   ends the work.
  package func pdf(on size: PaperSize, creationTime: Int?) async throws -> [UInt8] {
    guard size.width >= 120, size.height >= 160 else {
      throw CodeDrawingError.paperTooSmall(size, for: "a report")
    }
    var page = self
    page.paper = PrintedPaper(
      size: size, margin: 16, creationTime: creationTime,
      margins: """
        font: 2.7mm "Noto Sans", sans-serif; color: #565f69;
        @top-left { content: "\\200E" string(title) " · walk report"; }
        @bottom-left { content: \(PrintedPaper.string(outline.footer("."))); }
        @bottom-right { content: "Page " counter(page); }
        """)
    return try await DocumentRenderer(limits: .ownPages)
      .print(page.write(to: MemorySink()).bytes, named: "the report")
  }

  /// Writes the page.
  ///
  /// - Parameter sink: The destination of the bytes.
  /// - Returns: The sink with all bytes written.
  /// - Throws: The errors of the sink or the material. Cancelling the task ends the writing.
  package func write<Sink: ByteSink>(to sink: Sink) throws -> Sink {
    var output = Output(sink: sink)
    let map = WalkMap(of: report).flatMap { $0.tellsSomething ? $0 : nil }
    try output.put(head)
    try output.put(header)
    try output.put("<main>\n")
    var shots: [Int: PictureMarks] = [:]
    if !isDivided { try writeFindings(to: &output, &shots) }
    if paper == nil { try output.put(contents(hasMap: map != nil)) }
    if let map { try output.put(self.map(map)) }
    try output.put(places)
    if isDivided { try writeFindings(to: &output, &shots) }
    try writePictures(to: &output, &shots)
    try output.put(right)
    try output.put(unvisited)
    try writeStops(to: &output)
    try output.put("</main>\n\(footer)</body>\n</html>\n")
    return output.sink
  }

  /// Text being written to a sink.
  private struct Output<Sink: ByteSink> {
    var sink: Sink

    mutating func put(_ text: String) throws { try sink.write(Array(text.utf8)) }
  }

  /// Whether the places are listed first, each with sheets further down.
  private var isDivided: Bool { paper != nil && outline.troubled.count > 1 }

  // MARK: The answer

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
    <meta name="generator" content="cliptag">
    <meta name="description" content="\(xmlEscaped(report.answer))">
    <title>\(xmlEscaped(outline.title.plain)): walk report</title>
    \(paper?.creation ?? "")<style>
    \(Self.style)\(paper?.style ?? "")
    </style>
    </head>
    <body>

    """
  }

  private var header: String {
    """
    <header>
    <p class="eyebrow">\(outline.kind)</p>
    <h1>\(markup(outline.title))</h1>
    <p class="facts">\(joined(outline.facts))</p>
    <p class="answer \(report.standing.rawValue)">\(Self.sign(report.severity))\
    <span>\(xmlEscaped(report.answer))</span></p>
    \(paper == nil ? "" : figures)\(overview)</header>

    """
  }

  /// The maximum number of places named in the overview; others are named further down only.
  private static let mostNamedPlaces = 8

  /// The places with tasks, the most severe first.
  private var overview: String {
    let troubled = outline.troubled
    guard troubled.count > 1 else { return "" }
    var links = troubled.prefix(paper == nil ? Self.mostNamedPlaces : troubled.count).enumerated()
      .map { index, section in
        "<a href=\"#place-\(index + 1)\">\(Self.sign(section.severity))"
          + "<bdi>\(xmlEscaped(section.title))</bdi> <b>\(section.summary)</b></a>"
      }
    let rest = troubled.count - links.count
    if rest > 0 {
      links.append("<a href=\"#places\">\(Counted.text(rest, "more place"))</a>")
    }
    return (isDivided ? "<h2>\(outline.findingsHeading)</h2>\n" : "")
      + "<nav class=\"overview\" aria-label=\"Where something is to be done\">"
      + "\(links.joined(separator: "\n"))</nav>\n"
  }

  /// The links to the parts after the tasks.
  private func contents(hasMap: Bool) -> String {
    var links: [(String, String)] = []
    if hasMap { links.append(("map", outline.mapHeading)) }
    if !report.sections.isEmpty { links.append(("places", outline.placesHeading)) }
    if !outline.exhibits.isEmpty { links.append(("pictures", outline.picturesHeading)) }
    if !report.putRight.isEmpty { links.append(("right", outline.rightHeading)) }
    if !report.unvisited.isEmpty { links.append(("unvisited", outline.unvisitedHeading)) }
    links.append(("stops", outline.stopsHeading))
    return "<nav class=\"contents\" aria-label=\"On this page\">"
      + links.map { "<a href=\"#\($0.0)\">\($0.1)</a>" }.joined(separator: " ") + "</nav>\n"
  }

  private var figures: String {
    let figures = outline.figures.map { figure in
      let total = figure.all.map { "<small> of \(Counted.grouped($0))</small>" } ?? ""
      return "<div class=\"\(figure.matters ? figure.standing.rawValue : "none")\">"
        + "<dt>\(figure.title)</dt><dd>\(Counted.grouped(figure.count))\(total)</dd></div>"
    }
    return "<dl class=\"figures\">\(figures.joined(separator: "\n"))</dl>"
  }

  /// A part of the page with its heading.
  private func section(_ id: String, _ heading: String) -> String {
    """
    <section id="\(id)" aria-labelledby="\(id)-title">
    <h2 id="\(id)-title">\(heading)</h2>

    """
  }

  // MARK: Tasks

  private func writeFindings<Sink: ByteSink>(
    to output: inout Output<Sink>, _ shots: inout [Int: PictureMarks]
  ) throws {
    try output.put(
      isDivided
        ? "<section id=\"todo\" class=\"sheets\">\n" : section("todo", outline.findingsHeading))
    if let nothing = outline.nothing { try output.put("<p class=\"nothing\">\(nothing)</p>\n") }
    for (index, section) in outline.troubled.enumerated() {
      try Task.checkCancellation()
      let facts = [outline.facts(of: section), outline.position(of: section)].compactMap(\.self)
      try output.put(
        """
        <article class="place" id="place-\(index + 1)">
        <h3><bdi>\(xmlEscaped(section.title))</bdi></h3>
        <p class="facts">\(facts.joined(separator: " · "))</p>

        """)
      for group in section.groups {
        for job in group.jobs {
          if let number = outline.number(ofPictureOf: job.lead) {
            try write(shot: number, to: &output, &shots)
          }
        }
        try output.put(element(group, at: section.place, shots))
      }
      try output.put(
        "<p class=\"handout\">\(outline.doneBy) <span></span> \(outline.doneOn) <span></span></p>\n"
          + "</article>\n")
    }
    try output.put("</section>\n")
  }

  /// Writes a picture once, as the style of all elements that show it or a part of it.
  private func write<Sink: ByteSink>(
    shot number: Int, to output: inout Output<Sink>, _ shots: inout [Int: PictureMarks]
  ) throws {
    guard shots[number] == nil else { return }
    let exhibit = outline.exhibits[number - 1]
    let picture = try material.picture(exhibit.stop.walk, exhibit.stop.number)
    guard let picture, picture.jpeg.starts(with: [0xFF, 0xD8, 0xFF]), picture.width > 0,
      picture.height > 0
    else { return }
    shots[number] = PictureMarks(exhibit, on: picture)
    try output.put("<style>.shot-\(number) { background-image: url(data:image/jpeg;base64,")
    try output.put(Data(picture.jpeg).base64EncodedString())
    try output.put("); }</style>\n")
  }

  private func element(
    _ group: WalkReport.PlaceSection.Group, at place: Place?, _ shots: [Int: PictureMarks]
  ) throws -> String {
    let advice = outline.advice(of: group).map { "<p class=\"advice\">\($0)</p>\n" } ?? ""
    let isMissing = group.code == .missingCode
    let beginning = outline.commonBeginning(of: group)
    let count =
      group.jobs.count == 1
      ? "" : " <span class=\"count\">\(Counted.grouped(group.jobs.count))</span>"
    let jobs = try group.jobs.map { job in
      isMissing
        ? try line(job, at: place, behind: beginning) : try element(job, at: place, shots)
    }
    return """
      <div class="group \(group.severity.rawValue)">
      <h4>\(Self.sign(group.severity))<span class="unseen">\(group.severity.word): </span>\
      \(xmlEscaped(group.code.title))\(count)</h4>
      \(advice)\(beginning.map { "<p class=\"facts\">\(Self.broken($0))…</p>\n" } ?? "")\
      <ul class="\(isMissing ? "lines" : "jobs")">
      \(jobs.joined())</ul>
      </div>

      """
  }

  private static let box = "<input type=\"checkbox\" aria-label=\"Done\">"

  /// The facts of a job and of what follows it up, and the QR code that opens it, on paper.
  private func following(
    _ job: WalkReport.PlaceSection.Job, at place: Place?
  ) throws -> (facts: String, code: String) {
    let facts = outline.facts(of: job)
    guard let (id, followUp) = outline.followUp(of: job, at: place) else {
      return (joined(facts), "")
    }
    let own = outline.facts(of: id, followUp)
    guard let link else { return (joined(facts + own), "") }
    let address = link.address(of: id)
    return (
      (facts.map(markup) + ["<a href=\"\(xmlEscaped(address))\">\(joined(own))</a>"])
        .joined(separator: " · "),
      paper == nil
        ? "" : "<img class=\"opens\" alt=\"\" src=\"\(try FindingLink.picture(of: address))\">"
    )
  }

  private func element(
    _ job: WalkReport.PlaceSection.Job, at place: Place?, _ shots: [Int: PictureMarks]
  ) throws -> String {
    let number = outline.number(ofPictureOf: job.lead)
    let detail = number.flatMap { number in
      shots[number]?.svg(ofReading: job.lead.reading, shot: number)
    }
    let payload = outline.payload(of: job).map { Self.broken($0) + "\n" } ?? ""
    let sentences = outline.sentences(of: job).map { "<p>\(markup(.sentence($0)))</p>\n" }
    let (facts, code) = try following(job, at: place)
    let classes = [detail.map { _ in "pictured" }, code.isEmpty ? nil : "coded"]
    return """
      <li class="\(classes.compactMap(\.self).joined(separator: " "))">\(Self.box)\(detail ?? "")<div>\(code)\(payload)\
      \(sentences.joined())<p class="facts">\(facts)</p></div></li>

      """
  }

  /// A code that was not read, on one line.
  private func line(
    _ job: WalkReport.PlaceSection.Job, at place: Place?, behind beginning: String?
  ) throws -> String {
    let payload =
      outline.payload(of: job).map {
        Self.broken(beginning == nil ? $0 : "…" + $0.dropFirst(beginning?.count ?? 0)) + " "
      } ?? ""
    let sentences = outline.sentences(of: job).map { markup(.sentence($0)) }
    let (facts, code) = try following(job, at: place)
    return """
      <li\(code.isEmpty ? "" : " class=\"coded\"")>\(Self.box)<div>\(code)\(payload)<span class="facts">\
      \((sentences + [facts]).joined(separator: " "))</span></div></li>

      """
  }

  // MARK: Map and places

  /// The maps with the legend of their signs.
  private func map(_ map: WalkMap) -> String {
    let maps: String
    if map.hasOverview {
      let all =
        [map.overview(width: paper?.width ?? 92)]
        + map.helpfulPanels(width: paper.map { ($0.width - 6) / 2 } ?? 92)
      maps = "<div class=\"maps\">\(all.map(figure).joined())</div>"
    } else {
      // The text of the wide map would be too small on a phone.
      let wide = map.helpfulPanels(width: paper?.width ?? 180)
      let narrow = paper == nil ? map.helpfulPanels(width: 92) : []
      maps =
        (wide.map { "<div class=\"wide\">\(figure($0))</div>" }
        + narrow.map { "<div class=\"narrow\">\(figure($0))</div>" }).joined()
    }
    let legend = outline.signs.map { "<span>\(Self.sign($0.severity)) \($0.meaning)</span>" }
      .joined(separator: " ")
    let walks = outline.walkers.map {
      "<span><b>\($0.letters)</b> \(markup(.name($0.name)))</span>"
    }
    return section("map", outline.mapHeading) + """
      \(maps)\
      <p class="legend">\(legend) <span>\(outline.note(on: map))</span></p>
      \(walks.isEmpty ? "" : "<p class=\"legend\">\(walks.joined(separator: " "))</p>\n")\
      \(outline.omission(in: map).map { "<p>\($0)</p>\n" } ?? "")</section>

      """
  }

  /// A map with its title. Printed names lie over the map, because the printer of drawings does not
  /// join the letters of scripts that need it.
  private func figure(_ panel: WalkMap.Panel) -> String {
    let size = "width:\(decimal(panel.width, places: 2))mm"
    let names = panel.marks.compactMap { mark -> String? in
      guard paper != nil, case .words(let words) = mark, words.ink == .placeName else { return nil }
      let (x, y) = (words.point.x, words.point.y - words.size * 0.9)
      return """
        <b class="\(words.anchor.rawValue)" style="left:\(decimal(x, places: 2))mm;\
        top:\(decimal(y, places: 2))mm;font-size:\(decimal(words.size, places: 2))mm">\
        \(xmlEscaped(words.text))</b>

        """
    }
    return """
      <figure class="panel\(panel.isOverview ? " all" : "")"\(paper == nil ? "" : " style=\"\(size)\"")>
      <figcaption>\(xmlEscaped(panel.title))</figcaption>
      <div>\(panel.svg(hasNames: paper == nil))\(names.joined())</div></figure>

      """
  }

  /// The expected and seen codes, place by place.
  private var places: String {
    guard !report.sections.isEmpty else { return "" }
    let rows = report.sections.map { section in
      let cells = outline.numbers(of: section).enumerated().map { index, number in
        let isBad = outline.badColumns.contains(index) && number > 0
        return "<td\(isBad ? " class=\"bad\"" : "")>\(Counted.grouped(number))</td>"
      }
      return "<tr><th scope=\"row\">\(Self.sign(section.severity))"
        + "<bdi>\(xmlEscaped(section.title))</bdi></th>\(cells.joined())</tr>"
    }
    let columns = (["Place"] + outline.placesColumns).map { "<th scope=\"col\">\($0)</th>" }
    let totals = outline.totals.map { "<td>\(Counted.grouped($0))</td>" }.joined()
    return section("places", outline.placesHeading) + """
      \(paper == nil ? figures : "")
      <div class="scroll" role="region" aria-labelledby="places-title" tabindex="0">
      <table class="numbers">
      <caption>\(outline.placesCaption)</caption>
      <thead><tr>\(columns.joined())</tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody>
      <tfoot><tr><th scope="row">\(outline.totalsTitle)</th>\(totals)</tr></tfoot>
      </table>
      </div>
      </section>

      """
  }

  /// The findings of earlier walks that these saw right.
  private var right: String {
    let places = report.putRight
    guard !places.isEmpty else { return "" }
    let lines = places.map { place, followUps in
      let name = place.map { markup(.name($0.name)) } ?? "At no known place"
      let facts = followUps.map { joined(outline.facts(ofRight: $0)) }
      return "<li>\(name): \(facts.joined(separator: "; "))</li>"
    }
    return section("right", outline.rightHeading) + """
      <p>\(outline.rightSentence)</p>
      <ul class="right">
      \(lines.joined(separator: "\n"))
      </ul>
      </section>

      """
  }

  private var unvisited: String {
    guard !report.unvisited.isEmpty else { return "" }
    let names = report.unvisited.map { "<li>\(markup(.name($0.name)))</li>" }
    return section("unvisited", outline.unvisitedHeading) + """
      <p>\(outline.unvisitedSentence)</p>
      <ul class="columns">
      \(names.joined(separator: "\n"))
      </ul>
      </section>

      """
  }

  // MARK: Pictures

  private func writePictures<Sink: ByteSink>(
    to output: inout Output<Sink>, _ shots: inout [Int: PictureMarks]
  ) throws {
    guard !outline.exhibits.isEmpty else { return }
    try output.put(section("pictures", outline.picturesHeading) + "<div class=\"pictures\">\n")
    for (index, exhibit) in outline.exhibits.enumerated() {
      try Task.checkCancellation()
      try output.put("<figure class=\"picture\" id=\"picture-\(index + 1)\">\n")
      try write(shot: index + 1, to: &output, &shots)
      if let marks = shots[index + 1] {
        // Printed drawings have no text alternative.
        let words =
          paper == nil ? "" : "<p class=\"unseen\">\(marks.description)</p>"
        try output.put("<div class=\"shot\">\(marks.svg(shot: index + 1))\(words)</div>\n")
      } else {
        try output.put("<p class=\"nothing\">\(outline.noCopy)</p>\n")
      }
      try output.put(
        "<figcaption><h3>Picture \(index + 1)</h3> "
          + "<p class=\"facts\">\(joined(outline.facts(of: exhibit)))</p></figcaption>\n")
      try output.put(legend(of: exhibit))
      try output.put("</figure>\n")
    }
    try output.put("</div>\n</section>\n")
  }

  /// The legend of the numbers in the picture.
  private func legend(of exhibit: WalkReport.Exhibit) -> String {
    let legend = outline.legend(of: exhibit)
    var rows = legend.rows.map { row in
      let numbers = row.numbers.map { "<b class=\"number\">\($0)</b>" }.joined(separator: " ")
      let sign = numbers.isEmpty ? Self.sign(row.severity) : numbers
      let several = row.numbers.count > 1 ? " several" : ""
      return
        "<li class=\"\(row.severity?.rawValue ?? "")\(several)\">\(sign) "
        + "\(xmlEscaped(row.titles))</li>"
    }
    if let rest = legend.rest { rows.append("<li class=\"rest\">\(rest)</li>") }
    return "<ol class=\"legend-list\">\n\(rows.joined(separator: "\n"))\n</ol>\n"
  }

  // MARK: All stops

  /// Writes every stop of every walk, as the evidence for the report.
  ///
  /// On a phone the cells are stacked; the ARIA roles keep the semantics of a table.
  private func writeStops<Sink: ByteSink>(to output: inout Output<Sink>) throws {
    if paper != nil, report.stopCount > Self.mostPrintedStops {
      return try output.put(
        """
        \(section("stops", outline.stopsHeading))<p>There were \
        \(Counted.text(report.stopCount, "stop")), which are not printed here: the web page of this \
        report lists them.</p></section>

        """)
    }
    let isOpen = paper != nil || report.stopCount <= Self.mostOpenStops
    try output.put(
      section("stops", outline.stopsHeading)
        + "<details\(isOpen ? " open" : "")><summary>\(outline.stopsSummary)</summary>\n")
    for (index, walk) in report.walks.enumerated() {
      try output.put(
        """
        <div class="scroll" role="region" aria-label="Stops of walk \(index + 1)" tabindex="0">
        <table class="stops" role="table">
        <caption>\(markup(outline.title(ofWalk: index)))</caption>
        <thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Stop</th>\
        <th role="columnheader" scope="col">When and what</th>\
        <th role="columnheader" scope="col">Read</th>\
        <th role="columnheader" scope="col">Where</th></tr></thead>
        <tbody role="rowgroup">

        """)
      try material.forEachStop(walk.id) { stop in try output.put(row(stop)) }
      try output.put("</tbody>\n</table>\n</div>\n")
    }
    try output.put("</details>\n</section>\n")
  }

  private func row(_ stop: WalkStop) -> String {
    let places = outline.place(of: stop).map { line in
      let words = markup(line.words)
      return line.isRemark && stop.fix != nil ? "<small>\(words)</small>" : words
    }
    return """
      <tr role="row" id="\(anchor(stop.number, of: stop.walk))"><th role="rowheader" scope="row">\
      \(report.stopName(stop.number, of: stop.walk))</th>
      <td role="cell">\(outline.what(stop).map(markup).joined(separator: "<br>"))</td>
      <td role="cell">\(readings(of: stop))</td>
      <td role="cell">\(places.joined(separator: "<br>"))</td></tr>

      """
  }

  private func readings(of stop: WalkStop) -> String {
    var rows = outline.readings(of: stop).map { reading in
      let uid = reading.uid.map { "<br><span class=\"id\">UID \(xmlEscaped($0))</span>" } ?? ""
      let titles = xmlEscaped(reading.titles.joined(separator: ", "))
      return "<li>\(Self.sign(reading.verdict.severity))\(reading.number)"
        + "<span class=\"unseen\">\(reading.verdict.rawValue): </span>"
        + "\(markup(.payload(reading.payload)))\(uid)"
        + (titles.isEmpty ? "" : "<br><small>\(titles)</small>") + "</li>"
    }
    let remainder = outline.remainder(of: stop)
    if rows.isEmpty, stop.unreadCount == 0 { return remainder ?? "" }
    if let remainder { rows.append("<li>\(remainder)</li>") }
    return "<ul class=\"readings\">\(rows.joined(separator: "\n"))</ul>"
  }

  private var footer: String {
    "<footer><p>\(outline.footer(" from its registry."))</p></footer>\n"
  }

  // MARK: Words

  private func joined(_ facts: [ReportText]) -> String {
    facts.map(markup).joined(separator: " · ")
  }

  private func markup(_ text: ReportText) -> String { text.pieces.map(markup).joined() }

  /// The markup of a piece of text. The direction of an external text does not affect its
  /// surroundings.
  private func markup(_ piece: ReportText.Piece) -> String {
    switch piece {
    case .words(let text): xmlEscaped(text)
    case .name(let text): "<bdi>\(xmlEscaped(text.nameForPeople))</bdi>"
    case .payload(let text): Self.broken(text.payloadForPeople)
    case .sentence(let text): Self.isolated(text.sentenceForPeople)
    // A hash is kept on the line of its name.
    case .identifier(let text):
      "<span class=\"id\">\(xmlEscaped(text.replacing(" ", with: "\u{A0}")))</span>"
    case .time(let text, let date):
      "<time datetime=\"\(date.registryTimestamp)\">\(text)</time>"
    // A stop at another place is not listed in a report on one place.
    case .stop(let text, let number, let walk) where !report.isAbout(number, of: walk): text
    case .stop(let text, let number, let walk):
      "<a href=\"#\(anchor(number, of: walk))\">\(text)</a>"
    case .picture(let number): "<a href=\"#picture-\(number)\">Picture \(number)</a>"
    }
  }

  /// A sentence in which words that are read from right to left turn nothing around them.
  private static func isolated(_ sentence: String) -> String {
    let words = /[\p{Script=Hebrew}\p{Script=Arabic}]+(\s+[\p{Script=Hebrew}\p{Script=Arabic}]+)*/
    return xmlEscaped(sentence).replacing(words) { "<bdi>\($0.0)</bdi>" }
  }

  /// A payload with line breaks allowed after the delimiters of a URL.
  private static func broken(_ payload: String) -> String {
    var parts = [""]
    for scalar in payload.unicodeScalars {
      parts[parts.count - 1].unicodeScalars.append(scalar)
      if "/?&=,;".unicodeScalars.contains(scalar) { parts.append("") }
    }
    return "<code dir=\"ltr\">\(parts.map(xmlEscaped).joined(separator: "<wbr>"))</code>"
  }

  /// The sign of a severity; text beside it gives the meaning.
  private static func sign(_ severity: Finding.Severity?) -> String {
    let path = MapSign.path(severity, centre: DrawingPoint(x: 12, y: 12), radius: 9)
    let strokes =
      switch severity {
      case .error: "M8 8L16 16M16 8L8 16"
      case .warning: "M12 8.5V14M12 16.6V18"
      case .note: "M12 11V17M12 7V8.6"
      case nil: "M7.5 12.5L10.8 16L16.5 8.5"
      }
    let ink = MapSign.ink(severity)
    let line = severity == .warning ? "#000" : "#fff"
    return "<svg class=\"sign\" viewBox=\"0 0 24 24\" aria-hidden=\"true\">"
      + "<path class=\"ink-\(ink.rawValue)\" fill=\"\(ink.fill?.hexadecimal ?? "")\" d=\"\(path.svg)\"/>"
      + "<path fill=\"none\" stroke=\"\(line)\" stroke-width=\"2.4\" stroke-linecap=\"round\" "
      + "stroke-linejoin=\"round\" d=\"\(strokes)\"/></svg>"
  }

  /// The anchor of a stop in the appendix.
  private func anchor(_ number: Int, of walk: Walk.ID) -> String {
    let index = report.walks.firstIndex { $0.id == walk } ?? report.walks.count
    return "stop-\(index + 1)-\(number)"
  }
}
