import Verifying
import CodeDrawing
import Foundation
import Invocation
import Registry

extension WalkPage {
  /// Writes every stop of every walk: what the rest of the page rests on.
  ///
  /// On a phone the cells stand below each other; the roles say that it is a table all the same.
  func writeStops<Sink: ByteSink>(to output: inout Output<Sink>) throws {
    let isOpen = report.stopCount <= Self.mostOpenStops
    try output.put(
      """
      <section id="stops" aria-labelledby="stops-title">
      <h2 id="stops-title">All stops</h2>
      <details\(isOpen ? " open" : "")><summary>\(Counted.text(report.stopCount, "stop")), \
      \(Counted.text(report.readingCount, "reading")), \
      \(Counted.text(report.codeCount, "code")) of ours</summary>

      """)
    for (index, walk) in report.walks.enumerated() {
      let letter = report.walks.count > 1 ? "Walk \(WalkReport.letters(index)), " : "Walk "
      try output.put(
        """
        <div class="scroll" role="region" aria-label="Stops of walk \(index + 1)" tabindex="0">
        <table class="stops" role="table">
        <caption>\(letter)<bdi>\(Self.text(walk.who.nameForPeople))</bdi>, began \
        \(walk.started.registryTimestamp)</caption>
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
    var what = ["<time>\(stop.time.registryTimestamp)</time>"]
    what.append("\(stop.kind.word): \(Self.name(stop.source).onPage(stop.page))")
    if let sign = stop.sign { what.append("Sign \(Self.name(sign))") }
    if let note = stop.note { what.append("“\(Self.sentence(note))”") }
    if let digest = stop.digest {
      what.append("<span class=\"id\">SHA-256 \(digest.description.lowercased())</span>")
    }
    return """
      <tr role="row" id="\(anchor(stop.number, of: stop.walk))"><th role="rowheader" scope="row">\
      \(report.stopName(stop.number, of: stop.walk))</th>
      <td role="cell">\(what.joined(separator: "<br>"))</td>
      <td role="cell">\(readings(of: stop))</td>
      <td role="cell">\(place(of: stop))</td></tr>

      """
  }

  private func readings(of stop: WalkStop) -> String {
    var rows = stop.readings.enumerated().map { index, reading in
      let number = stop.readings.count > 1 ? "\(index + 1). " : ""
      let uid = reading.uid.map {
        "<br><span class=\"id\">UID \(Self.text($0.nameForPeople))</span>"
      }
      let codes = reading.findings.map(\.code.title).reduce(into: [String]()) {
        if !$0.contains($1) { $0.append($1) }
      }
      let findings =
        codes.isEmpty ? "" : "<br><small>\(Self.text(codes.joined(separator: ", ")))</small>"
      return "<li>\(Self.sign(reading.verdict.severity))\(number)"
        + "<span class=\"unseen\">\(reading.verdict.rawValue): </span>"
        + "\(Self.payload(reading.payload))\(uid ?? "")\(findings)</li>"
    }
    if stop.unreadCount > 0 {
      rows.append("<li>\(Counted.text(stop.unreadCount, "symbol")) could not be read</li>")
    }
    return rows.isEmpty ? "Nothing" : "<ul class=\"readings\">\(rows.joined(separator: "\n"))</ul>"
  }

  private func place(of stop: WalkStop) -> String {
    var lines: [String] = []
    if let fix = stop.fix {
      lines.append(Self.text(fix.forPeople))
      if let origin = fix.origin {
        lines.append("<small>\(Self.text(origin.forPeople))</small>")
      }
    }
    if let place = stop.statedPlace { lines.append("said to be at \(Self.name(place))") }
    return lines.isEmpty ? "not known" : lines.joined(separator: "<br>")
  }
}

extension Verdict {
  /// How it is shown among findings; `nil` for what is well.
  var severity: Finding.Severity? {
    switch self {
    case .accepted: nil
    case .rejected: .error
    case .undecided: .warning
    }
  }
}

extension WalkStop.Kind {
  /// What was read, as the first word of a line.
  var word: String {
    switch self {
    case .picture: "Picture"
    case .tag: "Tag"
    case .scanner: "Scanner"
    case .print: "Small print"
    }
  }
}

extension PositionOrigin {
  /// How the position came to be known, for people.
  var forPeople: String {
    let way =
      switch kind {
      case .given: "given"
      case .gpsd: "gpsd"
      case .nmea: "satellite receiver"
      case .exif: "the picture itself"
      case .place: "stated place"
      }
    var parts = [way]
    if let name, kind != .exif { parts.append(name.nameForPeople) }
    if isSimulated { parts.append("simulated") }
    if let note { parts.append(note.nameForPeople) }
    return parts.joined(separator: ", ")
  }
}
