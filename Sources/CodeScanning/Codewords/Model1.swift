/// QR Code Model 1, the form that came before today's (AIM ITS/97-001; ISO/IEC 18004:2000, annex M).
///
/// It has the same finder and timing patterns, no alignment patterns, and its data elsewhere. Its format
/// information is masked otherwise, which tells it.
enum Model1 {
  /// What today's format information is masked with, and Model 1's, added up.
  private static let otherMask: UInt32 = 0x5412 ^ 0x2825
  /// Model 1 ends with version 14.
  private static let largestSize = 73

  /// Whether modules are those of such a symbol: both copies of the format information say so, and
  /// neither could be today's with as few errors.
  static func isShown(by modules: SampledModules) -> Bool {
    guard modules.size <= largestSize else { return false }
    return [false, true].contains { isMirrored in
      FormatInformation.places(size: modules.size).allSatisfy { places in
        let word = places.enumerated().reduce(UInt32(0)) { word, place in
          let (column, row) = place.element
          let darkness = isMirrored ? modules[row, column] : modules[column, row]
          return darkness > 0 ? word | 1 << UInt32(place.offset) : word
        }
        let (own, todays) = (distance(of: word ^ otherMask), distance(of: word))
        return own <= 1 && own < todays
      }
    }
  }

  /// How many bits the nearest valid word differs in.
  private static func distance(of word: UInt32) -> Int {
    FormatInformation.all.map { ($0.bits ^ word).nonzeroBitCount }.min() ?? 15
  }
}
