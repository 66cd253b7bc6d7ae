/// The frames between host and PN532 (UM0701-02, section 6.2.1).
enum PN532Frame {
  /// The longest body (TFI, code and data) that the chip takes or sends, in bytes.
  static let longestBody = 265
  /// The frame that acknowledges another; from the host it also ends the command in progress.
  static let acknowledge: [UInt8] = [0x00, 0x00, 0xFF, 0x00, 0xFF, 0x00]
  /// The chip's reply to a command it does not support.
  static let syntaxError: [UInt8] = [0x00, 0x00, 0xFF, 0x01, 0xFF, 0x7F, 0x81, 0x00]

  /// Wraps a body that begins with its frame identifier (`D4` or `D5`).
  static func information(_ body: [UInt8]) -> [UInt8] {
    let length = body.count
    var frame: [UInt8] = [0x00, 0x00, 0xFF]
    if length <= 0xFF {
      frame += [UInt8(length), 0 &- UInt8(length)]
    } else {
      let high = UInt8(truncatingIfNeeded: length >> 8)
      let low = UInt8(truncatingIfNeeded: length)
      frame += [0xFF, 0xFF, high, low, 0 &- (high &+ low)]
    }
    return frame + body + [0 &- body.reduce(0, &+), 0x00]
  }
}

/// Finds the frames in the bytes a host sends.
///
/// A frame with a wrong length check or data check is ignored, as by the chip: the host gets no
/// acknowledgement and sends again.
struct PN532FrameReader: Sendable {
  enum Item: Equatable, Sendable {
    case acknowledge
    case negativeAcknowledge
    /// The body after the length bytes, frame identifier first.
    case information([UInt8])
  }

  private var buffer: [UInt8] = []

  /// Takes bytes from the line and returns the frames that are now complete.
  mutating func take(_ bytes: some Sequence<UInt8>) -> [Item] {
    buffer += bytes
    var items: [Item] = []
    var position = 0
    scanning: while position + 1 < buffer.count {
      guard buffer[position] == 0x00, buffer[position + 1] == 0xFF else {
        position += 1
        continue
      }
      switch frame(at: position + 2) {
      case .incomplete:
        break scanning
      case .damaged:
        position += 1
      case .complete(let item, let end):
        items.append(item)
        position = end
      }
    }
    buffer.removeFirst(position)
    return items
  }

  /// Discards an incomplete frame whose rest will not arrive.
  mutating func reset() {
    buffer.removeAll()
  }

  private enum Outcome {
    case incomplete
    case damaged
    case complete(Item, end: Int)
  }

  /// Reads the frame whose length bytes begin at `start`.
  private func frame(at start: Int) -> Outcome {
    guard start + 2 <= buffer.count else { return .incomplete }
    var length = Int(buffer[start])
    var body = start + 2
    switch (buffer[start], buffer[start + 1]) {
    case (0x00, 0xFF): return .complete(.acknowledge, end: body)
    case (0xFF, 0x00): return .complete(.negativeAcknowledge, end: body)
    case (0xFF, 0xFF):
      guard start + 5 <= buffer.count else { return .incomplete }
      guard buffer[start + 2] &+ buffer[start + 3] &+ buffer[start + 4] == 0 else {
        return .damaged
      }
      length = Int(buffer[start + 2]) << 8 | Int(buffer[start + 3])
      body = start + 5
    default:
      guard buffer[start] &+ buffer[start + 1] == 0 else { return .damaged }
    }
    guard (1...PN532Frame.longestBody).contains(length) else { return .damaged }
    guard body + length + 1 <= buffer.count else { return .incomplete }
    let content = buffer[body..<body + length]
    guard content.reduce(buffer[body + length], &+) == 0 else { return .damaged }
    return .complete(.information(Array(content)), end: body + length + 1)
  }
}
