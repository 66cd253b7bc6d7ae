import Pictures
import SymbolStructure

/// A symbol whose content is confirmed by its error correction.
struct DecodedSymbol: Sendable {
  /// What zbar read in the clean symbol; of one of several symbols of a message, its part.
  let bytes: [UInt8]
  /// The C library's name of the character set that the symbol declares, if zbar does not know it.
  let declaredCharacterSet: String?
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
/// Error correction is ours, because only here is known which modules are unsure; what the bits
/// mean is zbar's to say. So a clean symbol is drawn from the corrected codewords, which zbar has
/// to read.
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
      declaredCharacterSet: segments.characterSet.flatMap(DeclaredCharacterSet.name(assignment:)),
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

/// A symbol whose codewords were all corrected, before anything is made of its content.
struct CorrectedSymbol: Sendable {
  let version: Int
  let format: FormatInformation
  let isMirrored: Bool
  let structure: BlockStructure
  /// The codewords of each block, data before check codewords.
  let blocks: [[UInt8]]
  let reports: [BlockReport]
  /// Codewords that came out different from what was sampled.
  let correctedCodewords: Int

  /// Corrects what was sampled, or answers `nil` when that is not possible beyond doubt.
  init?(_ modules: SampledModules) {
    guard modules.size >= 21, modules.size <= 177, modules.size % 4 == 1,
      modules.darkness.count == modules.size * modules.size
    else { return nil }
    let layout = SymbolLayout.of(version: (modules.size - 17) / 4)
    for candidate in FormatCandidate.likeliest(of: modules) {
      if let symbol = CorrectedSymbol(modules, layout, candidate) {
        self = symbol
        return
      }
    }
    return nil
  }

  private init?(_ modules: SampledModules, _ layout: SymbolLayout, _ candidate: FormatCandidate) {
    let level = candidate.format.errorCorrection
    let structure = BlockStructure(version: layout.version, level: level)
    let received = ReceivedCodewords(modules, layout: layout, as: candidate)
    var blocks: [[UInt8]] = []
    var reports: [BlockReport] = []
    var changed = 0
    for (code, places) in zip(structure.codes, structure.places()) {
      guard
        let correction = BlockCorrection(
          places.map { received.values[$0] }, doubt: places.map { received.doubt[$0] }, code: code)
      else { return nil }
      blocks.append(correction.codewords)
      changed += correction.changed
      reports.append(
        BlockReport(
          errors: correction.errors, erasures: correction.erasures,
          capacity: code.checkCount - structure.misdecodeProtection))
    }
    version = layout.version
    format = candidate.format
    isMirrored = candidate.isMirrored
    self.structure = structure
    self.blocks = blocks
    self.reports = reports
    correctedCodewords = changed
  }

  /// The data codewords of all blocks, in the order of the message.
  var data: [UInt8] {
    zip(blocks, structure.blocks).flatMap { $0.prefix($1.dataCount) }
  }

  /// The symbol as it should have been printed, unmirrored.
  var clean: CleanSymbol { CleanSymbol(version: version, format: format, blocks: blocks) }

  /// The same symbol with other data of the same length, its check codewords made anew.
  func clean(with data: [UInt8]) -> CleanSymbol {
    var rest = data[...]
    let blocks = structure.codes.map { code in
      let part = rest.prefix(code.length - code.checkCount)
      rest = rest.dropFirst(part.count)
      return code.encoded(Array(part))
    }
    return CleanSymbol(version: version, format: format, blocks: blocks)
  }
}

/// A symbol as it should have been printed, made from its codewords.
struct CleanSymbol {
  /// Modules on a side.
  let size: Int
  /// Row by row, whether a module is dark.
  private(set) var modules: [Bool]

  /// Draws the symbol (ISO/IEC 18004:2015, 7.6 to 7.10).
  ///
  /// - Parameter blocks: the codewords of each block, data before check codewords.
  init(version: Int, format: FormatInformation, blocks: [[UInt8]]) {
    let layout = SymbolLayout.of(version: version)
    let structure = BlockStructure(version: version, level: format.errorCorrection)
    var codewords = [UInt8](repeating: 0, count: layout.dataModules.count / 8)
    for (block, places) in zip(blocks, structure.places()) {
      for (codeword, place) in zip(block, places) { codewords[place] = codeword }
    }
    var modules = layout.functionPatterns
    let mask = DataMask.patterns[format.mask]
    for (bit, module) in layout.dataModules.enumerated() {
      // The remainder bits are 0 before masking.
      let isSet = bit / 8 < codewords.count && codewords[bit / 8] >> (7 - bit % 8) & 1 == 1
      modules[Int(module.index)] = isSet != mask[Int(module.maskIndex)]
    }
    size = layout.size
    self.modules = modules
    draw(format.bits, at: FormatInformation.places(size: size))
    if version >= 7 {
      let word = VersionInformation.word(UInt32(version))
      draw(word, at: VersionInformation.places(size: size))
    }
  }

  private mutating func draw(_ word: UInt32, at copies: [[(column: Int, row: Int)]]) {
    for places in copies {
      for (bit, place) in places.enumerated() {
        modules[place.row * size + place.column] = word >> UInt32(bit) & 1 == 1
      }
    }
  }

  /// Modules of quiet zone on each side (ISO/IEC 18004:2015, 6.3.8).
  private static let quietZone = 4

  /// The symbol as a picture with whole pixels for each module.
  func picture(modulePixels scale: Int) -> GreyPicture {
    let margin = Self.quietZone
    let side = (size + 2 * margin) * scale
    var pixels = [UInt8](repeating: 255, count: side * side)
    for row in 0..<size {
      for column in 0..<size where modules[row * size + column] {
        let start = (row + margin) * scale * side + (column + margin) * scale
        for y in 0..<scale {
          for x in 0..<scale { pixels[start + y * side + x] = 0 }
        }
      }
    }
    return GreyPicture(width: side, height: side, pixels: pixels)
  }

  /// What zbar reads in it; `nil` when it refuses the content.
  func bytes() -> [UInt8]? {
    // Time goes with the pixels, and 2 a module have always been enough: in 954 symbols of all
    // versions and levels none was missed.
    for scale in [2, 3, 4] {
      guard let pass = ZBarPass() else { return nil }
      let reads = pass.codes(in: picture(modulePixels: scale))
      if reads.count == 1 { return reads[0].bytes }
    }
    return nil
  }
}

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
