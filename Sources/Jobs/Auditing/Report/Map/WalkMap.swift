import CliptagBasics
import CodeDrawing
import Foundation
import Invocation

/// Maps of stops and places, drawn from positions alone. No street map is requested, so no server
/// learns where a report is read.
///
/// Distant stops are on separate maps. Lengths are in millimetres from the top left corner of each
/// map.
package struct WalkMap: Sendable {
  /// The distance in metres beyond which stops are on different maps.
  package static let reach = 2_000.0
  /// The maximum number of maps: those with the most severe findings, then the most stops.
  package static let mostPanels = 24

  /// Stops and places near each other.
  struct Group: Sendable {
    let points: [WalkReport.Point]
    let places: [Place]
  }

  let groups: [Group]
  /// A place without a stop of known position near it.
  struct Lonely: Sendable {
    let place: Place
    let isVisited: Bool
    let severity: Finding.Severity?
  }

  /// The places without any stop near them.
  let lonely: [Lonely]
  /// The maximum number of such places that are drawn.
  private static let mostLonely = 2_000
  /// The number of groups of stops beyond ``mostPanels``.
  package let omittedCount: Int
  /// The highest severity at each place, including missing codes.
  private let placeSeverities: [String: Finding.Severity]
  private let names: @Sendable (WalkReport.Point) -> String

  /// The number of maps.
  package var count: Int { groups.count }

  /// Groups the stops and places by position; `nil` if no position is known.
  package init?(of report: WalkReport) {
    let places = report.sections.compactMap(\.place) + report.unvisited
    let anchors = places.enumerated().flatMap { index, place in
      place.regions.flatMap { region in
        region.landmarks.map { Anchor(place: index, region: region, coordinate: $0) }
      }
    }
    let ground =
      report.points.map { GroundPoint($0.fix.coordinate) }
      + anchors.map { GroundPoint($0.coordinate) }
    let count = report.points.count
    let found = GroundClusters(ground, within: Self.reach).clusters.compactMap { cluster in
      let points = cluster.filter { $0 < count }.map { report.points[$0] }
      let near = cluster.filter { $0 >= count }.map { anchors[$0 - count] }
      // A place without nearby stops is listed, and has no map.
      return points.isEmpty ? nil : Group(points: points, places: Self.parts(of: places, near))
    }
    let severities = Dictionary(
      report.sections.compactMap { section in section.place.map { ($0.id, section.severity) } },
      uniquingKeysWith: { first, _ in first })
    let near = Set(found.flatMap { $0.places.map(\.id) })
    lonely = places.filter { !near.contains($0.id) }.prefix(Self.mostLonely).map {
      Lonely(
        place: $0, isVisited: severities.keys.contains($0.id), severity: severities[$0.id] ?? nil)
    }
    placeSeverities = severities.compactMapValues(\.self)
    let sorted = found.enumerated().sorted {
      let (left, right) = ($0.element, $1.element)
      return (right.rank, right.points.count, $0.offset) < (left.rank, left.points.count, $1.offset)
    }.map(\.element)
    groups = Array(sorted.prefix(Self.mostPanels))
    guard !sorted.isEmpty || lonely.count > 1 else { return nil }
    omittedCount = sorted.count - groups.count
    names = { report.stopName($0.number, of: $0.walk) }
  }

  /// A point of a place's region, used for grouping.
  private struct Anchor {
    let place: Int
    let region: Region
    let coordinate: Coordinate
  }

  /// The places, each reduced to its nearby regions: the others are on other maps.
  private static func parts(of places: [Place], _ near: [Anchor]) -> [Place] {
    var regions: [Int: [Region]] = [:]
    for anchor in near where regions[anchor.place]?.contains(anchor.region) != true {
      regions[anchor.place, default: []].append(anchor.region)
    }
    return regions.keys.sorted().compactMap { index in
      Region(regions[index] ?? []).map {
        Place(id: places[index].id, name: places[index].name, region: $0)
      }
    }
  }

  /// All places and stops on one map, each place as one sign, coloured by severity.
  ///
  /// - Parameter width: The width in millimetres, at least 60.
  func overview(width: Double) -> Panel { Panel(of: self, width: max(60, width)) }

  /// The maps that show more than ``overview(width:)``: those with several separate signs, or with
  /// a stop at no place.
  ///
  /// - Parameter width: The width of each in millimetres, at least 60.
  func helpfulPanels(width: Double) -> [Panel] {
    zip(groups, panels(width: width)).filter { $0.places.count != 1 || $1.signCount > 1 }.map(\.1)
  }

  /// The highest severity at the stops and places of a group; `nil` if there are no findings.
  fileprivate func severity(of group: Group) -> Finding.Severity? {
    (group.points.compactMap(\.severity) + group.places.compactMap { placeSeverities[$0.id] }).max()
  }

  /// Whether the maps are informative: a map of one place with one stop is not.
  var tellsSomething: Bool { hasOverview || !helpfulPanels(width: 60).isEmpty }

  /// Whether one map shows more than one group or place.
  var hasOverview: Bool { groups.count + lonely.count > 1 }

  /// The maps in a width.
  ///
  /// - Parameter width: The width of each in millimetres, at least 60.
  func panels(width: Double) -> [Panel] {
    groups.map { Panel($0, width: max(60, width), name: names) }
  }
}

