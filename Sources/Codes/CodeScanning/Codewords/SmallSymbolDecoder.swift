import SymbolStructure

/// Decodes the modules of Micro QR Code and rMQR Code into their contents.
enum SmallSymbolDecoder {
  /// The least reliability of the modules of a symbol without error correction.
  private static let leastSureness: Float = 0.25

  /// Returns the contents, or `nil` if error correction does not confirm them, or they are empty.
  ///
  /// - Parameters:
  ///   - modules: the modules, not mirrored.
  ///   - format: the format that the symbol states.
  ///   - isMirrored: whether the symbol is mirrored, for the result.
  ///   - isExact: whether all modules of the patterns and of the format information are right.
  static func decode(
    _ modules: SampledModules, as format: SmallFormat, isMirrored: Bool, isExact: Bool
  ) -> DecodedSymbol? {
    let structure = BlockStructure(format)
    var half: Int?
    if case .micro(let version) = format.form, version % 2 == 1 {
      // The last data codeword of M1 and M3 has four bits (ISO/IEC 18004:2015, 7.7.3).
      half = structure.blocks[0].dataCount - 1
    }
    var demanded = CorrectionProof.demanded
    if format.level == nil {
      // M1 has two check codewords, which only detect errors. They are all that it can prove;
      // therefore everything else must be right beyond doubt.
      guard isExact,
        modules.darkness.allSatisfy({ $0.asSureness.magnitude > leastSureness })
      else { return nil }
      demanded = CorrectionProof.withoutCorrection(of: structure.codes[0])
    }
    let received = ReceivedCodewords(
      modules, at: SmallLayout.of(format.form).dataModules, mask: format.mask, isMirrored: false,
      half: half)
    guard let corrected = CorrectedBlocks(received, structure, demanding: demanded) else {
      return nil
    }
    let data = corrected.data
    let segments = DataSegments(
      data, .small(format.form), bitCount: data.count * 8 - (half == nil ? 0 : 4))
    return DecodedSymbol(
      corrected, segments, format.form.symbology, version: format.form.version,
      errorCorrection: format.level.map(DecodedCode.ErrorCorrection.init), mask: format.mask,
      isMirrored: isMirrored)
  }
}

extension SmallForm {
  /// The symbology of the form.
  var symbology: DecodedCode.Symbology {
    switch self {
    case .micro: .microQR
    case .rectangular: .rectangularMicroQR
    }
  }

  /// The version: 1 to 4 for M1 to M4, or 1 to 32 for R7x43 to R17x139.
  var version: Int {
    switch self {
    case .micro(let version): version
    case .rectangular(let indicator): indicator + 1
    }
  }
}

extension DecodedCode.ErrorCorrection {
  /// Creates the level of the tables of the symbol's structure.
  init(_ level: BlockStructure.Level) {
    self =
      switch level {
      case .low: .low
      case .medium: .medium
      case .quartile: .quartile
      case .high: .high
      }
  }
}
