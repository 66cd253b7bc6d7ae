import Glibc
import LinuxDevices
import Synchronization

/// A scanner that sends text: on a serial port, as a keyboard, or through standard input.
///
/// Made by ``SerialScanner``, ``KeyboardScanner`` and ``LineScanner``.
public final class TextSource: LiveSource {
  /// The device's path, or `-`.
  public let name: String
  /// What it is.
  public let description: String
  /// What the user should know before the first code comes.
  public let notes: [String]

  /// What the end of the stream means.
  enum End: Sendable {
    /// There is no more: a file or a pipe.
    case endOfInput
    /// The device is gone; half a line with it.
    case unplugged(DeviceKind)
  }

  private struct State {
    var lines: any LineFinder
    var waiting: [LiveReading] = []
    var quietWaits = 0
    /// Set when nothing more will come.
    var ended: Result<Void, LiveSourceError>?
  }

  /// How long the device is waited for before the caller is asked again, in milliseconds.
  private static let interval: Int32 = 50

  private let descriptor: DeviceDescriptor
  private let end: End
  /// After how many waits in silence a line counts as whole, although nothing ended it; `nil` never.
  private let quietWaitsForLine: Int?
  private let state: Mutex<State>

  init(
    _ descriptor: DeviceDescriptor, name: String, description: String, notes: [String] = [],
    lines: any LineFinder, end: End, quietWaitsForLine: Int? = nil
  ) {
    self.descriptor = descriptor
    self.name = name
    self.description = description
    self.notes = notes
    self.end = end
    self.quietWaitsForLine = quietWaitsForLine
    state = Mutex(State(lines: lines))
  }

  /// Waits for the next line; see ``LiveSource/next(while:)``.
  public func next(while isWanted: () -> Bool) throws(LiveSourceError) -> LiveReading? {
    while isWanted() {
      let outcome = state.withLock { state in step(&state) }
      switch outcome {
      case .reading(let reading): return reading
      case .waited: continue
      case .ended(let result):
        try result.get()
        return nil
      }
    }
    return nil
  }

  private enum Step: Sendable {
    case reading(LiveReading)
    case waited
    case ended(Result<Void, LiveSourceError>)
  }

  private func step(_ state: inout State) -> Step {
    if !state.waiting.isEmpty { return .reading(state.waiting.removeFirst()) }
    if let ended = state.ended { return .ended(ended) }
    let input = descriptor.input(within: Self.interval)
    if case .quiet = input {
      state.quietWaits += 1
      if state.quietWaits == quietWaitsForLine { add(state.lines.finish(), to: &state) }
      return .waited
    }
    state.quietWaits = 0
    switch input {
    case .bytes(let bytes): add(state.lines.take(bytes), to: &state)
    case .end:
      if case .endOfInput = end {
        add(state.lines.finish(), to: &state)
        state.ended = .success(())
      } else {
        state.ended = .failure(failed(0))
      }
    case .failed(let number): state.ended = .failure(failed(number))
    case .quiet: break
    }
    return .waited
  }

  private func add(_ lines: [ScannedLine], to state: inout State) {
    for line in lines {
      switch line {
      case .bytes(let bytes):
        if let reading = ScannerText.reading(bytes) { state.waiting.append(reading) }
      case .damaged(let reason): state.waiting.append(.unreadable(reason: reason))
      case .leave:
        state.ended = .success(())
        return
      }
    }
  }

  private func failed(_ number: Int32) -> LiveSourceError {
    if case .unplugged(let kind) = end { return DeviceTrouble.reading(name, kind, number) }
    return DeviceTrouble.failed(name, number)
  }
}

/// What a scanner sent between two ends of line.
enum ScannedLine: Hashable, Sendable {
  /// Something that may be a code.
  case bytes([UInt8])
  /// Something of which a part is lost or is no text; why, in a sentence.
  case damaged(String)
  /// The wish to leave.
  case leave

  /// More bytes than any code holds: QR version 40 takes 7,089 digits or 2,953 bytes.
  static let longest = 8192

  static let tooLong = ScannedLine.damaged(
    "The scanner sent more than \(longest) bytes without an end of line.")
}

/// Finds the lines in what a device sends, however it is cut into pieces.
protocol LineFinder: Sendable {
  /// Takes the next piece.
  mutating func take(_ bytes: some Sequence<UInt8>) -> [ScannedLine]
  /// Takes what has come so far for a whole line.
  mutating func finish() -> [ScannedLine]
}

/// Lines of bytes, ended by a carriage return, a line feed or both.
struct ByteLines: LineFinder {
  private var line: [UInt8] = []
  private var isTooLong = false

  mutating func take(_ bytes: some Sequence<UInt8>) -> [ScannedLine] {
    var lines: [ScannedLine] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") {
        lines += finish()
      } else if line.count < ScannedLine.longest {
        line.append(byte)
      } else {
        isTooLong = true
      }
    }
    return lines
  }

  mutating func finish() -> [ScannedLine] {
    defer {
      line = []
      isTooLong = false
    }
    if isTooLong { return [ScannedLine.tooLong] }
    return line.isEmpty ? [] : [.bytes(line)]
  }
}
