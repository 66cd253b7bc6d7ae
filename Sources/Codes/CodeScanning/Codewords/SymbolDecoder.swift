import SymbolStructure

/// A symbol whose contents are confirmed by its error correction.
struct DecodedSymbol: Sendable {
  /// The contents as the writer encoded them; those of a symbol that is one of several of a message
  /// are its part.
  let content: [SegmentRun]
  /// A Boolean value that indicates whether the data is marked as formatted by industry rules
  /// (FNC1), so that some of its bytes stand for others in the symbol.
  let hasFNC1: Bool
  let symbology: DecodedCode.Symbology
  /// The version of the symbology, from 1.
  let version: Int
  /// The level of error correction; `nil` if it only detects errors.
  let errorCorrection: DecodedCode.ErrorCorrection?
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
  /// Whether each module of the clean symbol, not mirrored, is dark, row by row; empty unless it is
  /// a QR code.
  let modules: [Bool]

  /// The bytes of the contents.
  var bytes: [UInt8] { content.flatMap(\.bytes) }

  /// The unused share of the error correction in the worst block, 0 … 1 (ISO/IEC 15415, unused
  /// error correction).
  var unusedErrorCorrection: Double { blocks.map(\.unused).min() ?? 0 }
}

/// Decodes the modules of a symbol into its contents.
///
/// Error correction takes place here, because only this package knows which modules are unreliable,
/// and the corrected codewords are the contents: zbar would convert some bytes and omit others.
enum SymbolDecoder {
  /// Returns the contents, or `nil` if error correction does not confirm them, or they are empty.
  ///
  /// The same modules always give the same result. A darkness of NaN is unknown.
  static func decode(_ modules: SampledModules) -> DecodedSymbol? {
    guard let symbol = CorrectedSymbol(modules) else { return nil }
    return DecodedSymbol(
      symbol.codewords,
      DataSegments(symbol.codewords.data, SegmentForm.qr(version: symbol.version)), .qr,
      version: symbol.version, errorCorrection: symbol.format.errorCorrection,
      mask: symbol.format.mask, isMirrored: symbol.isMirrored, modules: symbol.clean.modules)
  }
}

extension DecodedSymbol {
  /// Creates the symbol of corrected codewords, or returns `nil` if they have no contents.
  init?(
    _ corrected: CorrectedBlocks, _ segments: DataSegments, _ symbology: DecodedCode.Symbology,
    version: Int, errorCorrection: DecodedCode.ErrorCorrection?, mask: Int, isMirrored: Bool,
    modules: @autoclosure () -> [Bool] = []
  ) {
    guard let content = segments.content, content.contains(where: { !$0.bytes.isEmpty }) else {
      return nil
    }
    self.init(
      content: content, hasFNC1: segments.hasFNC1, symbology: symbology, version: version,
      errorCorrection: errorCorrection, mask: mask, isMirrored: isMirrored,
      correctedCodewords: corrected.correctedCodewords,
      totalCodewords: corrected.structure.codewordCount, blocks: corrected.reports,
      structuredAppend: segments.structuredAppend, modules: modules())
  }
}

/// A message that is spread over several symbols (ISO/IEC 18004:2015, 8).
enum StructuredAppend {
  /// Returns the contents of a message, or `nil` if a part is missing, belongs to another message,
  /// or the parity shows that the parts do not belong together.
  ///
  /// - Parameter parts: symbols in any order; duplicates are allowed.
  static func joined(_ parts: [DecodedSymbol]) -> [SegmentRun]? {
    guard let first = parts.first?.structuredAppend else { return nil }
    var contents = [[SegmentRun]?](repeating: nil, count: first.count)
    for part in parts {
      guard let header = part.structuredAppend, header.count == first.count,
        header.parity == first.parity
      else { return nil }
      if let known = contents[header.index], known != part.content { return nil }
      contents[header.index] = part.content
    }
    let message = contents.compactMap { $0 }
    guard message.count == first.count else { return nil }
    var joined: [SegmentRun] = []
    for run in message.joined() { joined.add(run) }
    // The parity is that of the bytes in the symbols.
    guard !parts.contains(where: \.hasFNC1) else { return joined }
    return joined.lazy.flatMap(\.bytes).reduce(0, ^) == first.parity ? joined : nil
  }
}
