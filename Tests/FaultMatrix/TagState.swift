/// What a phone would find on a Type 2 tag, told from its stored memory without any code of ours
/// that is under test.
enum TagState: Hashable, Sendable, CustomStringConvertible {
  /// Not formatted.
  case blank
  /// Formatted, and no message or one of length 0.
  case empty
  /// A message of these bytes.
  case message([UInt8])
  /// A length that goes past the memory, or blocks that do not end.
  case damaged

  /// Walks over the TLV blocks from page 4 on.
  init(_ memory: [UInt8]) {
    guard memory[12] == 0xE1 else {
      self = .blank
      return
    }
    let end = min(16 + Int(memory[14]) * 8, memory.count)
    var offset = 16
    while offset < end {
      let kind = memory[offset]
      if kind == 0x00 {
        offset += 1
        continue
      }
      if kind == 0xFE { break }
      guard offset + 1 < end else {
        self = .damaged
        return
      }
      var length = Int(memory[offset + 1])
      var start = offset + 2
      if length == 0xFF {
        guard offset + 3 < end else {
          self = .damaged
          return
        }
        length = Int(memory[offset + 2]) << 8 | Int(memory[offset + 3])
        start = offset + 4
      }
      guard start + length <= end else {
        self = .damaged
        return
      }
      if kind == 0x03 {
        self = length == 0 ? .empty : .message(Array(memory[start..<start + length]))
        return
      }
      offset = start + length
    }
    self = .empty
  }

  var description: String {
    switch self {
    case .blank: "blank"
    case .empty: "empty"
    case .message(let bytes): "a message of \(bytes.count) bytes"
    case .damaged: "damaged"
    }
  }
}
