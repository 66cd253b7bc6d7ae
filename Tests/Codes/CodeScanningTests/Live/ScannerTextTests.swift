import Testing

@testable import CodeScanning

@Suite("What a scanner puts around a code")
struct ScannerTextTests {
  private func reading(_ text: String) -> LiveReading? { ScannerText.reading(Array(text.utf8)) }

  @Test("what frames a code is dropped; other control characters at its ends belong to it")
  func notFraming() {
    for text in ["https://a.example\u{0}", "\u{1B}https://a.example", "https://a.example\u{7F}"] {
      #expect(reading("\u{2}\(text)\u{3}") == .scanned(text))
    }
    #expect(reading("\u{FEFF}https://a.example") == .scanned("\u{FEFF}https://a.example"))
  }

  @Test("control characters around a code are framing; inside they belong to it")
  func framing() {
    #expect(reading("\u{2}https://a.example\u{3}\t") == .scanned("https://a.example"))
    #expect(reading("a\u{1D}b") == .scanned("a\u{1D}b"))
    #expect(reading(" a ") == .scanned(" a "), "white space is for the check to find")
    #expect(reading("\u{2}\u{3}") == nil)
  }

  @Test(
    "an AIM identifier is dropped and tells the symbology",
    arguments: [
      ("]Q1a", DecodedCode.Symbology.qr), ("]Q0a", .qr), ("\u{2}]C1a", .code128), ("]E0a", .ean13),
      ("]E4a", .ean8), ("]G0a", .code93), ("]d2a", DecodedCode.Symbology(rawValue: "aim-d")),
    ])
  func identifiers(line: String, symbology: DecodedCode.Symbology) {
    #expect(reading(line) == .text("a", symbology: symbology))
  }

  @Test(
    "what only looks like an AIM identifier stays",
    arguments: ["]", "]Q", "]-1a", "[Q1a", "]Q-a"])
  func noIdentifier(line: String) { #expect(reading(line) == .scanned(line)) }

  @Test("an announced character set and doubled backslashes are undone with ]Q2, and only there")
  func interpretations() {
    #expect(reading(#"]Q2\000026a\\b"#) == .text(#"a\b"#, symbology: .qr))
    #expect(reading(#"]Q1\000026a\\b"#) == .text(#"\000026a\\b"#, symbology: .qr))
  }

  @Test("UTF-8 is text; what is not UTF-8 is unreadable, with how many bytes")
  func encoding() {
    #expect(reading("https://a.example/café") == .scanned("https://a.example/café"))
    guard case .unreadable(let reason) = ScannerText.reading([0x63, 0xE9]) else {
      Issue.record("Latin-1 passed for text")
      return
    }
    #expect(reason.contains("2 bytes"))
  }
}

@Suite("Lines of a scanner")
struct ByteLinesTests {
  private static let stream = Array("one\r\ntwo\n\r\rthree\rfour".utf8)

  @Test("lines are the same, however the stream is cut", arguments: [1, 2, 3, 5, 7, 100])
  func pieces(size: Int) {
    var lines = ByteLines()
    var found: [ScannedLine] = []
    for start in stride(from: 0, to: Self.stream.count, by: size) {
      found += lines.take(Self.stream[start...].prefix(size))
    }
    #expect(found == ["one", "two", "three"].map { .bytes(Array($0.utf8)) })
    #expect(lines.finish() == [.bytes(Array("four".utf8))])
    #expect(lines.finish() == [])
  }

  @Test("a line longer than any code is damaged, and the next one is whole again")
  func tooLong() {
    var lines = ByteLines()
    let long = [UInt8](repeating: 0x61, count: ScannedLine.longest)
    #expect(lines.take(long + [0x0A]) == [.bytes(long)])
    #expect(lines.take(long + [0x61, 0x0A, 0x62, 0x0A]) == [ScannedLine.tooLong, .bytes([0x62])])
  }
}
