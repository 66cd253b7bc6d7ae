import QRSymbol

/// A probe, not part of the product, of how fast symbols can be made without libqrencode, whose
/// mask search is nine tenths of its work and cannot be replaced through its interface.
///
/// It draws versions 1 to 6 from our own plan, and chooses the mask for whole rows at a time.
struct EncoderProbe {
  private var templates: [Int: ProbeTemplate] = [:]
  private var divisors: [Int: [UInt8]] = [:]
  private let field = GaloisField()

  /// The check codewords per block and the blocks, by level and version (ISO/IEC 18004:2015, table
  /// 9).
  private static let checkCodewords = [
    [7, 10, 15, 20, 26, 18], [10, 16, 26, 18, 24, 16], [13, 22, 18, 26, 18, 24],
    [17, 28, 22, 16, 22, 28],
  ]
  private static let blocks = [
    [1, 1, 1, 1, 1, 2], [1, 1, 1, 2, 2, 4], [1, 1, 2, 2, 4, 4], [1, 1, 2, 4, 4, 4],
  ]
  static let versions = 1...6

  /// The rows of a symbol, the leftmost module in the lowest bit; the version must be 1 to 6.
  mutating func rows(_ bytes: [UInt8], _ plan: SymbolPlan) -> [UInt64] {
    let level = QRSymbol.ErrorCorrection.allCases.firstIndex(of: plan.errorCorrection) ?? 0
    let key = plan.version * 4 + level
    let template = templates[key] ?? ProbeTemplate(version: plan.version, level: level)
    templates[key] = template
    let codewords = interleaved(data(bytes, plan), plan.version, level)

    var grid = ProbeTemplate.Grid(size: template.size)
    for (index, codeword) in codewords.enumerated() {
      for bit in 0..<8 where codeword >> UInt8(7 - bit) & 1 != 0 {
        let module = template.way[index * 8 + bit]
        grid.setDark(module.x, module.y)
      }
    }
    let rule = ProbePenalty(size: template.size)
    var best: (points: Int, rows: [UInt64]) = (.max, [])
    for mask in template.masks {
      var masked = grid
      for index in 0..<template.size {
        masked.rows[index] ^= mask.rows[index]
        masked.columns[index] ^= mask.columns[index]
      }
      let points = rule.penalty(rows: masked.rows, columns: masked.columns)
      if points < best.points { best = (points, masked.rows) }
    }
    return best.rows
  }

  /// The data codewords, padded (7.4).
  private func data(_ bytes: [UInt8], _ plan: SymbolPlan) -> [UInt8] {
    var bits = ProbeBits()
    for segment in plan.segments {
      bits.append(bytes[segment.range], mode: segment.mode)
    }
    let capacity = QRSymbol.capacity(version: plan.version, errorCorrection: plan.errorCorrection)
    return bits.padded(toBits: capacity)
  }

  /// The data and check codewords of all blocks, interleaved (7.5 and 7.6).
  private mutating func interleaved(_ data: [UInt8], _ version: Int, _ level: Int) -> [UInt8] {
    let blocks = Self.blocks[level][version - 1]
    let checks = Self.checkCodewords[level][version - 1]
    let divisor = divisors[checks] ?? field.divisor(degree: checks)
    divisors[checks] = divisor
    let short = data.count / blocks
    let longBlocks = data.count % blocks
    var start = 0
    let parts = (0..<blocks).map { block in
      let count = short + (block >= blocks - longBlocks ? 1 : 0)
      defer { start += count }
      return Array(data[start..<start + count])
    }
    let remainders = parts.map { field.remainder(of: $0, by: divisor) }
    var all: [UInt8] = []
    all.reserveCapacity(data.count + blocks * checks)
    for index in 0...short {
      for part in parts where index < part.count { all.append(part[index]) }
    }
    for index in 0..<checks { for rest in remainders { all.append(rest[index]) } }
    return all
  }
}

