import AppClipCodeFixtures
import AppClipCodes
import CliptagBasics
import Pictures
import QRSymbol
import Testing

@testable import CodeDrawing

private func content(target: Bool = false, language: String? = nil) -> PosterContent {
  PosterContent(
    headline: "Order a smoothie", brand: "Fruta", callToAction: "Scan with your camera",
    placeName: "Fruta Cupertino", address: PosterContent.Address(url: sampleURL),
    codeName: "c-01M80GHYZEWP7ASZB613G85AH9",
    targetCaption: target ? "Or hold your iPhone here" : nil, language: language)
}

private func poster(
  _ content: PosterContent = content(), _ design: PosterDesign = .classic,
  paper: String = "A4", landscape: Bool = false, change: (inout Poster.Request) -> Void = { _ in }
) throws -> Poster {
  let sheet = try PaperSize(paper)
  var request = Poster.Request(
    content: content, design: design, paper: landscape ? sheet.landscape : sheet,
    codeSize: CodeSize.Request(dotsPerInch: 300))
  change(&request)
  return try Poster(QRSymbol(sampleURL), request, shaper: TextShaper())
}

extension Poster {
  /// Where its QR code stands.
  fileprivate var box: DrawingBox {
    get throws { try #require(codeBox) }
  }

  /// The words with the boxes that their lines take.
  fileprivate var words: [(text: String, box: DrawingBox)] {
    page.elements.compactMap { element in
      guard case .text(let words) = element else { return nil }
      let left = words.text.lines.map(\.x).min() ?? 0
      let right = words.text.lines.map { $0.x + $0.width }.max() ?? 0
      let box = DrawingBox(
        x: words.corner.x + left, y: words.corner.y, width: right - left,
        height: words.text.height)
      return (words.text.text, box)
    }
  }
}

extension DrawingBox {
  fileprivate func overlaps(_ other: DrawingBox) -> Bool {
    x < other.right && other.x < right && y < other.bottom && other.y < bottom
  }

  fileprivate func contains(_ other: DrawingBox) -> Bool {
    x <= other.x && y <= other.y && right >= other.right && bottom >= other.bottom
  }
}

@Suite("Posters")
struct PosterTests {
  static let cases = PosterDesign.allCases.flatMap { design in
    ["A3", "A4", "A6", "letter", "90x160", "200x200", "60x200", "100x100", "85x55"].flatMap {
      paper in
      [(design, paper, false), (design, paper, true)]
    }
  }

  @Test(
    "nothing lies on anything else or beyond the page, upright and across, with a target or not",
    arguments: cases)
  func room(design: PosterDesign, paper: String, landscape: Bool) throws {
    for hasTarget in [false, true] {
      let poster = try poster(
        content(target: hasTarget), design, paper: paper, landscape: landscape)
      let page = DrawingBox(x: 0, y: 0, width: poster.page.width, height: poster.page.height)
      let words = poster.words
      #expect(words.count == (hasTarget ? 7 : 6))
      #expect(try page.contains(poster.box))
      for (index, word) in words.enumerated() {
        #expect(page.grown(by: -1.5).contains(word.box), "\(word.text)")
        #expect(try !word.box.overlaps(poster.box), "\(word.text) lies on the code")
        for other in words[(index + 1)...] {
          #expect(!word.box.overlaps(other.box), "\(word.text) lies on \(other.text)")
        }
      }
      #expect((poster.targetBox != nil) == hasTarget)
      if let target = poster.targetBox {
        #expect(page.contains(target))
        #expect(try !target.overlaps(poster.box))
        #expect(words.allSatisfy { !$0.box.overlaps(target) })
      }
    }
  }

  @Test("the headline is the largest, and is a heading", arguments: PosterDesign.allCases)
  func headline(design: PosterDesign) throws {
    let poster = try poster(content(), design)
    let texts = poster.page.elements.compactMap { element -> PageDrawing.Words? in
      if case .text(let words) = element { words } else { nil }
    }
    let headings = texts.filter { $0.role == .heading }
    #expect(headings.count == 1)
    let size = try #require(headings.first?.text.lines.first?.runs.first?.size)
    for words in texts where words.role != .heading {
      #expect(words.text.lines.allSatisfy { $0.runs.allSatisfy { $0.size < size / 1.5 } })
    }
    #expect(
      texts.filter { $0.link == sampleURL }.map(\.text.text) == [
        "fruta.example.com/order/cupertino"
      ])
  }

