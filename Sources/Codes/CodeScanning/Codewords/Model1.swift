import SymbolStructure

/// QR Code Model 1, the predecessor of the current form (AIM ITS/97-001; ISO/IEC 18004:2000, annex
/// M).
///
/// It has the same finder and timing patterns, no alignment patterns, and another placement of
/// data. It is recognised by the different mask of its format information.
struct Model1 {
  private let format: FormatInformation
  private let isMirrored: Bool
  private let version: Int

  /// Recognises such a symbol: both copies of the format information match it, and neither matches
  /// the current form with as few errors.
  init?(shownBy modules: SampledModules) {
    version = (modules.size - 17) / 4
    guard Model1Layout.versions.contains(version), modules.size == 17 + 4 * version else {
      return nil
    }
    for isMirrored in [false, true] {
      let formats = FormatInformation.places(size: modules.size).map { places in
        let word = places.enumerated().reduce(UInt32(0)) { word, place in
          let (column, row) = place.element
          let darkness = isMirrored ? modules[row, column] : modules[column, row]
          return darkness > 0 ? word | 1 << UInt32(place.offset) : word
        }
        return Self.format(of: word)
      }
      if let format = formats[0], formats.allSatisfy({ $0 == format }) {
        self.format = format
        self.isMirrored = isMirrored
        return
      }
    }
    return nil
  }

  /// Returns the format of a word in which at most one bit is wrong.
  private static func format(of word: UInt32) -> FormatInformation? {
    func distance(_ format: FormatInformation, _ word: UInt32) -> Int {
      (format.bits ^ word).nonzeroBitCount
    }
    let own = word ^ Model1Layout.otherMask
    guard let nearest = FormatInformation.all.min(by: { distance($0, own) < distance($1, own) }),
      distance(nearest, own) <= 1,
      FormatInformation.all.allSatisfy({ distance($0, word) > distance(nearest, own) })
    else { return nil }
    return nearest
  }

  /// Returns the contents of a symbol, or `nil` if error correction does not confirm them, or they
  /// are empty.
  func decode(_ modules: SampledModules) -> DecodedSymbol? {
    var received = ReceivedCodewords(
      modules, at: Model1Layout.dataModules(version: version), mask: format.mask,
      isMirrored: isMirrored)
    // The pattern in the corner stands for zeros.
    received.clear(0xF0, ofCodeword: 0)
    let blocks = Model1Layout.blocks(version: version, level: format.errorCorrection.level)
    guard let corrected = CorrectedBlocks(received, blocks) else { return nil }
    return DecodedSymbol(
      corrected, DataSegments(corrected.data, .model1(version: version)), .model1QR,
      version: version, errorCorrection: format.errorCorrection, mask: format.mask,
      isMirrored: isMirrored)
  }
}
