import CliptagBasics
import Pictures
import QRSymbol
import Testing

@testable import CodeDrawing

/// A logo of one colour whose right half lets half of the ground through.
func testLogo(
  width: Int = 40, height: Int = 40, colour: Colour = Colour(red: 200, green: 16, blue: 46)
) -> LogoPicture {
  func plane(_ value: UInt8) -> GreyPicture {
    GreyPicture(
      width: width, height: height, pixels: [UInt8](repeating: value, count: width * height))
  }
  let opacity = (0..<width * height).map { UInt8($0 % width < width / 2 ? 255 : 128) }
  return LogoPicture(
    TranslucentPicture(
      colour: ColourPicture(
        red: plane(colour.red), green: plane(colour.green), blue: plane(colour.blue)),
      opacity: GreyPicture(width: width, height: height, pixels: opacity)),
    source: "logo.png")
}

@Suite("Pictures of logos")
struct LogoPictureTests {
  @Test("a logo is laid over its ground as its opacity says")
  func composite() {
    let logo = testLogo().composited(on: Colour(red: 100, green: 200, blue: 0))
    #expect(logo.red.pixels.first == 200 && logo.green.pixels.first == 16)
    // (200 · 128 + 100 · 127) ÷ 255, and so on.
    #expect(logo.red.pixels.last == 150)
    #expect(logo.green.pixels.last == 108)
    #expect(logo.blue.pixels.last == 23)
  }

  @Test("shrinking keeps the mean of what is seen, and never lets hidden colours in")
  func shrinking() {
    // Black where it is seen, white where nothing is.
    let pixels = (0..<64).map { UInt8($0 % 2 == 0 ? 0 : 255) }
    let opacity = pixels.map { 255 - $0 }
    func picture(_ pixels: [UInt8]) -> GreyPicture {
      GreyPicture(width: 8, height: 8, pixels: pixels)
    }
    let grey = picture(pixels)
    let logo = LogoPicture(
      TranslucentPicture(
        colour: ColourPicture(red: grey, green: grey, blue: grey), opacity: picture(opacity)),
      source: "a")
    #expect(logo.isGrey)
    for (width, height) in [(4, 4), (3, 5), (1, 1)] {
      let small = logo.resampled(width: width, height: height).picture
      #expect((small.width, small.height) == (width, height))
      #expect(small.colour.red.pixels.allSatisfy { $0 == 0 })
      let mean = small.opacity.pixels.reduce(0) { $0 + Int($1) } / (width * height)
      #expect(abs(mean - 128) <= 1)
    }
    #expect(logo.resampled(width: 8, height: 8) == logo)
  }

  @Test("a logo is written with at most 600 pixels to the inch, and never with more than it has")
  func resolution() {
    let logo = testLogo(width: 400, height: 200)
    #expect(logo.written(width: 10).width == 237)
    #expect(logo.written(width: 10).height == 119)
    #expect(logo.written(width: 100) == logo)
  }

  @Test("the modules under the logo are light, and all others as they were")
  func modules() throws {
    let symbol = try QRSymbol(sampleURL, minimumErrorCorrection: .high)
    let drawing = try CodeDrawing(symbol, logo: CodeLogo.Request(testLogo()))
    let plate = try #require(drawing.logo?.plate)
    for y in 0..<symbol.size {
      for x in 0..<symbol.size {
        let isCovered = plate.contains(x: x, y: y)
        #expect(drawing.isDark(x + 4, y + 4) == (symbol.isDark(x: x, y: y) && !isCovered))
      }
    }
  }

  @Test("a grey logo prints with black ink alone, a coloured one in red, green and blue")
  func inks() throws {
    let symbol = try QRSymbol(sampleURL, minimumErrorCorrection: .high)
    func pdf(_ colour: Colour) throws -> String {
      try CodeDrawing(symbol, logo: CodeLogo.Request(testLogo(colour: colour))).latin1(.pdf)
    }
    let grey = try pdf(Colour(red: 90, green: 90, blue: 90))
    #expect(!grey.contains("DeviceRGB"))
    #expect(grey.contains("/SMask "))
    let red = try pdf(Colour(red: 200, green: 16, blue: 46))
    #expect(red.contains("/ColorSpace /DeviceRGB"))
    #expect(red.contains("/XObject << /I0 "))
  }

  @Test("objects of another PDF file are written with their own bytes, and their new numbers")
  func objects() {
    let value = PDFValue.dictionary([
      "/A B#": .array([.number(-0.5), .bool(true), .null, .plain("2 0 R")]),
      "/T": .plain("u:a•€é\u{2D8}"), "/U": .plain("u:日"), "/X": .plain("b:00ff"),
      "/Z": .number(1e300),
    ])
    #expect(
      value.pdf([7, 9])
        == "<< /A#20B#23 [-0.5 true null 9 0 R] /T <6180a0e918> /U <feff65e5> /X <00ff> "
        + "/Z 1000000000 >>")
  }

  @Test("there is one path for the modules and one picture in every vector format")
  func onePath() throws {
    let symbol = try QRSymbol(sampleURL, minimumErrorCorrection: .high)
    let drawing = try CodeDrawing(symbol, logo: CodeLogo.Request(testLogo()))
    let svg = try drawing.latin1(.svg)
    #expect(svg.matches(of: #/<path /#).count == 1)
    #expect(
      svg.matches(of: #/<image [^>]*xlink:href="data:image/png;base64,[A-Za-z0-9+/]+=*"/>/#).count
        == 1)
    let eps = try drawing.latin1(.eps)
    #expect(eps.matches(of: /\nfill\n/).count == 1)
    #expect(eps.matches(of: /ASCIIHexDecode/).count == 1)
    #expect(!eps.split(separator: "\n").contains { $0.count > 255 })
    #expect(try drawing.data(as: .pdf) == drawing.data(as: .pdf))
    // Without a logo nothing of this is there.
    let plain = try CodeDrawing(symbol)
    #expect(!(try plain.latin1(.svg)).contains("xlink"))
    #expect(!(try plain.latin1(.pdf)).contains("XObject"))
  }

  @Test("a logo that claims more pixels than are held, or that is none, is refused")
  func hostile() async throws {
    // A PNG header of 100,000 × 100,000 pixels.
    let bomb: [UInt8] =
      [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
      + [0, 1, 0x86, 0xA0, 0, 1, 0x86, 0xA0, 8, 6, 0, 0, 0, 0, 0, 0, 0]
      + [UInt8](repeating: 0, count: 40)
    do {
      _ = try await LogoPicture(bomb, named: "bomb.png")
      Issue.record("it was opened")
    } catch { #expect(error.code == .tooLarge) }
    do {
      _ = try await LogoPicture(Array("hello".utf8), named: "hello.txt")
      Issue.record("it was opened")
    } catch { #expect(error.code == .notAPicture) }
  }
}
