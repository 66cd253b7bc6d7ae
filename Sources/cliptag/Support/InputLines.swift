/// The lines of standard input, read as they come so that a pipe can be answered line by line.
struct InputLines {
  /// The longest line taken, in bytes; a longer one is cut there, which no acceptable payload
  /// survives.
  private static let longest = 1 << 20

  private var buffer: [UInt8] = []
  private var start = 0
  private var ended = false
  private var chunk = [UInt8](repeating: 0, count: 1 << 16)

  /// The next line without its line end, as bytes; `nil` at the end.
  ///
  /// - Parameters:
  ///   - beforeReading: Called when no whole line is there any more, before more is waited for.
  ///   - afterReading: Called when more has come.
  /// - Throws: As ``StandardInput/read(into:)``, and what the two throw.
  mutating func next(
    beforeReading: () throws -> Void = {}, afterReading: () throws -> Void = {}
  ) throws -> [UInt8]? {
    while true {
      if let end = buffer[start...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        return Self.withoutReturn(buffer[start..<end])
      }
      if ended || buffer.count - start > Self.longest {
        defer { start = buffer.count }
        return start < buffer.count ? Self.withoutReturn(buffer[start...]) : nil
      }
      buffer.removeFirst(start)
      start = 0
      try beforeReading()
      let count = try StandardInput.read(into: &chunk)
      buffer += chunk[..<count]
      ended = count == 0
      try afterReading()
    }
  }

  private static func withoutReturn(_ line: ArraySlice<UInt8>) -> [UInt8] {
    Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
  }
}
