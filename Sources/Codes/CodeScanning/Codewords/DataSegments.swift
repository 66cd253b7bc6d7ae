/// The header of a symbol in a message spread over several symbols (ISO/IEC 18004:2015, 8).
struct StructuredAppendHeader: Hashable, Sendable {
  /// The index of the symbol, from 0.
  let index: Int
  /// The number of symbols, 1 … 16.
  let count: Int
  /// The exclusive or of all bytes of the whole message.
  let parity: UInt8
}

/// The characters of a symbol in one character set, as the writer encoded them.
struct SegmentRun: Hashable, Sendable {
  /// The ECI assignment number in effect, if any (ISO/IEC 18004:2015, 7.4.2).
  let characterSet: Int?
  /// The characters of all its segments: digits and letters in ASCII, kanji in Shift JIS.
  var bytes: [UInt8]
}

extension [SegmentRun] {
  /// Appends a run. Runs in the same character set are merged: the border of two segments, or of
  /// two symbols, may split a character.
  mutating func add(_ run: SegmentRun) {
    if last?.characterSet == run.characterSet, let last = indices.last {
      self[last].bytes += run.bytes
    } else {
      append(run)
    }
  }
}

/// The segments of corrected data.
struct DataSegments {
  private(set) var runs: [SegmentRun] = []
  private(set) var structuredAppend: StructuredAppendHeader?
  /// The ECI assignment number in effect at the first character, if any (7.4.2).
  private(set) var characterSet: Int?
  /// A Boolean value that indicates whether the data is marked as formatted by industry rules
  /// (FNC1; 7.4.8).
  private(set) var hasFNC1 = false
  /// A Boolean value that indicates whether every segment is of a known kind and ends within the
  /// data.
  private(set) var isComplete = false

  /// - Parameters:
  ///   - data: the data codewords.
  ///   - form: the indicators of the kind of symbol and its version.
  ///   - bitCount: the number of bits of the data; all of the codewords by default.
  init(_ data: [UInt8], _ form: SegmentForm, bitCount: Int? = nil) {
    var bits = BitReader(data, count: bitCount ?? data.count * 8)
    guard bits.read(form.leadingBits) != nil else { return }
    var current: Int?
    segments: while let indicator = bits.read(form.modeBits) {
      guard let mode = form.modes[indicator] else { return }
      switch mode {
      case .end: break segments
      case .structuredAppend:
        // Allowed only at the very beginning (8.2).
        guard bits.position == form.leadingBits + form.modeBits, let index = bits.read(4),
          let last = bits.read(4), let parity = bits.read(8), index <= last
        else { return }
        structuredAppend = StructuredAppendHeader(
          index: index, count: last + 1, parity: UInt8(parity))
      case .characterSet:
        guard let number = bits.readDesignator() else { return }
        if runs.isEmpty { characterSet = number }
        current = number
      case .fnc1First:
        hasFNC1 = true
      case .fnc1Second:
        hasFNC1 = true
        guard let indicator = bits.read(8) else { return }
        runs.add(SegmentRun(characterSet: current, bytes: Self.text(ofIndicator: indicator)))
      case .text(let kind):
        let count = bits.read(form.countBits(kind))
        // The rest may be shorter than the indicators of a segment.
        if form.endsWithEmptySegment, kind == .numeric, (count ?? 0) == 0 { break segments }
        guard let count, let text = kind.bytes(of: count, from: &bits) else { return }
        let isMarked = hasFNC1 && kind == .alphanumeric
        runs.add(
          SegmentRun(characterSet: current, bytes: isMarked ? Self.withSeparators(text) : text))
      }
    }
    isComplete = true
  }

  /// The contents as written; `nil` if the data is incomplete.
  var content: [SegmentRun]? { isComplete ? runs : nil }

  /// Returns the application indicator of FNC1 in the second position as characters, which precede
  /// the data: two digits, or a letter by its code plus 100 (7.4.8.3).
  private static func text(ofIndicator indicator: Int) -> [UInt8] {
    indicator < 100
      ? [UInt8(0x30 + indicator / 10), UInt8(0x30 + indicator % 10)] : [UInt8(indicator - 100)]
  }

  /// Returns alphanumeric characters after FNC1 with `%` as the field separator and `%%` as a
  /// percent sign (7.4.8.2).
  private static func withSeparators(_ text: [UInt8]) -> [UInt8] {
    let (percent, separator) = (UInt8(ascii: "%"), UInt8(0x1D))
    var result: [UInt8] = []
    var rest = text[...]
    while let character = rest.popFirst() {
      guard character == percent else {
        result.append(character)
        continue
      }
      if rest.first == percent {
        rest.removeFirst()
        result.append(percent)
      } else {
        result.append(separator)
      }
    }
    return result
  }
}