  @Test("the code lies on the printer's dots", arguments: PosterDesign.allCases)
  func dots(design: PosterDesign) throws {
    let poster = try poster(content(target: true), design)
    for length in try [poster.box.x, poster.box.y, poster.box.width] {
      let dots = length * 300 / 25.4
      #expect(abs(dots - dots.rounded()) < 1e-6)
    }
  }

  @Test(
    "a poster that is read from right to left is turned around", arguments: PosterDesign.allCases)
  func mirrored(design: PosterDesign) throws {
    var arabic = content(target: true, language: "ar")
    arabic.headline = "اطلب عصيرك من هنا"
    let poster = try poster(arabic, design)
    let target = try #require(poster.targetBox)
    #expect(try target.centre.x < poster.box.centre.x)
    // A Latin word on it stands at the right all the same.
    if design != .classic {
      let brand = try #require(poster.words.first { $0.text == "Fruta" })
      #expect(brand.box.right > poster.page.width * 0.9)
    }
  }

  @Test("a width that is asked for is kept, and one without room is refused with the most there is")
  func width() throws {
    let narrow = try poster { $0.codeSize.width = 60 }
    #expect(try narrow.box.width <= 60 && narrow.box.width > 56)
    let error = #expect(throws: CodeDrawingError.self) {
      try poster(paper: "A6") { $0.codeSize.width = 120 }
    }
    #expect(error?.code == .noRoom)
    let most = try #require(error?.hint.firstMatch(of: /width of ([0-9.]+) mm or less/)?.1)
    let fitting = try poster(paper: "A6") { $0.codeSize.width = Double(most) }
    #expect(try fitting.box.width <= Double(most) ?? 0)
  }

  @Test("a distance that phones cannot manage is refused")
  func distance() throws {
    #expect(throws: CodeDrawingError.tooFar(1, moduleSize: 1, sureDistance: 1, neededWidth: 1)) {
      try poster(paper: "A6") { $0.codeSize.readingDistance = 3_000 }
    }
  }

  @Test("words that do not fit are refused by name, not cut")
  func tooManyWords() throws {
    var long = content()
    long.headline = Array(repeating: "Donaudampfschifffahrtsgesellschaft", count: 60)
      .joined(separator: " ")
    let error = #expect(throws: TextError.self) { try poster(long, paper: "A6") }
    #expect(error?.code == .textTooLarge)
    #expect(error?.message.contains("Donaudampf") == true)
  }

  @Test("a letter that no font has is refused")
  func missingLetter() throws {
    var odd = content()
    odd.placeName = "Cafe \u{10FFFD}"
    let error = #expect(throws: TextError.self) { try poster(odd) }
    #expect(error?.message.contains("U+10FFFD") == true)
  }

  @Test("a logo keeps its shape and stands above the headline", arguments: PosterDesign.allCases)
  func logo(design: PosterDesign) throws {
    let plane = GreyPicture(width: 30, height: 10, pixels: [UInt8](repeating: 90, count: 300))
    let picture = TranslucentPicture(
      colour: ColourPicture(red: plane, green: plane, blue: plane), opacity: plane)
    var words = content()
    words.logo = LogoPicture(picture, source: "logo.png")
    let poster = try poster(words, design)
    let box = try #require(
      poster.page.elements.compactMap { element -> DrawingBox? in
        if case .picture(_, let box) = element { box } else { nil }
      }.first)
    #expect(abs(box.width / box.height - 3) < 1e-9)
    let headline = try #require(poster.words.first { $0.text.contains("smoothie") })
    #expect(box.bottom < headline.box.y)
    #expect(box.y > 5 && box.x > 5 && box.right < 205)
  }

  @Test("a ground goes on through the bleed")
  func bleed() throws {
    let poster = try poster(content(), .bold) { $0.bleed = 3 }
    guard case .shape(let ground, _) = poster.page.elements.first else {
      Issue.record("the ground comes first")
      return
    }
    #expect(ground == .rectangle(poster.page.bleedBox))
  }

  @Test("words on the accent are black or white, whichever is easier to read")
  func contrast() {
    let light = Colour(red: 255, green: 220, blue: 0)
    #expect(PosterColours(accent: light).onAccent == .black)
    #expect(PosterColours(accent: Colour(red: 10, green: 60, blue: 120)).onAccent == .white)
  }

  @Test("the same poster gives the same page")
  func reproducible() throws {
    #expect(try poster() == poster())
  }
}

