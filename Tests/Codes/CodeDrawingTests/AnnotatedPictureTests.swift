import Foundation
import FoundationXML
import Pictures
import Testing

@testable import CodeDrawing

@Suite("An annotated picture")
struct AnnotatedPictureTests {
  @Test("every code has an outline, a flag and a line in the legend, each with its number")
  func numbers() throws {
    let standings: [PictureMark.Standing] = [.accepted, .rejected, .undecided, .unread]
    let marks = (0..<30).map { mark($0, standings[$0 % 4]) }
    let drawing = try Drawing(of: picture(marks))
    for number in 1...30 {
      let standing = standings[(number - 1) % 4].rawValue
      for part in ["code", "flag", "legend"] {
        #expect(drawing.classes["\(part)-\(number)"] == standing)
      }
      #expect(drawing.texts["flag-\(number)"]?.first == "\(number)")
      #expect(drawing.texts["legend-\(number)"]?.contains("https://a.co/\(number - 1)") == true)
    }
    #expect(drawing.classes.count == 90)
  }

  @Test("verdicts differ by colour, by word and by sign or line, so that no one needs colours")
  func verdicts() throws {
    let styles = PictureMark.Standing.allCases.map(AnnotationStyle.init)
    #expect(Set(styles.map(\.colour)).count == 4)
    #expect(Set(styles.map(\.word)).count == 4)
    #expect(Set(styles.map { $0.sign ?? "?" }).count == 4)
    #expect(Set(styles.map { "\($0.dashes ?? "") \($0.isDouble)" }).count == 4)
    let drawing = try Drawing(of: picture([mark(0, .rejected), mark(1, .undecided)]))
    #expect(drawing.texts["flag-1"]?.contains("REJECTED") == true)
    #expect(drawing.texts["flag-2"]?.contains("UNDECIDED") == true)
    #expect(drawing.allTexts.contains("2 codes: 1 rejected (1) · 1 undecided (2)"))
  }

  @Test("a hostile payload stays text, whatever it holds")
  func hostileText() throws {
    let payload = "</text><script>x</script>&\"'<![CDATA[ ]]> \u{1}שלום 🍓"
    let marks = [
      PictureMark(
        corners: corners(0), standing: .rejected, label: "<b>&", payload: payload,
        details: ["]]>", "<!--"])
    ]
    let drawing = try Drawing(of: picture(marks, title: "<wall>.jpg"))
    #expect(drawing.elements.isSuperset(of: ["svg", "text", "image", "polygon"]))
    #expect(drawing.elements.isDisjoint(with: ["script", "b", "wall"]))
    #expect(drawing.texts["flag-1"]?.contains("<b>&") == true)
    let shown = payload.replacing("\u{1}", with: "\u{FFFD}")
    #expect(drawing.texts["legend-1"]?.contains(shown) == true)
    #expect(drawing.texts["legend-1"]?.contains("]]> · <!--") == true)
  }

