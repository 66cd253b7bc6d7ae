import QRSymbol
import Testing

@Suite("What the articles of QRSymbol show is true") struct QRSymbolArticleTests {
  @Test("a symbol tells its version, level and modules")
  func landingPage() throws {
    let symbol = try QRSymbol("https://fruta.example.com/order")
    print(symbol.version, symbol.errorCorrection, symbol.size)  // 3 quartile 29
    for y in 0..<symbol.size {
      print((0..<symbol.size).map { symbol.isDark(x: $0, y: y) ? "██" : "  " }.joined())
    }
    #expect(symbol.version == 3 && symbol.errorCorrection == .quartile && symbol.size == 29)
    #expect(symbol.isDark(x: 0, y: 0) && !symbol.isDark(x: 1, y: 1))
  }

  @Test("plans compare texts; a text that fits nowhere is told with what would hold it")
  func smaller() throws {
    let plain = try SymbolPlan(bytes: Array("https://fruta.example.com/order/4".utf8))
    let capitals = try SymbolPlan(bytes: Array("HTTPS://FRUTA.EXAMPLE.COM/order/4".utf8))
    print(plain.version, plain.bitCount)  // 3 276
    print(capitals.version, capitals.bitCount)  // 2 224
    #expect(plain.version == 3 && plain.bitCount == 276)
    #expect(capitals.version == 2 && capitals.bitCount == 224)

    let longText = String(repeating: "a", count: 2000)
    do {
      _ = try QRSymbol(longText, minimumErrorCorrection: .high)
    } catch {
      print(error.message, error.hint)
    }
    let refusal = #expect(throws: QRSymbolError.self) {
      try QRSymbol(longText, minimumErrorCorrection: .high)
    }
    #expect(refusal?.hint.isEmpty == false)
  }
}
