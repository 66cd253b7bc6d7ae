import CodeDrawing
import Invocation
import Registry
import Testing

@testable import Auditing

@Suite("Maps of walks")
struct WalkMapTests {
  private typealias Make = WalkReports

  private func map(_ fixes: [LocationFix], _ places: [Place] = []) throws -> WalkMap {
    try #require(
      WalkMap(
        of: Make.report(sections: places.map { Make.section($0) }, points: Make.points(fixes)))
    )
  }

  private func stops(_ panel: WalkMap.Panel) -> [MapStop] {
    panel.marks.compactMap { if case .stop(let stop) = $0 { stop } else { nil } }
  }

  private func names(_ panel: WalkMap.Panel) -> [MapWords] {
    panel.marks.compactMap {
      if case .words(let words) = $0, words.ink == .placeName { words } else { nil }
    }
  }

  /// Returns the millimetres on the map for a metre, by the bar at its foot.
  private func scale(_ panel: WalkMap.Panel) throws -> Double {
    let bar = try #require(
      panel.marks.compactMap { mark -> DrawingPath? in
        if case .area(let path, .barGround) = mark { path } else { nil }
      }.first)
    let text = try #require(
      panel.marks.compactMap { mark -> String? in
        if case .words(let words) = mark, words.ink == .words, words.anchor == .start {
          words.text
        } else {
          nil
        }
      }.first)
    let parts = text.split(separator: " ")
    let metres = try #require(Double(parts[0])) * (parts[1] == "km" ? 1000 : 1)
    return extent(bar).width / metres
  }

  private func extent(_ path: DrawingPath) -> DrawingBox {
    let points = path.steps.flatMap { step -> [DrawingPoint] in
      switch step {
      case .move(let point), .line(let point): [point]
      case .curve(_, _, let end): [end]
      case .close: []
      }
    }
    let xs = points.map(\.x)
    let ys = points.map(\.y)
    let (left, top) = (xs.min() ?? 0, ys.min() ?? 0)
    return DrawingBox(x: left, y: top, width: (xs.max() ?? 0) - left, height: (ys.max() ?? 0) - top)
  }

  @Test("without positions there is no map")
  func none() {
    let report = Make.report(sections: [Make.section(Make.place("a"))])
    #expect(WalkMap(of: report) == nil)
  }

  @Test("stops in two towns are on two maps, a row of stops that leads on is on one")
  func towns() throws {
    let here = Make.fix(48.2, 16.37)
    #expect(try map([here, Make.fix(48.2, 16.42)]).count == 2)
    // A degree of longitude is 74 km there: each stop is 1.5 km from the next.
    let row = (0..<20).map { Make.fix(48.2, 16.37 + 0.02 * Double($0)) }
    #expect(try map(row).count == 1)
  }

  @Test(
    "a length on the map is what the bar says, at every latitude",
    arguments: [(0.0, 10.0), (60, 24.9), (-77.85, 166.7), (89.9999, 0), (-33.9, 179.9999)])
  func scaled(at place: (latitude: Double, longitude: Double)) throws {
    let first = Make.coordinate(place.latitude, place.longitude)
    // Crosses the antimeridian in the last case, and near the pole goes far around it.
    let wrapped = place.longitude + 0.0005 > 180 ? -179.9996 : place.longitude + 0.0005
    for second in [
      Make.coordinate(place.latitude, wrapped),
      Make.coordinate(place.latitude - 0.0005, place.longitude),
    ] {
      let fixes = [first, second].map { LocationFix(coordinate: $0, accuracy: 1)! }
      let walk = try map(fixes)
      #expect(walk.count == 1)
      let panel = try #require(walk.panels(width: 180).first)
      let metres = Geodesic.distance(from: first, to: second)
      let signs = stops(panel)
      guard signs.count == 2 else {
        // Too near for two signs.
        #expect(metres * (try scale(panel)) < 5)
        continue
      }
      let (x, y) = (signs[0].centre.x - signs[1].centre.x, signs[0].centre.y - signs[1].centre.y)
      let drawn = (x * x + y * y).squareRoot()
      #expect(abs(drawn / (metres * (try scale(panel))) - 1) < 0.005)
    }
  }

  @Test("north is up and east is right, across the antimeridian too")
  func directions() throws {
    let panel = try #require(
      try map([Make.fix(-17, 179.9995), Make.fix(-17, -179.9995), Make.fix(-16.999, 179.9995)])
        .panels(width: 180).first)
    let places = Dictionary(
      stops(panel).map { ($0.label, $0.centre) }, uniquingKeysWith: { first, _ in first })
    let (origin, east, north) = (
      try #require(places["1"]), try #require(places["2"]), try #require(places["3"])
    )
    #expect(east.x > origin.x + 10 && abs(east.y - origin.y) < 0.1)
    #expect(north.y < origin.y - 10 && abs(north.x - origin.x) < 0.1)
  }

  @Test("the circle of a place is as large as its radius")
  func radius() throws {
    let place = Make.place("a", radius: 250)
    let panel = try #require(
      try map([Make.fix(37.3318, -122.0312)], [place]).panels(width: 180).first)
    let area = try #require(
      panel.marks.compactMap { mark -> DrawingPath? in
        if case .area(let path, .place) = mark { path } else { nil }
      }.first)
    #expect(abs(extent(area).width / (500 * (try scale(panel))) - 1) < 0.001)
  }

  @Test("one stop alone is in the middle of a map of a sensible extent")
  func alone() throws {
    let panel = try #require(try map([Make.fix(37.3, -122)]).panels(width: 180).first)
    let stop = try #require(stops(panel).first)
    #expect(abs(stop.centre.x - 90) < 0.01)
    #expect(panel.width / (try scale(panel)) < 250)
  }

  @Test("names of places lie neither on each other nor on signs, and none is beyond the edge")
  func namesApart() throws {
    let places = (0..<60).map { index in
      Make.place(
        "p\(index)", "A place with a long name, number \(index)",
        at: Make.coordinate(37.33 + 0.002 * Double(index % 8), -122 + 0.003 * Double(index / 8)),
        radius: 60)
    }
    let fixes = (0..<40).map { Make.fix(37.33 + 0.0004 * Double($0), -122 + 0.0005 * Double($0)) }
    let panel = try #require(try map(fixes, places).panels(width: 180).first)
    let boxes = names(panel).map(\.box)
    #expect(boxes.count > 10)
    let taken = boxes + stops(panel).map(\.box)
    for (index, box) in boxes.enumerated() {
      #expect(box.x >= 0 && box.right <= panel.width && box.y >= 0 && box.bottom <= panel.height)
      for other in taken[(index + 1)...] {
        let apart =
          box.right <= other.x || other.right <= box.x || box.bottom <= other.y
          || other.bottom <= box.y
        #expect(apart)
      }
    }
  }

  @Test("all places are on one map, and one has its own only where that tells more")
  func overview() throws {
    let (london, paris) = (Make.coordinate(51.5, -0.1), Make.coordinate(48.85, 2.35))
    let tokyo = Make.place("t", "Tokyo", at: Make.coordinate(35.7, 139.7))
    let points = Make.points([
      Make.fix(51.5, -0.1), Make.fix(48.85, 2.35), Make.fix(48.853, 2.35),
    ])
    func map(_ unvisited: [Place]) throws -> WalkMap {
      try #require(
        WalkMap(
          of: Make.report(
            sections: [
              Make.section(Make.place("l", "London", at: london)),
              Make.section(Make.place("p", "Paris", at: paris)),
            ], unvisited: unvisited, points: points)))
    }
    let near = try map([])
    let all = near.overview(width: 92)
    #expect(all.signCount == 2 && all.isOverview)
    let names = all.marks.compactMap { mark in
      if case .words(let words) = mark { words.text } else { nil }
    }
    #expect(names.contains("London") && names.contains("Paris") && names.contains("North"))
    // London's one stop is on the map of all; the two of Paris are apart.
    #expect(near.helpfulPanels(width: 92).map(\.title) == ["Paris · 2 stops"])
    let wide = try map([tokyo]).overview(width: 92)
    let far = wide.marks.compactMap { mark in
      if case .words(let words) = mark { words.text } else { nil }
    }
    // A place that was visited without a position is on the map all the same.
    let stated = try #require(
      WalkMap(
        of: Make.report(sections: [
          Make.section(Make.place("l", "London", at: london)),
          Make.section(
            Make.place("p", "Paris", at: paris), items: [Make.item(.retiredCode, .error)]),
        ])))
    let signs = stated.overview(width: 92).marks.compactMap { mark in
      if case .stop(let stop) = mark { stop.severity } else { nil }
    }
    #expect(stated.tellsSomething && signs == [.error])
    #expect(stated.overview(width: 92).signCount == 2)
    #expect(far.contains("Tokyo") && !far.contains("North"), "no scale is true that far")
  }

  @Test("thousands of stops are as many signs as can be told apart, and all are counted")
  func many() throws {
    let fixes = (0..<5_000).map {
      Make.fix(37.33 + 0.0001 * Double($0 % 70), -122 + 0.0001 * Double($0 / 70), accuracy: 1e300)
    }
    let panel = try #require(try map(fixes).panels(width: 180).first)
    let signs = stops(panel)
    #expect(signs.count < 1_500)
    let counted = signs.reduce(0) { $0 + (Int($1.label.drop { $0 == "×" }) ?? 0) }
    #expect(signs.allSatisfy(\.isSeveral) ? counted == 5_000 : counted > 5_000)
    // However bad a position is, its circle stays on the map.
    for case .area(let path, .accuracy) in panel.marks {
      let box = extent(path)
      #expect(box.x >= -0.001 && box.right <= 180.001 && box.y >= -0.001)
    }
  }

  @Test("several stops on one spot look as grave as the gravest of them")
  func gravest() throws {
    let fixes = [Make.fix(37.3, -122), Make.fix(37.3, -122), Make.fix(37.3, -122)]
    let points = zip(fixes, [nil, Finding.Severity.error, .warning]).enumerated().map {
      WalkReport.Point(
        fix: $1.0, severity: $1.1, walk: Make.walk.id, number: $0 + 1)
    }
    let map = try #require(WalkMap(of: Make.report(points: points)))
    let signs = stops(try #require(map.panels(width: 180).first))
    #expect(signs.map(\.severity) == [.error] && signs.map(\.label) == ["×3"])
  }

  @Test("signs differ by their shapes, not by colour alone")
  func shapes() {
    // Long straight sides: four of a square, three of a triangle of which one closes it, none of a
    // circle.
    let sides = [Finding.Severity.error, .warning, nil].map { severity in
      var (count, last) = (0, DrawingPoint(x: 0, y: 0))
      for step in MapSign.path(severity, centre: last, radius: 2).steps {
        switch step {
        case .line(let end):
          count += abs(end.x - last.x) + abs(end.y - last.y) > 1 ? 1 : 0
          last = end
        case .move(let end), .curve(_, _, let end): last = end
        case .close: break
        }
      }
      return count
    }
    #expect(sides == [4, 2, 0])
  }

  @Test("a place with entrances in two towns is on both maps, each with its own entrance")
  func entrances() throws {
    let (one, two) = (Make.coordinate(48.2, 16.37), Make.coordinate(47.07, 15.43))
    let regions = [one, two].map { Region.circle(Region.Circle(centre: $0, radius: 50)!) }
    let place = Place(id: "a", name: "A", region: try #require(Region(regions)))
    let walk = try map(
      [one, two].map { LocationFix(coordinate: $0, accuracy: 5)! }, [place])
    for panel in walk.panels(width: 180) {
      #expect(names(panel).map(\.text) == ["A"])
      #expect(panel.width / (try scale(panel)) < 300)
    }
  }

  @Test("the bar is 1, 2 or 5 times a power of ten")
  func lengths() {
    let lengths = [0.7, 1, 1.9, 4.99, 5, 99, 100, 34_000].map(WalkMap.Panel.roundLength(atMost:))
    #expect(lengths == [0.5, 1, 1, 2, 5, 50, 100, 20_000])
  }
}
