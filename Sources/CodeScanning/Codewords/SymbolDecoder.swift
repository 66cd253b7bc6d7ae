import SymbolStructure

/// A symbol whose contents are confirmed by its error correction.
struct DecodedSymbol: Sendable {
  /// The bytes that zbar read in the clean symbol; for one of several symbols of a message, its
  /// part.
  let bytes: [UInt8]
  /// The contents of the symbol as written; `nil` if they are left to zbar.
  let content: [SegmentRun]?
  /// The version, 1 … 40.
  let version: Int
  let errorCorrection: DecodedCode.ErrorCorrection
  /// The mask pattern, 0 … 7.
  let mask: Int
  /// A Boolean value that indicates whether rows and columns are exchanged.
  let isMirrored: Bool
  /// The number of codewords that were sampled wrong.
  let correctedCodewords: Int
  /// The number of all codewords, data and check.
  let totalCodewords: Int
  /// The work of error correction in each block.
  let blocks: [BlockReport]
  /// The header, if the symbol is one of several of a message.
  let structuredAppend: StructuredAppendHeader?
  /// A Boolean value that indicates whether the bytes are those that the writer encoded: zbar
  /// converts some, in a symbol with a character set, and changes others, in one with FNC1.
  let bytesAreAsWritten: Bool
  /// Whether each module of the clean symbol, not mirrored, is dark, row by row.
  let modules: [Bool]

  /// The unused share of the error correction in the worst block, 0 … 1 (ISO/IEC 15415, unused
  /// error correction).
  var unusedErrorCorrection: Double { blocks.map(\.unused).min() ?? 0 }
}

/// Decodes the modules of a symbol into its contents.
///
/// Error correction takes place here, because only this package knows which modules are unreliable;
/// zbar must confirm it: a clean symbol is drawn from the corrected codewords, and zbar must read
/// it. The text is also decoded here, because zbar omits marks and changes characters.
enum SymbolDecoder {
  /// Returns the contents, or `nil` if error correction, or zbar, does not confirm them.
  ///
  /// The same modules always give the same result. A darkness of NaN is unknown.
  static func decode(_ modules: SampledModules) -> DecodedSymbol? {
    guard let symbol = CorrectedSymbol(modules) else { return nil }
    let segments = DataSegments(symbol.data, version: symbol.version)
    let clean = symbol.clean
    guard let bytes = bytes(of: symbol, clean, segments), !bytes.isEmpty else { return nil }
    return DecodedSymbol(
      bytes: bytes,
      content: segments.content,
      version: symbol.version, errorCorrection: symbol.format.errorCorrection,
      mask: symbol.format.mask, isMirrored: symbol.isMirrored,
      correctedCodewords: symbol.correctedCodewords,
      totalCodewords: symbol.structure.codewordCount, blocks: symbol.reports,
      structuredAppend: segments.structuredAppend,
      bytesAreAsWritten: segments.characterSet == nil && !segments.hasFNC1,
      modules: clean.modules)
  }

  private static func bytes(
    of symbol: CorrectedSymbol, _ clean: CleanSymbol, _ segments: DataSegments
  ) -> [UInt8]? {
    guard segments.structuredAppend != nil else { return clean.bytes() }
    // zbar does not read a single part of a message. Without its header of 20 bits, it is a
    // complete symbol.
    guard segments.isComplete else { return nil }
    let data = symbol.data
    let shifted = data.indices.map { index in
      let (high, low) = (index + 2, index + 3)
      return (high < data.count ? data[high] << 4 : 0) | (low < data.count ? data[low] >> 4 : 0)
    }
    return symbol.clean(with: shifted).bytes()
  }
}

/// A message that is spread over several symbols (ISO/IEC 18004:2015, 8).
enum StructuredAppend {
  /// Returns the bytes of a message, or `nil` if a part is missing, belongs to another message, or
  /// the parity shows that the parts do not belong together.
  ///
  /// - Parameter parts: symbols in any order; duplicates are allowed.
  static func joined(_ parts: [DecodedSymbol]) -> [UInt8]? {
    guard let first = parts.first?.structuredAppend else { return nil }
    var bytes = [[UInt8]?](repeating: nil, count: first.count)
    for part in parts {
      guard let header = part.structuredAppend, header.count == first.count,
        header.parity == first.parity
      else { return nil }
      if let known = bytes[header.index], known != part.bytes { return nil }
      bytes[header.index] = part.bytes
    }
    let message = bytes.compactMap { $0 }
    guard message.count == first.count else { return nil }
    let joined = Array(message.joined())
    // The parity cannot be computed from converted bytes.
    guard parts.allSatisfy(\.bytesAreAsWritten) else { return joined }
    return joined.reduce(0, ^) == first.parity ? joined : nil
  }

  /// Returns the contents of all parts of a complete message as written; `nil` if they are unknown
  /// for one of them.
  static func content(of parts: [DecodedSymbol]) -> [SegmentRun]? {
    let ordered = Dictionary(parts.map { ($0.structuredAppend?.index ?? 0, $0) }) { first, _ in
      first
    }
    .sorted { $0.key < $1.key }
    var runs: [SegmentRun] = []
    for part in ordered {
      guard let content = part.value.content else { return nil }
      content.forEach { runs.add($0) }
    }
    return runs
  }
}
