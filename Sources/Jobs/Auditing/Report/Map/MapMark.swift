import CliptagBasics
import CodeDrawing
import Invocation

/// An element of a map, in millimetres from its top left corner.
enum MapMark: Sendable {
  /// A figure with a fill, an outline, or both.
  case area(DrawingPath, MapInk)
  /// A stop, or several overlapping ones.
  case stop(MapStop)
  /// Text on one line.
  case words(MapWords)
}

/// Text on a map.
struct MapWords: Sendable {
  enum Anchor: String, Sendable { case start, middle, end }

  let text: String
  /// The start, middle or end of the line, on its baseline.
  let point: DrawingPoint
  let size: Double
  var anchor = Anchor.start
  var isBold = false
  var ink = MapInk.words

  /// The maximum extent of the text.
  var box: DrawingBox {
    let width = TextFitting.width(text, isBold ? .bold : .sans) * size
    let x =
      switch anchor {
      case .start: point.x
      case .middle: point.x - width / 2
      case .end: point.x - width
      }
    return DrawingBox(x: x, y: point.y - size * 0.8, width: width, height: size * 1.1)
  }
}

/// A stop, or several overlapping ones.
struct MapStop: Sendable {
  /// The highest severity found there; `nil` if there are no findings.
  let severity: Finding.Severity?
  let centre: DrawingPoint
  /// Its name, or the number of stops.
  let label: String
  /// The description of the stops that it represents.
  let title: String
  let isSeveral: Bool

  /// Half of the height of a sign for one stop.
  static let radius = 2.4
  /// Half of a sign's height.
  var radius: Double { isSeveral ? 3.1 : Self.radius }
  var box: DrawingBox {
    DrawingBox(x: centre.x, y: centre.y, width: 0, height: 0).grown(by: radius + 0.3)
  }

  /// The sign: a circle without findings, a triangle for a warning, a square for an error.
  var path: DrawingPath { MapSign.path(severity, centre: centre, radius: radius) }
  var ink: MapInk { MapSign.ink(severity) }

  /// The label, in the largest size that fits the sign.
  var words: MapWords {
    let isTriangle = severity == .warning
    let room = radius * (isTriangle ? 1.25 : 1.7)
    let width = max(0.5, TextFitting.width(label, .bold))
    let size = min(radius * (isTriangle ? 0.85 : 1), room / width)
    // The height of digits is about 0.72 of the size.
    let middle = centre.y + (isTriangle ? radius * 0.32 : 0)
    return MapWords(
      text: label, point: DrawingPoint(x: centre.x, y: middle + size * 0.36), size: size,
      anchor: .middle, isBold: true, ink: isTriangle ? .wordsOnWarning : .wordsOnSign)
  }
}

/// The signs of severities, each recognisable by its shape alone.
enum MapSign {
  static func path(
    _ severity: Finding.Severity?, centre: DrawingPoint, radius: Double
  ) -> DrawingPath {
    let (x, y) = (centre.x, centre.y)
    switch severity {
    case .error:
      let half = radius * 0.92
      return .rectangle(
        DrawingBox(x: x - half, y: y - half, width: 2 * half, height: 2 * half),
        cornerRadius: radius * 0.15)
    case .warning:
      return DrawingPath([
        .move(DrawingPoint(x: x, y: y - radius * 1.2)),
        .line(DrawingPoint(x: x + radius * 1.3, y: y + radius)),
        .line(DrawingPoint(x: x - radius * 1.3, y: y + radius)), .close,
      ])
    case .note, nil: return .circle(centre: centre, radius: radius)
    }
  }

  static func ink(_ severity: Finding.Severity?) -> MapInk {
    switch severity {
    case .error: .error
    case .warning: .warning
    case .note, nil: .fine
    }
  }
}

/// The ink of a mark: colours on a page, a class on a web page whose colours follow light and dark
/// mode.
enum MapInk: String, Sendable {
  case ground, place, accuracy, error, warning, fine, words, placeName, wordsOnSign, wordsOnWarning
  case bar, barGround

  var fill: Colour? {
    switch self {
    case .ground: Colour(red: 0xF5, green: 0xF6, blue: 0xF4)
    case .place: Colour(red: 0xDF, green: 0xE9, blue: 0xF3)
    case .accuracy: nil
    case .error: Colour(red: 0xB3, green: 0x26, blue: 0x0A)
    case .warning: Colour(red: 0xFF, green: 0xC2, blue: 0x0A)
    case .fine: Colour(red: 0x00, green: 0x72, blue: 0x5A)
    case .words: Colour(red: 0x3C, green: 0x42, blue: 0x48)
    case .placeName: Colour(red: 0x1F, green: 0x44, blue: 0x6E)
    case .wordsOnSign, .barGround: .white
    case .wordsOnWarning: .black
    case .bar: Colour(red: 0x3C, green: 0x42, blue: 0x48)
    }
  }

  var stroke: (colour: Colour, width: Double)? {
    switch self {
    case .ground: (Colour(red: 0xC9, green: 0xCD, blue: 0xC6), 0.25)
    case .place: (Colour(red: 0x6C, green: 0x93, blue: 0xBD), 0.3)
    case .accuracy: (Colour(red: 0xA9, green: 0xA8, blue: 0x9C), 0.18)
    case .error, .warning, .fine: (.white, 0.4)
    case .bar, .barGround: (Colour(red: 0x3C, green: 0x42, blue: 0x48), 0.2)
    case .words, .placeName, .wordsOnSign, .wordsOnWarning: nil
    }
  }
}

/// Signs for stops; overlapping ones are merged.
enum MapStops {
  struct Stop {
    let point: WalkReport.Point
    let place: DrawingPoint
    let name: String
  }

  struct Merged {
    let mark: MapStop
    /// The accuracy of the stop at the sign's position, in metres.
    let accuracy: Double
  }

  /// The distance in millimetres below which signs would not be readable.
  private static let nearest = 4.4

  /// The signs, the most severe first; each is at the position of its most severe stop.
  static func merged(_ stops: [Stop]) -> [Merged] {
    let sorted = stops.indices.sorted {
      let (left, right) = (stops[$0].point.severity, stops[$1].point.severity)
      return (WalkMap.rank(right), $0) < (WalkMap.rank(left), $1)
    }.map { stops[$0] }
    var signs: [[Stop]] = []
    var cells: [Cell: [Int]] = [:]
    for stop in sorted {
      let cell = Cell(stop.place)
      var near: (distance: Double, index: Int)?
      for index in cell.neighbours.flatMap({ cells[$0] ?? [] }) {
        let distance = squared(signs[index][0].place, stop.place)
        guard distance < nearest * nearest else { continue }
        if near.map({ (distance, index) < $0 }) ?? true { near = (distance, index) }
      }
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
      x = Int(bounded: (point.x / nearest).rounded(.down))
      y = Int(bounded: (point.y / nearest).rounded(.down))
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
