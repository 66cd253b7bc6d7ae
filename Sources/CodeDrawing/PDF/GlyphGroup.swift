/// Glyphs that show one or a few characters which are read as a whole, such as a consonant with
/// its vowel signs.
struct GlyphGroup {
  /// A glyph, and the characters that it alone tells.
  struct Part {
    let glyph: ShapedText.Glyph
    /// Empty where other glyphs of the group tell them.
    let text: String
    /// Where the characters begin in the text of the group.
    let order: Int
    /// How far a reader's pen moves, in parts of the em.
    let width: Double

    /// Whether it stands above or below another glyph.
    var isMark: Bool { glyph.advance == 0 || glyph.y != 0 }
  }

  /// What the group shows.
  let text: String
  /// In the order of the text, by characters that were shaped together.
  private let clusters: [(text: String, glyphs: [ShapedText.Glyph])]

  /// The groups of a run in the order of the text.
  static func groups(of run: ShapedText.Run, in utf8: [UInt8]) -> [GlyphGroup] {
    var glyphs: [Range<Int>: [ShapedText.Glyph]] = [:]
    for glyph in run.glyphs where !glyph.isEmpty {
      glyphs[glyph.cluster, default: []].append(glyph)
    }
    let clusters = glyphs.sorted { $0.key.lowerBound < $1.key.lowerBound }
    // Where a character as users see it begins.
    var starts: Set<Int> = []
    var offset = run.range.lowerBound
    for character in String(decoding: utf8[run.range], as: UTF8.self) {
      starts.insert(offset)
      offset += character.utf8.count
    }
    var groups: [[(key: Range<Int>, value: [ShapedText.Glyph])]] = []
    for cluster in clusters {
      if groups.isEmpty || starts.contains(cluster.key.lowerBound) {
        groups.append([cluster])
      } else {
        groups[groups.count - 1].append(cluster)
      }
    }
    return groups.map { group in
      GlyphGroup(
        clusters: group.map { cluster in
          (String(decoding: utf8[cluster.key], as: UTF8.self), cluster.value)
        })
    }
  }

  private init(clusters: [(text: String, glyphs: [ShapedText.Glyph])]) {
    self.clusters = clusters
    text = clusters.map(\.text).joined()
  }

  private var glyphs: [ShapedText.Glyph] { clusters.flatMap(\.glyphs) }
  /// The left edge, from that of the text's block.
  var left: Double { glyphs.map(\.x).min() ?? 0 }
  /// How wide the group is.
  var width: Double { (glyphs.map { $0.x + $0.advance }.max() ?? 0) - left }

  /// Whether every reader takes the characters of these glyphs in the right order and close to
  /// each other.
  func isReadInOrder(_ parts: [Part], of run: ShapedText.Run) -> Bool {
    if run.isRightToLeft { return parts.count == 1 && text.unicodeScalars.count == 1 }
    guard let first = parts.first, let last = parts.last, parts.count > 1 else { return true }
    if first.isMark { return false }
    let isStepped = zip(parts, parts.dropFirst()).allSatisfy { part, next in
      abs(part.glyph.x + part.width * run.size - next.glyph.x) < run.size / 20
    }
    let gap = left + width - last.glyph.x - last.width * run.size
    return isStepped && gap < run.size / 20 && !parts.contains { $0.text.isEmpty }
  }

  /// The glyphs in the order of the characters that each tells.
  func parts(in font: OpenFont) -> [Part] {
    var parts: [Part] = []
    var start = 0
    for cluster in clusters {
      parts += Self.parts(of: cluster.glyphs, text: cluster.text, from: start, in: font)
      start += cluster.text.unicodeScalars.count
    }
    return parts.sorted { $0.order < $1.order }
  }

  /// Shares the characters among the glyphs: to each its own if it is that character's usual
  /// glyph, and what is left to the first glyph that is left.
  private static func parts(
    of glyphs: [ShapedText.Glyph], text: String, from start: Int, in font: OpenFont
  ) -> [Part] {
    if glyphs.count == 1 {
      let width = font.advance(of: glyphs[0].number) / 1000
      return [Part(glyph: glyphs[0], text: text, order: start, width: width)]
    }
    var rest = Array(text.unicodeScalars.enumerated())
    var owners: [Int: [(offset: Int, element: Unicode.Scalar)]] = [:]
    for (number, glyph) in glyphs.enumerated() {
      guard let own = rest.firstIndex(where: { font.glyph(of: $0.element) == glyph.number }) else {
        continue
      }
      owners[number] = [rest.remove(at: own)]
    }
    if !rest.isEmpty {
      let taker = glyphs.indices.first { owners[$0] == nil } ?? 0
      owners[taker] = ((owners[taker] ?? []) + rest).sorted { $0.offset < $1.offset }
    }
    return glyphs.enumerated().map { number, glyph in
      let own = owners[number] ?? []
      return Part(
        glyph: glyph, text: String(String.UnicodeScalarView(own.map(\.element))),
        order: start + (own.first?.offset ?? 0),
        width: font.advance(of: glyph.number) / 1000)
    }
  }
}

/// The characters' numbers (CIDs) of a CID-keyed font in Compact Font Format, which are what a PDF
/// names its glyphs by (Adobe Technical Note 5176, 9, 13 and 18).
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
    // 0 to 2 name predefined charsets, which CID-keyed fonts have not: then glyphs are CIDs.
    guard offset > 2 else {
      numbers = (0..<glyphCount).map { UInt16(truncatingIfNeeded: $0) }
      return
    }
    guard let numbers = reader.charset(at: offset, glyphCount: glyphCount) else { return nil }
    self.numbers = numbers
  }

  /// ROS, which only CID-keyed fonts have.
  private static let registryOperator = 12 << 8 | 30
  private static let charsetOperator = 15
}

private struct Reader {
  let bytes: [UInt8]

  func number(at offset: Int, bytes count: Int) -> Int? {
    guard offset >= 0, count > 0, offset + count <= bytes.count else { return nil }
    return bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
  }

  /// The ranges of the items of an INDEX, and where it ends.
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
