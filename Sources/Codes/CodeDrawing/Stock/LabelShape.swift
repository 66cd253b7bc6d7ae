/// The outline of one label. All lengths are in millimetres.
public enum LabelShape: Hashable, Sendable {
  /// An upright rectangle with its corners rounded by a radius.
  case rectangle(width: Double, height: Double, cornerRadius: Double)
  /// A circle.
  case round(diameter: Double)
  /// An upright ellipse.
  case ellipse(width: Double, height: Double)
  /// A disc around a hole: a CD or DVD.
  case disc(diameter: Double, hole: Double)

  /// The distance of a code from a curved edge: the error of both cutters and printers.
  package static let safety = 1.0

  /// The width of the bounding box.
  public var width: Double {
    switch self {
    case .rectangle(let width, _, _), .ellipse(let width, _): width
    case .round(let diameter), .disc(let diameter, _): diameter
    }
  }

  /// The height of the bounding box.
  public var height: Double {
    switch self {
    case .rectangle(_, let height, _), .ellipse(_, let height): height
    case .round(let diameter), .disc(let diameter, _): diameter
    }
  }

  /// The outline of a label in a given box; the hole of a disc is a second figure.
  package func outline(in box: DrawingBox) -> DrawingPath {
    switch self {
    case .rectangle(_, _, let radius): return .rectangle(box, cornerRadius: radius)
    case .round: return .circle(centre: box.centre, radius: box.width / 2)
    case .ellipse: return Self.ellipse(in: box)
    case .disc(let diameter, let hole):
      let scale = box.width / diameter
      var path = DrawingPath.circle(centre: box.centre, radius: box.width / 2)
      path.steps += DrawingPath.circle(centre: box.centre, radius: hole / 2 * scale).steps
      return path
    }
  }

  /// An ellipse made by stretching a circle.
  private static func ellipse(in box: DrawingBox) -> DrawingPath {
    func stretch(_ point: DrawingPoint) -> DrawingPoint {
      DrawingPoint(
        x: box.centre.x + point.x * box.width / 2, y: box.centre.y + point.y * box.height / 2)
    }
    let circle = DrawingPath.circle(centre: DrawingPoint(x: 0, y: 0), radius: 1)
    return DrawingPath(
      circle.steps.map { step in
        switch step {
        case .move(let point): .move(stretch(point))
        case .line(let point): .line(stretch(point))
        case .curve(let first, let second, let end):
          .curve(stretch(first), stretch(second), stretch(end))
        case .close: .close
        }
      })
  }

  /// Whether a point, relative to the middle of the label, is inside by at least a distance.
  func holds(_ point: DrawingPoint, inset: Double) -> Bool {
    switch self {
    case .rectangle(let width, let height, let radius):
      // Outside the squares of the corners the straight edges decide, inside them the circles.
      let x = abs(point.x)
      let y = abs(point.y)
      guard x <= width / 2 - inset, y <= height / 2 - inset else { return false }
      let radius = min(radius, width / 2, height / 2)
      let right = x - (width / 2 - radius)
      let down = y - (height / 2 - radius)
      guard right > 0, down > 0 else { return true }
      return (right * right + down * down).squareRoot() <= radius - inset
    case .round(let diameter):
      return (point.x * point.x + point.y * point.y).squareRoot() <= diameter / 2 - inset
    case .ellipse(let width, let height):
      let x = point.x / (width / 2 - inset)
      let y = point.y / (height / 2 - inset)
      return width / 2 > inset && height / 2 > inset && x * x + y * y <= 1
    case .disc(let diameter, let hole):
      let distance = (point.x * point.x + point.y * point.y).squareRoot()
      return distance <= diameter / 2 - inset && distance >= hole / 2 + inset
    }
  }

  /// The largest square that a code with its quiet zone may fill, from the label's top left corner.
  ///
  /// On a rectangle it is as wide as the shorter side: the quiet zone is part of the code, and a
  /// label that is printed off its position by less than the quiet zone is still readable. On
  /// curved labels it keeps 1 mm from the edge, on a disc it is below the hole.
  public var codeSquare: DrawingBox {
    switch self {
    case .rectangle(let width, let height, let radius):
      // Rounded corners limit the square if it reaches into them.
      var side = min(width, height)
      if width == height {
        let cut = 2 * (radius - radius / 2.squareRoot())
        side -= max(0, cut)
      }
      return Self.square(side, around: DrawingPoint(x: width / 2, y: height / 2))
    case .round(let diameter):
      let side = max(0, diameter - 2 * Self.safety) / 2.squareRoot()
      return Self.square(side, around: DrawingPoint(x: diameter / 2, y: diameter / 2))
    case .ellipse(let width, let height):
      let a = max(0, width / 2 - Self.safety)
      let b = max(0, height / 2 - Self.safety)
      let side = a == 0 || b == 0 ? 0 : 2 * a * b / (a * a + b * b).squareRoot()
      return Self.square(side, around: DrawingPoint(x: width / 2, y: height / 2))
    case .disc(let diameter, let hole):
      return Self.squareBelowHole(diameter: diameter, hole: hole)
    }
  }

  private static func square(_ side: Double, around centre: DrawingPoint) -> DrawingBox {
    let side = max(0, side)
    return DrawingBox(
      x: centre.x - side / 2, y: centre.y - side / 2, width: side, height: side)
  }

  /// The square below the hole. Its upper edge touches the hole and its lower corners the rim, both
  /// with ``safety``: the side s solves (s/2)² + (r + s)² = R².
  private static func squareBelowHole(diameter: Double, hole: Double) -> DrawingBox {
    let inner = hole / 2 + safety
    let outer = max(inner, diameter / 2 - safety)
    let root = (5 * outer * outer - inner * inner).squareRoot()
    let side = max(0, 2 * (root - 2 * inner) / 5)
    return DrawingBox(
      x: diameter / 2 - side / 2, y: diameter / 2 + inner, width: side, height: side)
  }
}