/// The kinds of segments that contain characters.
enum TextKind: Int, CaseIterable, Sendable {
  case numeric, alphanumeric, byte, kanji

  /// Returns the next `count` characters as bytes (7.4.3 to 7.4.6); `nil` if the data ends
  /// before, or contains an invalid value.
  fileprivate func bytes(of count: Int, from bits: inout BitReader) -> [UInt8]? {
    switch self {
    case .numeric: Self.characters(count, by: 3, bits: [0, 4, 7, 10], base: 10, from: &bits)
    case .alphanumeric: Self.characters(count, by: 2, bits: [0, 6, 11], base: 45, from: &bits)
    case .byte:
      bits.left < count * 8 ? nil : (0..<count).compactMap { _ in bits.read(8).map(UInt8.init) }
    case .kanji: Self.kanji(count, from: &bits)
    }
  }

  /// The characters of the numeric and the alphanumeric mode, by their values (Table 5).
  private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)

  /// Returns characters encoded in groups, each as one number in a base.
  private static func characters(
    _ count: Int, by group: Int, bits lengths: [Int], base: Int, from bits: inout BitReader
  ) -> [UInt8]? {
    var text: [UInt8] = []
    while text.count < count {
      let size = min(group, count - text.count)
      guard var value = bits.read(lengths[size]) else { return nil }
      var characters: [UInt8] = []
      for _ in 0..<size {
        characters.append(alphabet[value % base])
        value /= base
      }
      guard value == 0 else { return nil }
      text += characters.reversed()
    }
    return text
  }

  /// Returns kanji of 13 bits as their two bytes in Shift JIS.
  private static func kanji(_ count: Int, from bits: inout BitReader) -> [UInt8]? {
    var text: [UInt8] = []
    for _ in 0..<count {
      guard let value = bits.read(13) else { return nil }
      let packed = (value / 0xC0) << 8 | value % 0xC0
      let code = packed + (packed < 0x1F00 ? 0x8140 : 0xC140)
      text += [UInt8(truncatingIfNeeded: code >> 8), UInt8(truncatingIfNeeded: code)]
    }
    return text
  }
}

/// The character sets that a QR code can declare by an Extended Channel Interpretation (ISO/IEC
/// 18004:2015, 7.4.2; AIM ITS/04-023).
///
/// UTF-8 and ASCII need no conversion.
enum DeclaredCharacterSet {
  /// Returns the C library's name of the set with an ECI assignment number; `nil` if its bytes are
  /// treated as undeclared.
  static func name(assignment: Int) -> String? { names[assignment] }

  private static let names: [Int: String] = [
    0: "CP437", 1: "ISO-8859-1", 2: "CP437", 3: "ISO-8859-1", 4: "ISO-8859-2", 5: "ISO-8859-3",
    6: "ISO-8859-4", 7: "ISO-8859-5", 8: "ISO-8859-6", 9: "ISO-8859-7", 10: "ISO-8859-8",
    11: "ISO-8859-9", 12: "ISO-8859-10", 13: "ISO-8859-11", 15: "ISO-8859-13", 16: "ISO-8859-14",
    17: "ISO-8859-15", 18: "ISO-8859-16", 20: "CP932", 21: "CP1250", 22: "CP1251", 23: "CP1252",
    24: "CP1256", 25: "UTF-16BE", 28: "BIG5", 29: "GB18030", 30: "EUC-KR", 31: "GBK",
    32: "GB18030",
  ]
}

/// Reads numbers of a given number of bits, most significant bit first.
private struct BitReader {
  private let bytes: [UInt8]
  private let count: Int
  private(set) var position = 0

  /// - Parameter count: the number of bits, at most those of the bytes.
  init(_ bytes: [UInt8], count: Int) {
    self.bytes = bytes
    self.count = min(count, bytes.count * 8)
  }

  var left: Int { count - position }

  mutating func read(_ count: Int) -> Int? {
    guard count <= left else { return nil }
    var value = 0
    for _ in 0..<count {
      value = value << 1 | Int(bytes[position / 8] >> (7 - position % 8) & 1)
      position += 1
    }
    return value
  }

  /// Reads an ECI assignment number of one, two or three bytes (Table 4).
  mutating func readDesignator() -> Int? {
    guard let first = read(8) else { return nil }
    if first & 0x80 == 0 { return first }
    if first & 0xC0 == 0x80 { return read(8).map { (first & 0x3F) << 8 | $0 } }
    guard first & 0xE0 == 0xC0 else { return nil }
    return read(16).map { (first & 0x1F) << 16 | $0 }
  }
}
