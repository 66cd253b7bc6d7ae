import CliptagBasics
import Pictures
import QRSymbol
import Testing

@testable import CodeDrawing

@Suite("Colours")
struct CodeColoursTests {
  private func colour(_ text: String) throws -> Colour { try #require(Colour(text)) }

  private func coloured(_ dark: String, _ light: String) throws -> CodeDrawing {
    try CodeDrawing(
      QRSymbol(sampleURL),
      colours: CodeColours(foreground: colour(dark), background: colour(light)))
  }

  @Test("a colour is six or three hexadecimal digits, or a name of CSS, and nothing else")
  func notation() throws {
    #expect(Colour("#00A0ff") == Colour(red: 0, green: 160, blue: 255))
    #expect(Colour("00a0FF")?.hexadecimal == "#00a0ff")
    #expect(Colour("#fff") == .white && Colour("1A9")?.hexadecimal == "#11aa99")
    #expect(Colour("red")?.hexadecimal == "#ff0000" && Colour("Navy")?.hexadecimal == "#000080")
    #expect(Colour("rebeccapurple")?.hexadecimal == "#663399")
    for text in [
      "", "#", "#12345", "1234567", "#red", "reddish", "rgb(1,2,3)", "#12 456", "+12345", "##12345",
      "１２３４５６",
    ] {
      #expect(Colour(text) == nil, "\(text)")
    }
  }

  @Test(
    "the smaller of the contrasts in luminance and in red light counts",
    arguments: [
      // Red on white is 79 % for a phone and nothing for a red lamp; blue is the other way round.
      ("000000", "ffffff", 1.0), ("ff0000", "ffffff", 0), ("0000ff", "ffffff", 0.9278),
      ("000000", "ffff00", 0.9278), ("000000", "ff0000", 0.2126), ("808080", "ffffff", 0.7841),
    ])
  func contrast(dark: String, light: String, expected: Double) throws {
    let luminance = try colour(light).luminance - colour(dark).luminance
    let redLight = try colour(light).redLight - colour(dark).redLight
    #expect(abs(min(luminance, redLight) - expected) < 0.000_1)
  }

  @Test(
    "55 % and more is fine, under it is a warning, under 40 % a refusal; each says what would do")
  func limits() throws {
    for (dark, codes) in [
      ("949494", []), ("b2b2b2", []), ("b3b3b3", ["low-contrast"]), ("cbcbcb", ["low-contrast"]),
    ] {
      let colours = try CodeColours(foreground: colour(dark))
      #expect(colours.warnings.map(\.code) == codes, "\(dark)")
      #expect(colours.better.contrast >= 0.7)
      for warning in colours.warnings {
        #expect(warning.hint.contains(colours.better.foreground.hexadecimal))
      }
    }
    for (dark, light) in [
      ("cccccc", "ffffff"), ("ff0000", "ffffff"), ("ffffff", "ffffff"), ("0000ff", "000000"),
      ("000000", "606060"),
    ] {
      do {
        _ = try CodeColours(foreground: colour(dark), background: colour(light))
        Issue.record("\(dark) on \(light) was taken")
      } catch let error as CodeDrawingError {
        #expect(error.hint.contains(" % ") || error.hint.hasSuffix("%."))
        #expect([.lowContrast, .invertedColours].contains(error.code))
      }
    }
  }

  @Test("light on dark is refused as such, with the reason and the light plate as the way out")
  func inverted() throws {
    #expect {
      try CodeColours(foreground: colour("ffffff"), background: colour("003366"))
    } throws: { error in
      guard let error = error as? CodeDrawingError else { return false }
      return error.code == .invertedColours && error.message.contains("zbar")
        && error.hint.contains("plate")
    }
  }

  @Test("every format sets both colours; black stays grey 0 beside a colour")
  func formats() throws {
    let drawing = try coloured("003366", "fff8e0")
    let svg = try drawing.latin1(.svg)
    #expect(svg.contains(##"height="37" fill="#fff8e0"/>"##))
    #expect(svg.contains(##"<path fill="#003366" d="##))
    #expect(
      try drawing.latin1(.pdf).contains("\n1 0.9725 0.8784 rg\n0 0 37 37 re\nf\n0 0.2 0.4 rg\n"))
    let eps = try drawing.latin1(.eps)
    #expect(eps.contains("\n1 0.9725 0.8784 setrgbcolor 0 0 37 37 rectfill\n"))
    #expect(eps.contains("\n0 0.2 0.4 setrgbcolor newpath\n"))
    let blackOnYellow = try coloured("000000", "ffff00")
    #expect(try blackOnYellow.latin1(.pdf).contains("\n1 1 0 rg\n0 0 37 37 re\nf\n0 g\n"))
    #expect(try blackOnYellow.latin1(.eps).contains("\n0 setgray newpath\n"))
  }

  @Test("a PNG holds the two colours where the dots of black on white are")
  func png() async throws {
    let drawing = try coloured("003366", "fff8e0")
    let bytes = try drawing.data(as: .png)
    // Colour type 3, and the palette: the background, then the modules.
    #expect(bytes[24...25] == [1, 3])
    let palette: [UInt8] = Array("PLTE".utf8) + [0xFF, 0xF8, 0xE0, 0x00, 0x33, 0x66]
    #expect(bytes.indices.contains { bytes[$0...].starts(with: palette) })
    let dots = drawing.size.dotsPerModule
    let picture = try await PictureLoader(firstLookPixels: .max).open(bytes, named: "a.png")
      .page(1).firstLook
    for (row, line) in drawing.expectedModules.enumerated() {
      for (column, module) in line.enumerated() {
        let level = picture.pixels[(row * dots + 1) * picture.width + column * dots + 1]
        #expect(module == 1 ? level < 80 : level > 220)
      }
    }
  }

  @Test("black on white is the standard, byte for byte")
  func standard() throws {
    for format in DrawingFormat.allCases {
      #expect(try coloured("000000", "#FFFFFF").data(as: format) == drawing().data(as: format))
    }
  }
}
