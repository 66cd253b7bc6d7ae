import CliptagBasics
import Testing

@testable import CodeDrawing

private func shape(
  _ text: String, size: Double = 10, width: Double? = nil, alignment: TextAlignment = .start,
  maximumLines: Int? = nil, breaksWords: Bool = false, language: String? = nil
) throws -> ShapedText {
  try TextShaper().shape(
    text, TextStyle(size: size), width: width, alignment: alignment, maximumLines: maximumLines,
    breaksWords: breaksWords, language: language)
}

extension ShapedText {
  fileprivate var glyphs: [Glyph] { lines.flatMap(\.runs).flatMap(\.glyphs) }
  fileprivate var numbers: [UInt32] { glyphs.filter { !$0.isEmpty }.map(\.number) }
  /// What each line shows.
  fileprivate var parts: [String] {
    lines.map { String(decoding: Array(text.utf8)[$0.range], as: UTF8.self) }
  }
}

@Suite("Text is set as its script is written")
struct TextShapingTests {
  @Test("Arabic letters join: none of a word looks as it does alone")
  func arabicJoins() throws {
    let word = try shape("بيت").numbers
    let alone = try "بيت".flatMap { try shape(String($0)).numbers }
    #expect(word.count == 3)
    #expect(Set(word).isDisjoint(with: alone))
  }

  @Test("Arabic is set in Noto Sans Arabic, whatever else has its letters")
  func arabicIsNoto() throws {
    #expect(try shape("بيت").fonts.map(\.family) == ["Noto Sans Arabic"])
  }

  @Test("Hebrew runs from right to left, at the right edge of its room")
  func hebrewIsRightToLeft() throws {
    let text = try shape("שלום", width: 100)
    let run = try #require(text.lines.first?.runs.first)
    #expect(run.isRightToLeft)
    #expect(run.glyphs.map(\.cluster.lowerBound) == [6, 4, 2, 0])
    #expect(abs(text.lines[0].x + text.lines[0].width - 100) < 1e-9)
    #expect(try shape("שלום", width: 100, alignment: .end).lines[0].x == 0)
  }

  @Test("the Devanagari vowel i stands before its consonant although it is written after it")
  func devanagariReorders() throws {
    let vowel = try #require(try shape("कि").numbers.first)
    #expect(try shape("क").numbers != [vowel])
    #expect(try shape("कि").numbers.last == shape("क").numbers.last)
  }

  @Test("a link in Hebrew text keeps its own direction")
  func linkInHebrew() throws {
    let line = try #require(try shape("סרקו https://example.com/a עכשיו").lines.first)
    #expect(line.runs.map(\.isRightToLeft).contains(false))
    let link = try #require(line.runs.first { !$0.isRightToLeft })
    #expect(link.glyphs.map(\.cluster.lowerBound) == link.glyphs.map(\.cluster.lowerBound).sorted())
    // The whole reads from the right: the last word is leftmost.
    #expect(try #require(line.runs.first).range.upperBound == line.range.upperBound)
  }

  @Test("Thai, which has no spaces, is broken between words")
  func thaiBreaks() throws {
    let parts = try shape("สแกนรหัสนี้เพื่อเปิดแอป", width: 60).parts
    #expect(parts.count > 1)
    #expect(parts.joined() == "สแกนรหัสนี้เพื่อเปิดแอป")
    #expect(parts.first == "สแกนรหัสนี้")
  }

  @Test("a Japanese line does not begin with a full stop")
  func japaneseBreaks() throws {
    let parts = try shape("注文はこちら。ここ", width: 62).parts
    #expect(parts == ["注文はこち", "ら。ここ"])
  }

  @Test("Chinese characters have the forms of the language", arguments: ["直", "骨"])
  func formsOfLanguages(character: String) throws {
    let forms = try ["ja", "zh-Hans", "zh-Hant", "ko"].map { language in
      let text = try shape(character, language: language)
      return "\(text.fonts[0].family) \(text.numbers)"
    }
    #expect(Set(forms).count == 4)
    #expect(forms[0].hasPrefix("Noto Sans CJK JP"))
  }

  @Test("without a language, kana tell Japanese and hangul Korean")
  func languageIsConcluded() throws {
    #expect(try shape("直す").fonts.map(\.family) == ["Noto Sans CJK JP"])
    #expect(try shape("直한").fonts.map(\.family) == ["Noto Sans CJK KR"])
    #expect(try shape("直").fonts.map(\.family) == ["Noto Sans CJK SC"])
  }

  @Test("a letter and its combining mark stand in one place")
  func combiningMarks() throws {
    let composed = try shape("e\u{301}")
    #expect(composed.glyphs.map(\.cluster) == [0..<3])
    #expect(try composed.numbers == shape("é").numbers)
    let marked = try shape("q\u{303}").glyphs
    #expect(marked.map(\.advance)[1...] == [0])
    #expect(marked.map(\.cluster) == [0..<1, 1..<3])
  }

  @Test("the same text has the same proportions at every size")
  func sizesAreAlike() throws {
    let small = try shape("Fruta فروتا 注文", size: 1)
    let large = try shape("Fruta فروتا 注文", size: 8)
    #expect(large.glyphs.map(\.x) == small.glyphs.map { $0.x * 8 })
    #expect(large.height == small.height * 8)
    #expect(try shape("Fruta فروتا 注文", size: 8) == large)
  }

