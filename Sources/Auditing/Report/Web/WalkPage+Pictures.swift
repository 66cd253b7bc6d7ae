import Verifying
import CodeDrawing
import Foundation
import Invocation
import Registry

extension WalkPage {
  /// Writes the pictures with findings, one after the other.
  func writePictures<Sink: ByteSink>(
    _ exhibits: [WalkReport.Exhibit], to output: inout Output<Sink>
  ) throws {
    guard !exhibits.isEmpty else { return }
    try output.put(
      """
      <section id="pictures" aria-labelledby="pictures-title">
      <h2 id="pictures-title">Pictures</h2>
      <div class="pictures">

      """)
    for (index, exhibit) in exhibits.enumerated() {
      try Task.checkCancellation()
      let picture = try material.picture(exhibit.stop.walk, exhibit.stop.number)
      try write(exhibit, number: index + 1, picture, to: &output)
    }
    try output.put("</div>\n</section>\n")
  }

  private func write<Sink: ByteSink>(
    _ exhibit: WalkReport.Exhibit, number: Int, _ picture: WalkPicture?,
    to output: inout Output<Sink>
  ) throws {
    let stop = exhibit.stop
    let severity = exhibit.items.map(\.finding.severity).max()
    let source = Self.name(stop.source).onPage(stop.page)
    try output.put(
      "<figure class=\"picture\" id=\"picture-\(number)\">\n<figcaption><h3>Picture \(number)</h3> "
        + "<p class=\"facts\"><a href=\"#\(anchor(stop.number, of: stop.walk))\">Stop "
        + "\(report.stopName(stop.number, of: stop.walk))</a> · \(source)</p>"
        + "</figcaption>\n")
    if let picture, picture.jpeg.starts(with: [0xFF, 0xD8, 0xFF]), picture.width > 0,
      picture.height > 0
    {
      let marks = PictureMarks(exhibit, on: picture)
      try output.put(
        "<div class=\"shot \(severity?.rawValue ?? "")\"><img alt=\""
          + "\(Self.text(marks.description))\" width=\"\(picture.width)\" "
          + "height=\"\(picture.height)\" decoding=\"async\" src=\"data:image/jpeg;base64,")
      try output.put(Data(picture.jpeg).base64EncodedString())
      try output.put("\">\n\(marks.svg)</div>\n")
    } else {
      try output.put("<p class=\"nothing\">No copy of this picture was kept.</p>\n")
    }
    try output.put(legend(of: exhibit))
    try output.put("</figure>\n")
  }

  /// What the numbers in the picture stand for.
  private func legend(of exhibit: WalkReport.Exhibit) -> String {
    var rows: [String] = []
    let marked = exhibit.severities
    for reading in marked.keys.sorted() where exhibit.stop.readings.indices.contains(reading) {
      let payload = exhibit.stop.readings[reading].payload
      let items = exhibit.items.filter { $0.reading == reading }
      let kind = marked[reading]?.rawValue ?? ""
      let words: String = items.map(Self.words).joined()
      rows.append(
        """
        <li class="\(kind)"><b class="number">\(reading + 1)</b>\
        <div>\(Self.payload(payload))\(words)</div></li>
        """)
    }
    for item in exhibit.items where item.reading == nil {
      let kind = item.finding.severity.rawValue
      rows.append("<li class=\"\(kind)\"><div>\(Self.words(item))</div></li>")
    }
    let rest = exhibit.stop.readings.count - marked.count
    if rest > 0 {
      rows.append("<li class=\"rest\"><div>\(exhibit.rest(rest))</div></li>")
    }
    return "<ol class=\"legend-list\">\n\(rows.joined(separator: "\n"))\n</ol>\n"
  }

  private static func words(_ item: WalkReport.Item) -> String {
    "<p>\(sign(item.finding.severity))<b>\(text(item.finding.code.title)).</b> "
      + "\(sentence(item.finding.message))</p>"
  }
}

extension WalkReport.Exhibit {
  /// What is said of codes in the picture without findings.
  func rest(_ count: Int) -> String {
    count == 1
      ? "The other code in it has no findings."
      : "The other \(Counted.grouped(count)) codes in it have no findings."
  }
}
