import SymbolStructure

/// A symbol whose content is confirmed by its error correction.
struct DecodedSymbol: Sendable {
  /// What zbar read in the clean symbol; of one of several symbols of a message, its part.
  let bytes: [UInt8]
  /// What the symbol holds, as it was written; `nil` where only zbar can tell.
  let content: [SegmentRun]?
  /// 1 … 40.
  let version: Int
  let errorCorrection: DecodedCode.ErrorCorrection
  /// 0 … 7.
  let mask: Int
  /// Whether rows and columns are exchanged.
  let isMirrored: Bool
  /// Codewords that were sampled wrong.
  let correctedCodewords: Int
  /// All codewords, data and check.
  let totalCodewords: Int
  /// What error correction had to do in each block.
  let blocks: [BlockReport]
  /// Set when the symbol is one of several of a message.
  let structuredAppend: StructuredAppendHeader?
  /// Whether the bytes are those that the writer encoded: zbar converts some, of a symbol with a
  /// character set, and changes others, of one with FNC1.
  let bytesAreAsWritten: Bool
  /// Row by row, whether a module of the clean symbol, unmirrored, is dark.
  let modules: [Bool]

  /// The part of the error correction that was left in the block that needed most, 0 … 1
  /// (ISO/IEC 15415, unused error correction).
  var unusedErrorCorrection: Double { blocks.map(\.unused).min() ?? 0 }
}

/// From the modules of a symbol to its content.
///
/// Error correction is ours, because only here is known which modules are unsure; zbar has to
/// confirm it: a clean symbol is drawn from the corrected codewords, which it has to read. The text is
/// ours again, because zbar's leaves out marks and changes characters.
enum SymbolDecoder {
  /// The content, or `nil` when error correction, or zbar, does not confirm it.
  ///
  /// The same modules always give the same answer. Darknesses that are no numbers are unknown.
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
    // zbar reads no part of a message alone. Without its header of 20 bits it is a whole symbol.
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
  /// The bytes of a message, or `nil` when a part is missing, belongs to another message, or the
  /// parity shows that the parts do not belong together.
  ///
  /// - Parameter parts: symbols in any order, those seen twice also twice.
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
    // Bytes that were converted cannot be added up any more.
    guard parts.allSatisfy(\.bytesAreAsWritten) else { return joined }
    return joined.reduce(0, ^) == first.parity ? joined : nil
  }

  /// What the parts of a whole message hold together, as it was written; `nil` where that is not known
  /// of one of them.
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
