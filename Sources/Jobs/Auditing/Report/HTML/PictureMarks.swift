import CliptagBasics
import CodeDrawing
import Invocation
import Registry

/// The codes in a picture, as marked on its small copy.
struct PictureMarks {
  struct Mark {
    /// The number of the code in the picture.
    let number: Int
    let severity: Finding.Severity?
    /// The corners in pixels of the copy.
    let corners: [DrawingPoint]
    let badge: DrawingPoint
  }

  let width: Double
  let height: Double
  let marks: [Mark]
  /// The text alternative of the picture.
  let description: String
  /// Half of a badge's height.
  let badgeRadius: Double

  init(_ exhibit: WalkReport.Exhibit, on picture: WalkPicture) {
    (width, height) = (Double(picture.width), Double(picture.height))
    let scale = (
      x: width / Double(max(1, picture.originalWidth)),
      y: height / Double(max(1, picture.originalHeight))
    )
    let severities = exhibit.severities
    var shapes: [(index: Int, corners: [DrawingPoint])] = []
    for (index, reading) in exhibit.stop.readings.enumerated() {
      var corners: [DrawingPoint] = []
      for corner in reading.corners.prefix(16)
      where corner.count == 2 && corner[0].isFinite && corner[1].isFinite {
        let (x, y) = (corner[0] * scale.x, corner[1] * scale.y)
        // On paper nothing may lie outside the picture.
        corners.append(DrawingPoint(x: min(max(x, 0), width), y: min(max(y, 0), height)))
      }
      if corners.count >= 3 { shapes.append((index, corners)) }
    }
    // As large as a crowded wall of codes allows, so that a number hides no neighbour.
    let sides = shapes.map { Self.side(of: $0.corners) }.sorted()
    let typical = sides.isEmpty ? 0 : sides[sides.count / 2]
    let long = max(width, height)
    let radius = min(long / 30, max(long / 80, typical * 0.2))
    badgeRadius = radius
    let room = DrawingBox(x: 0, y: 0, width: width, height: height).grown(by: -1.4 * radius)
    marks = shapes.map { index, corners in
      let left = corners.reduce(Double.infinity) { min($0, $1.x) }
      let top = corners.reduce(Double.infinity) { min($0, $1.y) }
      let badge = DrawingPoint(
        x: min(max(left - radius * 0.4, room.x), max(room.x, room.right)),
        y: min(max(top - radius * 0.4, room.y), max(room.y, room.bottom)))
      return Mark(number: index + 1, severity: severities[index], corners: corners, badge: badge)
    }
    let codes = Counted.text(exhibit.stop.readings.count, "code")
    description = "Photograph with \(codes), \(severities.count) of them with findings"
  }

  private static func side(of corners: [DrawingPoint]) -> Double {
    let xs = corners.map(\.x)
    let ys = corners.map(\.y)
    return min((xs.max() ?? 0) - (xs.min() ?? 0), (ys.max() ?? 0) - (ys.min() ?? 0))
  }

  /// The mark of a code; a finding about the whole picture refers to its only code.
  func mark(ofReading reading: Int?) -> Mark? {
    guard let reading else { return marks.count == 1 ? marks[0] : nil }
    return marks.first { $0.number == reading + 1 }
  }

  /// The square part of the picture around a code; the whole picture if the code is not marked.
  func detail(ofReading reading: Int?) -> DrawingBox {
    let whole = DrawingBox(x: 0, y: 0, width: width, height: height)
    guard let mark = mark(ofReading: reading) else { return whole }
    let (xs, ys) = (mark.corners.map(\.x), mark.corners.map(\.y))
    let (left, right) = (xs.min() ?? 0, xs.max() ?? width)
    let (top, bottom) = (ys.min() ?? 0, ys.max() ?? height)
    // Includes enough of the surroundings to find it on the wall.
    let wanted = max(max(right - left, bottom - top) * 2.2, max(width, height) / 10)
    let side = min(wanted, width, height)
    func start(_ low: Double, _ high: Double, _ room: Double) -> Double {
      max(0, min((low + high - side) / 2, room - side))
    }
    return DrawingBox(
      x: start(left, right, width), y: start(top, bottom, height), width: side, height: side)
  }

