import CodeDrawing
import Invocation
import Registry

/// The codes in a picture, as marked on its small copy.
struct PictureMarks {
  struct Mark {
    /// What the code is called in the picture.
    let number: Int
    let severity: Finding.Severity?
    /// In pixels of the copy.
    let corners: [DrawingPoint]
    let badge: DrawingPoint
  }

  let width: Double
  let height: Double
  let marks: [Mark]
  /// What the picture shows, for those who do not see it.
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
        // On paper nothing may lie beyond the picture.
        corners.append(DrawingPoint(x: min(max(x, 0), width), y: min(max(y, 0), height)))
      }
      if corners.count >= 3 { shapes.append((index, corners)) }
    }
    // As large as a wall of codes allows, so that a number hides no neighbour.
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

  /// An element that lies over the picture.
  var svg: String {
    let long = max(width, height)
    func number(_ value: Double) -> String { decimal(value, places: 1) }
    var svg =
      "<svg viewBox=\"0 0 \(number(width)) \(number(height))\" aria-hidden=\"true\">\n"
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
