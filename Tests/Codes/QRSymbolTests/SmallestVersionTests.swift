import CQREncode
import QRSymbol
import Testing

@Suite("Smallest versions")
struct SmallestVersionTests {
  /// For how many of a thousand URLs libqrencode 4.1 alone takes a larger version than necessary,
  /// at L, M, Q and H; the README has these numbers. A newer libqrencode may take fewer.
  private static let larger: [URLFamily: [Int]] = [
    .wordsAndNumber: [0, 74, 33, 72], .lowercaseUUID: [0, 31, 9, 44],
  ]

  @Test(
    "no split of a URL fits a smaller version, though libqrencode alone takes a larger one",
    arguments: URLFamily.allCases)
  func smallest(family: URLFamily) throws {
    var larger = [0, 0, 0, 0]
    for url in family.urls(1_000) {
      let bytes = Array(url.utf8)
      // Versions 1 to 9, and 10 to 26, each with the same widths of character counts.
      let fewest = [fewestBits(bytes, wide: false), fewestBits(bytes, wide: true)]
      for (index, level) in QRSymbol.ErrorCorrection.allCases.enumerated() {
        let smallest = (1...26).first {
          fewest[$0 <= 9 ? 0 : 1] <= QRSymbol.capacity(version: $0, errorCorrection: level)
        }
        let plan = try SymbolPlan(
          bytes: bytes, minimumErrorCorrection: level, raiseErrorCorrection: false)
        #expect(plan.version == smallest, "\(url) at \(level.rawValue)")
        let alone = try #require(versionOfLibqrencode(url, level: index))
        #expect(alone >= plan.version, "\(url) at \(level.rawValue)")
        if alone > plan.version { larger[index] += 1 }
      }
    }
    #expect(larger == Self.larger[family, default: [0, 0, 0, 0]])
  }

  /// The fewest bits of all splits, found without our planner: the cheapest way to each byte is
  /// carried on by every run of bytes from there that a mode encodes, in whole bits.
  private func fewestBits(_ bytes: [UInt8], wide: Bool) -> Int {
    let letters = Set("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)
    let digits = Set("0123456789".utf8)
    let isLetter = bytes.map(letters.contains)
    let isDigit = bytes.map(digits.contains)
    var fewest = [0] + [Int](repeating: .max, count: bytes.count)
    for start in bytes.indices {
      let cost = fewest[start]
      var (allLetters, allDigits) = (true, true)
      var count = 0
      while start + count < bytes.count {
        allLetters = allLetters && isLetter[start + count]
        allDigits = allDigits && isDigit[start + count]
        count += 1
        var bits = 4 + (wide ? 16 : 8) + 8 * count
        if allLetters { bits = min(bits, 4 + (wide ? 11 : 9) + 11 * (count / 2) + 6 * (count % 2)) }
        if allDigits {
          bits = min(bits, 4 + (wide ? 12 : 10) + 10 * (count / 3) + [0, 4, 7][count % 3])
        }
        if cost + bits < fewest[start + count] { fewest[start + count] = cost + bits }
      }
    }
    return fewest[bytes.count]
  }

  /// The version that libqrencode takes when it splits the text itself, as `qrencode` does.
  private func versionOfLibqrencode(_ text: String, level: Int) -> Int? {
    let levels = [QR_ECLEVEL_L, QR_ECLEVEL_M, QR_ECLEVEL_Q, QR_ECLEVEL_H]
    guard let symbol = QRcode_encodeString(text, 0, levels[level], QR_MODE_8, 1) else { return nil }
    defer { QRcode_free(symbol) }
    return Int(symbol.pointee.version)
  }
}
