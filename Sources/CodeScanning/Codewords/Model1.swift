/// QR Code Model 1, the predecessor of the current form (AIM ITS/97-001; ISO/IEC 18004:2000, annex
/// M).
///
/// It has the same finder and timing patterns, no alignment patterns, and another placement of
/// data. It is recognised by the different mask of its format information.
enum Model1 {
  /// The difference of the masks of the format information of the current form and of Model 1.
  private static let otherMask: UInt32 = 0x5412 ^ 0x2825
  /// The size of version 14, the largest of Model 1.
  private static let largestSize = 73

  /// Returns whether modules belong to such a symbol: both copies of the format information match
  /// it, and neither matches the current form with as few errors.
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

  /// Returns the number of bits by which the nearest valid word differs.
  private static func distance(of word: UInt32) -> Int {
    FormatInformation.all.map { ($0.bits ^ word).nonzeroBitCount }.min() ?? 15
  }
}
