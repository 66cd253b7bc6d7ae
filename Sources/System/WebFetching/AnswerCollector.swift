internal import CCurl

/// Collects an answer while it arrives, and aborts one that exceeds the limits. Used on one thread.
final class AnswerCollector {
  /// The part of an answer that exceeded its limit.
  enum Excess { case body, headers }

  /// The size limit of the headers in bytes; servers in use stay under 16 KB.
  static let maximumHeaderBytes = 1 << 16

  private(set) var status: Int?
  private(set) var headers = HeaderFields()
  private(set) var body: [UInt8] = []
  private(set) var excess: Excess?
  /// The time of the last transfer in either direction.
  private(set) var lastMoved = ContinuousClock.now

  private let maximumBodyBytes: Int
  private let isCancelled: () -> Bool
  private var moved: Int64 = 0
  private var headerBytes = 0
  private var isInHeaders = false

  init(maximumBodyBytes: Int, isCancelled: @escaping () -> Bool) {
    self.maximumBodyBytes = maximumBodyBytes
    self.isCancelled = isCancelled
  }

  /// Connects the handle's callbacks to this collector while `body` runs.
  func listen<Result>(
    to easy: borrowing EasyHandle, during body: (borrowing EasyHandle) -> Result
  ) -> Result? {
    var listener = ccurl_listener(
      context: Unmanaged.passUnretained(self).toOpaque(),
      header: { AnswerCollector.of($0)?.takeHeader(bytes($1, $2)) ?? false },
      body: { AnswerCollector.of($0)?.takeBody(bytes($1, $2)) ?? false },
      progress: { AnswerCollector.of($0)?.takeProgress(Int64($1)) ?? false })
    return withUnsafeMutablePointer(to: &listener) { listener in
      guard ccurl_set_listener(easy.pointer, listener) == CURLE_OK else { return nil }
      return withExtendedLifetime(self) { body(easy) }
    }
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> AnswerCollector? {
    context.map { Unmanaged<AnswerCollector>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Takes one header line, including its end. A status line starts over: 100 Continue and similar
  /// answers come before the final one.
  private func takeHeader(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    lastMoved = .now
    headerBytes += line.count
    guard headerBytes <= Self.maximumHeaderBytes else {
      excess = .headers
      return false
    }
    var text = line[...]
    while let last = text.last, last == 0x0A || last == 0x0D { text.removeLast() }
    if text.starts(with: "HTTP/".utf8) {
      (status, headers, isInHeaders) = (Self.status(of: text), HeaderFields(), true)
    } else if text.isEmpty {
      isInHeaders = false
    } else if isInHeaders {
      take(field: text)
    }
    return !isCancelled()
  }

  private func take(field line: Slice<UnsafeBufferPointer<UInt8>>) {
    func text(_ bytes: some Collection<UInt8>) -> String {
      let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
      let trimmed = Array(Array(bytes.drop(while: isBlank)).reversed().drop(while: isBlank))
      return String(decoding: trimmed.reversed(), as: UTF8.self)
    }
    if line.first == 0x20 || line.first == 0x09 {
      headers.continueLast(text(line))
    } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
      headers.append(text(line[..<colon]), text(line[line.index(after: colon)...]))
    }
  }

  private static func status(of line: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    let words = line.split(separator: 0x20, maxSplits: 2)
    return words.count > 1 ? Int(String(decoding: words[1], as: UTF8.self)) : nil
  }

  /// Takes decompressed bytes of the body.
  private func takeBody(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    lastMoved = .now
    guard bytes.count <= maximumBodyBytes - body.count else {
      excess = .body
      return false
    }
    body.append(contentsOf: bytes)
    return !isCancelled()
  }

  /// Takes the number of bytes transferred in both directions.
  private func takeProgress(_ moved: Int64) -> Bool {
    if moved != self.moved {
      self.moved = moved
      lastMoved = .now
    }
    return !isCancelled()
  }

  /// Restarts the measurement of the stall time.
  func restartWaiting() { lastMoved = .now }
}

private func bytes(_ start: UnsafePointer<CChar>?, _ count: Int) -> UnsafeBufferPointer<UInt8> {
  // A char and a byte have the same size and no alignment.
  UnsafeRawBufferPointer(start: start, count: count).bindMemory(to: UInt8.self)
}
