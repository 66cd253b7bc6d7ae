import CliptagBasics
import CodeDrawing
import CodeScanning
import Issuing
import Pictures
import QRSymbol
import Testing

@Suite("Codes with a logo")
struct LogoPrintTests {
  /// A wide logo: red on the left, half of the ground through it on the right.
  private static let logo = Self.logo(red: 200, green: 16, blue: 46)

  private static func logo(red: UInt8, green: UInt8, blue: UInt8) -> LogoPicture {
    let (width, height) = (400, 300)
    func plane(_ value: UInt8) -> GreyPicture {
      GreyPicture(
        width: width, height: height, pixels: [UInt8](repeating: value, count: width * height))
    }
    let opacity = (0..<width * height).map { UInt8($0 % width < width / 2 ? 255 : 128) }
    return LogoPicture(
      TranslucentPicture(
        colour: ColourPicture(red: plane(red), green: plane(green), blue: plane(blue)),
        opacity: GreyPicture(width: width, height: height, pixels: opacity)),
      source: "logo.png")
  }

  @Test(
    "every format shows the logo's colours and its background, and is read back",
    arguments: DrawingFormat.allCases)
  func formats(format: DrawingFormat) async throws {
    let symbol = try QRSymbol(
      "https://fruta.example.com/order/cupertino", minimumErrorCorrection: .high)
    let drawing = try CodeDrawing(
      symbol, size: CodeSize.Request(moduleSize: 0.8467),
      colours: CodeColours(background: try #require(Colour("ffffc0"))),
      logo: CodeLogo.Request(Self.logo, modules: 9))
    let printed = try await PrintedCode(drawing, as: format, named: "a.\(format.rawValue)")
    let plate = try #require(drawing.logo?.plate)
    let modules = Double(drawing.size.modulesAcross)
    // A quarter from each side of the logo, and on its margin.
    let middle = (Double(plate.column) + Double(plate.width) / 2 + 4) / modules
    let row = (Double(plate.row) + Double(plate.height) / 2 + 4) / modules
    let step = 2 / modules
    if format == .eps {
      let page = try await DocumentRenderer(limits: .ownDrawing).render(
        printed.bytes, as: .eps, dotsPerInch: 150, named: "a.eps")[0]
      func level(_ x: Double, _ y: Double) -> Int {
        Int(page.pixels[Int(y * Double(page.height)) * page.width + Int(x * Double(page.width))])
      }
      // Ghostscript keeps the luminance (CIE Y) when it makes greys of colours.
      #expect(abs(level(middle - step, row) - 102) < 5)
      #expect(abs(level(middle + step, row) - 160) < 5)
      return
    }
    let page = try await PictureLoader(limits: .ownDrawing, firstLookPixels: .max)
      .open(printed.bytes, named: "a").page(1)
    let colours = try #require(try await page.colourLook())
    func colour(_ x: Double, _ y: Double) -> [Int] {
      let index =
        Int(y * Double(colours.height)) * colours.width + Int(x * Double(colours.width))
      return [colours.red, colours.green, colours.blue].map { Int($0.pixels[index]) }
    }
    func isNear(_ found: [Int], _ wanted: [Int]) -> Bool {
      zip(found, wanted).allSatisfy { abs($0 - $1) <= 3 }
    }
    #expect(isNear(colour(middle - step, row), [200, 16, 46]))
    // Half of each: the ground shines through.
    #expect(isNear(colour(middle + step, row), [227, 135, 119]))
    #expect(isNear(colour(middle, row - 3.2 / modules), [255, 255, 192]))
  }

  @Test("a logo on no ground keeps its transparency, which EPS does not have")
  func noGround() async throws {
    let symbol = try QRSymbol(
      "https://fruta.example.com/order/cupertino", minimumErrorCorrection: .high)
    func drawing(_ logo: LogoPicture) throws -> CodeDrawing {
      try CodeDrawing(
        symbol, size: CodeSize.Request(moduleSize: 0.8467, quietZone: 0),
        colours: CodeColours(hasGround: false), logo: CodeLogo.Request(logo, modules: 9))
    }
    let code = try drawing(Self.logo)
    for format in DrawingFormat.allCases where format != .eps {
      let printed = try await PrintedCode(code, as: format, named: "a.\(format.rawValue)")
      guard format != .pdf else { continue }
      let picture = try await PictureLoader().translucent(
        printed.bytes, named: "a.\(format.rawValue)", drawingSide: 33 * 20)
      let plate = try #require(code.logo?.plate)
      func opacity(_ column: Double, _ row: Double) -> Int {
        let scale = Double(picture.opacity.width) / Double(symbol.size)
        let (x, y) = (Int(column * scale), Int(row * scale))
        return Int(picture.opacity.pixels[y * picture.opacity.width + x])
      }
      let middle = (Double(plate.column) + 4.5, Double(plate.row) + 4.5)
      #expect(opacity(middle.0 - 2, middle.1) == 255)
      #expect(abs(opacity(middle.0 + 2, middle.1) - 128) <= 1)
      // On the plate beside the logo, on a dark and on a light module.
      #expect(opacity(middle.0, middle.1 - 4.2) == 0)
      #expect(opacity(0.5, 0.5) == 255 && opacity(1.5, 1.5) == 0)
    }
    #expect {
      try code.data(as: .eps)
    } throws: {
      ($0 as? CodeDrawingError)?.code == .cannotEncode
    }
    let opaque = LogoPicture(
      TranslucentPicture(
        colour: Self.logo.picture.colour,
        opacity: GreyPicture(
          width: 400, height: 300, pixels: [UInt8](repeating: 255, count: 120_000))),
      source: "opaque.png")
    _ = try await PrintedCode(drawing(opaque), as: .eps, named: "a.eps")
  }

  @Test("the reserve that is stated is what a decoder has left when all under the logo is wrong")
  func reserve() throws {
    for (length, modules) in [(20, 7), (41, 9), (41, 11), (41, 13), (70, 9), (130, 11), (300, 15)] {
      let text = String(
        ("https://fruta.example.com/" + String(repeating: "aB3/", count: 90)).prefix(length))
      let symbol = try QRSymbol(text, minimumErrorCorrection: .high)
      let drawing = try CodeDrawing(symbol, logo: CodeLogo.Request(Self.logo, modules: modules))
      let plate = try #require(drawing.logo?.plate)
      let scale = 6
      let picture = drawing.greyPicture(pixelsPerModule: scale)
      var pixels = picture.pixels
      for y in plate.row..<plate.row + plate.height {
        for x in plate.column..<plate.column + plate.width where !symbol.isDark(x: x, y: y) {
          for pixel in 0..<scale * scale {
            let (down, right) = pixel.quotientAndRemainder(dividingBy: scale)
            pixels[((y + 4) * scale + down) * picture.width + (x + 4) * scale + right] = 0
          }
        }
      }
      // Under the plate every module is now the opposite of what it should be.
      let turned = GreyPicture(width: picture.width, height: picture.height, pixels: pixels)
      let code = try #require(try CodeScanner().scan(turned).first)
      #expect(code.text == text)
      let use = try #require(code.correction)
      #expect(use.correctedCodewords == plate.coveredCodewords)
      #expect(abs(use.unused - plate.unusedErrorCorrection) < 1e-9)
    }
  }
}