@Suite("Posters with App Clip Codes")
struct AppClipCodePosterTests {
  private func code(
    _ kind: AppClipCode.Kind = .camera, payload: String = sampleURL
  ) throws -> AppClipCode {
    try DrawnAppClipCode(payload, badge: kind, template: 1).code
  }

  @Test(
    "codes, target and words lie on nothing else, in every design, upright and across",
    arguments: PosterDesign.allCases, [false, true])
  func room(design: PosterDesign, landscape: Bool) throws {
    for paper in ["A3", "A4", "A5", "letter", "200x200"] {
      for (replaces, hasTarget) in [(false, false), (true, false), (false, true), (true, true)] {
        let made = try poster(
          content(target: hasTarget), design, paper: paper, landscape: landscape
        ) {
          $0.appClipCode = PosterAppClipCode(try! code(), replacesQRCode: replaces)
        }
        #expect((made.code == nil) == replaces && (made.codeBox == nil) == replaces)
        let drawing = try #require(made.appClipCode)
        let box = try #require(made.appClipCodeBox)
        #expect(abs(box.width - drawing.width) < 1e-9 && drawing.diameter >= 19)
        let page = DrawingBox(x: 0, y: 0, width: made.page.width, height: made.page.height)
        #expect(page.contains(box))
        #expect((made.targetBox != nil) == hasTarget)
        let boxes = [made.codeBox, box, made.targetBox].compactMap { $0 } + made.words.map(\.box)
        for (index, one) in boxes.enumerated() {
          for other in boxes[(index + 1)...] {
            // Side by side they may touch, but for what rounding leaves.
            #expect(!one.grown(by: -0.05).overlaps(other.grown(by: -0.05)), "\(one) \(other)")
          }
        }
      }
    }
  }

  @Test("the tag of a code made for one is in its middle, and no ring is drawn beside it")
  func tag() throws {
    let made = try poster(content(target: true)) {
      $0.appClipCode = PosterAppClipCode(try! code(.nfc))
    }
    let box = try #require(made.appClipCodeBox)
    let target = try #require(made.targetBox)
    #expect(abs(target.centre.x - box.centre.x) < 1e-9 && target.width == 35)
    #expect(abs(target.centre.y - box.centre.y) < 1e-9)
    #expect(!made.words.contains { $0.text.contains("hold your iPhone here") })
    let plain = try poster { $0.appClipCode = PosterAppClipCode(try! code()) }
    #expect(plain.targetBox == nil)
  }

  @Test("an App Clip Code alone stands on the ground itself, and a QR code on a plate")
  func ground() throws {
    func shapes(_ replaces: Bool) throws -> Int {
      try poster(content(), .bold) {
        $0.appClipCode = PosterAppClipCode(try! code(), replacesQRCode: replaces)
        $0.colours = PosterColours(accent: Colour("123040")!)
      }.page.elements.count { if case .shape = $0 { true } else { false } }
    }
    #expect(try shapes(true) == 1)
    #expect(try shapes(false) == 2)
  }

  @Test("another payload is refused, and both are named")
  func payloads() throws {
    for other in [sampleURL + "/", "https://FRUTA.example.com/order/cupertino"] {
      let error = #expect(throws: CodeDrawingError.self) {
        try poster { $0.appClipCode = PosterAppClipCode(try! code(payload: other)) }
      }
      #expect(error?.code == .differentPayloads)
      #expect(error?.message.contains(other) == true)
      #expect(error?.message.contains("has \(sampleURL).") == true)
    }
  }

  @Test("a poster without room for 19 mm, or 34.8 mm around a tag, is refused")
  func least() throws {
    for (kind, paper) in [(AppClipCode.Kind.camera, "40x45"), (.nfc, "60x80")] {
      let error = #expect(throws: CodeDrawingError.self) {
        try poster(content(), paper: paper) {
          $0.content.address = nil
          $0.content.codeName = nil
          $0.appClipCode = PosterAppClipCode(try! code(kind))
        }
      }
      #expect(error?.code == .appClipCodeTooSmall, "\(kind)")
    }
    let far = #expect(throws: CodeDrawingError.self) {
      try poster {
        $0.appClipCode = PosterAppClipCode(try! code(), replacesQRCode: true)
        $0.codeSize.readingDistance = 6_000
      }
    }
    #expect(far?.code == .tooFar)
  }
}

