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
  /// - Parameters:
  ///   - reading: The index of the reading in the stop; `nil` for the whole picture.
  ///   - shot: The number of the picture.
  func svg(ofReading reading: Int?, shot: Int) -> String {
    func number(_ value: Double) -> String { decimal(value, places: 1) }
    let box = detail(ofReading: reading)
    var marked = ""
    if let mark = mark(ofReading: reading) {
      let points = mark.corners.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")
      let edge = "edge-\(MapSign.ink(mark.severity).rawValue)"
      marked = """
        <polygon class="halo" points="\(points)" stroke-width="\(number(box.width / 22))"/>\
        <polygon class="\(edge)" points="\(points)" stroke-width="\(number(box.width / 40))"/>
        """
    }
    let words = reading == nil ? description : "The code in picture \(shot)"
    return """
      <svg class="detail" role="img" aria-label="\(words)" viewBox="\(number(box.x)) \
      \(number(box.y)) \(number(box.width)) \(number(box.height))" \
      preserveAspectRatio="xMidYMid slice"><use href="#shot-\(shot)"/>\(marked)</svg>
      """
  }

  /// The whole picture with its marks.
  ///
  /// - Parameter shot: The number of the picture.
  func svg(shot: Int) -> String {
    let long = max(width, height)
    func number(_ value: Double) -> String { decimal(value, places: 1) }
    var svg =
      "<svg viewBox=\"0 0 \(number(width)) \(number(height))\" role=\"img\" "
      + "aria-label=\"\(description)\">\n<use href=\"#shot-\(shot)\"/>\n"
    for mark in marks {
      let points = mark.corners.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")
      let gaps = "\(number(long / 50)) \(number(long / 100))"
      let dashes = mark.severity == .warning ? " stroke-dasharray=\"\(gaps)\"" : ""
      let edge = "edge-\(MapSign.ink(mark.severity).rawValue)"
      svg += """
        <polygon class="halo" points="\(points)" stroke-width="\(number(long / 110))"/>\
        <polygon class="\(edge)" points="\(points)" stroke-width="\(number(long / 200))"\(dashes)/>

        """
    }
    for mark in marks {
      let sign = MapStop(
        severity: mark.severity, centre: .init(x: 0, y: 0), label: "\(mark.number)", title: "",
        isSeveral: false)
      let scale = badgeRadius / sign.radius
      let words = sign.words
      let place = "translate(\(number(mark.badge.x)) \(number(mark.badge.y)))"
      let kind = sign.ink.rawValue
      svg += """
        <g transform="\(place) scale(\(decimal(scale, places: 3)))"><path class="badge-\(kind)" \
        d="\(sign.path.svg)"/><text class="text-\(kind)" y="\(decimal(words.point.y, places: 3))" \
        text-anchor="middle" font-weight="700" font-size="\(decimal(words.size, places: 3))">\
        \(mark.number)</text></g>

        """
    }
    return svg + "</svg>\n"
  }
}
