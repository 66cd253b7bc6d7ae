import CliptagBasics
import CodeDrawing
import Issuing
import Pictures
import QRSymbol
import Testing

@Suite("Printed codes are read back") struct PrintedCodeTests {
  @Test(
    "every format, from the smallest symbol to the largest, decodes from its own pixels",
    arguments: DrawingFormat.allCases, [10, 41, 300, 2000])
  func formats(format: DrawingFormat, length: Int) async throws {
    let text = String(
      ("https://fruta.example.com/" + String(repeating: "aB3/", count: 600)).prefix(length))
    let symbol = try QRSymbol(text)
    let drawing = try CodeDrawing(symbol, size: CodeSize.Request(moduleSize: 0.5))
    let printed = try await PrintedCode(drawing, as: format, named: "a.\(format.rawValue)")
    #expect(printed.bytes == (try drawing.data(as: format)))
    #expect(printed.format == format)
    try PrintedCode.prove(drawing, named: "the code")
  }

  @Test(
    "a code on no ground, without a quiet zone in the file, is read back on white",
    arguments: DrawingFormat.allCases, [0, 1, 3])
  func placed(format: DrawingFormat, quietZone: Int) async throws {
    let drawing = try CodeDrawing(
      QRSymbol("https://fruta.example.com/order/cupertino"),
      size: CodeSize.Request(moduleSize: 0.5, quietZone: quietZone),
      colours: CodeColours(foreground: #require(Colour("003366")), hasGround: false))
    let printed = try await PrintedCode(drawing, as: format, named: "a.\(format.rawValue)")
    try PrintedCode.prove(drawing, named: "the code")
    guard format == .png else { return }
    let picture = try await PictureLoader().translucent(
      printed.bytes, named: "a.png", drawingSide: 1)
    let dots = drawing.size.dotsPerModule
    #expect(picture.opacity.width == (29 + 2 * quietZone) * dots)
    for row in 0..<29 {
      for column in 0..<29 {
        let (x, y) = ((column + quietZone) * dots, (row + quietZone) * dots)
        #expect(
          picture.opacity.pixels[y * picture.opacity.width + x]
            == (drawing.symbol.isDark(x: column, y: row) ? 255 : 0))
      }
    }
  }

  @Test(
    "what is read back of a PNG is the mean of its own pixels, of one bit and of colours",
    arguments: [("000000", "ffffff", 1), ("000000", "ffffff", 4), ("003366", "fff8e0", 3)])
  func reduced(foreground: String, background: String, factor: Int) async throws {
    let colours = try CodeColours(
      foreground: #require(Colour(foreground)), background: #require(Colour(background)))
    let drawing = try CodeDrawing(
      QRSymbol("https://fruta.example.com/"), size: CodeSize.Request(moduleSize: 0.5),
      colours: colours)
    let bytes = try drawing.data(as: .png)
    let whole = try await PictureLoader(firstLookPixels: .max).open(bytes, named: "a.png").page(1)
      .firstLook
    let reduced = try SeriesRenderer.picture(
      ofPNG: bytes, side: whole.width / factor, reducedBy: factor, named: "a.png")
    #expect(reduced.width == whole.width / factor && reduced.height == whole.height / factor)
    for row in 0..<reduced.height {
      for column in 0..<reduced.width {
        var sum = 0
        for y in row * factor..<(row + 1) * factor {
          for x in column * factor..<(column + 1) * factor {
            sum += Int(whole.pixels[y * whole.width + x])
          }
        }
        let area = factor * factor
        try #require(
          Int(reduced.pixels[row * reduced.width + column]) == (sum + area / 2) / area)
      }
    }
  }
}
