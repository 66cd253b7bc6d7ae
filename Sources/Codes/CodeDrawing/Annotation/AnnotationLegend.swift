/// The name of the picture and a summary of the symbols found.
struct AnnotationHeader {
  private let title: String
  private let lines: [String]
  /// The summary, as one sentence.
  let summary: String

  private static let left = 48.0
  private static let titleSize = 38.0
  private static let size = 27.0

  init(title: String, marks: [PictureMark], width: Double) {
    summary = Self.summary(of: marks)
    let room = width - 2 * Self.left
    self.title = TextFitting.shortened(title, to: room / Self.titleSize, .bold)
    lines = TextFitting.wrapped(summary, to: room / Self.size, lines: 2, .sans)
  }

  var height: Double { 92 + 38 * Double(lines.count) }

  func draw(on canvas: inout AnnotationCanvas) {
    canvas.text(
      title, x: Self.left, baseline: 68, size: Self.titleSize, font: .bold, fill: "#14171a")
    for (row, line) in lines.enumerated() {
      canvas.text(
        line, x: Self.left, baseline: 114 + 38 * Double(row), size: Self.size, font: .sans,
        fill: "#3a4047")
    }
  }

  /// Returns a summary such as `12 codes: 7 accepted · 3 rejected (2, 5, 9) · 2 undecided (4, 8)`.
  static func summary(of marks: [PictureMark]) -> String {
    let read = marks.count { $0.standing != .unread }
    let words: [(PictureMark.Standing, String)] = [
      (.accepted, "accepted"), (.rejected, "rejected"), (.undecided, "undecided"),
      (.unread, "not read"),
    ]
    let parts = words.compactMap { standing, word -> String? in
      let numbers = marks.indices.filter { marks[$0].standing == standing }.map { "\($0 + 1)" }
      guard !numbers.isEmpty else { return nil }
      // The numbers of accepted codes are omitted; those of the others are what readers look for.
      let list = standing == .accepted ? "" : " (\(numbers.joined(separator: ", ")))"
      return "\(numbers.count) \(word)\(list)"
    }
    let count = read == 0 ? "No code was read" : read == 1 ? "1 code" : "\(read) codes"
    return parts.isEmpty ? "\(count)." : "\(count): \(parts.joined(separator: " · "))"
  }
}

/// The list below the picture: number, verdict, the whole payload, and details.
struct AnnotationLegend {
  private let rows: [Row]
  private let top: Double
  private let columnWidth: Double
  /// The row at which the second column begins, or the number of rows if there is one column.
  private let rowsInColumn: Int
  /// The lower edge of the drawing.
  let bottom: Double

  private struct Row {
    let number: Int
    let style: AnnotationStyle
    let standing: PictureMark.Standing
    let payload: String
    let details: [String]

    var height: Double { 50 + 30 * Double(details.count) + 14 }
  }

  private static let left = 48.0
  private static let gap = 40.0
  private static let band = 268.0
  private static let payloadSize = 25.0
  private static let detailSize = 22.0

  init(marks: [PictureMark], width: Double, top: Double) {
    let columns = width >= 1800 && marks.count > 6 ? 2 : 1
    let columnWidth =
      (width - 2 * Self.left - Self.gap * Double(columns - 1)) / Double(columns)
    let room = columnWidth - Self.band - 64
    rows = marks.enumerated().map { index, mark in
      Row(
        number: index + 1, style: AnnotationStyle(mark.standing), standing: mark.standing,
        payload: TextFitting.shortened(mark.payload, to: room / Self.payloadSize, .mono),
        details: TextFitting.wrapped(
          mark.details.joined(separator: " · "), to: room / Self.detailSize, lines: 3, .sans))
    }
    self.top = top
    self.columnWidth = columnWidth
    rowsInColumn = columns == 1 ? rows.count : Self.half(of: rows.map(\.height))
    let heights = [rows.prefix(rowsInColumn), rows.dropFirst(rowsInColumn)].map { column in
      column.reduce(0) { $0 + $1.height }
    }
    bottom = top + (heights.max() ?? 0) + 40
  }

  /// The number of heights that make up the first half of their sum.
  private static func half(of heights: [Double]) -> Int {
    let middle = heights.reduce(0, +) / 2
    var sum = 0.0
    return heights.firstIndex { height in
      sum += height
      return sum >= middle
    }.map { $0 + 1 } ?? heights.count
  }

  func draw(on canvas: inout AnnotationCanvas) {
    var y = top
    for (index, row) in rows.enumerated() {
      if index == rowsInColumn { y = top }
      let x = Self.left + (index < rowsInColumn ? 0 : columnWidth + Self.gap)
      draw(row, at: DrawingPoint(x: x, y: y), on: &canvas)
      y += row.height
    }
  }

  private func draw(_ row: Row, at place: DrawingPoint, on canvas: inout AnnotationCanvas) {
    canvas.raw(#"<g id="legend-\#(row.number)" class="\#(row.standing.rawValue)">"# + "\n")
    canvas.rectangle(
      DrawingBox(x: place.x, y: place.y, width: columnWidth, height: row.height - 8), radius: 6,
      fill: "#fff")
    canvas.rectangle(
      DrawingBox(x: place.x, y: place.y, width: 8, height: row.height - 8), fill: row.style.colour)
    AnnotationFlags.drawBand(
      DrawingBox(x: place.x + 16, y: place.y + 8, width: Self.band, height: 40), number: row.number,
      row.style, isCompact: false, on: &canvas)
    let x = place.x + 16 + Self.band + 18
    canvas.text(
      row.payload, x: x, baseline: place.y + 36, size: Self.payloadSize, font: .mono,
      fill: "#14171a")
    for (line, text) in row.details.enumerated() {
      canvas.text(
        text, x: x, baseline: place.y + 70 + 30 * Double(line), size: Self.detailSize,
        font: .sans, fill: "#3a4047")
    }
    canvas.raw("</g>\n")
  }
}
