import CliptagBasics
import TestSupport
import Testing

@testable import QRSymbol

@Suite("Symbols")
struct QRSymbolTests {
  @Test("bytes are kept verbatim, letters in their case, text as UTF-8")
  func verbatim() throws {
    #expect(try QRSymbol("HTTPS://Früta.example/É").bytes == Array("HTTPS://Früta.example/É".utf8))
    #expect(try QRSymbol(bytes: [0, 0xFF, 0x0A]).bytes == [0, 0xFF, 0x0A])
    let small = try QRSymbol("https://a.co/abc")
    let capital = try QRSymbol("https://a.co/ABC", minimumVersion: small.version)
    #expect(small != capital)
  }

  @Test("level M is the least by default, and stays when raising is turned off")
  func defaultLevel() throws {
    #expect(try QRSymbol("https://a.co/1").errorCorrection == .medium)
    #expect(try QRSymbol("https://a.co/12", raiseErrorCorrection: true).version == 2)
    #expect(try QRSymbol("https://a.co/12").errorCorrection == .quartile)
    #expect(try QRSymbol("https://a.co/12", raiseErrorCorrection: false).errorCorrection == .medium)
  }

  @Test("a larger version than needed is used when asked for, at a stronger level")
  func minimumVersion() throws {
    let symbol = try QRSymbol("https://a.co/1", minimumVersion: 5)
    #expect(symbol.version == 5)
    #expect(symbol.size == 37)
    #expect(symbol.errorCorrection == .high)
  }

  @Test("outside the symbol everything is light")
  func outside() throws {
    let symbol = try QRSymbol("1")
    #expect(symbol.isDark(x: 0, y: 0))
    for (x, y) in [(-1, 0), (0, -1), (21, 0), (0, 21), (Int.min, Int.max)] {
      #expect(!symbol.isDark(x: x, y: y))
    }
  }

  @Test("levels are ordered by strength and spelled with their letters")
  func levels() {
    #expect(QRSymbol.ErrorCorrection.allCases.map(\.rawValue) == ["L", "M", "Q", "H"])
    #expect(QRSymbol.ErrorCorrection.allCases.sorted() == [.low, .medium, .quartile, .high])
  }

  @Test("no text is refused")
  func empty() {
    let error = #expect(throws: QRSymbolError.self) { try QRSymbol("") }
    #expect(error?.code == .emptyText)
  }

  @Test("versions that are no range within 1 to 40 are refused")
  func versions() {
    for (minimum, maximum) in [(0, 40), (1, 41), (5, 4), (Int.min, Int.max)] {
      let error = #expect(throws: QRSymbolError.self) {
        try QRSymbol("1", minimumVersion: minimum, maximumVersion: maximum)
      }
      #expect(error?.code == .invalidVersions)
    }
  }

  @Test("a text that is too long is told its bytes, the limit, and what would hold it")
  func tooLong() {
    let lower = #expect(throws: QRSymbolError.self) {
      try QRSymbol(String(repeating: "a", count: 2_400))
    }
    #expect(lower?.byteCount == 2_400)
    #expect(lower?.byteLimit == 2_331)
    #expect(lower?.room == QRSymbolError.Room(version: 36, errorCorrection: .low))
    #expect(lower?.description.contains("2331") == true)

    let larger = #expect(throws: QRSymbolError.self) {
      try QRSymbol(String(repeating: "a", count: 100), maximumVersion: 3)
    }
    #expect(larger?.room == QRSymbolError.Room(version: 6, errorCorrection: .medium))

    for count in [3_000, 7_090, 1_000_000] {
      let nothing = #expect(throws: QRSymbolError.self) {
        try QRSymbol(String(repeating: "a", count: count), minimumErrorCorrection: .low)
      }
      #expect(nothing?.code == .tooLong)
      #expect(nothing?.room == nil)
    }
  }

  @Test("any bytes that fit are encoded, none traps")
  func anyBytes() throws {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<60 {
      let bytes = (0..<Int.random(in: 1...300, using: &generator)).map { _ in
        UInt8.random(in: .min ... .max, using: &generator)
      }
      let symbol = try QRSymbol(bytes: bytes, minimumErrorCorrection: .low)
      #expect(symbol.bytes == bytes)
    }
  }
}

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
    #expect(masks.count > 4, "several of the eight were chosen")
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
