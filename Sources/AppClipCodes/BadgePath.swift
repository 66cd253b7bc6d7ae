/// The outline of a part of the badge: lines and cubic curves in units of the drawing.
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

    func mirrored(at centre: Point) -> Point { Point(x: 2 * centre.x - x, y: 2 * centre.y - y) }
  }

  /// The steps in order.
  public let steps: [Step]

  /// All points including control points; the outline lies within their convex hull.
  var points: [Point] {
    steps.flatMap { step -> [Point] in
      switch step {
      case .move(let point), .line(let point): [point]
      case .curve(let first, let second, let end): [first, second, end]
      case .close: []
      }
    }
  }

  /// Parses the path data of an SVG file (SVG 1.1, 8.3): all commands except arcs and quadratic
  /// curves, which no badge contains.
  ///
  /// - Parameters:
  ///   - text: The value of the attribute `d`.
  ///   - scale: The factor of all coordinates.
  ///   - offset: The offset added after scaling.
  init?(svg text: String, scale: Point, offset: Point) {
    var scanner = PathScanner(text)
    var steps: [Step] = []
    var current = Point(x: 0, y: 0)
    var start = current
    // The second control point of the previous curve, for commands that mirror it.
    var control: Point?
    var command: UInt8?
    func placed(_ point: Point) -> Point {
      Point(x: point.x * scale.x + offset.x, y: point.y * scale.y + offset.y)
    }
    while true {
      if let next = scanner.command() {
        command = next
      } else if scanner.isAtEnd {
        break
      }
      guard let letter = command else { return nil }
      let isRelative = letter >= UInt8(ascii: "a")
      let origin = isRelative ? current : Point(x: 0, y: 0)
      func point() -> Point? {
        guard let x = scanner.number(), let y = scanner.number() else { return nil }
        return Point(x: x + origin.x, y: y + origin.y)
      }
      var nextControl: Point?
      switch letter | 0x20 {
      case UInt8(ascii: "m"):
        guard let end = point() else { return nil }
        steps.append(.move(placed(end)))
        (current, start) = (end, end)
        // Further pairs are line commands.
        command = isRelative ? UInt8(ascii: "l") : UInt8(ascii: "L")
      case UInt8(ascii: "z"):
        steps.append(.close)
        current = start
        command = nil
      case _ where steps.isEmpty: return nil
      case UInt8(ascii: "l"):
        guard let end = point() else { return nil }
        steps.append(.line(placed(end)))
        current = end
      case UInt8(ascii: "h"):
        guard let x = scanner.number() else { return nil }
        current.x = x + origin.x
        steps.append(.line(placed(current)))
      case UInt8(ascii: "v"):
        guard let y = scanner.number() else { return nil }
        current.y = y + origin.y
        steps.append(.line(placed(current)))
      case UInt8(ascii: "c"):
        guard let first = point(), let second = point(), let end = point() else { return nil }
        steps.append(.curve(placed(first), placed(second), placed(end)))
        (current, nextControl) = (end, second)
      case UInt8(ascii: "s"):
        guard let second = point(), let end = point() else { return nil }
        let first = control?.mirrored(at: current) ?? current
        steps.append(.curve(placed(first), placed(second), placed(end)))
        (current, nextControl) = (end, second)
      default: return nil
      }
      control = nextControl
      guard steps.count <= Self.mostSteps else { return nil }
    }
    guard !steps.isEmpty else { return nil }
    self.steps = steps
  }

  /// The longest outline that is read; Apple's have fewer than one hundred steps.
  private static let mostSteps = 10_000
}

/// A scanner for the commands and numbers of path data.
private struct PathScanner {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  private mutating func skipSeparators() {
    rest = rest.drop { $0 == UInt8(ascii: " ") || (9...13).contains($0) || $0 == UInt8(ascii: ",") }
  }

  var isAtEnd: Bool {
    mutating get {
      skipSeparators()
      return rest.isEmpty
    }
  }

  /// Returns the next token if it is a letter.
  mutating func command() -> UInt8? {
    skipSeparators()
    guard let first = rest.first, "MmZzLlHhVvCcSsQqTtAa".utf8.contains(first) else { return nil }
    rest.removeFirst()
    return first
  }

  /// Returns the next token if it is a finite number; numbers may follow each other without a
  /// separator, as in `1.5.5-2`.
  mutating func number() -> Double? {
    skipSeparators()
    var end = rest.startIndex
    func take(_ characters: String) -> Bool {
      guard end < rest.endIndex, characters.utf8.contains(rest[end]) else { return false }
      rest.formIndex(after: &end)
      return true
    }
    _ = take("+-")
    while take("0123456789") {}
    if take(".") { while take("0123456789") {} }
    if take("eE") {
      _ = take("+-")
      while take("0123456789") {}
    }
    guard let value = Double(String(rest[..<end]) ?? ""), value.isFinite else { return nil }
    rest = rest[end...]
    return value
  }
}
