/// The outline of a part of the glyph or the badge: lines and cubic curves in units of the drawing.
public struct BadgePath: Hashable, Sendable, Codable {
  /// A step of the outline.
  public enum Step: Hashable, Sendable, Codable {
    /// Begins a new closed outline at a point.
    case move(Point)
    /// A straight line to a point.
    case line(Point)
    /// A cubic Bézier curve: two control points and the end.
    case curve(Point, Point, Point)
    /// A line back to the beginning of the outline.
    case close
  }

  /// A point in units of the drawing, from its upper left corner.
  public struct Point: Hashable, Sendable, Codable {
    /// The distance to the right.
    public var x: Double
    /// The distance downwards.
    public var y: Double

    /// Creates a point.
    public init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  /// The steps in order.
  public let steps: [Step]

  /// The same outline with its points in tenths of a unit.
  package var rounded: BadgePath {
    func rounded(_ point: Point) -> Point {
      Point(x: (point.x * 10).rounded() / 10, y: (point.y * 10).rounded() / 10)
    }
    return BadgePath(
      steps: steps.map { step in
        switch step {
        case .move(let end): .move(rounded(end))
        case .line(let end): .line(rounded(end))
        case .curve(let first, let second, let end):
          .curve(rounded(first), rounded(second), rounded(end))
        case .close: .close
        }
      })
  }

  /// Creates an outline of its steps.
  package init(steps: [Step]) { self.steps = steps }

  /// The extent and the area of the outline.
  package var measure: Measure {
    var measure = Measure()
    var current = Point(x: 0, y: 0)
    var start = current
    func line(to end: Point) {
      measure.add(current, end)
      current = end
    }
    for step in steps {
      switch step {
      case .move(let point):
        if measure.right >= measure.left { line(to: start) }
        (current, start) = (point, point)
        measure.add(point, point)
      case .line(let end): line(to: end)
      case .curve(let first, let second, let end):
        let origin = current
        let count = 24
        for index in 1...count {
          let (t, u) = (Double(index) / Double(count), 1 - Double(index) / Double(count))
          func mixed(_ axis: KeyPath<Point, Double>) -> Double {
            origin[keyPath: axis] * u * u * u + 3 * first[keyPath: axis] * t * u * u
              + 3 * second[keyPath: axis] * t * t * u + end[keyPath: axis] * t * t * t
          }
          line(to: Point(x: mixed(\.x), y: mixed(\.y)))
        }
      case .close: line(to: start)
      }
    }
    line(to: start)
    return measure
  }

  /// The extent and the area of an outline, in units of the drawing.
  package struct Measure: Hashable {
    package fileprivate(set) var left = Double.infinity
    package fileprivate(set) var top = Double.infinity
    package fileprivate(set) var right = -Double.infinity
    package fileprivate(set) var bottom = -Double.infinity
    /// The area around which the outline runs, positive if it runs clockwise: holes run the other way
    /// round.
    package fileprivate(set) var area = 0.0

    fileprivate mutating func add(_ first: Point, _ second: Point) {
      area += (first.x * second.y - second.x * first.y) / 2
      left = min(left, second.x)
      top = min(top, second.y)
      right = max(right, second.x)
      bottom = max(bottom, second.y)
    }
  }

  /// All points including control points; the outline lies within their convex hull.
  package var points: [Point] {
    steps.flatMap { step -> [Point] in
      switch step {
      case .move(let point), .line(let point): [point]
      case .curve(let first, let second, let end): [first, second, end]
      case .close: []
      }
    }
  }
}
