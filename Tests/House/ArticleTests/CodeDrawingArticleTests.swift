import AppClipCodeFixtures
import AppClipCodeFiles
import AppClipCodes
import CliptagBasics
import CodeDrawing
import QRSymbol
import Testing

@Suite("What the articles of CodeDrawing show is true") struct CodeDrawingArticleTests {
  @Test("a width that is asked for is never exceeded")
  func landingPage() throws {
    let symbol = try QRSymbol("https://fruta.example.com/order")
    let drawing = try CodeDrawing(symbol, size: CodeSize.Request(width: 30))
    print(drawing.size.width, drawing.size.moduleSize)  // millimetres, at most what was asked for
    let svg = try drawing.data(as: .svg)
    let pdf = try drawing.data(as: .pdf)
    #expect(drawing.size.width <= 30 && drawing.size.width > 28)
    #expect(String(decoding: svg.prefix(200), as: UTF8.self).contains("<svg"))
    #expect(pdf.starts(with: Array("%PDF-1.".utf8)))
  }

  @Test("a distance is met with whole dots, and no colour of enough contrast is warned of")
  func millimetres() throws {
    let symbol = try QRSymbol("https://fruta.example.com/order")
    let request = CodeSize.Request(readingDistance: 1000, dotsPerInch: 300)
    let colours = try CodeColours(foreground: Colour("#004d26") ?? .black)
    let drawing = try CodeDrawing(symbol, size: request, colours: colours)
    print(drawing.size.dotsPerModule, drawing.size.width)  // dots a module, millimetres
    for warning in drawing.size.warnings { print(warning) }
    for warning in drawing.colours.warnings { print(warning) }
    let png = try drawing.data(as: .png)
    #expect(drawing.size.readingDistance >= 1000)
    #expect(drawing.size.warnings.isEmpty && drawing.colours.warnings.isEmpty)
    #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    #expect(throws: CodeDrawingError.self) { try CodeColours(foreground: .white) }
  }

  @Test("a poster is one page of PDF")
  func poster() throws {
    let url = "https://fruta.example.com/order/cupertino"
    let content = PosterContent(
      headline: "Order a smoothie", brand: "Fruta", callToAction: "Scan with your camera",
      address: PosterContent.Address(url: url))
    let request = Poster.Request(content: content, design: .bold, paper: try PaperSize("A4"))
    let poster = try Poster(QRSymbol(url), request, shaper: TextShaper())

    var pdf = try PDFWriter(to: MemorySink(), information: .init(title: "Order a smoothie"))
    try pdf.add(poster.page)
    let bytes = try pdf.finished().bytes
    #expect(bytes.starts(with: Array("%PDF-1.6".utf8)))
    #expect(poster.code?.text == url && poster.page.width == 210)
  }

  @Test("an App Clip Code is drawn from its file")
  func appClipCode() async throws {
    let svg = DrawnAppClipCode("https://fruta.example.com/order").bytes
    let code = try AppClipCode(svg: svg)
    let drawing = try AppClipCodeDrawing(code, diameter: 40)
    print(drawing.width, drawing.readingDistance)  // millimetres, with the clear space
    let pdf = try await drawing.data(as: .pdf)
    #expect(pdf.starts(with: Array("%PDF-1.6".utf8)) && drawing.width == 48)
  }
}