  @Test("italics slant Latin letters and leave upright scripts alone")
  func italics() throws {
    var style = TextStyle(size: 5)
    style.isItalic = true
    let fonts = try TextShaper().shape("Fruta שלום", style).fonts.map(\.name)
    #expect(fonts == ["Noto Sans Italic", "Noto Sans Hebrew"])
  }
}

@Suite("Text that cannot be set is refused")
struct TextRefusalTests {
  private func error(_ body: () throws -> Void) throws -> TextError {
    try #require(throws: TextError.self, performing: body)
  }

  @Test("characters that no font has are named with their numbers and what to do")
  func missingGlyphs() throws {
    let error = try error { _ = try shape("A\u{10FFFD}") }
    #expect(error.code == .missingGlyphs)
    #expect(error.message.contains("U+10FFFD"))
    #expect(error.hint.contains("fc-list ':charset=10fffd'"))
  }

  @Test("emoji are refused with what to do instead")
  func emoji() throws {
    let error = try error { _ = try shape("Order 🍓") }
    #expect([.missingGlyphs, .colourGlyphs].contains(error.code))
    #expect(error.message.contains("U+1F353"))
    #expect(error.hint.contains("picture"))
  }

  @Test("a family that is not installed is named")
  func missingFamily() throws {
    let error = try error {
      _ = try TextShaper().shape("A", TextStyle(size: 5, families: ["No Such Font"]))
    }
    #expect(error.code == .fontMissing)
    #expect(error.message.contains("No Such Font"))
  }

  @Test("control characters are refused by number", arguments: ["\u{0}", "\u{7}", "\t", "\u{85}"])
  func controlCharacters(character: String) throws {
    let error = try error { _ = try shape("a\(character)b") }
    #expect(error.code == .controlCharacters)
    #expect(error.message.contains("U+00"))
    #expect(!error.message.unicodeScalars.contains { $0.properties.generalCategory == .control })
  }

  @Test("ends of lines of any system begin a new line")
  func endsOfLines() throws {
    #expect(try shape("a\r\nb\rc\nd").parts == ["a", "b", "c", "d"])
  }

  @Test("a wrong tag of a language is refused", arguments: ["", "d", "german language", "de_DE"])
  func languages(tag: String) throws {
    #expect(try error { _ = try shape("a", language: tag) }.code == .invalidLanguage)
  }

  @Test("a text that needs too many lines or too much width is refused")
  func room() throws {
    #expect(try shape("one two three", width: 30).lines.count == 3)
    #expect(
      try error { _ = try shape("one two three", width: 30, maximumLines: 2) }.code
        == .textTooLarge)
    #expect(try error { _ = try shape("Donaudampfschiff", width: 20) }.code == .textTooLarge)
    #expect(try shape("Donaudampfschiff", width: 20, breaksWords: true).lines.count > 3)
    let long = String(repeating: "a", count: TextShaper.longestText + 1)
    #expect(try error { _ = try shape(long) }.code == .textTooLong)
  }

  @Test("a text is made as large as it fits")
  func fitting() throws {
    func fitting(_ height: Double) throws -> ShapedText {
      try TextShaper().fitting(
        "Scan to order", TextStyle(size: 20), width: 60, height: height, minimumSize: 2,
        maximumLines: 1)
    }
    let text = try fitting(30)
    #expect(text.lines[0].width <= 60 && text.lines[0].width > 59)
    #expect(try fitting(5).height <= 5)
    #expect(try error { _ = try fitting(1) }.code == .textTooLarge)
    let none = try error { _ = try fitting(-2) }
    #expect(none.message == "\"Scan to order\" has no room left.")
    // Where only the width is limited.
    let wide = try error {
      _ = try TextShaper().fitting(
        "Donaudampfschifffahrt", TextStyle(size: 20), width: 8.406_631_690_820_06,
        height: .infinity, minimumSize: 2, maximumLines: 1)
    }
    #expect(
      wide.message
        == "\"Donaudampfschifffahrt\" does not fit a width of 8.4 mm, even with letters of 2 mm.")
  }
}

@Suite("Glyphs have the outlines of their font")
struct FontOutlineTests {
  @Test("a capital stands on the baseline and rises above it")
  func capital() throws {
    let text = try shape("H")
    let path = try #require(try text.outlines(from: FontOutlines()).first)
    let heights = path.steps.compactMap { step -> Double? in
      guard case .line(let point) = step else { return nil }
      return point.y - text.lines[0].baseline
    }
    #expect(heights.max() == 0)
    // The cap height of Noto Sans is 714 units of 1000.
    #expect(try abs(#require(heights.min()) + 7.14) < 1e-9)
  }

  @Test("curves of TrueType and of CFF become cubic ones")
  func curves() throws {
    for text in ["o", "口の"] {
      let path = try #require(try shape(text).outlines(from: FontOutlines()).first)
      #expect(path.steps.contains { if case .curve = $0 { true } else { false } })
    }
  }
}
