import SymbolStructure

@testable import CodeScanning

extension FuzzTarget {
  /// Modules to content: error correction with erasures, the proof that it is right, the segments,
  /// and messages spread over several symbols.
  static let codewords = FuzzTarget(name: "codewords") { bytes in
    var source = ByteSource(bytes)
    switch source.byte() % 4 {
    case 0: try feedReedSolomon(&source)
    case 1: try feedArbitraryModules(&source)
    case 2: try feedMessage(&source)
    default: _ = try feedDamagedSymbol(&source)
    }
  }

  /// Whatever was received, a correction ends at a codeword; and what can be corrected is.
  private static func feedReedSolomon(_ source: inout ByteSource) throws {
    let checkCount = 2 + Int(source.byte() % 67)
    let length = min(255, checkCount + 1 + Int(source.byte() % 187))
    let code = ReedSolomon(length: length, checkCount: checkCount)
    let data = source.bytes(length - checkCount)
    let padding = [UInt8](repeating: 0, count: length - checkCount - data.count)
    let sent = code.encoded(data + padding)
    try require(
      code.syndromes(of: sent).allSatisfy { $0 == 0 }, "what is encoded has no error")

    var received = sent
    var wrong = Set<Int>()
    for _ in 0..<source.byte() % 80 {
      let index = Int(source.byte()) % length
      received[index] = source.byte()
      if received[index] != sent[index] { wrong.insert(index) } else { wrong.remove(index) }
    }
    var erasures: [Int] = []
    for _ in 0..<source.byte() % 80 {
      let index = Int(source.byte()) % length
      if !erasures.contains(index) { erasures.append(index) }
    }
    let syndromes = code.syndromes(of: received)
    let corrections = code.corrections(syndromes: syndromes, erasures: erasures)
    let errors = wrong.subtracting(erasures).count
    if 2 * errors + erasures.count <= checkCount {
      try require(corrections != nil, "what can be corrected is corrected")
    }
    guard let corrections else { return }
    for correction in corrections { received[correction.index] ^= correction.difference }
    try require(
      code.syndromes(of: received).allSatisfy { $0 == 0 }, "a correction ends at a codeword")
    if 2 * errors + erasures.count <= checkCount {
      try require(received == sent, "what can be corrected comes out as it was sent")
    }
  }

  /// Modules of any number and any darkness.
  private static func feedArbitraryModules(_ source: inout ByteSource) throws {
    let form = source.byte()
    let size = form & 1 == 0 ? 17 + 4 * (1 + Int(form >> 1) % 10) : Int(source.byte())
    let count = form & 128 == 0 ? size * size : Int(source.byte()) * size
    let given = source.remainder()
    let darkness = (0..<count).map { index -> Float in
      guard !given.isEmpty else { return .nan }
      let byte = given[index % given.count]
      switch byte {
      case 255: return .nan
      case 254: return .infinity
      case 253: return -.infinity
      default: return (Float(byte) - 126) / (byte % 3 == 0 ? 1 : 126)
      }
    }
    let modules = SampledModules(size: size, darkness: darkness)
    if let symbol = SymbolDecoder.decode(modules) { try checkSymbol(symbol) }
    let formats = SmallFormat.micro + SmallFormat.rectangular
    let small = formats[(size + Int(form)) % formats.count]
    let (width, height) = small.form.size
    let some = SampledModules(
      width: width, height: height,
      darkness: (0..<width * height).map { darkness.isEmpty ? 0 : darkness[$0 % darkness.count] })
    if let symbol = SmallSymbolDecoder.decode(some, as: small, isMirrored: false, isExact: true) {
      try require(!symbol.bytes.isEmpty, "a small symbol that is read says something")
    }
  }

  /// A symbol of the input's data codewords, with modules turned and made unsure.
  private static func feedDamagedSymbol(_ source: inout ByteSource) throws -> DecodedSymbol? {
    let version = 1 + Int(source.byte() % 10)
    let format = FormatInformation.all[Int(source.byte() % 32)]
    let structure = BlockStructure(version: version, level: format.errorCorrection)
    let blocks = structure.codes.map { code in
      let count = code.length - code.checkCount
      let data = source.bytes(min(count, 24))
      return code.encoded(data + [UInt8](repeating: 0, count: count - data.count))
    }
    let clean = CleanSymbol(version: version, format: format, blocks: blocks)
    var darkness = clean.modules.map { $0 ? Float(1) : -1 }
    for _ in 0..<source.byte() {
      let index = (Int(source.byte()) << 8 | Int(source.byte())) % darkness.count
      darkness[index] = (Float(source.byte()) - 128) / 128
    }
    let modules = SampledModules(size: clean.size, darkness: darkness)
    guard let symbol = SymbolDecoder.decode(modules) else { return nil }
    try checkSymbol(symbol)
    return symbol
  }

  /// Symbols that may be parts of one message.
  private static func feedMessage(_ source: inout ByteSource) throws {
    var parts: [DecodedSymbol] = []
    for _ in 0..<4 where !source.isEmpty {
      if let symbol = try feedDamagedSymbol(&source) { parts.append(symbol) }
    }
    guard let message = StructuredAppend.joined(parts) else { return }
    let indices = Set(parts.compactMap(\.structuredAppend?.index))
    try require(
      indices == Set(0..<(parts[0].structuredAppend?.count ?? 0)),
      "a message is joined when every part is there")
    try require(!message.isEmpty, "a joined message says something")
  }
}