  /// A part of the picture with one code marked.
  ///
  /// The style of its class has the picture itself, so that the page holds it once.
  ///
  /// - Parameters:
  ///   - reading: The index of the reading in the stop; `nil` for the whole picture.
  ///   - shot: The number of the picture.
  func svg(ofReading reading: Int?, shot: Int) -> String {
    let box = detail(ofReading: reading)
    var marked = ""
    if let mark = mark(ofReading: reading) {
      marked = edges(mark, halo: box.width / 22, line: box.width / 40)
    }
    // The part of the picture behind the drawing; without a mark, its middle.
    func place(_ start: Double, of whole: Double) -> String {
      whole > box.width ? "\(number(start / (whole - box.width) * 100))%" : "0"
    }
    let part =
      marked.isEmpty
      ? ""
      : " style=\"background-size:\(number(width / box.width * 100))% "
        + "\(number(height / box.height * 100))%;background-position:"
        + "\(place(box.x, of: width)) \(place(box.y, of: height))\""
    let words = reading == nil ? description : "The code in picture \(shot)"
    return """
      <svg class="detail shot-\(shot)"\(part) role="img" aria-label="\(words)" \
      viewBox="\(number(box.x)) \(number(box.y)) \(number(box.width)) \(number(box.height))" \
      preserveAspectRatio="xMidYMid slice" fill="none" stroke-linejoin="round">\(marked)</svg>
      """
  }

  private func number(_ value: Double) -> String { decimal(value, places: 1) }

  /// The outline of a code on a light one.
  private func edges(_ mark: Mark, halo: Double, line: Double, dashes: String = "") -> String {
    let points = mark.corners.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")
    let colour =
      mark.severity == .warning
      ? Colour(red: 0x8A, green: 0x5A, blue: 0) : MapSign.ink(mark.severity).fill ?? .black
    return """
      <polygon points="\(points)" stroke="#fff" stroke-width="\(number(halo))"/>\
      <polygon class="edge" points="\(points)" stroke="\(colour.hexadecimal)" \
      stroke-width="\(number(line))"\(dashes)/>

      """
  }

  /// The whole picture with its marks.
  ///
  /// - Parameter shot: The number of the picture.
  func svg(shot: Int) -> String {
    let long = max(width, height)
    var svg = """
      <svg class="shot-\(shot)" width="\(number(width))" height="\(number(height))" \
      viewBox="0 0 \(number(width)) \(number(height))" role="img" \
      aria-label="\(description)" fill="none" stroke-linejoin="round">

      """
    for mark in marks {
      let gaps = "\(number(long / 50)) \(number(long / 100))"
      svg += edges(
        mark, halo: long / 110, line: long / 200,
        dashes: mark.severity == .warning ? " stroke-dasharray=\"\(gaps)\"" : "")
    }
    for mark in marks {
      let sign = MapStop(
        severity: mark.severity, centre: .init(x: 0, y: 0), label: "\(mark.number)", title: "",
        isSeveral: false)
      let scale = badgeRadius / sign.radius
      let words = sign.words
      let place = "translate(\(number(mark.badge.x)) \(number(mark.badge.y)))"
      svg += """
        <g transform="\(place) scale(\(decimal(scale, places: 3)))"><path \
        fill="\(sign.ink.fill?.hexadecimal ?? "")" stroke="#fff" stroke-width=".45" \
        d="\(sign.path.svg)"/><text fill="\(words.ink.fill?.hexadecimal ?? "")" \
        y="\(decimal(words.point.y, places: 3))" text-anchor="middle" font-weight="700" \
        font-size="\(decimal(words.size, places: 3))">\(mark.number)</text></g>

        """
    }
    return svg + "</svg>\n"
  }
}
