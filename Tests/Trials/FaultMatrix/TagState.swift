import SimulatedReader

/// The contents that a phone would find on a tag, derived from its stored memory without any code
/// under test.
enum TagState: Hashable, Sendable, CustomStringConvertible {
  /// Not formatted.
  case blank
  /// Formatted, without a message or with one of length 0.
  case empty
  /// A message of these bytes.
  case message([UInt8])
  /// A length beyond the memory, or blocks without an end.
  case damaged

  /// Reads the state of a tag of any kind.
  init(_ card: any SimulatedCard) {
    if let tag = card as? SimulatedType4Tag {
      self.init(file: tag.ndefFile)
    } else if let tag = card as? SimulatedType5Tag {
      // A capability container of four bytes; the rest is as on a Type 2 tag, whose container is at
      // byte 12.
      let bytes = tag.blocks.flatMap(\.self)
      self.init(memory: [UInt8](repeating: 0, count: 12) + bytes)
    } else {
      self.init(memory: card.memory)
    }
  }

  /// Reads NLEN, two bytes, and the message after it (Type 4 Tag 2.0, section 4.4).
  private init(file: [UInt8]) {
    guard file.count >= 2 else {
      self = .damaged
      return
    }
    let end = 2 + (Int(file[0]) << 8 | Int(file[1]))
    guard end <= file.count else {
      self = .damaged
      return
    }
    self = end == 2 ? .empty : .message(Array(file[2..<end]))
  }

  /// Reads the TLV blocks of a Type 2 tag from page 4 on.
  private init(memory: [UInt8]) {
    // E2 is the mark of a Type 5 tag whose blocks need addresses of two bytes.
    guard memory[12] == 0xE1 || memory[12] == 0xE2 else {
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
