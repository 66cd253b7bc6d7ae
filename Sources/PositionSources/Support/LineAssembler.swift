/// Finds the lines in a stream, however it is cut into pieces.
struct LineAssembler: Sendable {
  enum Line: Hashable, Sendable {
    case bytes([UInt8])
    /// One of more bytes than the limit; dropped.
    case tooLong
  }

  let longest: Int
  private var line: [UInt8] = []
  private var isTooLong = false

  init(longest: Int) { self.longest = longest }

  /// Takes the next piece; lines end with a carriage return, a line feed or both.
  mutating func take(_ bytes: some Sequence<UInt8>) -> [Line] {
    var lines: [Line] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") {
        if isTooLong {
          lines.append(.tooLong)
        } else if !line.isEmpty {
          lines.append(.bytes(line))
        }
        reset()
      } else if line.count < longest {
        line.append(byte)
      } else {
        isTooLong = true
      }
    }
    return lines
  }

  /// Forgets what has come of a line.
  mutating func reset() {
    line.removeAll(keepingCapacity: true)
    isTooLong = false
  }
}
