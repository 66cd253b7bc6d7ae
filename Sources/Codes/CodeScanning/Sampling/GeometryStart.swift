import Pictures

import CliptagPlatform

/// The initial geometry of a symbol: from the corners of its finder patterns, fitted to their edges
/// and to the timing patterns.
struct GeometryStart {
  private(set) var geometry: SymbolGeometry
  /// The median contrast of the finder patterns' edges.
  private(set) var contrast: Float
  /// The edges of each finder pattern, as squares or as rings.
  let edgesOfFinders: [[FunctionPatterns.Edge]]
  /// The share of the finder patterns' edges that are visible.
  let finders: Double
  /// The share of the timing patterns' edges that are visible: about one half if the size is wrong.
  let timing: Double

  /// A Boolean value that indicates whether the patterns look like those of a symbol, read or not.
  /// Of 15 photographs with an unread code and three found patterns, 14 had such patterns; of 453
  /// whose codes were all read, 13, among thousands of random combinations.
  ///
  /// Of 1,597 symbols that were read, each had a start with a timing of 0.6 and finders of 0.73; of
  /// 1,670 other combinations that have a start, one reaches these limits.
  var showsSymbol: Bool { timing > 0.55 && showsFinders }

  /// A Boolean value that indicates whether the finder patterns are visible.
  var showsFinders: Bool { finders > 0.7 }

  /// Creates a start for a symbol of `size` modules, or `nil` if the patterns cannot belong to one.
  init?(_ triple: FinderTriple, size: Int, measure: EdgeMeasure) {
    let patterns = FunctionPatterns.of(size: size)
    edgesOfFinders = triple.isRound ? patterns.roundFinderEdges : patterns.finderEdges
    let finderEdges = edgesOfFinders.flatMap(\.self)
    var best: (geometry: SymbolGeometry, fit: EdgeMeasure.Fit)?
    for kind in triple.isRound ? Kind.ofRings : Kind.ofSquares {
      guard var geometry = Self.geometry(kind, of: triple, size) else { continue }
      let fit = measure.fit(
        &geometry, to: finderEdges, rounds: 4, bends: !geometry.bend.isNone)
      if fit.right > (best?.fit.right ?? 0) + 0.02 { best = (geometry, fit) }
      if fit.right > 0.92 { break }
    }
    guard let best, best.fit.right > 0.55 else { return nil }
    geometry = best.geometry
    contrast = best.fit.contrast
    finders = best.fit.right
    // From the finder patterns outwards, so that a drift is corrected before it reaches a module.
    for reach in [0.25, 0.5] {
      let limit = 7 + reach * Double(size - 14)
      let near = patterns.timingEdges.filter {
        min(max($0.u, $0.v), Double(size) - max($0.u, $0.v)) < limit
      }
      _ = measure.fit(
        &geometry, to: finderEdges + near, rounds: 2, bends: !geometry.bend.isNone)
    }
    let least = 0.2 * contrast
    let settled = geometry
    let seen = patterns.timingEdges.count {
      measure.shift(of: $0, in: settled).contrast > least
    }
    timing = Double(seen) / Double(patterns.timingEdges.count)
  }

  /// Returns the size according to the version information beside the finder patterns (from version
  /// 7 on; ISO/IEC 18004:2015, 7.10), or `nil` if neither copy can be read.
  ///
  /// It is adjacent to the finder patterns, where even a geometry of the wrong size is nearly
  /// right.
  func toldSize(_ measure: EdgeMeasure) -> Int? {
    let size = geometry.size
    guard size >= 37 else { return nil }
    let left = Double(size) - 7
    let core = measure.brightness(geometry(left + 3.5, 3.5))
    let ring = measure.brightness(geometry(left + 5.5, 3.5))
    guard ring - core > 6 else { return nil }
    let threshold = (core + ring) / 2
    for places in VersionInformation.places(size: size) {
      var bits: UInt32 = 0
      for (index, place) in places.enumerated() {
        let point = geometry(Double(place.column) + 0.5, Double(place.row) + 0.5)
        if measure.brightness(point) < threshold { bits |= 1 << UInt32(index) }
      }
      if let version = VersionInformation.version(bits: bits) { return 17 + 4 * version }
    }
    return nil
  }

  /// The interpretation of the finder patterns' corners.
  private enum Kind {
    /// Corners of a flat sheet in perspective.
    case flat
    /// Too inaccurate for the perspective: only the centres of the patterns count.
    case withoutPerspective
    /// Corners of a bent sheet.
    case bent
    /// Rings, which have no corners: their areas determine the perspective of a flat sheet.
    case rings

    static let ofSquares = [flat, withoutPerspective, bent]
    static let ofRings = [rings, withoutPerspective]
  }

  private static func geometry(
    _ kind: Kind, of triple: FinderTriple, _ size: Int
  ) -> SymbolGeometry? {
    guard let rough = plane(byMiddlesOf: triple, size) else { return nil }
    let plane: PlaneMap? =
      switch kind {
      case .rings: plane(byAreasOf: triple, size)
      case .flat: plane(by: matches(of: triple, size, rough), triple.topLeft.modulePixels)
      case .withoutPerspective, .bent: rough
      }
    guard let plane else { return nil }
    let geometry = SymbolGeometry(size: size, plane: plane)
    guard geometry.isSane else { return nil }
    return kind == .bent ? bent(geometry, to: matches(of: triple, size, rough)) : geometry
  }

