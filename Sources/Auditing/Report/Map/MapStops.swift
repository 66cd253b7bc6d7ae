import CodeDrawing
import Invocation

/// Signs for stops, of which those that would lie on each other are one.
enum MapStops {
  struct Stop {
    let point: WalkReport.Point
    let place: DrawingPoint
    let name: String
  }

  struct Merged {
    let mark: MapStop
    /// The accuracy of the stop that the sign stands on, in metres.
    let accuracy: Double
  }

  /// Signs nearer to each other than this, in millimetres, would not be readable.
  private static let nearest = 4.4

  /// The signs, the gravest first; each stands on its gravest stop.
  static func merged(_ stops: [Stop]) -> [Merged] {
    let sorted = stops.enumerated().sorted {
      let (left, right) = ($0.element.point.severity, $1.element.point.severity)
      return (WalkMap.rank(right), $0.offset) < (WalkMap.rank(left), $1.offset)
    }.map(\.element)
    var signs: [[Stop]] = []
    var cells: [Cell: [Int]] = [:]
    for stop in sorted {
      let cell = Cell(stop.place)
      let near = cell.neighbours.lazy.flatMap { cells[$0] ?? [] }
        .map { (index: $0, distance: squared(signs[$0][0].place, stop.place)) }
        .filter { $0.distance < nearest * nearest }
        .min { ($0.distance, $0.index) < ($1.distance, $1.index) }
      if let near {
        signs[near.index].append(stop)
      } else {
        cells[cell, default: []].append(signs.count)
        signs.append([stop])
      }
    }
    return signs.map(merged(sign:))
  }

  private static func merged(sign stops: [Stop]) -> Merged {
    let first = stops[0]
    let isSeveral = stops.count > 1
    let names = stops.prefix(20).map(\.name).joined(separator: ", ")
    let title =
      (isSeveral ? "\(Counted.grouped(stops.count)) stops: \(names)" : "Stop \(first.name)")
      + (stops.count > 20 ? " …" : "")
    return Merged(
      mark: MapStop(
        severity: first.point.severity, centre: first.place,
        label: isSeveral ? "×\(stops.count)" : first.name,
        title: first.point.severity.map { "\(title) (\($0.word.lowercased()))" } ?? title,
        isSeveral: isSeveral),
      accuracy: first.point.fix.accuracy)
  }

  private static func squared(_ left: DrawingPoint, _ right: DrawingPoint) -> Double {
    (left.x - right.x) * (left.x - right.x) + (left.y - right.y) * (left.y - right.y)
  }

  private struct Cell: Hashable {
    let x, y: Int

    init(_ point: DrawingPoint) {
      x = Int((point.x / nearest).rounded(.down))
      y = Int((point.y / nearest).rounded(.down))
    }

    private init(x: Int, y: Int) {
      self.x = x
      self.y = y
    }

    var neighbours: [Cell] {
      (-1...1).flatMap { x in (-1...1).map { y in Cell(x: self.x + x, y: self.y + y) } }
    }
  }
}