extension WalkMap.Group {
  /// The rank of the highest severity: 3 for errors down to 0 for none.
  var rank: Int { points.map { WalkMap.rank($0.severity) }.max() ?? 0 }

  /// The title of the map.
  var title: String {
    let stops = Counted.text(points.count, "stop")
    guard !places.isEmpty else { return stops }
    let names = places.prefix(2).map { $0.name.nameForPeople.shortened(to: 40) }
    let rest = places.count - names.count
    return (names + (rest > 0 ? ["\(rest) more"] : [])).joined(separator: ", ") + " · " + stops
  }

  /// The name on a map of all places: its places, or empty.
  var name: String {
    guard let first = places.first else { return "" }
    let rest = places.count - 1
    return first.name.nameForPeople + (rest > 0 ? " +\(rest)" : "")
  }

  /// The text alternative of the map.
  var description: String {
    func count(_ severity: Finding.Severity) -> Int { points.count { $0.severity == severity } }
    var text = "Map of \(Counted.text(points.count, "stop"))"
    let parts = [(Finding.Severity.error, "with something wrong"), (.warning, "to look at")]
      .filter { count($0.0) > 0 }.map { "\(Counted.grouped(count($0.0))) \($0.1)" }
    text += parts.isEmpty ? "." : ": \(Counted.list(parts))."
    guard !places.isEmpty else { return text }
    let names = places.prefix(20).map(\.name.nameForPeople)
    return text + " Places: \(names.joined(separator: ", "))\(places.count > 20 ? " …" : "")."
  }
}

extension WalkMap {
  /// The rank of a severity: 3 for errors down to 0 for none.
  static func rank(_ severity: Finding.Severity?) -> Int {
    switch severity {
    case .error: 3
    case .warning: 2
    case .note: 1
    case nil: 0
    }
  }
}

extension Place {
  /// The centres of its regions.
  fileprivate var middles: [Coordinate] { region.bounds.map(\.centre) }
}

extension Region {
  /// The points that represent a region in grouping: the centre of a circle, the corners of a
  /// polygon.
  fileprivate var landmarks: [Coordinate] {
    switch self {
    case .circle(let circle): [circle.centre]
    case .polygon(let polygon): polygon.corners
    case .several(let several): several.regions.flatMap(\.landmarks)
    }
  }
}

extension WalkMap {
  /// One map.
  struct Panel: Sendable {
    let width: Double
    let height: Double
    let title: String
    /// The text alternative of the map.
    let description: String
    let marks: [MapMark]
    /// Whether it shows all places.
    let isOverview: Bool

    /// The number of signs of stops.
    var signCount: Int {
      marks.count { if case .stop = $0 { true } else { false } }
    }

