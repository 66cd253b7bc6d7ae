import SymbolStructure

/// The modules of a symbol that do not depend on its contents: finder patterns with their
/// separators, timing patterns and alignment patterns (ISO/IEC 18004:2015, 6.3.3 to 6.3.6).
struct FunctionPatterns: Sendable {
  /// The known colour of a module.
  enum Module: Int8, Sendable {
    case unknown = 0
    case dark = 1
    case light = -1
  }

  /// An edge between a dark and a light module, in modules from the symbol's top left corner: its
  /// midpoint, whether it is vertical (crossed going right) or horizontal (crossed going down), and
  /// whether the module before it is the dark one.
  struct Edge: Hashable, Sendable {
    let u: Double
    let v: Double
    let isVertical: Bool
    let isDarkFirst: Bool
  }

  /// The number of modules on a side.
  let size: Int
  /// The modules, row by row.
  let modules: [Module]
  /// The centres of the alignment patterns' rows and columns, in modules; empty in version 1. There
  /// is a pattern at every pair of them except the three that a finder pattern covers.
  let alignmentMiddles: [Double]
  /// The edges inside and around the three finder patterns: top left, top right, bottom left.
  let finderEdges: [[Edge]]
  /// The edges of the same patterns drawn as rings, where these are nearly parallel to rows or
  /// columns.
  let roundFinderEdges: [[Edge]]
  /// The edges between the modules of the timing patterns.
  let timingEdges: [Edge]

  /// Returns the patterns of a symbol of `size` modules on a side: 21, 25 … 177.
  static func of(size: Int) -> FunctionPatterns { all[min(39, max(0, (size - 21) / 4))] }

  private static let all = (1...40).map {
    FunctionPatterns(version: $0, alignmentCentres: SymbolLayout.alignmentCentres(version: $0))
  }

  /// Returns the patterns of a symbol of Model 1, which has no alignment patterns, with `size`
  /// modules on a side: 21, 25 … 73.
  static func ofModel1(size: Int) -> FunctionPatterns {
    model1[min(model1.count - 1, max(0, (size - 21) / 4))]
  }

  private static let model1 = Model1Layout.versions.map {
    FunctionPatterns(version: $0, alignmentCentres: [])
  }

  private init(version: Int, alignmentCentres middles: [Int]) {
    let size = 17 + 4 * version
    var modules = [Module](repeating: .unknown, count: size * size)
    for i in 8..<size - 8 {
      modules[6 * size + i] = i % 2 == 0 ? .dark : .light
      modules[i * size + 6] = modules[6 * size + i]
    }
    for row in middles {
      for column in middles where !Self.isFinder(column, row, size) {
        for y in -2...2 {
          for x in -2...2 {
            modules[(row + y) * size + column + x] = max(abs(x), abs(y)) == 1 ? .light : .dark
          }
        }
      }
    }
    for (left, top) in [(0, 0), (size - 7, 0), (0, size - 7)] {
      for y in -1...7 where (0..<size).contains(top + y) {
        for x in -1...7 where (0..<size).contains(left + x) {
          modules[(top + y) * size + left + x] = Self.finder(x, y)
        }
      }
    }
    self.size = size
    self.modules = modules
    alignmentMiddles = middles.map { Double($0) + 0.5 }
    let finders = [(0, 0), (size - 7, 0), (0, size - 7)]
    finderEdges = finders.map(Self.finderEdges)
    roundFinderEdges = finders.map(Self.roundFinderEdges)
    timingEdges = (7..<size - 7).flatMap { border in
      let middle = Double(border)
      let isDarkFirst = border % 2 == 1
      return [
        Edge(u: middle, v: 6.5, isVertical: true, isDarkFirst: isDarkFirst),
        Edge(u: 6.5, v: middle, isVertical: false, isDarkFirst: isDarkFirst),
      ]
    }
  }

  /// Returns a module of a finder pattern, counted from the pattern's top left one.
  private static func finder(_ x: Int, _ y: Int) -> Module {
    let ring = max(abs(x - 3), abs(y - 3))
    return ring == 2 || ring == 4 ? .light : .dark
  }

  private static func isFinder(_ column: Int, _ row: Int, _ size: Int) -> Bool {
    (column < 9 && row < 9) || (column > size - 9 && row < 9) || (column < 9 && row > size - 9)
  }

  /// Returns the edges in and around a finder pattern.
  private static func finderEdges(left: Int, top: Int) -> [Edge] {
    var edges: [Edge] = []
    for along in 0..<7 {
      for border in 0...7 {
        let (before, after) = (finder(border - 1, along), finder(border, along))
        guard before != after else { continue }
        let (near, far) = (Double(border), Double(along) + 0.5)
        edges.append(
          Edge(
            u: Double(left) + near, v: Double(top) + far, isVertical: true,
            isDarkFirst: before == .dark))
        edges.append(
          Edge(
            u: Double(left) + far, v: Double(top) + near, isVertical: false,
            isDarkFirst: before == .dark))
      }
    }
    return edges
  }

  /// Returns the edges in and around a finder pattern of rings: circles of 1.5, 2.5 and 3.5
  /// modules.
  private static func roundFinderEdges(left: Int, top: Int) -> [Edge] {
    let (u, v) = (Double(left) + 3.5, Double(top) + 3.5)
    return [(1.5, true), (2.5, false), (3.5, true)].flatMap { radius, isDarkWithin in
      [-1.0, 0, 1].flatMap { aside in
        let away = (radius * radius - aside * aside).squareRoot()
        return [-1.0, 1].flatMap { side in
          let isDarkFirst = isDarkWithin == (side > 0)
          return [
            Edge(u: u + side * away, v: v + aside, isVertical: true, isDarkFirst: isDarkFirst),
            Edge(u: u + aside, v: v + side * away, isVertical: false, isDarkFirst: isDarkFirst),
          ]
        }
      }
    }
  }

  /// Returns the edges around the light ring and the centre module of an alignment pattern. Its
  /// outer edge adjoins data.
  static func alignmentEdges(u: Double, v: Double) -> [Edge] {
    var edges: [Edge] = []
    for along in -1...1 {
      for side in [-1.0, 1.0] {
        for distance in along == 0 ? [0.5, 1.5] : [1.5] {
          // Outwards, the dark centre module precedes the light ring, and the ring the dark frame.
          let isDarkFirst = (distance == 0.5) == (side > 0)
          edges.append(
            Edge(
              u: u + side * distance, v: v + Double(along), isVertical: true,
              isDarkFirst: isDarkFirst))
          edges.append(
            Edge(
              u: u + Double(along), v: v + side * distance, isVertical: false,
              isDarkFirst: isDarkFirst))
        }
      }
    }
    return edges
  }
}
