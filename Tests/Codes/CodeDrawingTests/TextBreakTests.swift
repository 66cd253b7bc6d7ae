import CliptagBasics
import QRSymbol
import Testing

@testable import CodeDrawing

@Suite("Breaks within texts")
struct TextBreakTests {
  private func lines(
    _ text: String, width: Double, breaks: WordBreaks = .phrases, language: String
  ) throws -> [String] {
    let shaped = try TextShaper().shape(
      text, TextStyle(size: 5), width: width, wordBreaks: breaks, language: language)
    let bytes = Array(shaped.text.utf8)
    return shaped.lines.map { line in
      String(decoding: bytes[line.range], as: UTF8.self)
        .split(separator: " ").joined(separator: " ") + (line.isHyphenated ? "-" : "")
    }
  }

  @Test("the trademark App Clip is not broken, and keeps its space as text")
  func trademark() throws {
    for width in stride(from: 24.0, through: 60, by: 1) {
      let text = "Scan to open the App Clip"
      let set = try lines(text, width: width, language: "en")
      #expect(set.contains { $0.contains("App Clip") }, "\(width): \(set)")
      #expect(try TextShaper().shape(text, TextStyle(size: 5), width: width).text == text)
    }
  }

  @Test("long words are divided by a dictionary of their language, if that is wished")
  func german() throws {
    let text = "Geschwindigkeitsbegrenzung"
    let set = try lines(text, width: 50, breaks: .hyphens, language: "de")
    #expect(set == ["Geschwindigkeits-", "begrenzung"])
    #expect(throws: TextError.self) { try lines(text, width: 50, language: "de") }
    #expect(throws: TextError.self) {
      try lines(text, width: 50, breaks: .hyphens, language: "tlh")
    }
  }

  @Test(
    "a long word is halved at the joint of a compound next to its middle, before the prefix of a stem",
    arguments: [
      "Erdbeersmoothie-bestellung", "Kundenparkplatz-reservierung", "Sitzplatz-reservierung",
      "Lebensmittel-verträglichkeit", "Speisekarten-bestellung", "Getränke-bestellung",
      "Geschwindigkeits-begrenzung", "Terrassenplatz", "Tisch-reservierung",
    ])
  func halves(parts: String) {
    let halves = parts.split(separator: "-")
    let text = "Der " + halves.joined()
    let breaks = Hyphenator().breaks(in: text, language: "de-AT", isHalving: true)
    #expect(breaks == (halves.count == 2 ? ["Der \(halves[0])".utf8.count] : []))
  }

  @Test(
    "the patterns that matter for a word divide it as the whole dictionary does",
    // As libhyphen does with all of hyphen-de 7.5; each takes a pattern whose end the word lacks.
    arguments: [
      "hinein-schlid-dern", "casa-blan-cashel-le-nist", "febru-ar-woche", "grau-schwarzer",
      "afgha-ni-stans-fach-schul-or-ga-ni-sa-tion",
    ])
  func patterns(parts: String) {
    let text = parts.replacing("-", with: "")
    let breaks = Hyphenator().breaks(in: text, language: "de")
    var divided = ""
    for (offset, letter) in text.enumerated() {
      divided += (breaks.contains(offset) ? "-" : "") + "\(letter)"
    }
    #expect(divided == parts)
  }

  @Test("the text of a divided word has neither hyphen nor soft hyphen, and the print has a hyphen")
  func text() throws {
    for text in ["Geschwindigkeitsbegrenzung", "Geschwindigkeits\u{AD}begrenzung"] {
      let shaped = try TextShaper().shape(
        text, TextStyle(size: 5), width: 50, wordBreaks: .hyphens, language: "de")
      #expect(shaped.text == "Geschwindigkeitsbegrenzung")
      #expect(shaped.lines.map(\.isHyphenated) == [true, false])
      let last = try #require(shaped.lines[0].runs.last?.glyphs.last { !$0.isEmpty })
      #expect(last.cluster.isEmpty && last.advance > 0)
      var page = PageDrawing(width: 100, height: 50)
      page.elements = [
        .text(PageDrawing.Words(text: shaped, corner: DrawingPoint(x: 5, y: 5)))
      ]
      let svg = String(decoding: try page.svg(title: "A"), as: UTF8.self)
      #expect(svg.contains("<title>Geschwindigkeitsbegrenzung</title>"))
    }
  }

  @Test("names and short words are not divided")
  func names() throws {
    let breaks = Hyphenator().breaks(in: "iPhoneiPhone Kamera Ge", language: "de")
    #expect(breaks.isEmpty)
    #expect(Hyphenator().breaks(in: "Übergangsregelung, überall", language: "de").count >= 1)
    #expect(Hyphenator().breaks(in: "../etc", language: "../x").isEmpty)
  }

  @Test("a division has four letters or more on each side")
  func sides() throws {
    let text = "Geschwindigkeitsbegrenzung"
    let breaks = Hyphenator().breaks(in: text, language: "de")
    #expect(breaks.contains(16) && breaks.allSatisfy { (4...text.count - 4).contains($0) })
  }

  @Test("Japanese is broken where a phrase begins")
  func japanese() throws {
    #expect(
      try lines("スムージーを注文する", width: 39, language: "ja") == ["スムージーを", "注文する"])
    #expect(
      try lines("フルータ渋谷店", width: 29, language: "ja") == ["フルータ", "渋谷店"])
  }

  @Test(
    "on strips, a long word is halved and large rather than whole and small, and its code keeps its size",
    arguments: PosterDesign.allCases)
  func strips(design: PosterDesign) throws {
    func poster(_ headline: String, _ language: String?) throws -> Poster {
      let content = PosterContent(
        headline: headline, callToAction: "Mit der Kamera scannen", language: language)
      return try Poster(
        QRSymbol(sampleURL),
        Poster.Request(content: content, design: design, paper: try PaperSize("60x200")),
        shaper: TextShaper())
    }
    func heading(_ poster: Poster) throws -> ShapedText {
      for case .text(let words) in poster.page.elements where words.role == .heading {
        return words.text
      }
      throw TextError(.textTooLarge, "no headline", hint: "")
    }
    let whole = try poster("Sitzplatzreservierung", "tlh")
    let halved = try poster("Sitzplatzreservierung", "de")
    let words = try heading(halved)
    #expect(words.lines.map(\.isHyphenated) == [true, false])
    func size(_ text: ShapedText) -> Double { text.lines[0].runs.first?.size ?? 0 }
    #expect(size(words) > size(try heading(whole)) * 1.4)
    #expect(
      try #require(halved.codeBox).width > 0.93 * (try #require(whole.codeBox).width))
    // A word that is large enough stays whole.
    #expect(try heading(poster("Reservierung", "de")).lines.count == 1)
  }

  @Test(
    "a long German word is on every page, and the reason of a refusal is the word",
    arguments: PosterDesign.allCases)
  func posters(design: PosterDesign) throws {
    for paper in ["297x210", "148x105", "85x55", "200x60", "60x200", "A4"] {
      let content = PosterContent(
        headline: "Geschwindigkeitsbegrenzung beachten", callToAction: "Mit der Kamera scannen",
        targetCaption: "Oder das iPhone hierhin halten", language: "de")
      let request = Poster.Request(
        content: content, design: design, paper: try PaperSize(paper))
      let made = try Poster(QRSymbol(sampleURL), request, shaper: TextShaper())
      let size = made.page.elements.compactMap { element -> Double? in
        guard case .text(let words) = element, words.role == .heading else { return nil }
        return words.text.lines.first?.runs.first?.size
      }.first
      #expect(try #require(size) > 0.04 * min(made.page.width, made.page.height), "\(paper)")
    }
    let word = String(repeating: "x", count: 300)
    let error = #expect(throws: TextError.self) {
      try Poster(
        QRSymbol(sampleURL),
        Poster.Request(
          content: PosterContent(headline: word, callToAction: ""), design: design,
          paper: try PaperSize("A6")), shaper: TextShaper())
    }
    #expect(error?.message.contains("xxxx") == true && error?.message.contains("lines") == false)
  }
}
