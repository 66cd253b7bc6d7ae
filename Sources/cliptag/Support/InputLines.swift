import Foundation
import Glibc

/// The lines of standard input, read as they come so that a pipe can be answered line by line.
struct InputLines: Sequence, IteratorProtocol {
  /// The longest line taken; a longer one is cut there, which no acceptable payload survives.
  private static let longest = 1 << 20

  private var buffer: [UInt8] = []
  private var start = 0
  private var ended = false

  /// The next line without its line end, as bytes; `nil` at the end.
  mutating func next() -> [UInt8]? {
    while true {
      if let end = buffer[start...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        return Self.withoutReturn(buffer[start..<end])
      }
      if ended || buffer.count - start > Self.longest {
        defer { start = buffer.count }
        return start < buffer.count ? Self.withoutReturn(buffer[start...]) : nil
      }
      fill()
    }
  }

  private mutating func fill() {
    buffer.removeFirst(start)
    start = 0
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(STDIN_FILENO, &chunk, chunk.count)
    if count > 0 {
      buffer += chunk[..<count]
    } else if count == 0 || errno != EINTR {
      ended = true
    }
  }

  private static func withoutReturn(_ line: ArraySlice<UInt8>) -> [UInt8] {
    Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
  }
}
