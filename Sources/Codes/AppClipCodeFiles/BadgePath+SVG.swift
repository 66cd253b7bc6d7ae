import CliptagBasics
import AppClipCodes
import CliptagPlatform

/// The path data of SVG files.
extension BadgePath {
  /// Parses the path data of an SVG file (SVG 1.1, 8.3): all commands except quadratic curves,
  /// which no file of Apple's contains. Arcs become cubic curves.
  ///
  /// - Parameters:
  ///   - text: The value of the attribute `d`.
  ///   - placed: The transform to units of the drawing.
  init?(svg text: String, _ placed: Transform) {
    var scanner = PathScanner(text)
    var steps: [Step] = []
    var current = Point(x: 0, y: 0)
    var start = current
    // The second control point of the previous curve, for commands that mirror it.
    var control: Point?
    var command: UInt8?
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
      case UInt8(ascii: "a"):
        guard let rx = scanner.number(), let ry = scanner.number(), let turn = scanner.number(),
          let isLarge = scanner.flag(), let isClockwise = scanner.flag(), let end = point()
        else { return nil }
        let arc = EllipticalArc(
          from: current, to: end, radii: Point(x: abs(rx), y: abs(ry)), rotation: turn,
          isLarge: isLarge, isClockwise: isClockwise)
        guard let curves = arc.curves else { return nil }
        steps += curves.map { .curve(placed($0), placed($1), placed($2)) }
        current = end
      default: return nil
      }
      control = nextControl
      guard steps.count <= Self.mostSteps else { return nil }
    }
    guard !steps.isEmpty else { return nil }
    self.init(steps: steps)
  }

  /// The longest outline that is read; Apple's have fewer than one hundred steps.
  private static let mostSteps = 10_000
}

extension BadgePath.Point {
  fileprivate func mirrored(at centre: Self) -> Self {
    Self(x: 2 * centre.x - x, y: 2 * centre.y - y)
  }
}

/// A scanner for the commands and numbers of path data.
struct PathScanner {
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

  /// Returns the next digit if it is a flag of an arc; it may touch the number after it.
  mutating func flag() -> Bool? {
    skipSeparators()
    guard let first = rest.first, "01".utf8.contains(first) else { return nil }
    rest.removeFirst()
    return first == UInt8(ascii: "1")
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

/// An arc of an ellipse by its ends, as SVG has it (SVG 1.1, 8.3.8 and F.6).
private struct EllipticalArc {
  let from: BadgePath.Point
  let to: BadgePath.Point
  let radii: BadgePath.Point
  /// The rotation of the ellipse in degrees.
  let rotation: Double
  let isLarge: Bool
  let isClockwise: Bool

  /// The arc as cubic curves of at most 30° each: two control points and the end; `nil` for numbers
  /// so large or small that their products are not finite.
  var curves: [(BadgePath.Point, BadgePath.Point, BadgePath.Point)]? {
    guard from != to else { return [] }
    guard radii.x > 0, radii.y > 0 else { return [(from, to, to)] }
    let (sine, cosine) = (sin(rotation * .pi / 180), cos(rotation * .pi / 180))
    let half = BadgePath.Point(x: (from.x - to.x) / 2, y: (from.y - to.y) / 2)
    let x = cosine * half.x + sine * half.y
    let y = cosine * half.y - sine * half.x
    // Radii that are too small are scaled up.
    let size = (x * x / (radii.x * radii.x) + y * y / (radii.y * radii.y)).squareRoot()
    let (rx, ry) = (radii.x * max(1, size), radii.y * max(1, size))
    let around = rx * rx * y * y + ry * ry * x * x
    let root = (max(0, rx * rx * ry * ry - around) / around).squareRoot()
    let way = isLarge == isClockwise ? -root : root
    let (cx, cy) = (way * rx * y / ry, -way * ry * x / rx)
    let start = atan2((y - cy) / ry, (x - cx) / rx)
    var sweep = atan2((-y - cy) / ry, (-x - cx) / rx) - start
    if isClockwise, sweep < 0 { sweep += 2 * .pi }
    if !isClockwise, sweep > 0 { sweep -= 2 * .pi }
    guard sweep.isFinite else { return nil }
    let middle = BadgePath.Point(x: (from.x + to.x) / 2, y: (from.y + to.y) / 2)
    func placed(_ x: Double, _ y: Double) -> BadgePath.Point {
      BadgePath.Point(
        x: cosine * (x + cx) - sine * (y + cy) + middle.x,
        y: sine * (x + cx) + cosine * (y + cy) + middle.y)
    }
    let count = max(1, Int(bounded: (abs(sweep) / (.pi / 6)).rounded(.up)))
    let step = sweep / Double(count)
    let pull = 4 / 3 * tan(step / 4)
    return (0..<count).map { index in
      let (first, second) = (start + Double(index) * step, start + Double(index + 1) * step)
      return (
        placed(
          rx * (cos(first) - pull * sin(first)), ry * (sin(first) + pull * cos(first))),
        placed(
          rx * (cos(second) + pull * sin(second)), ry * (sin(second) - pull * cos(second))),
        index == count - 1 ? to : placed(rx * cos(second), ry * sin(second))
      )
    }
  }
}