    /// The height of the strip below the map for the scale.
    private static let footHeight = 7.0
    /// The margin inside the frame.
    private static let margin = 7.0
    /// The minimum extent of a map in metres: a single stop needs some surroundings.
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
      isOverview = false
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
        // A circle hardly larger than its sign is not informative.
        guard radius > stop.mark.radius * 1.2 else { return nil }
        return sheet.area(.circle(centre: stop.mark.centre, radius: radius), .accuracy)
      }
      marks += Self.names(of: ground.areas, around: stops.map(\.mark.box), on: sheet)
      // The most severe last, so that no other sign covers it.
      marks += stops.map(\.mark).reversed().map(MapMark.stop)
      marks += Self.foot(of: frame, scale: scale)
      self.marks = marks
    }

    /// Draws an overview: a sign for each group of stops, a ring for each place without any.
    init(of map: WalkMap, width: Double) {
      let spots =
        map.groups.map { $0.points.map(\.fix.coordinate) + $0.places.flatMap(\.middles) }
        + map.lonely.map(\.place.middles)
      let ground = MapOverview(spots)
      let inside = width - 4 * Self.margin
      let (extentWidth, extentHeight) = ground.size(atLeast: Self.leastExtent)
      let wanted = inside * extentHeight / extentWidth + 4 * Self.margin
      let frameHeight = min(max(wanted, 0.36 * width), 0.55 * width)
      let scale = min(inside / extentWidth, (frameHeight - 4 * Self.margin) / extentHeight)
      let frame = DrawingBox(x: 0, y: 0, width: width, height: frameHeight)
      self.width = width
      height = frameHeight + (ground.isTrue ? Self.footHeight : 0)
      title = "All places"
      isOverview = true
      let sheet = MapSheet(frame: frame, scale: scale, middle: ground.middle)
      let dots = ground.points.map(sheet.place)
      func sign(
        _ severity: Finding.Severity?, _ title: String, at dot: DrawingPoint
      ) -> MapStop {
        MapStop(severity: severity, centre: dot, label: "", title: title, isSeveral: false)
      }
      let visited = zip(map.lonely, dots.dropFirst(map.groups.count)).filter(\.0.isVisited)
      let rings = zip(map.lonely, dots.dropFirst(map.groups.count)).filter { !$0.0.isVisited }
        .map(\.1)
      let signs =
        zip(map.groups, dots).map { sign(map.severity(of: $0), $0.title, at: $1) }
        + visited.map { sign($0.severity, $0.place.name.nameForPeople, at: $1) }
      let names = map.groups.map(\.name) + map.lonely.map(\.place.name.nameForPeople)
      var marks: [MapMark] = [.area(.rectangle(frame), .ground)]
      marks += rings.map { .area(.circle(centre: $0, radius: 1.3), .place) }
      let areas = zip(names, ground.points).filter { !$0.0.isEmpty }.map { name, point in
        MapGround.Area(
          name: name,
          outlines: [.circle(centre: point, radius: MapStop.radius * 1.15 / scale)])
      }
      marks += Self.names(
        of: areas,
        around: signs.map(\.box)
          + rings.map { DrawingBox(x: $0.x, y: $0.y, width: 0, height: 0).grown(by: 1.5) },
        on: sheet)
      marks += signs.reversed().map(MapMark.stop)
      if ground.isTrue { marks += Self.foot(of: frame, scale: scale) }
      self.marks = marks
      description =
        "Map of all places: "
        + Counted.list(
          signs.prefix(20).map { sign in
            "\(sign.title) (\(sign.severity?.word.lowercased() ?? "nothing found"))"
          }) + "."
    }

    // MARK: Names

    /// The names of places at free positions; a name without room is omitted.
    private static func names(
      of areas: [MapGround.Area], around stops: [DrawingBox], on sheet: MapSheet
    ) -> [MapMark] {
      var taken = stops
      var marks: [MapMark] = []
      // With more places there is no room left.
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
      let text =
        length >= 1000 ? "\(Int(bounded: length / 1000)) km" : "\(decimal(length, places: 1)) m"
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

    /// The largest of 1, 2, 5, 10, 20, 50 … that does not exceed a length in metres.
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

extension WalkMap {
  /// The first map as a separate file, in a style that simple viewers show.
  ///
  /// - Parameter width: The width in millimetres.
  package func svgFile(width: Double) -> String? {
    let panel = hasOverview ? overview(width: width) : helpfulPanels(width: width).first
    return panel?.svg().replacing(
      "<svg class=\"map\"",
      with: "<svg xmlns=\"http://www.w3.org/2000/svg\" font-family=\"sans-serif\"",
      maxReplacements: 1)
  }
}

extension WalkMap.Panel {
  /// The map as an `svg` element of a web page, whose style sheet colours its classes; the colours
  /// in the element are for viewers without style sheets.
  ///
  /// - Parameter hasNames: Whether it has the names of places.
  func svg(hasNames: Bool = true) -> String {
    var svg =
      "<svg class=\"map\" role=\"img\" aria-label=\"\(xmlEscaped(description))\" "
      + "viewBox=\"0 0 \(number(width)) \(number(height))\">\n"
    for mark in marks {
      switch mark {
      case .area(let path, let ink): svg += element(path, ink)
      case .stop(let stop):
        svg += "<g><title>\(xmlEscaped(stop.title))</title>" + element(stop.path, stop.ink)
        svg += element(stop.words) + "</g>\n"
      case .words(let words): if hasNames || words.ink != .placeName { svg += element(words) }
      }
    }
    return svg + "</svg>\n"
  }

  private func element(_ path: DrawingPath, _ ink: MapInk) -> String {
    var attributes = "class=\"ink-\(ink.rawValue)\" fill=\"\(ink.fill?.hexadecimal ?? "none")\""
    if let stroke = ink.stroke {
      attributes += " stroke=\"\(stroke.colour.hexadecimal)\" stroke-width=\"\(stroke.width)\""
    }
    return "<path \(attributes) d=\"\(path.svg)\"/>\n"
  }

  private func element(_ words: MapWords) -> String {
    "<text class=\"ink-\(words.ink.rawValue)\" x=\"\(number(words.point.x))\" "
      + "y=\"\(number(words.point.y))\" font-size=\"\(number(words.size))\" "
      + "text-anchor=\"\(words.anchor.rawValue)\"\(words.isBold ? " font-weight=\"700\"" : "") "
      // The anchor is independent of the direction of the name.
      + "fill=\"\(words.ink.fill?.hexadecimal ?? "none")\" direction=\"ltr\" "
      + "unicode-bidi=\"embed\">\(xmlEscaped(words.text))</text>\n"
  }

  private func number(_ value: Double) -> String { decimal(value, places: 3) }
}
