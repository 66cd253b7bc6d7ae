import ScanFixtures
import CQREncode
import Foundation
import Pictures
import Testing

@testable import CodeScanning

/// From three finder patterns to modules, against symbols whose modules are known.
@Suite("Sampling of a symbol's modules")
struct SamplingTests {
  private typealias Flaws = Photograph.Flaws

  /// The least part of wrong modules among the attempts, and how many there were; ends at the
  /// first attempt below `enough`.
  private func best(
    _ photograph: Photograph, _ triple: FinderTriple, enough: Double = 0.002
  ) -> (wrong: Double, attempts: Int, corners: [PicturePoint]) {
    var (least, attempts) = (1.0, 0)
    let found = SymbolSearch(triple, in: photograph.picture)?.first { modules -> Bool? in
      attempts += 1
      let wrong = photograph.wrongPart(of: modules)
      least = min(least, wrong)
      return wrong <= enough ? true : nil
    }
    return (least, attempts, found?.geometry.corners ?? [])
  }

  private static let upright = [(40.0, 40.0), (260, 40), (260, 260), (40, 260)]

  @Test(
    "a clean symbol of any version is sampled at once", arguments: [1, 2, 6, 7, 14, 25, 32, 40])
  func versions(version: Int) throws {
    let size = Double(17 + 4 * version)
    let far = 40 + size * 4
    let photograph = try #require(
      Photograph(
        Array("v\(version)".utf8), version: version,
        corners: [(40, 40), (far, 40), (far, far), (40, far)], side: Int(far) + 40))
    let result = best(photograph, photograph.triple(error: 0.2))
    #expect(result.wrong == 0 && result.attempts == 1)
  }

  @Test("finder corners may be off by half a module, seen from aside", arguments: [1, 3, 6, 10])
  func roughCorners(version: Int) throws {
    let photograph = try #require(
      Photograph(
        Array("rough".utf8), version: version,
        corners: [(60, 90), (400, 40), (450, 420), (30, 330)], side: 500))
    let result = best(photograph, photograph.triple(error: 0.5))
    #expect(result.wrong <= 0.002)
    // The corners of the symbol come out right, too.
    #expect(zip(result.corners, photograph.corners).allSatisfy { $0.distance(to: $1) < 3 })
  }

  @Test("a wrong size is put right by the timing patterns")
  func wrongSize() throws {
    let photograph = try #require(
      Photograph(Array("size".utf8), version: 4, corners: Self.upright, side: 300))
    for sizes in [[29], [37], [41, 37], [33]] {
      #expect(best(photograph, photograph.triple(sizes: sizes)).wrong == 0, "\(sizes)")
    }
  }

  @Test("a large symbol tells its size by its version information")
  func toldSize() throws {
    let photograph = try #require(
      Photograph(
        Array("told".utf8), version: 20, corners: [(40, 40), (525, 40), (525, 525), (40, 525)],
        side: 565))
    for size in [81, 109] {
      #expect(best(photograph, photograph.triple(sizes: [size])).wrong == 0, "\(size)")
    }
  }

  @Test("light that fades to a fifth across the symbol does no harm")
  func light() throws {
    let photograph = try #require(
      Photograph(
        Array("light".utf8), version: 5, corners: Self.upright, side: 300,
        flaws: Flaws(light: (left: 1, right: 0.2))))
    #expect(best(photograph, photograph.triple()).wrong == 0)
  }

  @Test("a spot of light with a sharp border leaves most modules right")
  func spot() throws {
    let photograph = try #require(
      Photograph(Array("spot".utf8), version: 5, corners: Self.upright, side: 300))
    // In the spot, dark is nearly as bright as light is outside.
    let pixels = photograph.picture.pixels.enumerated().map { index, value -> UInt8 in
      let (x, y) = (Double(index % 300) - 140, Double(index / 300) - 160)
      return x * x + y * y < 60 * 60 ? UInt8(min(255, Int(value) / 2 + 150)) : value / 2
    }
    let picture = GreyPicture(width: 300, height: 300, pixels: pixels)
    var least = 1.0
    _ = SymbolSearch(photograph.triple(), in: picture)?.first { modules -> Bool? in
      least = min(least, photograph.wrongPart(of: modules))
      return nil
    }
    #expect(least < 0.045)
  }

  @Test("noise of half the contrast leaves most modules right")
  func noise() throws {
    let photograph = try #require(
      Photograph(
        Array("noise".utf8), version: 3, corners: Self.upright, side: 300, flaws: Flaws(noise: 90)))
    #expect(best(photograph, photograph.triple(error: 0.3), enough: 0.01).wrong <= 0.01)
  }

  @Test("blur over the width of a module is undone by what leaks from the neighbours")
  func blur() throws {
    let photograph = try #require(
      Photograph(
        Array("blur".utf8), version: 4, corners: Self.upright, side: 300, flaws: Flaws(blur: 4)))
    #expect(best(photograph, photograph.triple(error: 0.3), enough: 0.01).wrong <= 0.01)
  }

  @Test("a sheet rolled around a bottle is followed", arguments: [2, 5, 9])
  func roll(version: Int) throws {
    let photograph = try #require(
      Photograph(
        Array("roll".utf8), version: version,
        corners: [(60, 60), (440, 60), (440, 360), (60, 360)],
        side: 500, flaws: Flaws(roll: 0.12)))
    #expect(best(photograph, photograph.triple(), enough: 0.02).wrong <= 0.02)
  }

  @Test("modules under two pixels are sampled")
  func small() throws {
    let photograph = try #require(
      Photograph(
        Array("small".utf8), version: 2,
        corners: [(20.3, 20.8), (62.3, 20.2), (62.9, 62.4), (20.1, 62.2)], side: 84))
    #expect(best(photograph, photograph.triple(error: 0.2), enough: 0.02).wrong <= 0.02)
  }

  @Test(
    "dots with round finder patterns are read from any side",
    arguments: [0.0, 17, 45, 78, 130], [0.0, 0.1, 0.2, 0.3])
  func roundPatterns(turn: Double, depth: Double) throws {
    let (sine, cosine) = (sin(turn * .pi / 180), cos(turn * .pi / 180))
    let corners = [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map { x, y in
      let (u, v) = (x * cosine - y * sine, x * sine + y * cosine)
      return (300 + 150 * u / (1 + depth * u), 300 + 150 * v / (1 + depth * u))
    }
    let photograph = try #require(
      Photograph(
        Array("https://a.example/round".utf8), version: 3, level: QR_ECLEVEL_Q, corners: corners,
        side: 600,
        flaws: Flaws(blur: 1, isRound: true)))
    let read = FinderLocator().triples(in: photograph.picture).prefix(4).lazy.compactMap {
      SymbolSampler().read($0, in: photograph.picture)
    }.first
    #expect(read?.symbol.bytes == Array("https://a.example/round".utf8))
  }

  @Test("a symbol is read, with its corners, version and size of a module")
  func read() throws {
    let photograph = try #require(
      Photograph(
        Array("https://a.example/p".utf8), version: 3,
        corners: [(60, 90), (400, 40), (450, 420), (30, 330)], side: 500,
        flaws: Flaws(blur: 1, noise: 20)))
    let found = try #require(
      SymbolSampler().read(photograph.triple(error: 0.4), in: photograph.picture))
    #expect(found.symbol.bytes == Array("https://a.example/p".utf8))
    #expect(found.symbol.version == 3 && !found.symbol.isMirrored)
    #expect(zip(found.corners, photograph.corners).allSatisfy { $0.distance(to: $1) < 2 })
    #expect((10...14).contains(found.modulePixels))
  }

  @Test("reading ends when its cost is spent, and tells what it cost")
  func bounded() throws {
    let photograph = try #require(
      Photograph(Array("bounded".utf8), version: 5, corners: Self.upright, side: 300))
    let free = SampleMeter()
    #expect(SymbolSampler().read(photograph.triple(), in: photograph.picture, meter: free) != nil)
    #expect(free.cost > 0 && !free.isSpent)
    let tight = SampleMeter(milliseconds: free.cost / 4)
    #expect(SymbolSampler().read(photograph.triple(), in: photograph.picture, meter: tight) == nil)
    #expect(tight.isSpent && tight.cost < free.cost)
  }

  @Test("a symbol is read from its corners alone, dark on light or light on dark")
  func corners() throws {
    let photograph = try #require(
      Photograph(
        Array("corners".utf8), version: 4, corners: [(60, 90), (400, 40), (450, 420), (30, 330)],
        side: 500))
    let inverted = GreyPicture(
      width: 500, height: 500, pixels: photograph.picture.pixels.map { 255 - $0 })
    for (picture, isInverted) in [(photograph.picture, false), (inverted, true)] {
      // Half a module off, as zbar's corners may be.
      let rough = photograph.corners.map { PicturePoint(x: $0.x + 5, y: $0.y - 4) }
      let triple = try #require(FinderTriple(corners: rough, size: 33, isInverted: isInverted))
      let found = try #require(SymbolSampler().read(triple, in: picture))
      #expect(found.symbol.bytes == Array("corners".utf8))
      #expect(zip(found.corners, photograph.corners).allSatisfy { $0.distance(to: $1) < 2 })
    }
    let inLine = (0..<4).map { PicturePoint(x: Double($0) * 50, y: 10) }
    #expect(FinderTriple(corners: inLine, size: 33) == nil)
  }

  @Test("a mirrored symbol's corners come in its own order")
  func mirrored() throws {
    // Mirrored, the corner after the top left lies below it.
    let photograph = try #require(
      Photograph(
        Array("mirror".utf8), version: 2, corners: [(40, 40), (40, 260), (260, 260), (260, 40)],
        side: 300))
    let own = photograph.triple()
    let seen = FinderTriple(
      topLeft: own.topLeft, topRight: own.bottomLeft, bottomLeft: own.topRight, sizes: [25])
    let found = try #require(SymbolSampler().read(seen, in: photograph.picture))
    #expect(found.symbol.isMirrored)
    #expect(zip(found.corners, photograph.corners).allSatisfy { $0.distance(to: $1) < 1 })
  }

  @Test("modules under a reflection are unknown, and those beside it are as they are")
  func glare() throws {
    let photograph = try #require(
      Photograph(Array("glare".utf8), version: 5, corners: Self.upright, side: 300))
    let spot = (x: 130.0, y: 150.0, radius: 25.0)
    let pixels = photograph.picture.pixels.enumerated().map { index, value -> UInt8 in
      let (x, y) = (Double(index % 300) - spot.x, Double(index / 300) - spot.y)
      return x * x + y * y < spot.radius * spot.radius ? 255 : value
    }
    let picture = GreyPicture(width: 300, height: 300, pixels: pixels)
    let search = try #require(SymbolSearch(photograph.triple(), in: picture))
    let sampled = try #require(search.first { $0 }).answer
    for index in photograph.modules.indices {
      let (x, y) = (Double(index % 37) + 0.5, Double(index / 37) + 0.5)
      let (dx, dy) = (40 + x * 220 / 37 - spot.x, 40 + y * 220 / 37 - spot.y)
      let distance = (dx * dx + dy * dy).squareRoot()
      if distance < spot.radius - 8 {
        #expect(sampled.darkness[index] == 0)
      } else if distance > spot.radius + 10 {
        #expect((sampled.darkness[index] > 0.3) == photograph.modules[index])
      }
    }
  }

  @Test("finder patterns that are nowhere, or no numbers, end at once")
  func impossible() throws {
    let picture = GreyPicture(
      width: 100, height: 100, pixels: (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 7919) })
    for (far, module) in [
      (0.0, 1.0), (50, 0), (50, -3), (1e300, 1e300), (.nan, 1), (.infinity, 2), (50, .nan),
      (50, 1e-9), (50, 3), (1e7, 5),
    ] {
      func finder(_ x: Double, _ y: Double) -> FinderPattern {
        let centre = PicturePoint(x: x, y: y)
        let corners = [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map {
          PicturePoint(x: x + $0.0 * 3.5 * module, y: y + $0.1 * 3.5 * module)
        }
        return FinderPattern(centre: centre, corners: corners, modulePixels: module)
      }
      for sizes in [[21], [177], [], [-5, 22, 1000]] {
        let triple = FinderTriple(
          topLeft: finder(20, 20), topRight: finder(20 + far, 20), bottomLeft: finder(20, 20 + far),
          sizes: sizes)
        var attempts = 0
        let found = SymbolSearch(triple, in: picture)?.first { _ -> Bool? in
          attempts += 1
          return nil
        }
        #expect(found == nil && attempts < 50)
      }
    }
  }

  @Test("the function patterns are those that the encoder draws", arguments: 1...40)
  func functionPatterns(version: Int) throws {
    let symbol = try #require(
      drawSymbol(Array("p".utf8), version: version, modulePixels: 1, quietZone: 0))
    let patterns = FunctionPatterns.of(size: symbol.width)
    #expect(patterns.size == symbol.width)
    for (pixel, module) in zip(symbol.pixels, patterns.modules) where module != .unknown {
      #expect((pixel == 0) == (module == .dark))
    }
    // Each edge has its dark side where it says.
    for edge in patterns.finderEdges.flatMap(\.self) + patterns.timingEdges {
      let (u, v) = edge.isVertical ? (edge.u - 0.5, edge.v) : (edge.u, edge.v - 0.5)
      guard u > 0, v > 0 else { continue }
      #expect((symbol.pixels[Int(v) * symbol.width + Int(u)] == 0) == edge.isDarkFirst)
    }
  }
}
