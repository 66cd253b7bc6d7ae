import Testing

@testable import CodeScanning
@testable import Pictures

@Suite("Finder patterns that nobody read")
struct FinderSearchTests {
  /// A white picture with symbols at places.
  private func wall(
    width: Int, height: Int, _ symbols: [(picture: GreyPicture, x: Int, y: Int)]
  ) -> GreyPicture {
    var pixels = [UInt8](repeating: 255, count: width * height)
    for symbol in symbols {
      for row in 0..<symbol.picture.height {
        for column in 0..<symbol.picture.width {
          pixels[(symbol.y + row) * width + symbol.x + column] =
            symbol.picture.pixels[row * symbol.picture.width + column]
        }
      }
    }
    return GreyPicture(width: width, height: height, pixels: pixels)
  }

  private func symbol(_ text: String, modulePixels: Int) throws -> GreyPicture {
    try #require(drawSymbol(Array(text.utf8), modulePixels: modulePixels))
  }

  private func half(_ picture: GreyPicture) -> GreyPicture {
    let (width, height) = (picture.width / 2, picture.height / 2)
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let sum = [(0, 0), (1, 0), (0, 1), (1, 1)].reduce(0) {
          $0 + Int(picture.pixels[(2 * y + $1.1) * picture.width + 2 * x + $1.0])
        }
        pixels.append(UInt8(sum / 4))
      }
    }
    return GreyPicture(width: width, height: height, pixels: pixels)
  }

  @Test(
    "a code is noticed by its patterns, whatever the side of its modules", arguments: [2, 3, 8])
  func noticed(modulePixels: Int) throws {
    let picture = wall(
      width: 700, height: 700,
      [(try symbol("https://a.example", modulePixels: modulePixels), 90, 70)])
    #expect(FinderSearch(in: picture, outside: []).findsCode())
  }

  @Test("a code that was read is not noticed again")
  func known() throws {
    let picture = wall(
      width: 700, height: 700, [(try symbol("https://a.example", modulePixels: 4), 90, 70)])
    let codes = CodeScanner().scan(picture)
    #expect(codes.count == 1)
    #expect(!FinderSearch(in: picture, outside: codes.map(\.corners)).findsCode())
  }

  @Test("stripes, boards and an empty wall are no code")
  func nothing() {
    let stripes = GreyPicture(
      width: 400, height: 400, pixels: (0..<160_000).map { $0 % 400 / 5 % 2 == 0 ? 0 : 255 })
    let board = GreyPicture(
      width: 400, height: 400,
      pixels: (0..<160_000).map { ($0 % 400 / 8 + $0 / 400 / 8) % 2 == 0 ? 0 : 255 })
    for picture in [stripes, board, wall(width: 400, height: 400, [])] {
      #expect(!FinderSearch(in: picture, outside: []).findsCode())
    }
  }

  @Test("a small code beside a large one is read in the closer look")
  func smallBesideLarge() async throws {
    let full = wall(
      width: 2000, height: 1000,
      [
        (try symbol("https://large.example", modulePixels: 16), 60, 60),
        (try symbol("https://small.example", modulePixels: 2), 1500, 500),
      ])
    let picture = LoadedPicture(
      source: "wall", width: full.width, height: full.height, firstLook: half(full)
    ) { () throws(PictureError) in full }
    let texts = try await CodeScanner().scan(picture).map(\.text).sorted()
    #expect(texts == ["https://large.example", "https://small.example"])
  }
}
