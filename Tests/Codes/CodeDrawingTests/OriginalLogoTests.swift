import CliptagBasics
import CodeDrawing
import Foundation
import Pictures
import QRSymbol
import TestSupport
import Testing

/// Logos as their designers made them: vectors stay vectors, and inks stay inks.
@Suite("Original logos") struct OriginalLogoTests {
  private static func svg(_ content: String) -> [UInt8] {
    Array(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 60 20'>\(content)</svg>".utf8)
  }

  private static let red = svg(
    "<circle id='dot' cx='10' cy='10' r='8' fill='#c8102e'/><path d='M20 4h36v12z'/>")
  private static let black = svg(
    "<rect width='20' height='20'/><text x='22' y='15' fill='#333'>Fruta</text>")

  /// A PDF file of one page with cyan ink, a spot ink and black words.
  private static func pdf() throws -> [UInt8] {
    var page = PageDrawing(width: 60, height: 20)
    for (index, text) in ["cmyk:100,0,0,0", "spot:Gold (1)=0,20,60,20"].enumerated() {
      page.elements.append(
        .shape(
          .rectangle(DrawingBox(x: Double(index) * 20, y: 0, width: 18, height: 18)),
          try #require(Colour(text))))
    }
    let words = try TextShaper().shape("Fruta", TextStyle(size: 4), width: 30)
    page.elements.append(.text(.init(text: words, corner: DrawingPoint(x: 41, y: 2))))
    var writer = try PDFWriter(to: MemorySink(), information: .init(title: "Logo"))
    try writer.add(page)
    return try writer.finished().bytes
  }

  /// A page on which the logo lies once or several times beneath a white field.
  private static func page(_ logos: LogoPicture..., width: Double = 30) -> PageDrawing {
    var page = PageDrawing(width: 100, height: 60)
    page.elements.append(
      .shape(.rectangle(DrawingBox(x: 60, y: 0, width: 10, height: 10)), .white))
    for (index, logo) in logos.enumerated() {
      page.elements.append(
        .picture(
          logo, DrawingBox(x: 5, y: 5 + 20 * Double(index), width: width, height: width / 3)))
    }
    return page
  }

  private static func pdf(of pages: PageDrawing...) throws -> [UInt8] {
    var writer = try PDFWriter(to: MemorySink(), information: .init(title: "Page"))
    for page in pages { try writer.add(page) }
    return try writer.finished().bytes
  }

  /// The colour of a rendered PDF or SVG page at a place in millimetres.
  private static func colour(_ file: [UInt8], _ x: Double, _ y: Double) async throws -> [Int] {
    let page = try await PictureLoader(limits: .ownDrawing).open(file, named: "page").page(1)
    let picture = try #require(try await page.colourLook())
    let scale = Double(picture.width) / 100
    let index = Int(y * scale) * picture.width + Int(x * scale)
    return [picture.red, picture.green, picture.blue].map { Int($0.pixels[index]) }
  }

  @Test("an SVG logo is drawn as vectors in PDF, SVG and EPS, at its place and in its colours")
  func vectors() async throws {
    let logo = try await LogoPicture(Self.red, named: "logo.svg")
    let pdf = try Self.pdf(of: Self.page(logo))
    #expect(
      try standardOutput(of: "pdfimages", ["-list", "FILE"], about: pdf).split(separator: "\n")
        .count == 2)
    #expect(try standardOutput(of: "qpdf", ["--check", "FILE"], about: pdf).contains("No syntax"))
    let svg = try Self.page(logo).svg(title: "Page")
    #expect(!String(decoding: svg, as: UTF8.self).contains("<image"))
    for file in [pdf, svg] {
      #expect(try await Self.colour(file, 10, 10) == [200, 16, 46])
      #expect(try await Self.colour(file, 10, 5.3) == [255, 255, 255], "beside the dot")
      #expect(try await Self.colour(file, 32, 8) == [0, 0, 0])
    }
    let eps = try Self.page(logo).eps(title: "Page")
    #expect(!String(decoding: eps, as: UTF8.self).contains("ASCIIHexDecode"))
    let grey = try await DocumentRenderer(limits: .ownDrawing).render(
      eps, as: .eps, dotsPerInch: 254, named: "page.eps")[0]
    func level(_ x: Int, _ y: Int) -> UInt8 { grey.pixels[y * 10 * grey.width + x * 10] }
    #expect(level(32, 8) == 0 && level(50, 50) == 255)
    #expect((90...115).contains(level(10, 10)))
  }

  @Test("the same logo gives the same bytes, and is in a file once")
  func same() async throws {
    let logo = try await LogoPicture(Self.red, named: "logo.svg")
    let again = try await LogoPicture(Self.red, named: "logo.svg")
    #expect(logo == again)
    let pdf = try Self.pdf(of: Self.page(logo), Self.page(again, again))
    #expect(String(decoding: pdf, as: UTF8.self).matches(of: #/\/Subtype \/Form/#).count == 1)
    #expect(try Self.page(logo).eps(title: "a") == Self.page(again).eps(title: "a"))
  }

  @Test("two drawings in one SVG file do not take each other's parts")
  func names() async throws {
    let gradient: (String) -> [UInt8] = { colour in
      Self.svg(
        "<linearGradient id='a'><stop stop-color='\(colour)'/><stop offset='1' stop-color='\(colour)' stop-opacity='.99'/></linearGradient>"
          + "<rect width='60' height='20' fill='url(#a)'/>")
    }
    let page = Self.page(
      try await LogoPicture(gradient("#ff0000"), named: "a.svg"),
      try await LogoPicture(gradient("#0000ff"), named: "b.svg"))
    let svg = try page.svg(title: "Page")
    let first = try await Self.colour(svg, 20, 10)
    let second = try await Self.colour(svg, 20, 30)
    #expect(first[0] == 255 && first[2] < 10)
    #expect(second[2] == 255 && second[0] < 10)
  }

  @Test(
    "a black drawing prints with black ink alone, its fonts embedded", arguments: ["pdf", "eps"])
  func blackInk(_ format: String) async throws {
    let logo = try await LogoPicture(Self.black, named: "logo.svg")
    let page = Self.page(logo)
    let file = try format == "pdf" ? Self.pdf(of: page) : page.eps(title: "Page")
    let ink = try standardOutput(
      of: "gs",
      ["-q", "-dBATCH", "-dNOPAUSE", "-dSAFER", "-sDEVICE=inkcov", "-o", "-", "FILE"],
      about: file)
    #expect(ink.contains(/^ *0\.00000 +0\.00000 +0\.00000 +0\.[0-9]*[1-9]/), "\(ink)")
    if format == "pdf" {
      let fonts = try standardOutput(of: "pdffonts", ["FILE"], about: file)
      #expect(fonts.split(separator: "\n").dropFirst(2).allSatisfy { $0.contains(" yes yes ") })
    }
  }

  @Test("a translucent drawing stays vectors in PDF and SVG; EPS shows its pixels on its ground")
  func translucent() async throws {
    let logo = try await LogoPicture(
      Self.svg("<rect width='60' height='20' fill='#c8102e' opacity='.5'/>"), named: "logo.svg")
    let page = Self.page(logo)
    let pdf = try Self.pdf(of: page)
    #expect(
      try standardOutput(of: "pdfimages", ["-list", "FILE"], about: pdf).split(separator: "\n")
        .count == 2)
    for file in [pdf, try page.svg(title: "Page")] {
      let colour = try await Self.colour(file, 20, 10)
      #expect(zip(colour, [228, 136, 151]).allSatisfy { abs($0 - $1) <= 2 }, "\(colour)")
    }
    #expect(
      String(decoding: try page.eps(title: "Page"), as: UTF8.self).contains("ASCIIHexDecode"))
    var dark = page
    dark.elements.insert(
      .shape(.rectangle(DrawingBox(x: 0, y: 0, width: 50, height: 50)), .black), at: 0)
    let eps = try dark.eps(title: "Page")
    #expect(eps.count < 1_200_000, "600 pixels to the inch, not all that there are")
    let grey = try await DocumentRenderer(limits: .ownDrawing).render(
      eps, as: .eps, dotsPerInch: 254, named: "page.eps")[0]
    #expect((30...70).contains(grey.pixels[100 * grey.width + 200]), "half of red on black")
  }

