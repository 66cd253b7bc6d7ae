import CliptagBasics
import QRSymbol
import TestSupport
import Testing

@testable import CodeDrawing

@Suite("SVG, PDF and EPS")
struct VectorFormatTests {
  @Test("each vector format draws exactly the symbol's modules", arguments: [1, 4, 7, 20])
  func modules(version: Int) throws {
    let drawing = try drawing(version: version)
    let side = drawing.size.modulesAcross

    let svg = try drawing.latin1(.svg)
    let path = try #require(svg.firstMatch(of: /<path fill="#000" d="([^"]+)"\/>/)).1
    #expect(PathReader(svg: path).windings(side: side) == drawing.expectedModules)

    let eps = try drawing.latin1(.eps)
    let program = try #require(eps.firstMatch(of: /newpath\n([^%]+)fill\n/)).1
    #expect(PathReader(operators: program).windings(side: side) == drawing.expectedModules)

    let pdf = try drawing.latin1(.pdf)
    let content = try #require(pdf.firstMatch(of: /\n0 g\n([^%]+?)\nf\nQ\n/)).1
    #expect(PathReader(operators: content).windings(side: side) == drawing.expectedModules)
  }

  @Test("each vector format states the size in its own unit")
  func size() throws {
    // 37 modules of 20 dots at 600 dots per inch: 31.32666… mm, 88.8 points.
    let drawing = try drawing()
    let svg = try drawing.latin1(.svg)
    #expect(svg.contains(#" width="31.326667mm" height="31.326667mm" viewBox="0 0 37 37" "#))
    let pdf = try drawing.latin1(.pdf)
    let box = "[0 0 88.8 88.8]"
    #expect(pdf.contains("/MediaBox \(box) /BleedBox \(box) /TrimBox \(box)"))
    // From points to millimetres, with the origin at the top, and on to modules.
    #expect(pdf.contains("\n2.834645669 0 0 -2.834645669 0 88.8 cm\n"))
    #expect(pdf.contains("\n0.846666667 0 0 0.846666667 0 0 cm\n"))
    let eps = try drawing.latin1(.eps)
    #expect(eps.contains("\n%%BoundingBox: 0 0 89 89\n%%HiResBoundingBox: 0 0 88.8 88.8\n"))
  }

  @Test("a white ground under the whole code keeps the quiet zone light on any page")
  func ground() throws {
    let drawing = try drawing()
    #expect(try drawing.latin1(.svg).contains(##"<rect width="37" height="37" fill="#fff"/>"##))
    #expect(try drawing.latin1(.pdf).contains("\n1 g\n0 0 37 37 re\nf\n"))
    #expect(try drawing.latin1(.eps).contains("\n1 setgray 0 0 37 37 rectfill\n"))
  }

  @Test("without a ground, only the modules are drawn", arguments: [0, 2, 4, 9])
  func noGround(quietZone: Int) throws {
    let drawing = try CodeDrawing(
      QRSymbol(sampleURL), size: CodeSize.Request(moduleSize: 0.5, quietZone: quietZone),
      colours: CodeColours(hasGround: false))
    let side = 29 + 2 * quietZone
    #expect(drawing.size.modulesAcross == side)
    let expected = (0..<side).map { row in
      (0..<side).map {
        drawing.symbol.isDark(x: $0 - quietZone, y: row - quietZone) ? 1 : 0
      }
    }
    let svg = try drawing.latin1(.svg)
    #expect(!svg.contains("<rect") && svg.contains("viewBox=\"0 0 \(side) \(side)\""))
    let path = try #require(svg.firstMatch(of: /<path fill="#000" d="([^"]+)"\/>/)).1
    #expect(PathReader(svg: path).windings(side: side) == expected)
    let eps = try drawing.latin1(.eps)
    #expect(!eps.contains("rectfill"))
    let program = try #require(eps.firstMatch(of: /newpath\n([^%]+)fill\n/)).1
    #expect(PathReader(operators: program).windings(side: side) == expected)
    let pdf = try drawing.latin1(.pdf)
    #expect(!pdf.contains("1 g\n"))
    let content = try #require(pdf.firstMatch(of: /\n0 g\n([^%]+?)\nf\nQ\n/)).1
    #expect(PathReader(operators: content).windings(side: side) == expected)
  }

