import CliptagBasics

/// Replaces UIDs in the bytes between a program, a reader and a tag, the same UID by the same other
/// one everywhere: alone, between the check bytes of a Type 2 tag's first pages, in the cascade of
/// a selection, with its lowest byte first, and as text in a message.
package struct SessionUIDs: Sendable {
  private var replacements: [(old: [UInt8], new: [UInt8])] = []
  private var known: [[UInt8]] = []

  /// Makes a set of replacements without UIDs.
  package init() {}

  /// The number of UIDs that are replaced.
  package var count: Int { known.count }

  /// Adds a UID.
  ///
  /// The first byte stays, the maker or the mark of a random UID; of a UID of ISO/IEC 15693 the
  /// first four, which name the product.
  package mutating func add(_ uid: [UInt8]) {
    guard [4, 7, 8, 10].contains(uid.count), !known.contains(uid) else { return }
    known.append(uid)
    let number = UInt8(truncatingIfNeeded: known.count % 15 + 1) << 4
    let kept = uid.count == 8 ? 4 : 1
    let new = uid.prefix(kept) + (kept..<uid.count).map { number + UInt8($0) }
    replacements += zip(Self.forms(of: uid), Self.forms(of: Array(new))).map { ($0, $1) }
    // A form within another one must not be replaced first.
    replacements.sort { $0.old.count > $1.old.count }
  }

  /// Returns bytes with other UIDs.
  ///
  /// - Parameter page: The first page that a READ answers, whose answer these bytes are; from page
  ///   2 on, only a check byte of the UID is left.
  package func replaced(_ bytes: [UInt8], readFrom page: UInt8? = nil) -> [UInt8] {
    var result = bytes
    var isDone = [Bool](repeating: false, count: bytes.count)
    for (old, new) in replacements where old.count <= bytes.count {
      for start in 0...bytes.count - old.count
      where bytes[start] == old[0] && !isDone[start..<start + old.count].contains(true)
        && bytes[start..<start + old.count].elementsEqual(old)
      {
        result.replaceSubrange(start..<start + old.count, with: new)
        for position in start..<start + old.count { isDone[position] = true }
      }
    }
    if page == 2 { replaceCheckByte(&result) }
    return result
  }

  private func replaceCheckByte(_ bytes: inout [UInt8]) {
    for start in bytes.indices.dropLast() where bytes[start + 1] == 0x48 {
      for (old, new) in replacements where old.count == 9 && old[8] == bytes[start] {
        bytes[start] = new[8]
        return
      }
    }
  }

  /// The forms in which a UID occurs.
  private static func forms(of uid: [UInt8]) -> [[UInt8]] {
    let text = Array(uid.hexadecimal.utf8)
    let small = Array(uid.hexadecimal(.small).utf8)
    // The halves of the text, which two answers may contain.
    let texts =
      [text, small] + [text, small].flatMap { [Array($0.prefix(8)), Array($0.suffix(8))] }
    switch uid.count {
    case 7:
      let (first, second) = (Array(uid[0..<3]), Array(uid[3...]))
      let checked = first + [first.reduce(0x88, ^)]
      return [checked + second + [second.reduce(0, ^)], uid, [0x88] + first, checked, second]
        + texts
    case 8: return [uid, uid.reversed()] + texts
    case 10:
      return [uid, [0x88] + uid[0..<3], [0x88] + uid[3..<6], Array(uid[6...])] + texts
    default: return [uid, uid + [uid.reduce(0, ^)]] + texts
    }
  }
}