  @Test("a drawing without translucent parts lies on no ground in EPS, too")
  func noGround() async throws {
    let symbol = try QRSymbol(sampleURL, minimumErrorCorrection: .high)
    func eps(_ content: String) async throws -> [UInt8] {
      let logo = try await LogoPicture(Self.svg(content), named: "logo.svg", for: [.eps])
      return try CodeDrawing(
        symbol, colours: CodeColours(hasGround: false), logo: CodeLogo.Request(logo)
      ).data(as: .eps)
    }
    #expect(try await !eps("<circle cx='10' cy='10' r='8'/>").isEmpty)
    await #expect(throws: CodeDrawingError.self) {
      _ = try await eps("<circle cx='10' cy='10' r='8' opacity='.5'/>")
    }
  }

  @Test("a PDF logo keeps its inks in PDF and EPS", arguments: ["pdf", "eps"])
  func inks(_ format: String) async throws {
    let logo = try await LogoPicture(Self.pdf(), named: "logo.pdf")
    #expect(logo.width == 3 * logo.height)
    let page = Self.page(logo, width: 60)
    let file = try format == "pdf" ? Self.pdf(of: page) : page.eps(title: "Page")
    let plates = try await Plates(of: file)
    #expect(plates.isMarked("Cyan", 14, 10) && !plates.isMarked("Gold (1)", 14, 10))
    #expect(plates.isMarked("Gold (1)", 34, 10))
    for plate in ["Cyan", "Magenta", "Yellow", "Black"] {
      #expect(!plates.isMarked(plate, 34, 10), "\(plate) beneath the spot ink")
    }
    #expect(plates.darkest("Black") == 0, "the words")
    #expect(plates.darkest("Magenta") == 255)
  }

  @Test("the part of a PDF page that viewers show is the logo, upright")
  func cropped() async throws {
    let page = try Self.pdf(of: Self.page(try await LogoPicture(Self.red, named: "logo.svg")))
    // The dot's square, 5 mm from the left and the top, on a page turned by a quarter.
    let plain = String(decoding: page, as: UTF8.self)
    try #require(plain.contains("/MediaBox [0 0 283.464567 170.07874]"))
    let boxes = page.replacing(
      "/MediaBox [0 0 283.464567 170.07874]",
      with: "/MediaBox [0 0 283 170] /CropBox [14.17 127.56 42.52 155.91] /Rotate 90")
    let logo = try await LogoPicture(boxes, named: "logo.pdf")
    #expect(logo.width == logo.height)
    #expect(logo.picture.opacity.pixels[logo.width / 2 * logo.width + logo.width / 2] == 255)
    let file = try Self.pdf(of: Self.page(logo))
    #expect(try await Self.colour(file, 20, 10) == [200, 16, 46])
    #expect(try await Self.colour(file, 34.5, 5.3) == [255, 255, 255])
  }

  @Test("a logo that sets no colour is black, whatever is painted before it")
  func initialState() async throws {
    var drawing = PageDrawing(width: 30, height: 10)
    drawing.elements = [
      .shape(.rectangle(DrawingBox(x: 0, y: 0, width: 30, height: 10)), .black)
    ]
    var writer = try PDFWriter(
      to: MemorySink(), information: .init(title: "Logo"), compresses: false)
    try writer.add(drawing)
    let file = try writer.finished().bytes.replacing("\n0 g\n", with: "\n   \n")
    let logo = try await LogoPicture(file, named: "logo.pdf")
    #expect(try await Self.colour(Self.pdf(of: Self.page(logo)), 20, 10) == [0, 0, 0])
  }

  @Test("a JPEG logo in CMYK keeps its bytes in PDF")
  func jpeg() async throws {
    let samples = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../PicturesTests/Samples")
    let cmyk = [UInt8](try Data(contentsOf: samples.appending(path: "cmyk.jpg")))
    let logo = try await LogoPicture(cmyk, named: "cmyk.jpg")
    let pdf = try Self.pdf(of: Self.page(logo))
    #expect(Data(pdf).range(of: Data(cmyk)) != nil)
    let list = try standardOutput(of: "pdfimages", ["-list", "FILE"], about: pdf)
    #expect(list.contains("cmyk"))
    #expect(try await Self.colour(pdf, 12, 8).allSatisfy { $0 < 60 })
    #expect(try await Self.colour(pdf, 28, 12) == [255, 255, 255])
    let plain = [UInt8](try Data(contentsOf: samples.appending(path: "progressive.jpg")))
    #expect(try await LogoPicture(plain, named: "a.jpg").original == nil)
  }

  @Test("a PDF logo with hidden layers is refused, because a part of a page has none")
  func layers() async throws {
    let file = try Self.pdf().replacing(
      "/MarkInfo", with: "/OCProperties << /D << /OFF [<< /Type /OCG >>] >> >> /MarkInfo")
    await #expect {
      _ = try await LogoPicture(file, named: "logo.pdf")
    } throws: {
      ($0 as? PictureError)?.code == .unsupportedFormat
    }
  }

  @Test("a logo with too few pixels for its size is warned of, a drawing never")
  func coarse() async throws {
    let symbol = try QRSymbol(sampleURL, minimumErrorCorrection: .high)
    func codes(_ logo: LogoPicture, width: Double) throws -> [String] {
      try #require(
        CodeDrawing(symbol, size: .init(width: width), logo: .init(logo)).logo
      ).warnings.map(\.code)
    }
    // About a quarter of the width: 40 pixels on 4 mm, and on 20 mm.
    #expect(try codes(testLogo(width: 40, height: 40), width: 20) == [])
    #expect(try codes(testLogo(width: 40, height: 40), width: 100) == ["logo-coarse"])
    let drawing = try await LogoPicture(Self.red, named: "logo.svg", for: [.png])
    #expect(try codes(drawing, width: 3_000) == [])
  }
}

extension [UInt8] {
  /// The file with another text; its cross-reference table is mended by readers.
  fileprivate func replacing(_ text: String, with other: String) -> [UInt8] {
    var data = Data(self)
    guard let range = data.range(of: Data(text.utf8)) else { return self }
    data.replaceSubrange(range, with: Data(other.utf8))
    return [UInt8](data)
  }
}
