import ScanFixtures
import Testing

@testable import CodeScanning
@testable import Pictures

@Suite("Finder patterns and their triples")
struct FinderLocatorTests {
  private func symbol(_ bytes: Int, version: Int = 0, modulePixels: Int) throws -> GreyPicture {
    try #require(
      drawSymbol(
        [UInt8](repeating: 0x61, count: bytes), version: version, modulePixels: modulePixels))
  }

  /// Where the middle of a module of a drawn symbol with its quiet zone is.
  private func middle(_ column: Double, _ row: Double, _ modulePixels: Int) -> PicturePoint {
    PicturePoint(
      x: (column + 4) * Double(modulePixels), y: (row + 4) * Double(modulePixels))
  }

  private func expect(
    _ triple: FinderTriple, size: Int, within pixels: Double,
    place: (Double, Double) -> PicturePoint
  ) {
    let far = Double(size) - 3.5
    #expect((triple.topLeft.centre - place(3.5, 3.5)).length < pixels)
    #expect((triple.topRight.centre - place(far, 3.5)).length < pixels)
    #expect((triple.bottomLeft.centre - place(3.5, far)).length < pixels)
    #expect(triple.sizes.first == size)
  }

  @Test(
    "a drawn symbol's patterns are found to a fraction of a pixel, and its size",
    arguments: [(1, 2), (1, 3), (2, 6), (7, 12), (20, 3), (40, 4)])
  func drawn(version: Int, modulePixels: Int) throws {
    let picture = try symbol(10, version: version, modulePixels: modulePixels)
    let triple = try #require(FinderLocator().triples(in: picture).first)
    expect(triple, size: 17 + 4 * version, within: 0.1 * Double(modulePixels) + 0.2) {
      middle($0, $1, modulePixels)
    }
    #expect(!triple.isInverted)
    for corner in triple.topLeft.corners {
      let away = corner - triple.topLeft.centre
      #expect(abs(max(abs(away.x), abs(away.y)) - 3.5 * Double(modulePixels)) < 1)
    }
  }

  @Test("a symbol is found at any angle", arguments: [11.0, 30, 45, 90, 200])
  func turned(degrees: Double) throws {
    let (picture, place) = try seen(version: 3, modulePixels: 5) { x, y in
      let (sine, cosine) = sineAndCosine(degrees)
      return (x * cosine - y * sine, x * sine + y * cosine, 1)
    }
    let triple = try #require(FinderLocator().triples(in: picture).first)
    expect(triple, size: 29, within: 1, place: place)
  }

  @Test("a symbol is found when the camera looks at it from the side", arguments: [0.1, 0.2])
  func tilted(depth: Double) throws {
    let (picture, place) = try seen(version: 4, modulePixels: 7) { x, y in
      (x * 0.8, y, 1 + depth * x)
    }
    let triple = try #require(FinderLocator().triples(in: picture).first)
    expect(triple, size: 33, within: 2, place: place)
  }

  @Test("a light symbol on dark is found where that is wanted, and said to be one")
  func inverted() throws {
    let drawn = try symbol(10, modulePixels: 4)
    let picture = GreyPicture(
      width: drawn.width, height: drawn.height, pixels: drawn.pixels.map { 255 - $0 })
    var locator = FinderLocator()
    #expect(locator.triples(in: picture).isEmpty)
    locator.polarities = .both
    let triple = try #require(locator.triples(in: picture).first)
    #expect(triple.isInverted)
    expect(triple, size: 21, within: 0.6) { middle($0, $1, 4) }
  }

  @Test("of many symbols on a sheet each has its triple among the first")
  func many() throws {
    let drawn = try symbol(20, modulePixels: 3)
    let picture = tiled(drawn, columns: 9, rows: 7)
    let triples = FinderLocator().triples(in: picture).prefix(3 * 63)
    for index in 0..<63 {
      let corner = PicturePoint(
        x: Double(index % 9 * drawn.width) + 22.5, y: Double(index / 9 * drawn.height) + 22.5)
      #expect(
        triples.contains {
          ($0.topLeft.centre - corner).length < 1.5
            && ($0.topRight.centre - $0.topLeft.centre).length < Double(drawn.width)
            && ($0.bottomLeft.centre - $0.topLeft.centre).length < Double(drawn.width)
        })
    }
  }

  @Test("a symbol that lost one finder pattern is found by the others", arguments: 0..<3)
  func lost(index: Int) throws {
    let drawn = try symbol(10, version: 3, modulePixels: 6)
    let lost = [(3.5, 3.5), (25.5, 3.5), (3.5, 25.5)].map { middle($0.0, $0.1, 6) }[index]
    var pixels = drawn.pixels
    for y in 0..<drawn.height {
      for x in 0..<drawn.width
      where abs(Double(x) + 0.5 - lost.x) < 22 && abs(Double(y) + 0.5 - lost.y) < 22 {
        pixels[y * drawn.width + x] = 255
      }
    }
    let picture = GreyPicture(width: drawn.width, height: drawn.height, pixels: pixels)
    var locator = FinderLocator()
    #expect(locator.triples(in: picture).isEmpty)
    locator.completesPairs = true
    #expect(
      locator.triples(in: picture).contains { triple in
        triple.sizes.first == 29
          && [triple.topLeft, triple.topRight, triple.bottomLeft].contains {
            ($0.centre - lost).length < 6
          } && (triple.topLeft.centre - middle(3.5, 3.5, 6)).length < 6
      })
  }

  @Test("nothing is found in a code that is known")
  func known() throws {
    let picture = try symbol(10, modulePixels: 5)
    let corners = [(0.0, 0.0), (21, 0), (21, 21), (0, 21)].map { middle($0.0, $0.1, 5) }
    #expect(FinderLocator().triples(in: picture, outside: [corners]).isEmpty)
  }

  @Test("the number of triples is bounded whatever a picture shows, and the same every time")
  func noise() {
    var state: UInt64 = 7
    let pixels = (0..<120 * 100).map { _ -> UInt8 in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
    let picture = GreyPicture(width: 120, height: 100, pixels: pixels)
    var locator = FinderLocator(polarities: .both, completesPairs: true)
    locator.maximumTriples = 20
    let triples = locator.triples(in: picture)
    #expect(triples.count <= 20)
    #expect(locator.triples(in: picture) == triples)
  }

  @Test("a picture full of candidates costs no more rays than are allowed")
  func rays() throws {
    // Many patterns, each cut by the next, and none of a symbol.
    let pixels = (0..<600 * 600).map { index -> UInt8 in
      let (x, y) = (index % 600 % 21 / 3, index / 600 % 21 / 3)
      let ring = max(abs(x - 3), abs(y - 3))
      return ring == 2 ? 255 : 0
    }
    let picture = GreyPicture(width: 600, height: 600, pixels: pixels)
    var locator = FinderLocator(polarities: .both)
    let free = locator.search(picture).rays
    try #require(free > 5000)
    locator.mostRays = 2000
    let bounded = locator.search(picture).rays
    // The candidate under way is finished: at most 8 rays to begin with and three times 32.
    #expect(bounded >= 2000 && bounded < 2000 + 8 + 3 * 32)
  }

  @Test(
    "pictures of every odd shape are searched to their border",
    arguments: [(0, 0), (1, 1), (16, 16), (17, 700), (700, 17), (81, 133)])
  func shapes(width: Int, height: Int) {
    for kind in 0..<3 {
      let pixels = (0..<width * height).map { index -> UInt8 in
        switch kind {
        case 0: 0
        case 1: index / 3 % 2 == 0 ? 0 : 255
        default: UInt8(index * 37 % 251)
        }
      }
      let picture = GreyPicture(width: width, height: height, pixels: pixels)
      let locator = FinderLocator(polarities: .both, completesPairs: true)
      #expect(locator.triples(in: picture).count <= locator.maximumTriples)
    }
  }
}

