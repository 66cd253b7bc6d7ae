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
