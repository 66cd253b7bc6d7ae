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
