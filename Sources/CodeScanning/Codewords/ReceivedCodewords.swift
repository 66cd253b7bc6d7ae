import SymbolStructure

/// The codewords of a symbol as they were sampled, before error correction, in the order in which
/// they stand in the symbol.
struct ReceivedCodewords {
  private(set) var values: [UInt8]
  /// How unsure each is: about the number of its bits that may be wrong; 0 is certain.
  private(set) var doubt: [Float]

  /// Reads the modules as one of the symbol's possible formats has them.
  init(_ modules: SampledModules, layout: SymbolLayout, as candidate: FormatCandidate) {
    let count = layout.dataModules.count / 8
    values = [UInt8](repeating: 0, count: count)
    doubt = [Float](repeating: 0, count: count)
    let mask = DataMask.patterns[candidate.format.mask]
    let size = Int32(layout.size)
    for index in 0..<count {
      var value: UInt8 = 0
      var sum: Float = 0
      for bit in 0..<8 {
        let module = layout.dataModules[index * 8 + bit]
        var place = module.index
        if candidate.isMirrored { place = place % size * size + place / size }
        let darkness = modules.darkness[Int(place)].asSureness
        value = value << 1 | ((darkness > 0) != mask[Int(module.maskIndex)] ? 1 : 0)
        sum += Self.doubt(of: darkness)
      }
      values[index] = value
      doubt[index] = sum
    }
  }

  /// Falls steeply with sureness, so that one bit on the fence outweighs eight that are fairly
  /// sure.
  private static func doubt(of darkness: Float) -> Float {
    let rest = 1 - darkness.magnitude
    return rest * rest * rest * rest
  }
}
