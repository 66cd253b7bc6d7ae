import Invocation

/// Stops and places as they lie on the ground: drawn from positions alone, without a street map,
/// so that nobody is asked for one and nobody learns where a report is read.
///
/// Stops far from each other are on maps of their own. Lengths are millimetres from the top left
/// corner of each map; pages and web pages draw the same marks.
package struct WalkMap: Sendable {
  /// Stops that lie further apart than this, in metres, are on different maps.
  package static let reach = 2_000.0
  /// The most maps that are drawn: those with the gravest findings, then the most stops.
  package static let mostPanels = 24

  /// What lies near each other.
  struct Group: Sendable {
    let points: [WalkReport.Point]
    let places: [Place]
  }

  let groups: [Group]
  /// How many groups of stops there are beyond ``mostPanels``.
  package let omittedCount: Int
  private let names: @Sendable (WalkReport.Point) -> String

  /// How many maps there are.
  package var count: Int { groups.count }

  /// Sorts what is known to have a position; `nil` when that is nothing.
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
      // A place without stops around it stands in a list, and is no map.
      return points.isEmpty ? nil : Group(points: points, places: Self.parts(of: places, near))
    }
    guard !found.isEmpty else { return nil }
    let sorted = found.enumerated().sorted {
      let (left, right) = ($0.element, $1.element)
      return (right.rank, right.points.count, $0.offset) < (left.rank, left.points.count, $1.offset)
    }.map(\.element)
    groups = Array(sorted.prefix(Self.mostPanels))
    omittedCount = sorted.count - groups.count
    names = { report.stopName($0.number, of: $0.walk) }
  }

  /// Something by which it is told where a part of a place lies.
  private struct Anchor {
    let place: Int
    let region: Region
    let coordinate: Coordinate
  }

  /// The places with those of their regions that lie near: the others are on other maps.
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

  /// The maps in a width.
  ///
  /// - Parameter width: Of each, in millimetres, at least 60.
  func panels(width: Double) -> [Panel] {
    groups.map { Panel($0, width: max(60, width), name: names) }
  }
}

extension WalkMap.Group {
  /// 3 for errors down to 0 for nothing.
  var rank: Int { points.map { WalkMap.rank($0.severity) }.max() ?? 0 }

  /// Whose map it is, in a few words.
  var title: String {
    let stops = Counted.text(points.count, "stop")
    guard !places.isEmpty else { return stops }
    let names = places.prefix(2).map { $0.name.nameForPeople.shortened(to: 40) }
    let rest = places.count - names.count
    return (names + (rest > 0 ? ["\(rest) more"] : [])).joined(separator: ", ") + " · " + stops
  }

  /// What the map shows, for those who do not see it.
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
  /// 3 for errors down to 0 for nothing.
  static func rank(_ severity: Finding.Severity?) -> Int {
    switch severity {
    case .error: 3
    case .warning: 2
    case .note: 1
    case nil: 0
    }
  }
}

extension Region {
  /// Points by which it is told what lies near: the middle of a circle, the corners of a polygon.
  fileprivate var landmarks: [Coordinate] {
    switch self {
    case .circle(let circle): [circle.centre]
    case .polygon(let polygon): polygon.corners
    case .several(let several): several.regions.flatMap(\.landmarks)
    }
  }
}