extension FinderLocatorTests {
  private func sineAndCosine(_ degrees: Double) -> (Double, Double) {
    // The few angles of the tests by Taylor's series keep the tests free of the C library.
    let angle = degrees * .pi / 180
    var (sine, cosine, term) = (0.0, 0.0, 1.0)
    for index in 0..<40 {
      let sign: Double = index % 4 < 2 ? 1 : -1
      if index % 2 == 0 { cosine += sign * term } else { sine += sign * term }
      term *= angle / Double(index + 1)
    }
    return (sine, cosine)
  }

  /// A symbol as a camera shows it, in the middle of a picture of 500 × 500 pixels.
  ///
  /// - Parameter camera: where a point goes that lies at so many half sides from the middle of the
  ///   symbol, as homogeneous coordinates.
  private func seen(
    version: Int, modulePixels: Int,
    through camera: @escaping (Double, Double) -> (x: Double, y: Double, w: Double)
  ) throws -> (GreyPicture, (Double, Double) -> PicturePoint) {
    let drawn = try symbol(10, version: version, modulePixels: 8)
    let half = Double((17 + 4 * version) * modulePixels) / 2
    let size = Double(17 + 4 * version)
    func place(_ column: Double, _ row: Double) -> PicturePoint {
      let point = camera(column / size * 2 - 1, row / size * 2 - 1)
      return PicturePoint(x: 250 + half * point.x / point.w, y: 250 + half * point.y / point.w)
    }
    // The map is projective: its inverse follows from where four corners go.
    let quiet = [(-4.0, -4.0), (size + 4, -4), (size + 4, size + 4), (-4, size + 4)]
    let map = try #require(Homography(unitSquareTo: quiet.map { place($0.0, $0.1) }))
    var pixels = [UInt8](repeating: 230, count: 500 * 500)
    // Enough points of the symbol that each pixel is met.
    let steps = drawn.width * 3
    for row in 0..<steps {
      for column in 0..<steps {
        let (u, v) = (
          (Double(column) + 0.5) / Double(steps), (Double(row) + 0.5) / Double(steps)
        )
        let point = map(u, v)
        let (x, y) = (Int(point.x.rounded(.down)), Int(point.y.rounded(.down)))
        guard x >= 0, y >= 0, x < 500, y < 500 else { continue }
        pixels[y * 500 + x] = drawn.pixels[row / 3 * drawn.width + column / 3] / 2 + 60
      }
    }
    return (GreyPicture(width: 500, height: 500, pixels: pixels), place)
  }

  private func tiled(_ tile: GreyPicture, columns: Int, rows: Int) -> GreyPicture {
    let (width, height) = (tile.width * columns, tile.height * rows)
    var pixels: [UInt8] = []
    for y in 0..<height {
      let row = y % tile.height * tile.width
      for _ in 0..<columns { pixels += tile.pixels[row..<row + tile.width] }
    }
    return GreyPicture(width: width, height: height, pixels: pixels)
  }
}