  @Test("the same code gives the same bytes, another code others")
  func reproducible() throws {
    for format in DrawingFormat.allCases {
      #expect(try drawing().data(as: format) == drawing().data(as: format))
      #expect(
        try drawing().data(as: format) != drawing("https://fruta.example.com/x").data(as: format))
    }
  }

  @Test("an SVG keeps its text as text, whatever characters it has")
  func svgText() throws {
    let drawing = try drawing("https://a.co/?a=1&b=<\">\u{1}\r]]>")
    let svg = String(decoding: try drawing.data(as: .svg), as: UTF8.self)
    let escaped = "https://a.co/?a=1&amp;b=&lt;&quot;&gt;\u{FFFD}&#13;]]&gt;"
    #expect(svg.contains("<title>\(escaped)</title>"))
    #expect(
      svg.contains("<desc>QR code, version 3, error correction Q: \(escaped)</desc>"), "\(svg)")
    #expect(xmlEscaped("früta 🍓\u{FFFE}\t\n") == "früta 🍓\u{FFFD}\t\n")
  }

  @Test("an EPS keeps to printable ASCII and lines of 255 characters")
  func epsLines() throws {
    let long = "https://a.co/(é)\\" + String(repeating: "x", count: 1_500)
    let data = try drawing(long).data(as: .eps)
    #expect(data.allSatisfy { $0 == 0x0A || (0x20...0x7E).contains($0) })
    #expect(data.split(separator: 0x0A).allSatisfy { $0.count <= 255 })
    #expect(try drawing(long).latin1(.eps).contains("%%Title: (https://a.co/\\(?\\)\\\\xxx"))
  }
}

@Suite("Outlines")
struct ModuleOutlineTests {
  @Test("the outlines filled by either rule are the dark modules, once around each")
  func random() {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<200 {
      let side = Int.random(in: 1...12, using: &generator)
      let modules = (0..<side).map { _ in
        (0..<side).map { _ in Int.random(in: 0...1, using: &generator) }
      }
      let outline = ModuleOutline(side: side, modules: modules.flatMap { $0.map(UInt8.init) })
      var reader = PathReader()
      for loop in outline.loops {
        #expect(loop.sides.count.isMultiple(of: 2))
        reader.move(loop.x, loop.y)
        for (index, length) in loop.sides.dropLast().enumerated() {
          #expect(length != 0)
          reader.line(
            byX: index.isMultiple(of: 2) ? length : 0, y: index.isMultiple(of: 2) ? 0 : length)
        }
      }
      // Each module is wound around once or not at all, so even-odd and nonzero agree.
      #expect(reader.windings(side: side) == modules)
      #expect(reader.isRectilinear)
    }
  }

  @Test("a ring is an outer outline and a hole that runs the other way")
  func ring() {
    let outline = ModuleOutline(side: 3, modules: [1, 1, 1, 1, 0, 1, 1, 1, 1])
    #expect(
      outline.loops == [
        .init(x: 0, y: 0, sides: [3, 3, -3, -3]), .init(x: 1, y: 2, sides: [1, -1, -1, 1]),
      ])
  }

  @Test("modules that touch only at a corner stay two outlines")
  func corner() {
    #expect(ModuleOutline(side: 2, modules: [1, 0, 0, 1]).loops.count == 2)
    #expect(ModuleOutline(side: 2, modules: [0, 1, 1, 0]).loops.count == 2)
  }

  @Test("nothing dark has no outline")
  func empty() {
    #expect(ModuleOutline(side: 2, modules: [0, 0, 0, 0]).loops.isEmpty)
  }
}
