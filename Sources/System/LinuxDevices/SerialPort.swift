import CliptagPlatform

/// Serial ports: USB devices in CDC-ACM mode (`/dev/ttyACM0`) and physical lines.
package enum SerialPort {
  /// The supported speeds, in bits per second.
  package static let speeds = [
    1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400,
  ]

  /// Opens a port in raw mode with 8 data bits, no parity and 1 stop bit, and locks it (`flock`).
  ///
  /// - Parameters:
  ///   - path: The port's device.
  ///   - kind: The kind of device expected there.
  ///   - speed: One of ``speeds``; a USB device ignores it.
  ///   - calls: The kernel's calls, or a simulation.
  ///   - view: The view of the machine that is searched for the reason of a failure.
  ///   - Failure: The error type that reports a failure.
  package static func open<Failure: DeviceError>(
    _ path: String, _ kind: DeviceKind, speed: Int, calls: DeviceCalls = .system,
    view: DeviceView = .live, throwing _: Failure.Type
  ) throws(Failure) -> DeviceDescriptor {
    // Non-blocking: a modem line that is not ready must not block the call.
    let number = calls.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK)
    guard number >= 0 else { throw DeviceTrouble.opening(path, kind, -number, view) }
    let descriptor = DeviceDescriptor(number, calls: calls)
    guard isatty(number) == 1 else { throw DeviceTrouble.wrong(path, kind, view) }
    // The lock that other serial programs honour; it is released with the descriptor.
    guard flock(number, LOCK_EX | LOCK_NB) == 0 else { throw DeviceTrouble.busy(path, view) }
    let failure = makeRaw(number, speed: speed)
    guard failure == 0 else { throw DeviceTrouble.failed(path, failure) }
    return descriptor
  }

  /// Returns whether ModemManager is running and may take the device for a modem.
  package static func mayBeTakenForModem(_ path: String, view: DeviceView = .live) -> Bool {
    view.resolve(path).contains("ttyACM") && view.runs("ModemManager")
  }

  /// Sets the port's mode; returns 0 or an `errno`.
  private static func makeRaw(_ descriptor: Int32, speed: Int) -> Int32 {
    var mode = termios()
    guard tcgetattr(descriptor, &mode) == 0 else { return errno }
    cfmakeraw(&mode)
    mode.c_cflag |= tcflag_t(CLOCAL | CREAD)
    mode.c_cflag &= ~tcflag_t(CSTOPB)
    cfsetspeed(&mode, code(of: speed))
    return tcsetattr(descriptor, TCSANOW, &mode) == 0 ? 0 : errno
  }

  private static func code(of speed: Int) -> speed_t {
    let codes = [B1200, B2400, B4800, B9600, B19200, B38400, B57600, B115200, B230400]
    return speeds.firstIndex(of: speed).map { speed_t(codes[$0]) } ?? speed_t(B115200)
  }
}
