/// A place in a picture or drawing: to the right of its left edge, and below its top edge.
public struct DrawingPoint: Hashable, Sendable {
  /// To the right.
  public var x: Double
  /// Down.
  public var y: Double

  /// Makes a point.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

extension DrawingPoint {
  func distance(to other: DrawingPoint) -> Double {
    ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
  }
}
