/// Splits a stream into lines, regardless of how it arrives in pieces.
struct LineAssembler: Sendable {
  enum Line: Hashable, Sendable {
    case bytes([UInt8])
    /// A line longer than the limit; dropped.
    case tooLong
  }

  let longest: Int
  private var line: [UInt8] = []
  private var isTooLong = false

  init(longest: Int) { self.longest = longest }

  /// Adds the next piece; lines end with a carriage return, a line feed or both.
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

  /// Discards the incomplete line.
  mutating func reset() {
    line.removeAll(keepingCapacity: true)
    isTooLong = false
  }
}
