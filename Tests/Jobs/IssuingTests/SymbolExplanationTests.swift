import Invocation
import Issuing
import QRSymbol
import Testing

@Suite("Why a code is as large as it is") struct SymbolExplanationTests {
  @Test(
    "capitals in scheme and host leave the URL the same one, and path, query and fragment alone",
    arguments: [
      ("https://fruta.example.com/Order?x=y#z", "HTTPS://FRUTA.EXAMPLE.COM/Order?x=y#z"),
      ("https://fruta.example.com", "HTTPS://FRUTA.EXAMPLE.COM"),
      ("https://fruta.example.com?a=b/c", "HTTPS://FRUTA.EXAMPLE.COM?a=b/c"),
      ("https://fruta.example.com#top", "HTTPS://FRUTA.EXAMPLE.COM#top"),
      ("https://xn--bcher-kva.example/ä", "HTTPS://XN--BCHER-KVA.EXAMPLE/ä"),
      ("https://bücher.example/x", "HTTPS://BüCHER.EXAMPLE/x"),
      ("HTTPS://Fruta.example.com/x", "HTTPS://FRUTA.EXAMPLE.COM/x"),
    ])
  func sameURL(payload: String, capitals: String) throws {
    let url = try InvocationURL(payload)
    #expect(url.payloadWithHostInCapitals == capitals)
    let again = try InvocationURL(capitals)
    #expect(again.normalized == url.normalized)
    #expect(again.host == url.host)
  }

  @Test("capitals are taken where they save a version or buy a level, and not for bits alone")
  func compact() throws {
    func compact(_ text: String, _ level: QRSymbol.ErrorCorrection) throws -> CompactURL {
      try CompactURL(InvocationURL(text), minimumErrorCorrection: level)
    }
    // 212 and 163 bits before "order/abc", whose 9 letters take 72: 3-M holds 352, 3-Q 272.
    let level = try compact("https://clip.example.com/order/abc", .medium)
    #expect([level.before.version, level.after.version] == [3, 3])
    #expect([level.before.errorCorrection, level.after.errorCorrection] == [.medium, .quartile])
    #expect(level.gains && level.payload == "HTTPS://CLIP.EXAMPLE.COM/order/abc")
    let version = try compact("https://fruta.example.com/order/cupertino/table/12345", .quartile)
    #expect(version.savedVersions == 1 && version.savedBits == 52)
    let bits = try compact("https://fruta.example.com/order/cupertino", .medium)
    #expect(bits.savedBits == 52 && !bits.gains && bits.payload == bits.original)
    let none = try compact("HTTPS://FRUTA.EXAMPLE.COM/order", .medium)
    #expect(none.savedBits == 0 && !none.gains && none.payload == none.original)
  }

  @Test("what is suggested to be cut saves a version, and one character less does not")
  func shorter() throws {
    for text in [
      "https://fruta.example.com/order/cupertino", "https://fruta.example.com/table/1234567890123",
      "https://fruta.example.com/order?q=" + String(repeating: "0123456789", count: 40),
    ] {
      for level in QRSymbol.ErrorCorrection.allCases {
        let symbol = try QRSymbol(text, minimumErrorCorrection: level)
        let explanation = try SymbolExplanation(of: symbol, requested: level)
        let found = explanation.suggestions.first { $0.kind == .shorter }
        guard let shorter = found else { continue }
        #expect(text.hasPrefix(shorter.text) && shorter.text.hasPrefix("https://fruta.example.com"))
        #expect(try QRSymbol(shorter.text, minimumErrorCorrection: level).version < symbol.version)
        let oneMore = String(text.prefix(shorter.text.count + 1))
        #expect(try QRSymbol(oneMore, minimumErrorCorrection: level).version == symbol.version)
        #expect(shorter.message.hasPrefix("\(text.count - shorter.text.count) character"))
      }
    }
  }

  @Test("every suggestion names the version and the bits of the text it is about")
  func planned() throws {
    var kinds: Set<SymbolExplanation.Suggestion.Kind> = []
    for text in [
      "https://fruta.example.com/order/cupertino", "https://clip.example.com/s/ab12cd",
      "https://fruta.example.com/order/cupertino/table/12345", "https://a.co/",
      "https://example.com/menu/ab12cd34",
    ] {
      for level in QRSymbol.ErrorCorrection.allCases {
        let symbol = try QRSymbol(text, minimumErrorCorrection: level)
        let explanation = try SymbolExplanation(of: symbol, requested: level)
        for suggestion in explanation.suggestions {
          kinds.insert(suggestion.kind)
          let other = try QRSymbol(suggestion.text, minimumErrorCorrection: level)
          #expect(other.version == suggestion.plan.version)
          #expect(symbol.bitCount - other.bitCount == suggestion.savedBits)
          #expect(
            other.version < symbol.version || other.errorCorrection > symbol.errorCorrection,
            "\(suggestion.message)")
        }
      }
    }
    #expect(kinds.count == 4, "the examples have every kind")
  }

  @Test("a text that is no invocation URL is explained, too; the smallest symbol has no suggestion")
  func otherTexts() throws {
    let small = try SymbolExplanation(of: QRSymbol("nonsense"), requested: .medium)
    #expect(small.suggestions.isEmpty)
    #expect(small.spareBits < small.spareBitsAtRequestedLevel, "the level was raised")
    let digits = String(repeating: "7", count: 35)
    let long = try SymbolExplanation(of: QRSymbol(digits), requested: .medium)
    #expect(long.suggestions.map(\.text) == [String(digits.dropFirst())])
  }
}