  @Test("the flags of thirty codes on a wall cover no code and no other flag")
  func flags() {
    let symbols = (0..<30).map { index in
      ConvexShape(corners(index).map { DrawingPoint(x: $0.x + 100, y: $0.y + 200) })
    }
    let area = DrawingBox(x: 10, y: 10, width: 2100, height: 2000)
    let flags = FlagPlacement(area: area).flags(
      for: symbols.map {
        FlagPlacement.Request(symbol: $0, full: (230, 74), compact: (80, 40), rank: 0)
      })
    #expect(flags.count == 30)
    for (index, flag) in flags.enumerated() {
      #expect(!flag.isCompact)
      #expect(flag.box.held(in: area) == flag.box, "flag \(index + 1) leaves the drawing")
      for symbol in symbols { #expect(!flag.box.shape.overlaps(symbol)) }
      for other in flags[..<index] { #expect(!flag.box.shape.overlaps(other.box.shape)) }
    }
  }

  @Test("where there is no room for words, a flag keeps its number")
  func crowd() {
    // Codes of 90 with 50 between them: no flag with words fits, one with a number does.
    let symbols = (0..<36).map { (index: Int) -> ConvexShape in
      let (row, column) = index.quotientAndRemainder(dividingBy: 6)
      return DrawingBox(
        x: 100 + 140 * Double(column), y: 100 + 140 * Double(row), width: 90, height: 90
      ).shape
    }
    let flags = FlagPlacement(area: DrawingBox(x: 90, y: 40, width: 840, height: 860)).flags(
      for: symbols.map {
        FlagPlacement.Request(symbol: $0, full: (260, 130), compact: (60, 30), rank: 0)
      })
    #expect(flags.count == 36)
    #expect(flags.contains { $0.isCompact })
    for flag in flags { for symbol in symbols { #expect(!flag.box.shape.overlaps(symbol)) } }
  }

  @Test("a code that fills its picture has its flag beside the picture")
  func fullPicture() throws {
    let mark = PictureMark(
      corners: DrawingBox(x: 0, y: 0, width: 2000, height: 2000).shape.points, standing: .accepted,
      label: "Fruta Cupertino", payload: "x")
    let grey = GreyPicture(
      width: 100, height: 100, pixels: [UInt8](repeating: 128, count: 10_000))
    let picture = AnnotatedPicture(
      ColourPicture(grey), size: (2000, 2000), title: "full", marks: [mark])
    let drawing = try Drawing(of: picture)
    let flag = try #require(drawing.flags["flag-1"])
    #expect(flag.bottom <= picture.frame.y)
  }

  @Test("marks lie on the picture however much smaller it is drawn")
  func scale() throws {
    // Corners count pixels of 8000 × 6000; the look in hand has a quarter of them.
    let grey = GreyPicture(
      width: 4000, height: 3000, pixels: [UInt8](repeating: 200, count: 12_000_000))
    let mark = PictureMark(
      corners: DrawingBox(x: 4000, y: 3000, width: 1000, height: 1000).shape.points,
      standing: .accepted, label: "", payload: "x")
    let picture = AnnotatedPicture(
      ColourPicture(grey), size: (8000, 6000), title: "large", marks: [mark])
    #expect(max(picture.picture.width, picture.picture.height) <= AnnotatedPicture.longestSide)
    let drawing = try Drawing(of: picture)
    let outline = try #require(drawing.outlines["code-1"])
    #expect(abs(outline.x + 8 - (picture.frame.x + picture.frame.width / 2)) < 1)
    #expect(abs(outline.y + 8 - (picture.frame.y + picture.frame.height / 2)) < 1)
    #expect(abs(outline.width - 16 - picture.frame.width / 8) < 1)
  }

  @Test("long texts keep beginning and end and stay inside their room")
  func shortening() {
    let text = "https://fruta.example.com/order/" + String(repeating: "a", count: 500) + "/7"
    let short = TextFitting.shortened(text, to: 30, .mono)
    #expect(TextFitting.width(short, .mono) <= 30)
    #expect(short.hasPrefix("https://fruta.example.") && short.hasSuffix("aa/7"))
    #expect(TextFitting.shortened("short", to: 30, .mono) == "short")
    let lines = TextFitting.wrapped("one two three four five six", to: 5, lines: 2, .sans)
    #expect(lines.count == 2 && lines[0] == "one two" && lines[1].hasSuffix("…"))
  }

  /// Thirty places on a wall, each code turned a little.
  private func corners(_ index: Int) -> [DrawingPoint] {
    let centre = DrawingPoint(x: 200 + Double(index % 6) * 300, y: 200 + Double(index / 6) * 330)
    return (0..<4).map { corner in
      let angle = (Double(corner) * 90 + Double(index) * 7) * .pi / 180
      return DrawingPoint(x: centre.x + 90 * cos(angle), y: centre.y + 90 * sin(angle))
    }
  }

  private func mark(_ index: Int, _ standing: PictureMark.Standing) -> PictureMark {
    PictureMark(
      corners: corners(index), standing: standing, label: "/\(index)",
      payload: "https://a.co/\(index)", details: ["ok"])
  }

  private func picture(_ marks: [PictureMark], title: String = "wall.jpg") -> AnnotatedPicture {
    let grey = GreyPicture(
      width: 200, height: 190, pixels: [UInt8](repeating: 180, count: 200 * 190))
    return AnnotatedPicture(ColourPicture(grey), size: (2000, 1900), title: title, marks: marks)
  }
}

/// What a drawing holds, read by an XML parser.
private struct Drawing {
  private(set) var elements: Set<String> = []
  /// The class of each group, by its identifier.
  private(set) var classes: [String: String] = [:]
  /// The texts in each group.
  private(set) var texts: [String: [String]] = [:]
  private(set) var allTexts: [String] = []
  /// The bounds of the first polygon of each group.
  private(set) var outlines: [String: DrawingBox] = [:]
  /// The first rectangle of each group.
  private(set) var flags: [String: DrawingBox] = [:]

  init(of picture: AnnotatedPicture) throws {
    let document = try XMLDocument(data: Data(picture.svg()))
    collect(try #require(document.rootElement()), in: nil)
  }

  private mutating func collect(_ element: XMLElement, in group: String?) {
    let name = element.name ?? ""
    elements.insert(name)
    // `attribute(forName:)` finds none in a document with a namespace.
    func attribute(_ key: String) -> String? {
      element.attributes?.first { $0.name == key }?.stringValue
    }
    func number(_ key: String) -> Double { attribute(key).flatMap(Double.init) ?? .nan }
    let group = attribute("id") ?? group
    if let group {
      if name == "g" { classes[group] = attribute("class") }
      if name == "polygon", outlines[group] == nil {
        outlines[group] = Self.bounds(attribute("points") ?? "")
      }
      if name == "rect", flags[group] == nil {
        flags[group] = DrawingBox(
          x: number("x"), y: number("y"), width: number("width"), height: number("height"))
      }
    }
    if name == "text" {
      allTexts.append(element.stringValue ?? "")
      if let group { texts[group, default: []].append(element.stringValue ?? "") }
    }
    for child in element.children ?? [] {
      if let child = child as? XMLElement { collect(child, in: group) }
    }
  }

  private static func bounds(_ points: String) -> DrawingBox {
    ConvexShape(
      points.split(separator: " ").map { pair in
        let numbers = pair.split(separator: ",").compactMap { Double($0) }
        return DrawingPoint(x: numbers[0], y: numbers[1])
      }
    ).bounds
  }
}
