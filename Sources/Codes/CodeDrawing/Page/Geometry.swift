/// A point in a picture or drawing, relative to its left and top edges.
public struct DrawingPoint: Hashable, Sendable {
  /// The distance to the right.
  public var x: Double
  /// The distance downwards.
  public var y: Double

  /// Makes a point.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  func distance(to other: DrawingPoint) -> Double {
    ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
  }
}

/// An upright rectangle in a picture or drawing.
public struct DrawingBox: Hashable, Sendable {
  /// The left edge.
  public var x: Double
  /// The top edge.
  public var y: Double
  /// The width, at least 0.
  public var width: Double
  /// The height, at least 0.
  public var height: Double

  /// Makes a rectangle.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The right edge.
  public var right: Double { x + width }
  /// The bottom edge.
  public var bottom: Double { y + height }
  /// The middle.
  public var centre: DrawingPoint { DrawingPoint(x: x + width / 2, y: y + height / 2) }

  /// The rectangle with its edges moved outwards; inwards by a negative distance.
  package func grown(by distance: Double) -> DrawingBox {
    DrawingBox(
      x: x - distance, y: y - distance, width: width + 2 * distance, height: height + 2 * distance)
  }

  /// The rectangle moved.
  package func moved(right: Double, down: Double) -> DrawingBox {
    DrawingBox(x: x + right, y: y + down, width: width, height: height)
  }

  /// The rectangle moved as little as necessary to be inside another, if it fits.
  func held(in area: DrawingBox) -> DrawingBox {
    var held = self
    held.x = max(area.x, min(x, area.right - width))
    held.y = max(area.y, min(y, area.bottom - height))
    return held
  }

  /// Whether a point is in the rectangle or on its edge.
  func contains(_ point: DrawingPoint) -> Bool {
    (x...right).contains(point.x) && (y...bottom).contains(point.y)
  }

  /// Whether another rectangle is inside.
  func contains(_ other: DrawingBox) -> Bool {
    x <= other.x && y <= other.y && right >= other.right && bottom >= other.bottom
  }

  /// Whether the rectangles have a part in common.
  func meets(_ other: DrawingBox) -> Bool {
    x < other.right && other.x < right && y < other.bottom && other.y < bottom
  }

  /// The nearest point in the rectangle.
  func nearestPoint(to point: DrawingPoint) -> DrawingPoint {
    DrawingPoint(x: max(x, min(point.x, right)), y: max(y, min(point.y, bottom)))
  }
}

/// A figure of straight lines and curves, filled by the nonzero winding rule.
///
/// On a page, lengths are in millimetres from the top left corner of the trimmed sheet; in a glyph,
/// in ems from the origin on the baseline. Down is positive in both.
public struct DrawingPath: Hashable, Sendable {
  /// One step of the pen.
  public enum Step: Hashable, Sendable {
    /// Begins a new figure.
    case move(DrawingPoint)
    /// A straight line.
    case line(DrawingPoint)
    /// A cubic Bézier curve with its two control points and its end.
    case curve(DrawingPoint, DrawingPoint, DrawingPoint)
    /// A straight line back to the start of the figure.
    case close
  }

  /// The steps in order.
  public var steps: [Step]

  /// Makes a path.
  public init(_ steps: [Step] = []) { self.steps = steps }

  /// The path scaled about the origin, then moved.
  package func placed(at origin: DrawingPoint, scale: Double = 1) -> DrawingPath {
    func place(_ point: DrawingPoint) -> DrawingPoint {
      DrawingPoint(x: origin.x + point.x * scale, y: origin.y + point.y * scale)
    }
    return mapped(place)
  }

  /// The path with every point moved.
  func mapped(_ move: (DrawingPoint) -> DrawingPoint) -> DrawingPath {
    DrawingPath(
      steps.map { step in
        switch step {
        case .move(let point): .move(move(point))
        case .line(let point): .line(move(point))
        case .curve(let first, let second, let end): .curve(move(first), move(second), move(end))
        case .close: .close
        }
      })
  }

  /// The distance of the control points of a quarter circle from its ends, in radii.
  private static let quarter = 0.552_284_749_8

  /// A rectangle with its corners rounded by a radius of at most half its shorter side.
  public static func rectangle(_ box: DrawingBox, cornerRadius: Double = 0) -> DrawingPath {
    let radius = min(cornerRadius, box.width / 2, box.height / 2)
    guard radius > 0 else {
      return DrawingPath([
        .move(DrawingPoint(x: box.x, y: box.y)), .line(DrawingPoint(x: box.right, y: box.y)),
        .line(DrawingPoint(x: box.right, y: box.bottom)),
        .line(DrawingPoint(x: box.x, y: box.bottom)), .close,
      ])
    }
    // A corner is a quarter circle between a point before it and a point after it.
    let corners = [
      (DrawingPoint(x: box.right, y: box.y), (-1.0, 0.0), (0.0, 1.0)),
      (DrawingPoint(x: box.right, y: box.bottom), (0, -1), (-1, 0)),
      (DrawingPoint(x: box.x, y: box.bottom), (1, 0), (0, -1)),
      (DrawingPoint(x: box.x, y: box.y), (0, 1), (1, 0)),
    ]
    var path = DrawingPath([.move(DrawingPoint(x: box.x + radius, y: box.y))])
    for (corner, before, behind) in corners {
      func away(_ direction: (Double, Double), _ distance: Double) -> DrawingPoint {
        DrawingPoint(x: corner.x + direction.0 * distance, y: corner.y + direction.1 * distance)
      }
      path.steps.append(.line(away(before, radius)))
      path.steps.append(
        .curve(
          away(before, radius * (1 - quarter)), away(behind, radius * (1 - quarter)),
          away(behind, radius)))
    }
    path.steps.append(.close)
    return path
  }

  /// A circle.
  public static func circle(centre: DrawingPoint, radius: Double) -> DrawingPath {
    rectangle(
      DrawingBox(
        x: centre.x - radius, y: centre.y - radius, width: 2 * radius, height: 2 * radius),
      cornerRadius: radius)
  }

  /// A straight line.
  package static func segment(from start: DrawingPoint, to end: DrawingPoint) -> DrawingPath {
    DrawingPath([.move(start), .line(end)])
  }
}
