import CliptagBasics
import Pictures
import QRSymbol
import Testing

@testable import CodeDrawing

/// An A6 page with a ground that bleeds, a line, and a code.
private func samplePage(marks: Bool = true) throws -> PageDrawing {
  var page = PageDrawing(width: 105, height: 148, bleed: 3, hasCropMarks: marks)
  page.elements = [
    .shape(.rectangle(page.bleedBox.grown(by: 20)), Colour(red: 255, green: 240, blue: 200)),
    .line(
      .segment(from: DrawingPoint(x: 10, y: 20), to: DrawingPoint(x: 95, y: 20)),
      PageDrawing.LineStyle(width: 0.5, dashes: [2, 1])),
    .shape(.circle(centre: DrawingPoint(x: 52.5, y: 130), radius: 8), .black),
    .code(
      try CodeDrawing(QRSymbol(sampleURL), size: CodeSize.Request(width: 60, dotsPerInch: 300)),
      DrawingPoint(x: 22.5, y: 40)),
  ]
  return page
}

private func pdf(_ pages: [PageDrawing], language: String = "en") throws -> [UInt8] {
  var writer = try PDFWriter(
    to: MemorySink(),
    information: .init(title: "Fruta", subject: "Order", language: language, creationTime: 0),
    compresses: false)
  for page in pages { try writer.add(page) }
  return try writer.finished().bytes
}

@Suite("Pages")
struct PageDrawingTests {
  @Test("the trim and bleed boxes lie inside the sheet as far as bleed and marks ask")
  func boxes() throws {
    let text = String(decoding: try pdf([samplePage()]), as: UTF8.self)
    // 8 mm on every side: 3 mm that the marks keep away from the edge, and 5 mm of marks.
    func box(_ name: String) throws -> [Double] {
      let match = try #require(text.firstMatch(of: try Regex("/\(name) \\[([0-9. ]+)\\]")))
      let numbers = try #require(match.output[1].substring)
      return numbers.split(separator: " ").compactMap { Double($0) }.map {
        ($0 * 25.4 / 72 * 1000).rounded() / 1000
      }
    }
    #expect(try box("MediaBox") == [0, 0, 121, 164])
    #expect(try box("BleedBox") == [5, 5, 116, 159])
    #expect(try box("TrimBox") == [8, 8, 113, 156])
  }

  @Test("without marks and bleed all boxes are the page")
  func plainBoxes() {
    let page = PageDrawing(width: 105, height: 148)
    #expect(page.mediaBox == DrawingBox(x: 0, y: 0, width: 105, height: 148))
    #expect(page.bleedBox == page.mediaBox)
  }

  @Test("every code is a figure with an alternative text, and decoration is marked as such")
  func tags() throws {
    let page = try samplePage()
    let text = String(decoding: try pdf([page, page]), as: UTF8.self)
    #expect(text.matches(of: /\/S \/Figure/).count == 2)
    #expect(text.matches(of: /\/Alt \(QR code, version 3[^)]*\)/).count == 2)
    // Ground, line, circle and eight crop marks on each page.
    #expect(text.matches(of: /\/Artifact BMC/).count == 2 * 11)
    #expect(text.contains("/Lang (en)"))
    #expect(text.contains("<xmp:CreateDate>1970-01-01T00:00:00Z</xmp:CreateDate>"))
    #expect(text.contains("/Count 2 "))
  }

  @Test("the same pages give the same bytes, and the sink gets them in pieces")
  func reproducible() throws {
    let page = try samplePage()
    #expect(try pdf([page]) == pdf([page]))
    struct CountingSink: ByteSink {
      var pieces = 0
      var largest = 0
      mutating func write(_ bytes: [UInt8]) throws(Never) {
        pieces += 1
        largest = max(largest, bytes.count)
      }
    }
    var writer = try PDFWriter(to: CountingSink(), information: .init(title: "Fruta"))
    for _ in 0..<50 { try writer.add(page) }
    let sink = try writer.finished()
    #expect(sink.pieces > 150)
    #expect(sink.largest < 10_000)
  }

  @Test("independent renderers draw the page as SVG, PDF and EPS with its code where it belongs")
  func drawn() async throws {
    let page = try samplePage()
    let renderer = DocumentRenderer(limits: .ownDrawing)
    let resolution = 150.0
    for (format, bytes) in [
      (DocumentRenderer.Format.svg, try page.svg(title: "Fruta")), (.pdf, try pdf([page])),
      (.eps, try page.eps(title: "Fruta")),
    ] {
      let pages = try await renderer.render(
        bytes, as: format, dotsPerInch: resolution, named: "sample")
      let picture = pages[0]
      func grey(_ x: Double, _ y: Double) -> UInt8 {
        let (column, row) = ((x + 8) * resolution / 25.4, (y + 8) * resolution / 25.4)
        return picture.pixels[Int(row) * picture.width + Int(column)]
      }
      #expect(abs(picture.width - Int(121 * resolution / 25.4)) <= 2, "\(format)")
      #expect(abs(picture.height - Int(164 * resolution / 25.4)) <= 2, "\(format)")
      // The ground fills the bleed and ends there; the circle is black.
      #expect(grey(5, 5) < 250 && grey(5, 5) > 200, "\(format)")
      #expect(grey(-2.5, 100) < 250, "\(format)")
      #expect(grey(-3.6, 100) == 255, "\(format)")
      #expect(grey(52.5, 130) == 0, "\(format)")
      // The first finder pattern begins behind four modules of quiet zone.
      let module = try CodeSize(
        CodeSize.Request(width: 60, dotsPerInch: 300), for: QRSymbol(sampleURL)
      ).moduleSize
      #expect(grey(22.5 + 3.5 * module, 40 + 3.5 * module) == 255, "\(format)")
      #expect(grey(22.5 + 4.5 * module, 40 + 4.5 * module) == 0, "\(format)")
    }
  }
}

