import CodeDrawing
import Foundation
import Invocation

extension WalkMap {
  /// One map.
  struct Panel: Sendable {
    let width: Double
    let height: Double
    let title: String
    /// What it shows, for those who do not see it.
    let description: String
    let marks: [MapMark]

    /// The strip below the map for the scale.
    private static let footHeight = 7.0
    /// What is left free inside of the frame.
    private static let margin = 7.0
    /// The least that a map shows across, in metres: one stop alone needs something around it.
    private static let leastExtent = 100.0

    init(_ group: Group, width: Double, name: (WalkReport.Point) -> String) {
      let ground = MapGround(group)
      let (extentWidth, extentHeight) = ground.size(atLeast: Self.leastExtent)
      let inside = width - 2 * Self.margin
      let wanted = inside * extentHeight / extentWidth + 2 * Self.margin
      let frameHeight = min(max(wanted, 0.42 * width), 0.8 * width)
      let scale = min(inside / extentWidth, (frameHeight - 2 * Self.margin) / extentHeight)
      let frame = DrawingBox(x: 0, y: 0, width: width, height: frameHeight)
      self.width = width
      height = frameHeight + Self.footHeight
      title = group.title
      description = group.description
      let sheet = MapSheet(frame: frame, scale: scale, middle: ground.middle)
      let stops = MapStops.merged(
        zip(group.points, ground.points).map {
          MapStops.Stop(point: $0, place: sheet.place($1), name: name($0))
        })
      var marks: [MapMark] = [.area(.rectangle(frame), .ground)]
      marks += ground.areas.flatMap(\.outlines).compactMap { sheet.area($0, .place) }
      marks += stops.compactMap { stop in
        let radius = stop.accuracy * scale
        // A circle that hardly shows beside its sign tells nothing.
        guard radius > stop.mark.radius * 1.2 else { return nil }
        return sheet.area(.circle(centre: stop.mark.centre, radius: radius), .accuracy)
      }
      marks += Self.names(of: ground.areas, around: stops.map(\.mark.box), on: sheet)
      // The gravest last, so that nothing lies over it.
      marks += stops.map(\.mark).reversed().map(MapMark.stop)
      marks += Self.foot(of: frame, scale: scale)
      self.marks = marks
    }

    // MARK: Names

    /// The names of places where nothing else lies; without room a place has none.
    private static func names(
      of areas: [MapGround.Area], around stops: [DrawingBox], on sheet: MapSheet
    ) -> [MapMark] {
      var taken = stops
      var marks: [MapMark] = []
      // With more there is no room left to look for.
      for area in areas.prefix(200) {
        let name = TextFitting.shortened(area.name, to: 22, .bold, headPart: 0.7)
        let options = area.outlines.flatMap { outline in
          positions(around: sheet.bounds(of: outline), name)
        }
        let free = options.first { words in
          let box = words.box
          return box.isInside(sheet.frame.grown(by: -0.8)) && !taken.contains { $0.meets(box) }
        }
        guard let free else { continue }
        taken.append(free.box)
        marks.append(.words(free))
      }
      return marks
    }

    private static func positions(around box: DrawingBox, _ name: String) -> [MapWords] {
      let size = 3.0
      func words(_ x: Double, _ y: Double, _ anchor: MapWords.Anchor) -> MapWords {
        MapWords(
          text: name, point: DrawingPoint(x: x, y: y), size: size, anchor: anchor, isBold: true,
          ink: .placeName)
      }
      let middle = box.centre
      return [
        words(middle.x, box.y - 1.2, .middle), words(middle.x, box.bottom + size, .middle),
        words(box.right + 1.2, middle.y + size * 0.36, .start),
        words(box.x - 1.2, middle.y + size * 0.36, .end),
        words(middle.x, box.y + size + 0.6, .middle), words(middle.x, box.bottom - 1.4, .middle),
        words(box.right, box.y - 1.2, .start), words(box.x, box.y - 1.2, .end),
        words(box.right, box.bottom + size, .start), words(box.x, box.bottom + size, .end),
        words(middle.x, middle.y + size * 0.36, .middle),
      ]
    }

    // MARK: Scale

    /// The scale at the left and north at the right.
    private static func foot(of frame: DrawingBox, scale: Double) -> [MapMark] {
      let length = roundLength(atMost: frame.width * 0.28 / scale)
      let (width, top) = (length * scale, frame.bottom + 2.4)
      func bar(_ start: Double, _ end: Double, _ ink: MapInk) -> MapMark {
        .area(
          .rectangle(
            DrawingBox(
              x: frame.x + start * width + 0.2, y: top, width: (end - start) * width, height: 1.2)),
          ink)
      }
      let text = length >= 1000 ? "\(Int(length / 1000)) km" : "\(decimal(length, places: 1)) m"
      let north = frame.right - 2
      return [
        bar(0, 1, .barGround), bar(0, 0.5, .bar),
        .words(
          MapWords(
            text: text, point: DrawingPoint(x: frame.x + width + 2, y: top + 1.7), size: 2.8)),
        .area(
          DrawingPath([
            .move(DrawingPoint(x: north, y: top - 1.4)),
            .line(DrawingPoint(x: north + 1.4, y: top + 2.4)),
            .line(DrawingPoint(x: north, y: top + 1.5)),
            .line(DrawingPoint(x: north - 1.4, y: top + 2.4)), .close,
          ]), .bar),
        .words(
          MapWords(
            text: "North", point: DrawingPoint(x: north - 2.6, y: top + 1.9), size: 2.8,
            anchor: .end)),
      ]
    }

    /// The greatest of 1, 2, 5, 10, 20, 50 … that is not above a length in metres.
    static func roundLength(atMost most: Double) -> Double {
      guard most > 0, most.isFinite else { return 1 }
      let power = pow(10, floor(log10(most)))
      return [5, 2, 1].map { $0 * power }.first { $0 <= most * (1 + 1e-9) } ?? power
    }
  }
}

extension DrawingBox {
  fileprivate func meets(_ other: DrawingBox) -> Bool {
    x < other.right && other.x < right && y < other.bottom && other.y < bottom
  }

  fileprivate func isInside(_ other: DrawingBox) -> Bool {
    x >= other.x && right <= other.right && y >= other.y && bottom <= other.bottom
  }
}