/// The bits of segments, the highest first.
private struct ProbeBits {
  private var bytes: [UInt8] = []
  private var pending: UInt64 = 0
  private var pendingCount = 0

  private static let alphanumeric = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)

  mutating func append(_ value: Int, count: Int) {
    pending = pending << UInt64(count) | UInt64(value)
    pendingCount += count
    while pendingCount >= 8 {
      pendingCount -= 8
      bytes.append(UInt8(truncatingIfNeeded: pending >> UInt64(pendingCount)))
    }
  }

  /// Appends a segment with its header for versions 1 to 9.
  mutating func append(_ text: ArraySlice<UInt8>, mode: QRSymbol.Segment.Mode) {
    let text = Array(text)
    switch mode {
    case .byte:
      append(4, count: 4)
      append(text.count, count: 8)
      for byte in text { append(Int(byte), count: 8) }
    case .numeric:
      append(1, count: 4)
      append(text.count, count: 10)
      for start in stride(from: 0, to: text.count, by: 3) {
        let digits = text[start..<min(start + 3, text.count)]
        append(digits.reduce(0) { $0 * 10 + Int($1) - 48 }, count: [0, 4, 7, 10][digits.count])
      }
    case .alphanumeric:
      append(2, count: 4)
      append(text.count, count: 9)
      let values = text.map { Self.alphanumeric.firstIndex(of: $0) ?? 0 }
      for start in stride(from: 0, to: values.count, by: 2) {
        let pair = values[start..<min(start + 2, values.count)]
        append(pair.reduce(0) { $0 * 45 + $1 }, count: [0, 6, 11][pair.count])
      }
    }
  }

  /// All bits with the terminator and the pad codewords.
  func padded(toBits capacity: Int) -> [UInt8] {
    var padded = self
    let used = bytes.count * 8 + pendingCount
    padded.append(0, count: min(4, capacity - used))
    if padded.pendingCount > 0 { padded.append(0, count: 8 - padded.pendingCount) }
    var pad: UInt8 = 0xEC
    while padded.bytes.count < capacity / 8 {
      padded.bytes.append(pad)
      pad ^= 0xEC ^ 0x11
    }
    return padded.bytes
  }
}

/// Reed-Solomon over 256 elements, with the polynomial of QR codes (285).
private struct GaloisField {
  private var powers = [UInt8](repeating: 0, count: 512)
  private var logarithms = [Int](repeating: 0, count: 256)

  init() {
    var value = 1
    for exponent in 0..<255 {
      powers[exponent] = UInt8(value)
      powers[exponent + 255] = UInt8(value)
      logarithms[value] = exponent
      value <<= 1
      if value > 255 { value ^= 285 }
    }
  }

  /// The logarithms of the generator's coefficients below the leading one, highest first.
  func divisor(degree: Int) -> [UInt8] {
    var coefficients = [UInt8](repeating: 0, count: degree - 1) + [1]
    for root in 0..<degree {
      for index in 0..<degree {
        let product =
          coefficients[index] == 0 ? 0 : powers[logarithms[Int(coefficients[index])] + root]
        coefficients[index] = product ^ (index + 1 < degree ? coefficients[index + 1] : 0)
      }
    }
    return coefficients.map { UInt8(logarithms[Int($0)]) }
  }

  /// The check codewords of a block; the coefficients of our generators are never 0.
  func remainder(of data: [UInt8], by divisor: [UInt8]) -> [UInt8] {
    var rest = [UInt8](repeating: 0, count: data.count + divisor.count)
    rest.replaceSubrange(0..<data.count, with: data)
    for index in data.indices where rest[index] != 0 {
      let logarithm = logarithms[Int(rest[index])]
      for offset in divisor.indices {
        rest[index + 1 + offset] ^= powers[logarithm + Int(divisor[offset])]
      }
    }
    return Array(rest[data.count...])
  }
}
