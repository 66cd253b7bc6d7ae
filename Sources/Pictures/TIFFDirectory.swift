/// The entries of one image file directory (TIFF 6.0, section 2), as EXIF uses them, too.
struct TIFFDirectory {
  /// Where the main directory's entry for the one about the position is found (EXIF 2.32, 4.6.3).
  static let positionDirectory = 0x8825

  private let bytes: [UInt8]
  private let isBigEndian: Bool
  private let offset: Int

  /// Finds the first directory of a TIFF structure; `nil` when it is none.
  init?(ofTIFF bytes: [UInt8]) {
    switch bytes.prefix(4) {
    case [0x4D, 0x4D, 0, 0x2A]: isBigEndian = true
    case [0x49, 0x49, 0x2A, 0]: isBigEndian = false
    default: return nil
    }
    self.bytes = bytes
    guard let offset = Self.number(bytes, isBigEndian, at: 4, count: 4) else { return nil }
    self.offset = offset
  }

  private init(_ bytes: [UInt8], _ isBigEndian: Bool, at offset: Int) {
    self.bytes = bytes
    self.isBigEndian = isBigEndian
    self.offset = offset
  }

  /// The directory that an entry of this one points to.
  func directory(_ tag: Int) -> TIFFDirectory? {
    guard let entry = entry(tag), entry.type == 4, let offset = number(at: entry.field, count: 4)
    else { return nil }
    return TIFFDirectory(bytes, isBigEndian, at: offset)
  }

  /// A SHORT.
  func short(_ tag: Int) -> Int? {
    // One value stands in the first two bytes of the value field.
    guard let entry = entry(tag), entry.type == 3 else { return nil }
    return number(at: entry.field, count: 2)
  }

  /// An ASCII text without its final zero.
  func text(_ tag: Int) -> String? {
    guard let entry = entry(tag), entry.type == 2, entry.count <= 256 else { return nil }
    let start = entry.count <= 4 ? entry.field : number(at: entry.field, count: 4)
    guard let start, start >= 0, start <= bytes.count - entry.count else { return nil }
    return String(decoding: bytes[start..<start + entry.count].prefix { $0 != 0 }, as: UTF8.self)
  }

  /// RATIONALs; `nil` unless there are as many, each with a denominator that is not zero.
  func rationals(_ tag: Int, count: Int) -> [Double]? {
    guard let entry = entry(tag), entry.type == 5, entry.count == count,
      let start = number(at: entry.field, count: 4)
    else { return nil }
    var values: [Double] = []
    for index in 0..<count {
      guard let numerator = number(at: start + index * 8, count: 4),
        let denominator = number(at: start + index * 8 + 4, count: 4), denominator != 0
      else { return nil }
      values.append(Double(numerator) / Double(denominator))
    }
    return values
  }

  private func entry(_ tag: Int) -> (type: Int, count: Int, field: Int)? {
    guard let count = number(at: offset, count: 2) else { return nil }
    for index in 0..<count {
      let entry = offset + 2 + index * 12
      guard let found = number(at: entry, count: 2) else { return nil }
      guard found == tag else { continue }
      // An entry that the block ends in is taken as far as its value goes.
      guard let type = number(at: entry + 2, count: 2), let values = number(at: entry + 4, count: 4)
      else { return nil }
      return (type, values, entry + 8)
    }
    return nil
  }

  private func number(at offset: Int, count: Int) -> Int? {
    Self.number(bytes, isBigEndian, at: offset, count: count)
  }

  private static func number(
    _ bytes: [UInt8], _ isBigEndian: Bool, at offset: Int, count: Int
  ) -> Int? {
    guard offset >= 0, offset <= bytes.count - count else { return nil }
    let field = bytes[offset..<offset + count]
    return (isBigEndian ? Array(field) : field.reversed()).reduce(0) { $0 << 8 | Int($1) }
  }
}
