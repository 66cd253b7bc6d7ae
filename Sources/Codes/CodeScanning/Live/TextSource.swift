import CliptagPlatform
import LinuxDevices
import Synchronization

/// A scanner that sends text: on a serial port, as a keyboard, or through standard input.
///
/// Created by ``SerialScanner``, ``KeyboardScanner`` and ``LineScanner``.
public final class TextSource: LiveSource {
  /// The device's path, or `-`.
  public let name: String
  /// A description of the source.
  public let description: String
  /// Notes for the user before the first code.
  public let notes: [String]

  /// The meaning of the end of the stream.
  enum End: Sendable {
    /// The input is complete: a file or a pipe.
    case endOfInput
    /// The device is gone; an incomplete line is lost.
    case unplugged(DeviceKind)
  }

  private struct State {
    var lines: any LineFinder
    var waiting: [LiveReading] = []
    var quietWaits = 0
    /// The result, set at the end of the input.
    var ended: Result<Void, LiveSourceError>?
  }

  /// The time that one wait for the device takes, in milliseconds.
  private static let interval: Int32 = 50

  private let descriptor: DeviceDescriptor
  private let end: End
  /// The number of silent waits after which a line counts as complete; `nil` for none.
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

/// A scanner on a serial port: USB scanners in CDC-ACM mode (`/dev/ttyACM0`), and those on a
/// physical line.
public enum SerialScanner {
  /// The supported speeds of a port, in bits per second.
  public static let speeds = SerialPort.speeds

  /// Opens the port in raw mode with 8 data bits, no parity and 1 stop bit, and locks it (`flock`).
  ///
  /// A code ends with a carriage return or a line feed, or with a quarter of a second of silence.
  ///
  /// - Parameters:
  ///   - path: The port's device.
  ///   - speed: One of ``speeds``; a USB scanner ignores it.
  /// - Throws: ``LiveSourceError`` if the port does not exist, may not be used, or is in use by
  ///   another program.
  public static func open(
    _ path: String, speed: Int = 115_200
  ) throws(LiveSourceError) -> TextSource {
    try open(path, speed: speed, calls: .system, view: .live)
  }

  static func open(
    _ path: String, speed: Int, calls: DeviceCalls, view: DeviceView
  ) throws(LiveSourceError) -> TextSource {
    let descriptor = try SerialPort.open(
      path, .serialPort, speed: speed, calls: calls, view: view, throwing: LiveSourceError.self)
    return TextSource(
      descriptor, name: path, description: "the serial scanner \(path)",
      notes: SerialPort.mayBeTakenForModem(path, view: view)
        ? [
          "ModemManager runs, and may occupy the scanner as a modem for half a minute after it "
            + "was plugged in. \(DeviceTrouble.modemManagerHint)"
        ] : [],
      lines: ByteLines(), end: .unplugged(.serialPort), quietWaitsForLine: 5)
  }
}

/// A scanner that types into the terminal, or any program that writes one code per line.
public enum LineScanner {
  /// Reads standard input to its end.
  public static func standardInput() -> TextSource { reading(STDIN_FILENO, isOwned: false) }

  static func reading(_ descriptor: Int32, isOwned: Bool) -> TextSource {
    TextSource(
      DeviceDescriptor(descriptor, calls: .system, isOwned: isOwned), name: "-",
      description: "standard input", lines: ByteLines(), end: .endOfInput)
  }
}
