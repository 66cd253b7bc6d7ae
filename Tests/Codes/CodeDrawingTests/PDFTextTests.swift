import CliptagBasics
import Foundation
import TestSupport
import Testing

@testable import CodeDrawing

/// One sentence in each of many scripts, by its language.
let sentences: [(language: String, text: String)] = [
  ("en", "Scan to order fifty-five coffees: official AVA fluff"),
  ("fr", "Où l’œil naïf s’étonne – déjà vu, “q̃” et e\u{301}"),
  ("el", "Σαρώστε για να παραγγείλετε"),
  ("ru", "Отсканируйте, чтобы заказать"),
  ("ar", "امسح الرمز لطلب الآن"),
  ("ar", "بِسْمِ اللَّهِ"),
  ("fa", "برای سفارش اسکن کنید"),
  ("he", "סרקו כדי להזמין"),
  ("he", "שָׁלוֹם עולם"),
  ("hi", "ऑर्डर करने के लिए कृपया स्कैन करें"),
  ("hi", "हिन्दी शक्ति क्षत्रिय"),
  ("bn", "অর্ডার করতে স্ক্যান করুন"),
  ("ta", "ஆர்டர் செய்ய ஸ்கேன் செய்யவும்"),
  ("th", "สแกนเพื่อสั่งซื้อที่นี่น้ำ"),
  ("km", "ស្កេនដើម្បីបញ្ជាទិញ"),
  ("zh-Hans", "扫描二维码即可点餐，直接下单。"),
  ("zh-Hant", "掃描條碼即可點餐，骨頭。"),
  ("ja", "コードを読み取って注文「こちら」直"),
  ("ko", "스캔하여 주문하세요 骨"),
]

/// A PDF of texts under each other on one page of A4.
///
/// - Parameter asOutlines: draws the outlines of the same glyphs instead.
func textPDF(_ texts: [ShapedText], asOutlines: Bool = false) throws -> [UInt8] {
  var page = PageDrawing(width: 210, height: 297)
  let outlines = FontOutlines()
  var top = 10.0
  for text in texts {
    let corner = DrawingPoint(x: 10, y: top)
    if asOutlines {
      page.elements += try text.outlines(from: outlines, at: corner).map { .shape($0, .black) }
    } else {
      page.elements.append(.text(PageDrawing.Words(text: text, corner: corner)))
    }
    top += text.height
  }
  var writer = try PDFWriter(
    to: MemorySink(), information: .init(title: "Texts"), compresses: false)
  try writer.add(page)
  return try writer.finished().bytes
}

