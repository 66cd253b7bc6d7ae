import AppClipCodes
import CliptagPlatform

/// A transform of SVG (SVG 1.1, 7.4 and 7.6): translations, scalings and rotations.
struct Transform: Hashable {
  /// x' = a x + c y + e, y' = b x + d y + f.
  private var a = 1.0, b = 0.0, c = 0.0, d = 1.0, e = 0.0, f = 0.0

  /// The transform that changes nothing.
  static let identity = Transform()

  private init() {}

  /// A move to a place, or from it to the beginning.
  init(movingTo place: BadgePath.Point, reversed: Bool = false) {
    (e, f) = reversed ? (-place.x, -place.y) : (place.x, place.y)
  }

  /// Parses the value of an attribute `transform`, that of none being the identity; `nil` for
  /// anything else than translations, scalings, rotations and matrices.
  init?(_ text: String?) {
    for part in (text ?? "").split(separator: ")") {
      let pieces = part.split(separator: "(", omittingEmptySubsequences: false)
      let name = pieces[0].filter { !" ,\t\r\n".contains($0) }
      if pieces.count == 1, name.isEmpty { continue }
      guard pieces.count == 2 else { return nil }
      let words = pieces[1].split { " ,\t\r\n".contains($0) }
      let numbers = words.compactMap { Double($0) }.filter(\.isFinite)
      guard numbers.count == words.count else { return nil }
      var next = Transform()
      switch (name, numbers.count) {
      case ("translate", 1), ("translate", 2):
        (next.e, next.f) = (numbers[0], numbers.count > 1 ? numbers[1] : 0)
      case ("scale", 1), ("scale", 2): (next.a, next.d) = (numbers[0], numbers[numbers.count - 1])
      case ("rotate", 1), ("rotate", 3):
        let (sine, cosine) = (sin(numbers[0] * .pi / 180), cos(numbers[0] * .pi / 180))
        let (x, y) = numbers.count == 3 ? (numbers[1], numbers[2]) : (0, 0)
        (next.a, next.b, next.c, next.d) = (cosine, sine, -sine, cosine)
        (next.e, next.f) = (x - cosine * x + sine * y, y - sine * x - cosine * y)
      case ("matrix", 6):
        (next.a, next.b, next.c) = (numbers[0], numbers[1], numbers[2])
        (next.d, next.e, next.f) = (numbers[3], numbers[4], numbers[5])
      default: return nil
      }
      self = after(next)
    }
  }

  /// The transform that does another one first, then this.
  func after(_ first: Transform) -> Transform {
    var both = Transform()
    (both.a, both.b) = (a * first.a + c * first.b, b * first.a + d * first.b)
    (both.c, both.d) = (a * first.c + c * first.d, b * first.c + d * first.d)
    (both.e, both.f) = (a * first.e + c * first.f + e, b * first.e + d * first.f + f)
    return both
  }

  /// The place to which a point comes.
  func callAsFunction(_ point: BadgePath.Point) -> BadgePath.Point {
    BadgePath.Point(x: a * point.x + c * point.y + e, y: b * point.x + d * point.y + f)
  }

  /// Returns `true` for a move of the whole drawing to a place, to a thousandth of a unit.
  func isMove(to place: BadgePath.Point) -> Bool {
    isLike(Transform(movingTo: place))
  }

  /// Returns `true` for a rotation about the middle of the disc.
  func isTurn(by degrees: Double) -> Bool {
    Transform("rotate(\(degrees) 400 400)").map(isLike) ?? false
  }

  private func isLike(_ other: Transform) -> Bool {
    let pairs = [
      (a, other.a, 1e-5), (b, other.b, 1e-5), (c, other.c, 1e-5), (d, other.d, 1e-5),
      (e, other.e, 1e-2), (f, other.f, 1e-2),
    ]
    return pairs.allSatisfy { abs($0.0 - $0.1) <= $0.2 }
  }
}
