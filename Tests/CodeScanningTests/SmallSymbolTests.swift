import ScanFixtures
import Testing

@testable import CodeScanning
@testable import Pictures

@Suite("Symbols of other kinds")
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

  /// A symbol with the format information that Model 1 has, and what it is then not any more: readable.
  private func oldSymbol(version: Int) throws -> EncodedSymbol {
    var symbol = try #require(EncodedSymbol(Array("https://a.example/1".utf8), version: version))
    for places in FormatInformation.places(size: symbol.size) {
      for (bit, place) in places.enumerated() where (0x5412 ^ 0x2825) >> bit & 1 == 1 {
        symbol.isDark[place.row * symbol.size + place.column].toggle()
      }
    }
    return symbol
  }

  @Test("a symbol of Model 1 is named and not read, upright and mirrored", arguments: [2, 5, 10])
  func model1(version: Int) async throws {
    let symbol = try oldSymbol(version: version)
    for shown in [symbol, symbol.mirrored] {
      let rows = (0..<shown.size).map { row -> String in
        let line = shown.isDark[row * shown.size..<(row + 1) * shown.size]
        return line.map { $0 ? "#" : "." }.joined()
      }
      let drawn = picture(rows.joined(separator: "\n"), modulePixels: 6)
      let loaded = LoadedPicture(
        source: "model 1", width: drawn.width, height: drawn.height, firstLook: drawn)
      let result = try await CodeScanner().examine(loaded)
      #expect(result.codes.isEmpty)
      #expect(result.unread.map(\.kind) == [.model1QR])
    }
  }

  @Test("no symbol of today is taken for Model 1, with three bits of the format wrong either")
  func todays() throws {
    let symbol = try #require(EncodedSymbol(Array("https://a.example/1".utf8)))
    #expect(Model1.isShown(by: try oldSymbol(version: 2).modules))
    for mask: UInt32 in [0, 0b111, 0b1000_0010_0001] {
      for format in FormatInformation.all {
        var changed = symbol
        for places in FormatInformation.places(size: symbol.size) {
          for (bit, place) in places.enumerated() {
            changed.isDark[place.row * symbol.size + place.column] =
              (format.bits ^ mask) >> UInt32(bit) & 1 == 1
          }
        }
        #expect(!Model1.isShown(by: changed.modules))
      }
    }
  }

  @Test("a symbol that is light on transparent is read on the ground that it needs")
  func lightOnTransparent() async throws {
    let code = try #require(drawSymbol(Array("https://light.example".utf8), modulePixels: 6))
    let paper = GreyPicture(
      width: code.width, height: code.height,
      pixels: [UInt8](repeating: 255, count: code.pixels.count))
    // White modules where the symbol is dark, and nothing elsewhere.
    let dark = GreyPicture(
      width: code.width, height: code.height, pixels: code.pixels.map { 255 - $0 })
    let loaded = LoadedPicture(
      source: "light", width: paper.width, height: paper.height, firstLook: paper,
      dark: { () async throws(PictureError) -> GreyPicture in dark })
    let codes = try await CodeScanner().scan(loaded)
    #expect(codes.map(\.text) == ["https://light.example"])
    #expect(codes.map(\.neededGround) == [.dark] && codes.allSatisfy(\.isInverted))
  }
}
