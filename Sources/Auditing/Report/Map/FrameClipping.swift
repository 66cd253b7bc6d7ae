import CodeDrawing
import Foundation

extension DrawingBox {
  /// The part of a polygon that lies in the box (Sutherland and Hodgman, 1974): pages have no other
  /// way to leave out what lies beyond.
  func clipping(_ corners: [DrawingPoint]) -> [DrawingPoint] {
    var corners = corners
    corners = Self.clipped(corners) { $0.x - x }
    corners = Self.clipped(corners) { right - $0.x }
    corners = Self.clipped(corners) { $0.y - y }
    return Self.clipped(corners) { bottom - $0.y }
  }

  /// - Parameter depth: how far a point lies inside of an edge, below 0 outside.
  private static func clipped(
    _ corners: [DrawingPoint], by depth: (DrawingPoint) -> Double
  ) -> [DrawingPoint] {
    var kept: [DrawingPoint] = []
    for (index, corner) in corners.enumerated() {
      let before = corners[index == 0 ? corners.count - 1 : index - 1]
      let (from, to) = (depth(before), depth(corner))
      if (from < 0) != (to < 0) {
        let share = from / (from - to)
        kept.append(
          DrawingPoint(
            x: before.x + share * (corner.x - before.x), y: before.y + share * (corner.y - before.y)
          ))
      }
      if to >= 0 { kept.append(corner) }
    }
    return kept
  }
}

extension DrawingPath {
  /// The corners of a circle with so many sides that none of them shows.
  static func ring(centre: DrawingPoint, radius: Double) -> [DrawingPoint] {
    (0..<360).map { step in
      let angle = Double(step) * .pi / 180
      return DrawingPoint(x: centre.x + radius * cos(angle), y: centre.y + radius * sin(angle))
    }
  }
}
