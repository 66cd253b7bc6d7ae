import Testing

@testable import QRSymbol

@Suite("Room and mask")
struct SymbolRoomTests {
  @Test("the mask stands in both copies of the format information, whole with its check bits")
  func mask() throws {
    var masks: Set<Int> = []
    for number in 0..<60 {
      let level = QRSymbol.ErrorCorrection.allCases[number % 4]
      let symbol = try QRSymbol(
        "https://a.co/\(number * 7919)", minimumErrorCorrection: level, raiseErrorCorrection: false)
      let format = formatInformation(level, mask: symbol.mask)
      let beside = [(0, 8), (1, 8), (2, 8), (3, 8), (4, 8), (5, 8), (7, 8), (8, 8), (8, 7)]
      let above = (0...5).reversed().map { (8, $0) }
      let end = symbol.size - 1
      let apart = (0...6).map { (8, end - $0) } + (0...7).map { (end - 7 + $0, 8) }
      for copy in [beside + above, apart] {
        let bits = copy.reduce(0) { $0 << 1 | (symbol.isDark(x: $1.0, y: $1.1) ? 1 : 0) }
        #expect(bits == format, "\(number)")
      }
      masks.insert(symbol.mask)
    }
    #expect(masks.count > 4, "libqrencode chose several of the eight")
  }

  @Test(
    "the bits left are the capacity less the segments, and negative where the text does not fit")
  func spareBits() throws {
    // 4 + 8 + 41 × 8 of the 44 codewords of 3-M, the 34 of 3-Q.
    let symbol = try QRSymbol("https://fruta.example.com/order/cupertino")
    #expect(symbol.bitCount == 340)
    #expect(QRSymbol.capacity(version: 3, errorCorrection: .medium) == 352)
    #expect(symbol.spareBits(at: .medium) == 12)
    #expect(symbol.spareBits(at: .quartile) == 272 - 340)
  }

  @Test("a plan is what the symbol becomes")
  func plan() throws {
    for text in ["https://a.co/12", "HTTPS://A.CO/ab", "https://fruta.example.com/table/12345"] {
      for level in QRSymbol.ErrorCorrection.allCases {
        let plan = try SymbolPlan(bytes: Array(text.utf8), minimumErrorCorrection: level)
        let symbol = try QRSymbol(text, minimumErrorCorrection: level)
        #expect(plan.version == symbol.version && plan.bitCount == symbol.bitCount)
        #expect(plan.errorCorrection == symbol.errorCorrection)
        #expect(plan.segments == symbol.segments)
      }
    }
  }

  /// Level and mask with their BCH check bits, masked (ISO/IEC 18004:2015, annex C).
  private func formatInformation(_ level: QRSymbol.ErrorCorrection, mask: Int) -> Int {
    let levels: [QRSymbol.ErrorCorrection: Int] = [
      .low: 0b01, .medium: 0b00, .quartile: 0b11, .high: 0b10,
    ]
    let data = (levels[level] ?? 0) << 3 | mask
    var rest = data << 10
    for bit in (10...14).reversed() where rest & (1 << bit) != 0 {
      rest ^= 0b101_0011_0111 << (bit - 10)
    }
    return (data << 10 | rest) ^ 0b101_0100_0001_0010
  }
}