@Suite("The words of posters")
struct PosterWordingTests {
  @Test("no language asks to tap or touch, or names what stands behind the paper")
  func wording() throws {
    for language in PosterWording.languages {
      let words = try #require(PosterWording(language: language))
      for text in [words.scan, words.hold] {
        #expect(!text.isEmpty)
        #expect(text.firstMatch(of: /(?i)nfc|\btag\b|\btap\b|touch|app clip/) == nil, "\(text)")
      }
      for text in [words.scanAppClipCode, words.holdOrScanAppClipCode] {
        #expect(text.firstMatch(of: /(?i)nfc|\btag\b|\btap\b|touch/) == nil, "\(text)")
      }
      // Trademarks are not translated.
      #expect(words.scanAppClipCode.contains("App Clip"), "\(language)")
      #expect(words.holdOrScanAppClipCode.contains("iPhone"), "\(language)")
      #expect(words.hold.contains("iPhone"), "\(language)")
      #expect(!words.scan.contains("iPhone"), "\(language)")
    }
  }

  @Test("a language with a region falls back to the language, and Chinese to its script")
  func fallback() {
    #expect(PosterWording(language: "de-AT") == PosterWording(language: "de"))
    #expect(PosterWording(language: "zh-TW") == PosterWording(language: "zh-Hant"))
    #expect(PosterWording(language: "zh") == PosterWording(language: "zh-Hans"))
    #expect(PosterWording(language: "pt-PT") != PosterWording(language: "pt-BR"))
    #expect(PosterWording(language: "tlh") == nil)
  }

  @Test("every language can be printed", arguments: PosterWording.languages)
  func printable(language: String) throws {
    let words = try #require(PosterWording(language: language))
    let shaper = TextShaper()
    for text in [
      words.scan, words.hold, words.scanAppClipCode, words.holdOrScanAppClipCode,
    ] {
      let shaped = try shaper.shape(text, TextStyle(size: 5), language: language)
      #expect(shaped.fonts.allSatisfy { $0.family.hasPrefix("Noto") }, "\(shaped.fonts)")
    }
  }
}

@Suite("Posters that people can read")
struct PosterLegibilityTests {
  @Test("empty words leave no gap and no crash, in every design", arguments: PosterDesign.allCases)
  func emptyWords(design: PosterDesign) throws {
    var words = content(target: true)
    words.headline = ""
    words.callToAction = " "
    words.targetCaption = ""
    let made = try poster(words, design)
    #expect(!made.words.contains { $0.text.contains("Order") || $0.text.contains("Scan") })
    #expect(made.targetBox != nil, "the ring stays")
    #expect(words.title == "Fruta")
  }

