/// An upright rectangle in a picture or drawing.
public struct DrawingBox: Hashable, Sendable {
  /// The left edge.
  public var x: Double
  /// The top edge.
  public var y: Double
  /// To the right from the left edge, at least 0.
  public var width: Double
  /// Down from the top edge, at least 0.
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

  /// The rectangle moved as little as necessary to lie in another, if it fits.
  func held(in area: DrawingBox) -> DrawingBox {
    var held = self
    held.x = max(area.x, min(x, area.right - width))
    held.y = max(area.y, min(y, area.bottom - height))
    return held
  }

  /// The point in the rectangle that is nearest.
  func nearestPoint(to point: DrawingPoint) -> DrawingPoint {
    DrawingPoint(x: max(x, min(point.x, right)), y: max(y, min(point.y, bottom)))
  }
}

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
