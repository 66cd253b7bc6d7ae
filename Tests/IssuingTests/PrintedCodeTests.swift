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
    "what is read back of a PNG is the mean of its own pixels, of one bit and of colours",
    arguments: [("000000", "ffffff", 1), ("000000", "ffffff", 5), ("003366", "fff8e0", 3)])
  func reduced(foreground: String, background: String, factor: Int) async throws {
    let colours = try CodeColours(
      foreground: #require(Colour(foreground)), background: #require(Colour(background)))
    let drawing = try CodeDrawing(
      QRSymbol("https://fruta.example.com/"), size: CodeSize.Request(moduleSize: 0.5),
      colours: colours)
    let bytes = try drawing.data(as: .png)
    let whole = try await PictureLoader(firstLookPixels: .max).open(bytes, named: "a.png").page(1)
      .firstLook
    let reduced = try SeriesRenderer.picture(ofPNG: bytes, reducedBy: factor, named: "a.png")
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
