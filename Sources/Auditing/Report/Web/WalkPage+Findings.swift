import CodeDrawing
import Invocation
import Registry

extension WalkPage {
  /// Writes what to do, place by place.
  func writeFindings<Sink: ByteSink>(
    to output: inout Output<Sink>, pictures: [WalkReport.ExhibitKey: Int]
  ) throws {
    try output.put(
      """
      <section id="todo" aria-labelledby="todo-title">
      <h2 id="todo-title">What to do now</h2>

      """)
    let sections = report.sections.filter { !$0.items.isEmpty }
    if sections.isEmpty {
      let words =
        report.stopCount == 0
        ? "Begin the walk: nothing was read so far." : "Nothing. Everything that was read is well."
      try output.put("<p class=\"nothing\">\(words)</p>\n")
    }
    for section in sections {
      try Task.checkCancellation()
      try output.put("<article class=\"place\">\n<h3>\(Self.text(section.title))</h3>\n")
      try output.put("<p class=\"facts\">\(Self.facts(of: section))</p>\n")
      for group in section.groups { try write(group, to: &output, pictures: pictures) }
      try output.put("</article>\n")
    }
    try output.put("</section>\n")
  }

  private static func facts(of section: WalkReport.PlaceSection) -> String {
    let stops = Counted.text(section.stops, "stop")
    guard section.expected > 0 else { return stops }
    return "\(Counted.grouped(section.seen)) of \(Counted.text(section.expected, "code")) "
      + "read · \(stops)"
  }

  private func write<Sink: ByteSink>(
    _ group: WalkReport.PlaceSection.Group, to output: inout Output<Sink>,
    pictures: [WalkReport.ExhibitKey: Int]
  ) throws {
    let advice = group.code.advice.map { "<p class=\"advice\">\($0)</p>\n" } ?? ""
    try output.put(
      """
      <div class="group \(group.severity.rawValue)">
      <h4>\(Self.sign(group.severity))<span class="unseen">\(group.severity.word): </span>\
      \(Self.text(group.code.title)) <span class="count">\(Counted.grouped(group.items.count))</span>\
      </h4>
      \(advice)<ul class="items">

      """)
    for item in group.items { try output.put(element(item, pictures: pictures)) }
    try output.put("</ul>\n</div>\n")
  }

  private func element(_ item: WalkReport.Item, pictures: [WalkReport.ExhibitKey: Int]) -> String {
    var facts: [String] = []
    if let carrier = item.carrier { facts.append(Self.text(carrier)) }
    if let code = item.code {
      facts.append("<span class=\"id\">\(Self.text(code.id.description))</span>")
    }
    if let stop = item.stop {
      let name = report.stopName(stop.number, of: stop.walk)
      facts.append("<a href=\"#\(anchor(stop.number, of: stop.walk))\">Stop \(name)</a>")
      if stop.kind == .picture, let number = pictures[WalkReport.ExhibitKey(stop)] {
        facts.append("<a href=\"#picture-\(number)\">Picture \(number)</a>")
      }
      if let fix = stop.fix { facts.append(Self.text(fix.forPeople)) }
    }
    let payload = item.payload.map { Self.payload($0) + "\n" } ?? ""
    return """
      <li>\(payload)<p>\(Self.sentence(item.finding.message))</p>
      <p class="facts">\(facts.joined(separator: " · "))</p></li>

      """
  }

  // MARK: Map and places

  /// The maps with what their signs mean.
  func map(_ map: WalkMap) -> String {
    let maps: String
    if map.count == 1 {
      // Letters of the wide map would be too small on a phone.
      let wide = map.panels(width: 180).map { "<div class=\"wide\">\(figure($0))</div>" }
      let narrow = map.panels(width: 92).map { "<div class=\"narrow\">\(figure($0))</div>" }
      maps = (wide + narrow).joined()
    } else {
      maps = "<div class=\"maps\">\(map.panels(width: 92).map(figure).joined())</div>"
    }
    let legend = [
      (Finding.Severity.error as Finding.Severity?, "something is wrong"),
      (.warning, "needs a look"), (nil, "nothing found"),
    ].map { "<span>\(Self.sign($0.0)) \($0.1)</span>" }.joined(separator: " ")
    let omitted =
      map.omittedCount > 0
      ? "<p>\(Counted.text(map.omittedCount, "more group")) of stops elsewhere "
        + "\(map.omittedCount == 1 ? "is" : "are") not drawn.</p>\n" : ""
    let walks =
      report.walks.count > 1
      ? "<p class=\"legend\">"
        + report.walks.prefix(40).enumerated().map {
          "<span><b>\(WalkReport.letters($0))</b> \(Self.name($1.who))</span>"
        }.joined(separator: " ") + "</p>\n" : ""
    return """
      <section id="map" aria-labelledby="map-title">
      <h2 id="map-title">Map</h2>
      \(maps)\
      <p class="legend">\(legend) <span>Numbers are stops; ×3 are three on one spot. Areas are \
      places, thin circles how exact a position is.</span></p>
      \(walks)\(omitted)</section>

      """
  }

  private func figure(_ panel: WalkMap.Panel) -> String {
    "<figure class=\"panel\">\n<figcaption>\(Self.text(panel.title))</figcaption>\n"
      + "\(panel.svg)</figure>\n"
  }

  /// How much of what should hang was seen, place by place.
  var places: String {
    guard !report.sections.isEmpty else { return "" }
    let rows = report.sections.map { section in
      let numbers = [
        section.expected, section.seen, section.missing.count, section.stops, section.items.count,
      ]
      let cells = numbers.enumerated().map { index, number in
        "<td\(index == 2 && number > 0 ? " class=\"bad\"" : "")>\(Counted.grouped(number))</td>"
      }
      return "<tr><th scope=\"row\">\(Self.sign(section.severity))"
        + "<bdi>\(Self.text(section.title))</bdi></th>\(cells.joined())</tr>"
    }
    let totals = [
      report.expectedCount, report.seenCount, report.missingCount,
      report.sections.reduce(0) { $0 + $1.stops },
      report.sections.reduce(0) { $0 + $1.items.count },
    ].map { "<td>\(Counted.grouped($0))</td>" }.joined()
    return """
      <section id="places" aria-labelledby="places-title">
      <h2 id="places-title">Places</h2>
      <div class="scroll" role="region" aria-labelledby="places-title" tabindex="0">
      <table class="numbers">
      <caption>Codes that should hang at each place that was visited, and what became of them.\
      </caption>
      <thead><tr><th scope="col">Place</th><th scope="col">Expected</th><th scope="col">Seen</th>\
      <th scope="col">Missing</th><th scope="col">Stops</th><th scope="col">Findings</th></tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody>
      <tfoot><tr><th scope="row">Together</th>\(totals)</tr></tfoot>
      </table>
      </div>
      </section>

      """
  }
}

extension LocationFix {
  /// The position and how exact it is, for people.
  var forPeople: String {
    let place =
      "\(decimal(coordinate.latitude, places: 6)), \(decimal(coordinate.longitude, places: 6))"
    return accuracy < 1e7 ? "\(place) ± \(decimal(accuracy, places: 1)) m" : "\(place), not exact"
  }
}