/// The page as a renderer draws it at 100 dots per inch.
private func drawn(_ command: [String], _ pdf: [UInt8]) throws -> GreyImage {
  let file = try outputBytes(of: command[0], Array(command.dropFirst()), about: pdf)
  let header = String(decoding: file.prefix(100), as: UTF8.self)
  // Ghostscript adds a comment.
  let match = try #require(header.firstMatch(of: /^P5\s(#.*\n)?([0-9]+) ([0-9]+)\s255\s/))
  let (width, height) = (try #require(Int(match.2)), try #require(Int(match.3)))
  return GreyImage(width: width, height: height, pixels: Array(file.suffix(width * height)))
}

private struct GreyImage {
  let width: Int
  let height: Int
  let pixels: [UInt8]

  /// Dark pixels that have nothing like them within one pixel in another picture.
  func strayPixels(against other: GreyImage) -> Int {
    var count = 0
    for y in 1..<height - 1 {
      for x in 1..<width - 1 where pixels[y * width + x] < 64 {
        let isNear = (-1...1).contains { down in
          (-1...1).contains { other.pixels[(y + down) * width + x + $0] < 192 }
        }
        if !isNear { count += 1 }
      }
    }
    return count
  }
}

/// Extracted text without what marks directions and pages, composed.
private func plain(_ text: String) -> String {
  let marks: Set<Unicode.Scalar> = ["\u{202A}", "\u{202B}", "\u{202C}", "\u{200E}", "\u{200F}"]
  return String(String.UnicodeScalarView(text.unicodeScalars.filter { !marks.contains($0) }))
    .precomposedStringWithCanonicalMapping
    .trimmingCharacters(in: .whitespacesAndNewlines)
}

private func shape(_ text: String, language: String? = nil) throws -> ShapedText {
  try TextShaper().shape(text, TextStyle(size: 9), language: language)
}

private let renderers = [
  ["pdftoppm", "-r", "100", "-gray", "FILE"],
  ["mutool", "draw", "-q", "-r", "100", "-c", "gray", "-F", "pgm", "-o", "-", "FILE"],
  [
    "gs", "-q", "-dBATCH", "-dNOPAUSE", "-sDEVICE=pgmraw", "-r100", "-dTextAlphaBits=4",
    "-dGraphicsAlphaBits=4", "-o", "-", "FILE",
  ],
]

@Suite("Text in PDF files")
struct PDFTextTests {
  @Test("the text that readers copy and search is the one that was written", arguments: sentences)
  func extraction(sentence: (language: String, text: String)) throws {
    let pdf = try textPDF([shape(sentence.text, language: sentence.language)])
    let wanted = plain(sentence.text)
    #expect(plain(try standardOutput(of: "pdftotext", ["FILE", "-"], about: pdf)) == wanted)
    #expect(
      plain(try standardOutput(of: "mutool", ["draw", "-q", "-F", "txt", "FILE"], about: pdf))
        == wanted)
  }

  @Test(
    "a line of both directions keeps the characters of each word in order",
    arguments: [
      "סרקו https://fruta.example/a עכשיו", "زوروا https://fruta.example/a اليوم 24 ساعة",
      "برای سفارش ۱۲۳ اسکن کنید",
    ])
  func mixedDirections(text: String) throws {
    let pdf = try textPDF([shape(text)])
    let poppler = plain(try standardOutput(of: "pdftotext", ["FILE", "-"], about: pdf))
    for word in text.split(separator: " ") { #expect(poppler.contains(word)) }
    let mutool = plain(
      try standardOutput(of: "mutool", ["draw", "-q", "-F", "txt", "FILE"], about: pdf))
    #expect(mutool.split(whereSeparator: \.isWhitespace) == text.split(separator: " "))
  }

  @Test("one glyph that shows different characters tells each where it stands")
  func oneGlyphForTwo() throws {
    // The radical and the word for one look alike.
    let words = "第一回と\u{2F00}部"
    let pdf = try textPDF([shape(words)])
    #expect(try standardOutput(of: "pdftotext", ["FILE", "-"], about: pdf).contains(words))
    #expect(
      try standardOutput(of: "mutool", ["draw", "-q", "-F", "txt", "FILE"], about: pdf).contains(
        words))
    #expect(String(decoding: pdf, as: UTF8.self).contains("/F1-2 "))
  }

  @Test("a font in Compact Font Format without CIDs is embedded, too")
  func namedGlyphs() throws {
    let words = "Waffle office"
    let style = TextStyle(size: 9, families: ["Nimbus Roman"])
    let text = try TextShaper().shape(words, style)
    #expect(text.fonts.map(\.family) == ["Nimbus Roman"])
    let pdf = try textPDF([text])
    #expect(try plain(standardOutput(of: "pdftotext", ["FILE", "-"], about: pdf)) == words)
    for command in renderers {
      let (embedded, outlined) = (
        try drawn(command, pdf), try drawn(command, textPDF([text], asOutlines: true))
      )
      #expect(outlined.strayPixels(against: embedded) == 0, "\(command[0])")
    }
  }

  @Test("fonts are embedded, subsets, and tell their characters")
  func fonts() throws {
    let pdf = try textPDF(sentences.map { try shape($0.text, language: $0.language) })
    #expect(
      try standardOutput(of: "qpdf", ["--check", "FILE"], about: pdf).contains(
        "No syntax or stream"))
    let rows = try standardOutput(of: "pdffonts", ["FILE"], about: pdf).split(separator: "\n")
      .dropFirst(2)
    #expect(rows.count >= 12)
    for row in rows { #expect(row.contains(/^[A-Z]{6}\+Noto.* yes yes yes +[0-9]+ +0$/), "\(row)") }
    #expect(pdf.count < 250_000)
  }

  @Test("the same text gives the same bytes")
  func reproducible() throws {
    let texts = try sentences.map { try shape($0.text, language: $0.language) }
    let again = try sentences.map { try shape($0.text, language: $0.language) }
    #expect(try textPDF(texts) == textPDF(again))
  }

  @Test(
    "renderers draw embedded glyphs as their outlines are",
    arguments: renderers)
  func rendering(command: [String]) throws {
    let texts = try sentences.map { try shape($0.text, language: $0.language) }
    let embedded = try drawn(command, textPDF(texts))
    let outlined = try drawn(command, textPDF(texts, asOutlines: true))
    #expect(outlined.pixels.filter { $0 < 64 }.count > 10_000)
    #expect(embedded.strayPixels(against: outlined) == 0)
    #expect(outlined.strayPixels(against: embedded) == 0)
  }
}
