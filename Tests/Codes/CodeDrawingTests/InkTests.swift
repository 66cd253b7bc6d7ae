import CliptagBasics
import CodeDrawing
import Foundation
import QRSymbol
import TestSupport
import Testing

/// Colours of the inks of a press: process inks and spot inks.
@Suite("Inks") struct InkTests {
  @Test(
    "process inks are read in percent, and their channels approximate them",
    arguments: [
      ("cmyk:0,100,81,4", "#f5002f"), ("CMYK: 0, 0, 0, 0", "#ffffff"),
      ("cmyk:100,0,0,0", "#00ffff"),
      ("cmyk:50%,0%,0%,50%", "#408080"),
    ])
  func process(_ example: (text: String, channels: String)) throws {
    let colour = try #require(Colour(example.text))
    #expect(colour.hexadecimal == example.channels)
    #expect(colour.inks?.spot == nil && colour.inks != nil)
  }

  @Test("a spot ink keeps its name as it is written")
  func spot() throws {
    let inks = try #require(Colour("spot:PANTONE 186 C=0,100,81,4")?.inks)
    #expect(inks.spot == "PANTONE 186 C")
    #expect([inks.cyan, inks.magenta, inks.yellow, inks.black] == [0, 1, 0.81, 0.04])
    #expect(Colour("spot:Gold=Blue=0,20,60,20")?.inks?.spot == "Gold=Blue")
  }

