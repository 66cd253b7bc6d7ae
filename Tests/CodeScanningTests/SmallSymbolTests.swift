import Testing

@testable import CodeScanning
@testable import Pictures

@Suite("Micro QR and rMQR")
struct SmallSymbolTests {
  /// Drawn by segno 1.6 (Micro QR) and rmqrcode 0.3 (rMQR).
  private static let symbols: [(name: String, kind: UnreadSymbol.Kind, rows: String)] = [
    (
      "M1", .microQR,
      """
      #######.#.#
      #.....#.#..
      #.###.#.###
      #.###.#....
      #.###.#.###
      #.....#..##
      #######.#..
      .........##
      ##..###..##
      .#.....#..#
      #####..#.##
      """
    ),
    (
      "M4", .microQR,
      """
      #######.#.#.#.#.#
      #.....#..#.#.#...
      #.###.#.....#...#
      #.###.#...#.#..##
      #.###.#.###.###.#
      #.....#.....##...
      #######..##.....#
      ............#..##
      #.#..#.#.####...#
      .#.####.####.....
      ##.......####..#.
      .##.##..#.#.#.#.#
      #..##...##..##..#
      .###.#####.##....
      #...#######..#...
      ..####.#.#..###..
      ##..###.#####...#
      """
    ),
    (
      "R7x43", .rectangularMicroQR,
      """
      #######.#.#.#.#.#.#.###.#.#.#.#.#.#.#.#.###
      #.....#..#.####..#.##.###.##.#.###.##...#.#
      #.###.#.#.##.##....####.#..#.#.#.#.########
      #.###.#..##.#####........####.#.......#...#
      #.###.#...####.##..#####.####.##..##..#.#.#
      #.....#.####...#.#.##.#.#.##.#.###.##.#...#
      #######.#.#.#.#.#.#.###.#.#.#.#.#.#.#.#####
      """
    ),
  ]

  private func picture(_ rows: String, modulePixels side: Int) -> GreyPicture {
    let rows = rows.split(separator: "\n").map(Array.init)
    let (width, height) = ((rows[0].count + 8) * side, (rows.count + 8) * side)
    let pixels = (0..<width * height).map { index -> UInt8 in
      let (row, column) = (index / width / side - 4, index % width / side - 4)
      guard rows.indices.contains(row), rows[row].indices.contains(column) else { return 255 }
      return rows[row][column] == "#" ? 0 : 255
    }
    return GreyPicture(width: width, height: height, pixels: pixels)
  }

  @Test("a small symbol is named and not read, whichever way it is turned", arguments: 0..<3)
  func named(index: Int) async throws {
    let symbol = Self.symbols[index]
    for orientation in [PictureOrientation.upright, .turnedLeft, .upsideDown, .turnedRight] {
      let drawn = picture(symbol.rows, modulePixels: 6).upright(from: orientation)
      let loaded = LoadedPicture(
        source: symbol.name, width: drawn.width, height: drawn.height, firstLook: drawn)
      let result = try await CodeScanner().examine(loaded)
      #expect(result.codes.isEmpty)
      #expect(result.unread.map(\.kind) == [symbol.kind], "\(symbol.name) \(orientation)")
    }
  }

  @Test("a small symbol beside a code that is read is named, too, and once")
  func beside() async throws {
    let small = picture(Self.symbols[1].rows, modulePixels: 6)
    let code = try #require(drawSymbol(Array("https://beside.example".utf8), modulePixels: 6))
    let both = wall(width: 900, height: 500, [(code, 30, 40), (small, 500, 60)])
    let loaded = LoadedPicture(
      source: "both", width: both.width, height: both.height, firstLook: both)
    let result = try await CodeScanner().examine(loaded)
    #expect(result.codes.map(\.text) == ["https://beside.example"])
    #expect(result.unread.map(\.kind) == [.microQR])
    let middle = try #require(result.unread.first).corners.reduce(0) { $0 + $1.x } / 4
    #expect((500..<700).contains(middle))
  }

  @Test("a QR code too damaged to read is not taken for a small one")
  func damaged() async throws {
    let whole = try #require(drawSymbol(Array("https://torn.example/a/b/c".utf8), modulePixels: 6))
    var pixels = whole.pixels
    for y in 0..<whole.height {
      for x in 0..<whole.width where x + y > whole.width * 3 / 4 {
        pixels[y * whole.width + x] = 255
      }
    }
    let torn = GreyPicture(width: whole.width, height: whole.height, pixels: pixels)
    let loaded = LoadedPicture(
      source: "torn", width: torn.width, height: torn.height, firstLook: torn)
    let result = try await CodeScanner().examine(loaded)
    #expect(result.codes.isEmpty && result.unread.isEmpty)
  }
}
