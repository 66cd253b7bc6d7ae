/// The character identifiers (CIDs) of a CID-keyed font in Compact Font Format, by which a PDF
/// refers to its glyphs (Adobe Technical Note 5176, 9, 13 and 18).
struct CompactFontCharset {
  /// The CID of each glyph.
  let numbers: [UInt16]

  /// Reads a `CFF ` table; nil if its glyphs have names instead of CIDs, or if it is broken.
  init?(_ table: [UInt8], glyphCount: Int) {
    let reader = Reader(bytes: table)
    guard let headerSize = reader.number(at: 2, bytes: 1),
      let names = reader.index(at: headerSize), let tops = reader.index(at: names.end),
      let top = tops.items.first, let entries = reader.dictionary(in: top),
      entries[Self.registryOperator] != nil
    else { return nil }
    let offset = entries[Self.charsetOperator]?.first ?? 0
    // 0 to 2 are predefined charsets, which CID-keyed fonts do not have: then glyphs are CIDs.
    guard offset > 2 else {
      numbers = (0..<glyphCount).map { UInt16(truncatingIfNeeded: $0) }
      return
    }
    guard let numbers = reader.charset(at: offset, glyphCount: glyphCount) else { return nil }
    self.numbers = numbers
  }

  /// The operator ROS, which only CID-keyed fonts have.
  private static let registryOperator = 12 << 8 | 30
  private static let charsetOperator = 15
}

private struct Reader {
  let bytes: [UInt8]

  func number(at offset: Int, bytes count: Int) -> Int? {
    guard offset >= 0, count > 0, offset + count <= bytes.count else { return nil }
    return bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
  }

  /// The ranges of the items of an INDEX, and the offset of its end.
  func index(at start: Int) -> (items: [Range<Int>], end: Int)? {
    guard let count = number(at: start, bytes: 2) else { return nil }
    if count == 0 { return ([], start + 2) }
    guard let size = number(at: start + 2, bytes: 1), (1...4).contains(size) else { return nil }
    let base = start + 3 + (count + 1) * size - 1
    var items: [Range<Int>] = []
    guard var from = number(at: start + 3, bytes: size) else { return nil }
    for item in 1...count {
      guard let to = number(at: start + 3 + item * size, bytes: size), to >= from,
        base + to <= bytes.count
      else { return nil }
      items.append(base + from..<base + to)
      from = to
    }
    return (items, base + from)
  }

  /// The operands of each operator of a DICT; real numbers count as 0, as none is needed here.
  func dictionary(in range: Range<Int>) -> [Int: [Int]]? {
    var entries: [Int: [Int]] = [:]
    var operands: [Int] = []
    var at = range.lowerBound
    while at < range.upperBound {
      let first = Int(bytes[at])
      switch first {
      case 0...21:
        let isLong = first == 12 && at + 1 < range.upperBound
        entries[isLong ? 12 << 8 | Int(bytes[at + 1]) : first] = operands
        operands = []
        at += isLong ? 2 : 1
      case 30:
        at += 1
        while at < range.upperBound, bytes[at] & 0xF != 0xF, bytes[at] >> 4 != 0xF { at += 1 }
        at += 1
        operands.append(0)
      default:
        guard let operand = integer(first, at: at) else { return nil }
        operands.append(operand.value)
        at += operand.length
      }
    }
    return entries
  }

  private func integer(_ first: Int, at offset: Int) -> (value: Int, length: Int)? {
    switch first {
    case 28:
      number(at: offset + 1, bytes: 2).map { (Int(Int16(truncatingIfNeeded: $0)), 3) }
    case 29:
      number(at: offset + 1, bytes: 4).map { (Int(Int32(truncatingIfNeeded: $0)), 5) }
    case 32...246: (first - 139, 1)
    case 247...250:
      number(at: offset + 1, bytes: 1).map { ((first - 247) * 256 + $0 + 108, 2) }
    case 251...254:
      number(at: offset + 1, bytes: 1).map { (-(first - 251) * 256 - $0 - 108, 2) }
    default: nil
    }
  }

  /// A charset in any of its three formats; glyph 0 always has CID 0 and is not listed.
  func charset(at offset: Int, glyphCount: Int) -> [UInt16]? {
    guard let format = number(at: offset, bytes: 1), format <= 2 else { return nil }
    var numbers: [UInt16] = [0]
    var at = offset + 1
    while numbers.count < glyphCount {
      guard let first = number(at: at, bytes: 2),
        let more = format == 0 ? 0 : number(at: at + 2, bytes: format)
      else { return nil }
      for next in 0...more where numbers.count < glyphCount {
        numbers.append(UInt16(truncatingIfNeeded: first + next))
      }
      at += 2 + format
    }
    return numbers
  }
}