@Suite("Photographs on pages")
struct JPEGPictureTests {
  private func jpeg() throws -> [UInt8] {
    let grey = GreyPicture(width: 40, height: 24, pixels: (0..<960).map { UInt8($0 & 255) })
    return try JPEGWriter.colour(ColourPicture(grey))
  }

  private func page(_ picture: JPEGPicture, within frame: DrawingBox? = nil) -> PageDrawing {
    var page = PageDrawing(width: 100, height: 80)
    page.elements = [
      .photograph(picture, DrawingBox(x: 10, y: 10, width: 60, height: 36), within: frame)
    ]
    return page
  }

  @Test("a file says its own size")
  func size() throws {
    let picture = try #require(JPEGPicture(try jpeg(), alternativeText: "A wall"))
    #expect((picture.width, picture.height) == (40, 24))
    #expect(!picture.isGrey)
  }

  @Test("what a document cannot hold as it is, is none: other formats, processes, inks and ends")
  func refused() throws {
    let file = try jpeg()
    #expect(JPEGPicture([], alternativeText: "") == nil)
    #expect(JPEGPicture(Array("<svg/>".utf8), alternativeText: "") == nil)
    let frame = try #require(file.indices.first { file[$0...].starts(with: [0xFF, 0xC0]) })
    var lossless = file
    lossless[frame + 1] = 0xC3
    var fourInks = file
    fourInks[frame + 9] = 4
    var twelveBits = file
    twelveBits[frame + 4] = 12
    var noHeight = file
    (noHeight[frame + 5], noHeight[frame + 6]) = (0, 0)
    for bytes in [lossless, fourInks, twelveBits, noHeight] {
      #expect(JPEGPicture(bytes, alternativeText: "") == nil)
    }
    for count in 0..<frame + 10 {
      #expect(JPEGPicture(Array(file.prefix(count)), alternativeText: "") == nil)
    }
  }

  @Test("a PDF file holds each photograph once, byte by byte, with its words wherever it is shown")
  func pdf() throws {
    let picture = try #require(JPEGPicture(try jpeg(), alternativeText: "A wall"))
    var writer = try PDFWriter(
      to: MemorySink(), information: .init(title: "Wall"), compresses: false)
    for _ in 0..<2 { try writer.add(page(picture)) }
    let pdf = try writer.finished().bytes
    let text = String(String.UnicodeScalarView(pdf.map { Unicode.Scalar($0) }))
    #expect(text.matches(of: /\/Filter \/DCTDecode/).count == 1)
    #expect(text.matches(of: /\/J0 Do/).count == 2)
    #expect(text.contains("/ColorSpace /DeviceRGB"))
    #expect(text.matches(of: /\/Alt \(A wall\)/).count == 2)
    #expect(pdf.indices.contains { pdf[$0...].starts(with: picture.bytes) })
  }

  @Test("SVG and EPS show a photograph where PDF does")
  func otherFormats() async throws {
    let picture = try #require(JPEGPicture(try jpeg(), alternativeText: "A <wall>"))
    let svg = try page(picture).svg(title: "Wall")
    #expect(String(decoding: svg, as: UTF8.self).contains("<title>A &lt;wall&gt;</title>"))
    let renderer = DocumentRenderer(limits: .ownDrawing)
    let drawn = try await renderer.drawColour(svg, dotsPerInch: 50.8, named: "wall.svg").red
    let eps = try await renderer.render(
      try page(picture).eps(title: "Wall"), as: .eps, dotsPerInch: 50.8, named: "wall.eps")[0]
    // Two dots a millimetre: within the box it is not white, without it is.
    for look in [drawn, eps] {
      #expect(look.pixels[4 * look.width + 4] == 255)
      let dark = (24..<88).filter { look.pixels[56 * look.width + 24 + $0] < 250 }.count
      #expect(dark > 30)
    }
  }

  @Test("of a photograph within a frame nothing is painted outside of it")
  func framed() async throws {
    let grey = GreyPicture(width: 40, height: 24, pixels: [UInt8](repeating: 40, count: 960))
    let bytes = try JPEGWriter.colour(ColourPicture(grey))
    let picture = try #require(JPEGPicture(bytes, alternativeText: "A wall"))
    let page = page(picture, within: DrawingBox(x: 30, y: 20, width: 20, height: 10))
    var writer = try PDFWriter(to: MemorySink(), information: .init(title: "Wall"))
    try writer.add(page)
    let renderer = DocumentRenderer(limits: .ownDrawing)
    let looks = [
      try await renderer.drawColour(
        page.svg(title: "Wall"), dotsPerInch: 50.8, named: "wall.svg"
      ).red,
      try await renderer.render(
        page.eps(title: "Wall"), as: .eps, dotsPerInch: 50.8, named: "wall.eps")[0],
      try await renderer.render(
        try writer.finished().bytes, as: .pdf, dotsPerInch: 50.8, named: "wall.pdf")[0],
    ]
    for look in looks {
      func value(_ x: Int, _ y: Int) -> UInt8 { look.pixels[2 * y * look.width + 2 * x] }
      #expect(value(40, 25) < 80)
      for (x, y) in [(28, 25), (52, 25), (40, 18), (40, 32), (12, 12)] {
        #expect(value(x, y) == 255, "\(x), \(y)")
      }
    }
  }
}
