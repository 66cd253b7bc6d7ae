import CliptagBasics
import CQREncode
import TestSupport
import Testing

@testable import QRSymbol

@Suite("Symbols against other encoders and the standard")
struct SymbolVectorTests {
  @Test("the modules are those that another encoder draws from the same segments and mask")
  func modules() throws {
    let rows = try vectors("symbols")
    #expect(rows.count == 14)
    for row in rows {
      let version = try #require(Int(row[1]))
      let level = try #require(QRSymbol.ErrorCorrection(rawValue: row[2]))
      let symbol = try QRSymbol(
        row[0], minimumErrorCorrection: level, raiseErrorCorrection: false, minimumVersion: version)
      #expect(symbol.version == version)
      #expect(
        symbol.segments.map { "\($0.mode):\($0.range.count)" }.joined(separator: ",") == row[3])
      #expect(hexadecimalRows(symbol) == row[5], "\(row[0])")
    }
  }

  @Test("the version is the smallest and the level the strongest that is free")
  func raisedLevels() throws {
    for row in try vectors("raised-levels") {
      let count = try #require(Int(row[0]))
      let level = try #require(QRSymbol.ErrorCorrection(rawValue: row[1]))
      let plan = try SymbolPlan(
        bytes: [UInt8](repeating: UInt8(ascii: "a"), count: count), minimumErrorCorrection: level)
      #expect([String(plan.version), plan.errorCorrection.rawValue] == Array(row[2...]), "\(row)")
    }
  }

  @Test(
    "as many characters fit as table 7 of the standard says, and not one more",
    arguments: [
      (1, QRSymbol.ErrorCorrection.low, 41, 25, 17), (1, .medium, 34, 20, 14),
      (1, .quartile, 27, 16, 11), (1, .high, 17, 10, 7), (9, .low, 552, 335, 230),
      (10, .medium, 513, 311, 213), (26, .quartile, 1_804, 1_094, 751),
      (27, .low, 3_517, 2_132, 1_465), (27, .high, 1_501, 910, 625),
      (40, .low, 7_089, 4_296, 2_953), (40, .medium, 5_596, 3_391, 2_331),
      (40, .quartile, 3_993, 2_420, 1_663), (40, .high, 3_057, 1_852, 1_273),
    ])
  func table7(
    version: Int, level: QRSymbol.ErrorCorrection, digits: Int, letters: Int, bytes: Int
  ) throws {
    for (character, count) in [("1", digits), ("A", letters), ("a", bytes)] {
      let full = try QRSymbol(
        String(repeating: character, count: count), minimumErrorCorrection: level,
        raiseErrorCorrection: false)
      #expect(full.version == version)
      let error = #expect(throws: QRSymbolError.self) {
        try QRSymbol(
          String(repeating: character, count: count + 1), minimumErrorCorrection: level,
          raiseErrorCorrection: false, maximumVersion: version)
      }
      #expect(error?.code == .tooLong)
      #expect(error?.byteLimit == bytes)
    }
  }

  @Test("every version and level holds as many bytes as libqrencode puts there")
  func capacities() throws {
    for version in 1...40 {
      for level in QRSymbol.ErrorCorrection.allCases {
        let limit = SymbolCapacity.bytes(version: version, errorCorrection: level)
        let fits = try #require(libraryVersion(of: String(repeating: "a", count: limit), level))
        #expect(fits == version)
        let next = libraryVersion(of: String(repeating: "a", count: limit + 1), level)
        #expect(next == (version == 40 ? nil : version + 1))
      }
    }
  }

  @Test("the symbol is never larger than the one libqrencode makes, and sometimes smaller")
  func neverLarger() throws {
    var generator = SeededGenerator(seed: 1)
    var smaller = 0
    for url in sampleURLs(count: 150, using: &generator) {
      for level in QRSymbol.ErrorCorrection.allCases {
        let ours = try QRSymbol(url, minimumErrorCorrection: level, raiseErrorCorrection: false)
        let theirs = try #require(libraryVersion(of: url, level))
        #expect(ours.version <= theirs, "\(url) at \(level)")
        if ours.version < theirs { smaller += 1 }
      }
    }
    #expect(smaller > 0)
  }

  private func hexadecimalRows(_ symbol: QRSymbol) -> String {
    let digits = (symbol.size + 3) / 4
    return (0..<symbol.size).map { y in
      // The first bits of a row may not fill a digit.
      var bits = [Bool](repeating: false, count: digits * 4 - symbol.size)
      bits += (0..<symbol.size).map { symbol.isDark(x: $0, y: y) }
      return stride(from: 0, to: bits.count, by: 4).map { start in
        String(bits[start..<start + 4].reduce(0) { $0 * 2 + ($1 ? 1 : 0) }, radix: 16)
      }.joined()
    }.joined(separator: "/")
  }

  /// The version that libqrencode chooses with its own splitting, or nil when it refuses.
  private func libraryVersion(of text: String, _ level: QRSymbol.ErrorCorrection) -> Int? {
    let levels = [QR_ECLEVEL_L, QR_ECLEVEL_M, QR_ECLEVEL_Q, QR_ECLEVEL_H]
    let index = QRSymbol.ErrorCorrection.allCases.firstIndex(of: level) ?? 0
    guard let code = QRcode_encodeString(text, 0, levels[index], QR_MODE_8, 1) else { return nil }
    defer { QRcode_free(code) }
    return Int(code.pointee.version)
  }

  private func sampleURLs(
    count: Int, using generator: inout some RandomNumberGenerator
  ) -> [String] {
    let words = ["table", "order", "fruta", "seat", "T", "ROOM", "id", "menu-card", "a"]
    return (0..<count).map { _ in
      let parts = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
        let number = Int.random(in: 0..<1_000_000, using: &generator)
        let word = words.randomElement(using: &generator) ?? ""
        return Bool.random(using: &generator) ? "\(word)/\(number)" : "\(word)?id=\(number)"
      }
      return "https://clip.example.com/" + parts.joined(separator: "/")
    }
  }
}