  @Test(
    "words that do not stand out from their ground are refused", arguments: PosterDesign.allCases)
  func ink(design: PosterDesign) throws {
    let pale = #expect(throws: CodeDrawingError.self) {
      try poster(content(), design) { $0.colours = PosterColours(ink: Colour("fafafa")!) }
    }
    #expect(pale?.code == .lowContrast && pale?.message.contains("#fafafa") == true)
    #expect(pale?.hint.contains("#000000") == true)
  }

  @Test(
    "the palette of any brand's colour is easy to read, in every design",
    arguments: ["d81f26", "0b6e4f", "ffdd00", "000000", "ffffff", "808080", "7a00ff", "00e5ff"])
  func palette(brand: String) throws {
    let colour = try #require(Colour(brand))
    let palette = PosterColours(brand: colour)
    #expect(palette.accent == colour)
    #expect(palette.ground.luminance >= 0.8)
    #expect(palette.ink.contrastRatio(with: palette.ground) >= 7)
    #expect(palette.onAccent.contrastRatio(with: colour) >= 4.5)
    for design in PosterDesign.allCases {
      let made = try poster(content(target: true), design) {
        $0.colours = palette
        $0.bleed = 3
      }
      let expected = design == .bold ? colour : palette.ground
      // White is the paper's own.
      guard expected != .white else { continue }
      #expect(
        made.page.elements.first == .shape(.rectangle(made.page.bleedBox), expected), "\(design)")
    }
  }

  @Test("an accent too light for words on white gives way to the ink")
  func lightAccent() throws {
    let made = try poster(content(target: true)) {
      $0.colours = PosterColours(accent: Colour("ffee00")!)
    }
    for case .text(let words) in made.page.elements {
      #expect(words.colour.contrastRatio(with: .white) >= PosterLegibility.leastContrast)
    }
  }

  @Test("a logo in the colour of its ground gets a plate that shows it, and on another it has none")
  func logo() throws {
    let red = Colour(red: 200, green: 16, blue: 46)
    var words = content()
    func plate(_ logo: Colour, _ design: PosterDesign, _ accent: Colour) throws -> Colour? {
      words.logo = testLogo(colour: logo)
      let elements = try poster(words, design) { $0.colours = PosterColours(accent: accent) }
        .page.elements
      let index = try #require(
        elements.firstIndex { if case .picture = $0 { true } else { false } })
      guard case .picture(_, let box) = elements[index], index > 0,
        case .shape(let path, let colour) = elements[index - 1],
        case .move(let start) = path.steps[0], start.y < box.y, start.y > box.y - box.height
      else { return nil }
      return colour
    }
    #expect(try plate(red, .bold, red) == .white)
    #expect(try plate(.white, .bold, .white) == .black)
    #expect(try plate(.white, .classic, red) == .black)
    #expect(try plate(red, .bold, .white) == nil)
    #expect(try plate(red, .classic, red) == nil)
  }

  @Test("a headline that would be smaller than what follows it is refused")
  func longHeadline() throws {
    var words = content()
    words.headline = Array(repeating: "smoothies", count: 80).joined(separator: " ")
    let error = #expect(throws: TextError.self) { try poster(words) }
    #expect(error?.code == .textTooLarge)
    #expect(error?.message.contains("mm") == false || error?.message.contains(".0000") == false)
  }

  @Test(
    "the ring for a tag stays as large as a phone, however large the paper",
    arguments: ["A4", "A0"])
  func ring(paper: String) throws {
    let box = try #require(try poster(content(target: true), paper: paper).targetBox)
    #expect(box.width <= 60.001)
    #expect(paper == "A4" || box.width > 59)
  }

  @Test("a page of more pixels than can be drawn is refused with the resolution that can")
  func tooManyPixels() async throws {
    let made = try poster(paper: "A0")
    let error = await #expect(throws: CodeDrawingError.self) {
      try await made.page.png(title: "A0", dotsPerInch: 600)
    }
    #expect(error?.code == .sizeTooLarge && error?.hint.contains("215 dots per inch") == true)
  }
}

@Suite("Paper")
struct PaperSizeTests {
  @Test("names and sizes are understood in any case")
  func names() throws {
    #expect(try PaperSize("a4").height == 297)
    #expect(try PaperSize("Letter").width == 215.9)
    #expect(try PaperSize("b5") == PaperSize(width: 176, height: 250))
    for text in ["100x150", "100x150mm", "10x15cm", "100 × 150 mm", "100mmx150mm"] {
      #expect(try PaperSize(text) == PaperSize(width: 100, height: 150), "\(text)")
    }
    #expect(try PaperSize("4x6in") == PaperSize(width: 101.6, height: 152.4))
    #expect(try PaperSize("A5").landscape == PaperSize(width: 210, height: 148))
  }

  @Test(
    "what is no paper is refused",
    arguments: ["", "B9", "100", "100x", "1x100", "infx100", "100x99999"])
  func refused(text: String) {
    #expect(throws: CodeDrawingError.invalidPaper("")) { try PaperSize(text) }
  }
}
