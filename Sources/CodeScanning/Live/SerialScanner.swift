internal import Glibc

/// A scanner on a serial port: USB scanners in their CDC-ACM mode (`/dev/ttyACM0`), and those
/// behind a real line.
public enum SerialScanner {
  /// The speeds that a port can have, in bits a second.
  public static let speeds = [1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400]

  /// Opens the port raw, with 8 data bits, no parity and 1 stop bit, and locks it (`flock`).
  ///
  /// A code ends with a carriage return or a line feed, or with a quarter of a second of silence.
  ///
  /// - Parameters:
  ///   - path: The port's device.
  ///   - speed: One of ``speeds``; a USB scanner ignores it.
  /// - Throws: When there is no such port, it may not be used, or another program has it.
  public static func open(
    _ path: String, speed: Int = 115_200
  ) throws(LiveSourceError) -> TextSource {
    try open(path, speed: speed, calls: .system, view: .live)
  }

  static func open(
    _ path: String, speed: Int, calls: DeviceCalls, view: DeviceView
  ) throws(LiveSourceError) -> TextSource {
    // Non-blocking: a modem line that is not ready must not hold us up.
    let number = calls.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK)
    guard number >= 0 else { throw DeviceTrouble.opening(path, .serialPort, -number, view) }
    let descriptor = DeviceDescriptor(number, calls: calls)
    guard isatty(number) == 1 else { throw DeviceTrouble.wrong(path, .serialPort, view) }
    // The lock that other serial programs honour; it ends with the descriptor.
    guard flock(number, LOCK_EX | LOCK_NB) == 0 else { throw DeviceTrouble.busy(path, view) }
    let failure = makeRaw(number, speed: speed)
    guard failure == 0 else { throw DeviceTrouble.failed(path, failure) }
    let mayBeModem = view.resolve(path).contains("ttyACM") && view.runs("ModemManager")
    return TextSource(
      descriptor, name: path, description: "the serial scanner \(path)",
      notes: mayBeModem
        ? [
          "ModemManager runs, and may take the scanner for a telephone for half a minute after it "
            + "was plugged in. \(DeviceTrouble.modemManagerRemedy)"
        ] : [],
      lines: ByteLines(), end: .unplugged(.serialPort), quietWaitsForLine: 5)
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