  @Test(
    "a text that is no mixture is no colour",
    arguments: [
      "cmyk:0,100,81", "cmyk:0,100,81,101", "cmyk:0,100,81,-1", "cmyk:0,100,81,4,5", "cmyk:",
      "cmyk",
      "cmyk:0,100,81,nan", "spot:0,100,81,4", "spot:=0,100,81,4", "spot:All=0,0,0,100",
      "spot:None=0,0,0,0", "spot:A\u{7}=0,0,0,100", "pantone:186=0,100,81,4",
    ])
  func malformed(_ text: String) { #expect(Colour(text) == nil) }

  @Test("black ink alone is the grey that every format prints with black")
  func black() {
    #expect(Colour("cmyk:0,0,0,100") == .black)
    #expect(Colour("cmyk:0,0,0,50")?.inks == nil)
    #expect(Colour("cmyk:60,40,40,100")?.inks != nil, "a rich black is a mixture")
  }

  @Test("a lighter shade has less of the same ink")
  func tint() throws {
    let red = try #require(Colour("spot:Red=0,100,100,0"))
    let pale = red.mixed(with: .white, share: 0.75)
    #expect(pale.inks?.spot == "Red" && pale.inks?.tint == 0.25)
    #expect(pale.hexadecimal == "#ffbfbf")
  }

  @Test("a darker shade stays inks, those of its approximation for a spot ink")
  func shade() throws {
    let dark = try #require(Colour("cmyk:0,100,50,0")).mixed(with: .black, share: 0.5)
    #expect(dark.inks == Inks(cyan: 0, magenta: 0.5, yellow: 0.25, black: 0.5))
    let spot = try #require(Colour("spot:Red=0,100,50,0")).mixed(with: .black, share: 0.5)
    #expect(spot == dark)
    #expect(Colour(red: 200, green: 0, blue: 0).mixed(with: .black, share: 0.5).inks == nil)
  }

  /// A page with an area in each colour, and a black code.
  private static func page(_ colours: [String]) throws -> PageDrawing {
    var page = PageDrawing(width: 100, height: 60)
    let colours = try colours.map { try #require(Colour($0)) }
    for (index, colour) in colours.enumerated() {
      page.elements.append(
        .shape(
          .rectangle(DrawingBox(x: Double(index) * 12, y: 40, width: 10, height: 10)), colour))
    }
    let code = try CodeDrawing(
      QRSymbol("https://example.com"), size: .init(width: 36))
    page.elements.append(.code(code, DrawingPoint(x: 0, y: 0)))
    return page
  }

  private static func pdf(_ colours: [String]) throws -> [UInt8] {
    var writer = try PDFWriter(to: MemorySink(), information: .init(title: "Inks"))
    try writer.add(page(colours))
    return try writer.finished().bytes
  }

  @Test("a PDF has process inks as such, and a colour space for each spot ink")
  func pdfOperators() throws {
    let colours = ["cmyk:0,100,81,4", "spot:PANTONE 186 C=0,100,81,4", "spot:Gloß (1)=0,20,60,20"]
    let pdf = try Self.pdf(colours)
    let text = try standardOutput(
      of: "qpdf", ["--qdf", "--object-streams=disable", "FILE", "-"], about: pdf)
    #expect(text.contains("0 1 0.81 0.04 k\n"))
    #expect(text.contains("/PANTONE#20186#20C cs 1 scn"))
    #expect(text.contains("/Separation\n") && text.contains("/DeviceCMYK"))
    #expect(text.contains("/Glo#c3#9f#20#281#29"))
    #expect(try standardOutput(of: "qpdf", ["--check", "FILE"], about: pdf).contains("No syntax"))
  }

  @Test(
    "each ink is on its plate alone: Ghostscript separates PDF and EPS", arguments: ["pdf", "eps"])
  func plates(_ format: String) async throws {
    let colours = ["cmyk:100,0,0,0", "spot:PANTONE 186 C=0,100,81,4"]
    let plates = try await Plates(
      of: format == "pdf" ? Self.pdf(colours) : Self.page(colours).eps(title: "Inks"))
    #expect(plates.isMarked("Cyan", 5, 45) && plates.isMarked("PANTONE 186 C", 17, 45))
    #expect(plates.darkest("Magenta") == 255, "the spot ink is not separated")
    #expect(plates.darkest("Black") == 0, "the code")
  }

  /// A page with black words, and grey ones, on an area.
  private static func words(on ground: String) throws -> PageDrawing {
    var page = PageDrawing(width: 60, height: 40)
    page.elements.append(
      .shape(
        .rectangle(DrawingBox(x: 0, y: 0, width: 60, height: 40)), try #require(Colour(ground))))
    for (index, colour) in [Colour.black, Colour(red: 51, green: 51, blue: 51)].enumerated() {
      let text = try TextShaper().shape("MMM", TextStyle(size: 14), width: 50)
      page.elements.append(
        .text(
          .init(text: text, corner: DrawingPoint(x: 5, y: 20 * Double(index)), colour: colour)))
    }
    return page
  }

  @Test(
    "black words leave the colours beneath them as they are; grey ones do not",
    arguments: ["pdf", "eps", "outlines"], ["cmyk:0,0,100,0", "spot:Gold=0,20,60,20"])
  func overprint(_ format: String, _ ground: String) async throws {
    let page = try Self.words(on: ground)
    var writer = try PDFWriter(
      to: MemorySink(), information: .init(title: "Words"), outlinesText: format == "outlines")
    try writer.add(page)
    let plates = try await Plates(
      of: format == "eps" ? page.eps(title: "Words") : writer.finished().bytes)
    let ink = ground.hasPrefix("spot") ? "Gold" : "Yellow"
    #expect(plates.darkest("Black", x: 5...40, y: 2...18) == 0, "the words")
    #expect(plates.lightest(ink, x: 5...40, y: 2...18) == 0, "the area goes on beneath them")
    #expect(plates.lightest(ink, x: 5...40, y: 22...38) == 255, "grey words are cut out")
  }

  @Test("black words on white are as they were, without a change of the graphics state")
  func wordsOnWhite() throws {
    for ground in ["#fff", "#ccc"] {
      var writer = try PDFWriter(
        to: MemorySink(), information: .init(title: "Words"), compresses: false)
      var page = try Self.words(on: ground)
      // Beneath the ground is a colour.
      page.elements.insert(
        .shape(
          .rectangle(DrawingBox(x: 0, y: 0, width: 60, height: 40)),
          Colour(red: 9, green: 0, blue: 0)),
        at: 0)
      try writer.add(page)
      let text = String(decoding: try writer.finished().bytes, as: UTF8.self)
      #expect(!text.contains("/ExtGState") && !text.contains(" gs\n"))
    }
  }

  @Test(
    "crop marks are on every plate of a page in colour, and on the black one of a black page",
    arguments: ["pdf", "eps"], ["cmyk:100,0,0,0", "spot:Gold=0,20,60,20", "#999"])
  func marks(_ format: String, _ colour: String) async throws {
    var page = PageDrawing(width: 60, height: 40, bleed: 3, hasCropMarks: true)
    page.elements.append(
      .shape(
        .rectangle(DrawingBox(x: 10, y: 10, width: 10, height: 10)), try #require(Colour(colour))))
    var writer = try PDFWriter(to: MemorySink(), information: .init(title: "Marks"))
    try writer.add(page)
    let plates = try await Plates(
      of: format == "eps" ? page.eps(title: "Marks") : writer.finished().bytes)
    let inks = ["Cyan", "Magenta", "Yellow", "Black"] + (colour.hasPrefix("spot") ? ["Gold"] : [])
    for ink in inks {
      // The mark at the top left corner, which is 8 mm from both edges of the sheet.
      let isMarked = plates.darkest(ink, x: 2...3, y: 7.5...8.5) == 0
      #expect(isMarked == (colour.hasPrefix("#") ? ink == "Black" : true), "\(ink)")
    }
  }

  @Test("modules of several inks are warned of; one ink, a spot ink and black are not")
  func moduleInks() throws {
    func warning(_ colour: String) throws -> String? {
      try CodeColours(foreground: #require(Colour(colour))).inkWarning?.code
    }
    #expect(try warning("cmyk:100,60,0,20") == "mixed-inks")
    #expect(try warning("navy") == "mixed-inks")
    #expect(try warning("spot:Blue=100,80,0,20") == nil)
    #expect(try warning("333") == nil)
    #expect(try warning("cmyk:0,0,0,90") == nil)
  }
}
