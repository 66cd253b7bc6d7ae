/// What a READ BINARY or an UPDATE BINARY asks for (NFC Forum Type 4 Tag, sections 5.4.4 and
/// 5.4.5), whichever way it tells the offset.
struct Type4Access: Hashable, Sendable {
  /// How the file is named.
  enum Target: Hashable, Sendable {
    case selected
    /// By its short identifier, the low five bits of the whole one.
    case short(UInt16)
  }

  let target: Target
  let offset: Int
  /// What is to be written; empty for a read.
  let data: [UInt8]
  /// How many bytes are to be read; 0 for a write.
  let count: Int
  /// Whether data comes back in a discretionary data object (`53`).
  let isWrapped: Bool

  /// Reads a command.
  ///
  /// - Throws: The status word for one that contradicts itself.
  init(_ command: CommandAPDU) throws(StatusWord) {
    isWrapped = command.instruction & 0x01 != 0
    let isRead = command.instruction & 0xFE == 0xB0
    var data = command.data[...]
    if isWrapped {
      // Offset data object: tag 54, three bytes.
      guard command.parameter1 == 0, command.parameter2 == 0 else { throw .wrongParameters }
      guard data.count >= 5, data.starts(with: [0x54, 0x03]) else { throw .wrongData }
      target = .selected
      offset = data.dropFirst(2).prefix(3).reduce(0) { $0 << 8 | Int($1) }
      data = data.dropFirst(5)
      if !isRead {
        guard let content = Self.content(of: data) else { throw .wrongData }
        data = content
      }
    } else if command.parameter1 & 0x80 != 0 {
      let short = UInt16(command.parameter1 & 0x1F)
      guard command.parameter1 & 0x60 == 0, short != 0x1F else { throw .wrongParameters }
      target = short == 0 ? .selected : .short(short)
      offset = Int(command.parameter2)
    } else {
      target = .selected
      offset = command.offset
    }
    guard data.isEmpty == isRead, (command.expectedByteCount != nil) == isRead else {
      throw .wrongLength
    }
    self.data = Array(data)
    // In an object, its tag and length are part of what comes back.
    let header = !isWrapped ? 0 : command.expectedByteCount ?? 0 < 0x82 ? 2 : 3
    count = max(0, (command.expectedByteCount ?? 0) - header)
  }

  /// The content of a discretionary data object, its length in one byte or behind `81`.
  private static func content(of object: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard object.first == 0x53 else { return nil }
    var rest = object.dropFirst()
    if rest.first == 0x81 { rest = rest.dropFirst() }
    guard let length = rest.popFirst(), rest.count == Int(length) else { return nil }
    return rest
  }

  /// Data as it comes back.
  func wrapped(_ bytes: some Collection<UInt8>) -> [UInt8] {
    guard isWrapped else { return Array(bytes) }
    let length = UInt8(truncatingIfNeeded: bytes.count)
    return (bytes.count < 0x80 ? [0x53, length] : [0x53, 0x81, length]) + bytes
  }
}