  /// Returns each corner and centre of a finder pattern with its position in the symbol.
  private static func matches(
    of triple: FinderTriple, _ size: Int, _ rough: PlaneMap
  ) -> [PlaneMap.Match] {
    var matches: [PlaneMap.Match] = []
    for (finder, (left, top)) in zip(
      [triple.topLeft, triple.topRight, triple.bottomLeft], places(size))
    {
      matches.append(.init(u: left + 3.5, v: top + 3.5, seen: finder.centre))
      guard finder.corners.count == 4 else { continue }
      let square = [(0.0, 0.0), (7, 0), (7, 7), (0, 7)].map { (left + $0.0, top + $0.1) }
      let expected = square.map { rough($0.0, $0.1) }
      let corners = ordered(finder.corners, as: expected, around: finder.centre)
      for (place, corner) in zip(square, corners) {
        matches.append(.init(u: place.0, v: place.1, seen: corner))
      }
    }
    return matches
  }

  /// Returns the plane through all corners, without an outlier.
  private static func plane(by matches: [PlaneMap.Match], _ modulePixels: Double) -> PlaneMap? {
    guard let first = PlaneMap(fitting: matches) else { return nil }
    let off = matches.map { first($0.u, $0.v).distance(to: $0.seen) }
    guard let worst = off.indices.max(by: { off[$0] < off[$1] }), off[worst] > modulePixels
    else { return first }
    var others = matches
    others.remove(at: worst)
    return PlaneMap(fitting: others) ?? first
  }

  /// Returns the plane with the bend that matches the corners.
  private static func bent(
    _ flat: SymbolGeometry, to matches: [PlaneMap.Match]
  ) -> SymbolGeometry? {
    var geometry = flat
    for _ in 0..<3 {
      let side = Double(flat.size)
      let places = [(0.0, 0.0), (side, 0), (side, side), (0, side)]
      let back = PlaneMap(
        fitting: places.map { place in
          let seen = geometry.plane(place.0, place.1)
          return .init(u: seen.x, v: seen.y, seen: PicturePoint(x: place.0, y: place.1))
        })
      guard let back else { return nil }
      var adjustment = GeometryAdjustment(of: geometry, bends: true)
      for match in matches {
        let (seen, here) = (back(match.seen.x, match.seen.y), geometry.bent(match.u, match.v))
        adjustment.add(seen.x - here.u, isAlongU: true, at: match.u, match.v, weight: 1)
        adjustment.add(seen.y - here.v, isAlongU: false, at: match.u, match.v, weight: 1)
      }
      guard let moved = adjustment.result() else { return nil }
      geometry = moved
    }
    return geometry
  }

  /// Returns the plane from the areas and centres of three round patterns.
  ///
  /// An object at w times the distance has an area of 1 / w³ in the picture (the determinant of the
  /// map), and w is linear over a plane; so three areas give w everywhere, and together with three
  /// centres the map.
  private static func plane(byAreasOf triple: FinderTriple, _ size: Int) -> PlaneMap? {
    let finders = [triple.topLeft, triple.topRight, triple.bottomLeft]
    let areas = finders.compactMap(\.roundArea)
    guard areas.count == 3, areas.allSatisfy({ $0 > 1 }) else { return nil }
    let depths = areas.map { pow($0 / areas[0], -1 / 3) }
    let fourth = depths[1] + depths[2] - depths[0]
    guard fourth > 0.3 else { return nil }
    let middles = zip(finders, depths).map { $0.centre * $1 }
    let opposite = (middles[1] + middles[2] - middles[0]) * (1 / fourth)
    let far = Double(size) - 3.5
    let places = [(3.5, 3.5), (far, 3.5), (3.5, far), (far, far)]
    return PlaneMap(
      fitting: zip(places, finders.map(\.centre) + [opposite]).map {
        .init(u: $0.0, v: $0.1, seen: $1)
      })
  }

  /// Returns the plane without perspective, from the centres of the finder patterns.
  private static func plane(byMiddlesOf triple: FinderTriple, _ size: Int) -> PlaneMap? {
    let centres = [triple.topLeft.centre, triple.topRight.centre, triple.bottomLeft.centre]
    let far = Double(size) - 3.5
    let fourth = PicturePoint(
      x: centres[1].x + centres[2].x - centres[0].x, y: centres[1].y + centres[2].y - centres[0].y)
    let places = [(3.5, 3.5), (far, 3.5), (3.5, far), (far, far)]
    return PlaneMap(
      fitting: zip(places, centres + [fourth]).map { .init(u: $0.0, v: $0.1, seen: $1) })
  }

  /// Returns the top left corners of the finder patterns, in modules.
  private static func places(_ size: Int) -> [(Double, Double)] {
    let far = Double(size - 7)
    return [(0, 0), (far, 0), (0, far)]
  }

  /// Returns four corners in the order of the expected ones, regardless of their start and
  /// direction.
  private static func ordered(
    _ corners: [PicturePoint], as expected: [PicturePoint], around centre: PicturePoint
  ) -> [PicturePoint] {
    let middle = PicturePoint.mean(of: expected)
    let wanted = expected.map {
      PicturePoint(x: $0.x - middle.x + centre.x, y: $0.y - middle.y + centre.y)
    }
    var best = corners
    var least = Double.infinity
    for turns in 0..<4 {
      for order in [corners, corners.reversed()] {
        let turned = (0..<4).map { order[($0 + turns) % 4] }
        let sum = zip(turned, wanted).reduce(0.0) {
          let distance = $1.0.distance(to: $1.1)
          return $0 + distance * distance
        }
        if sum < least { (least, best) = (sum, turned) }
      }
    }
    return best
  }
}
