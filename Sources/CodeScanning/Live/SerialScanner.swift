internal import LinuxDevices

/// A scanner on a serial port: USB scanners in their CDC-ACM mode (`/dev/ttyACM0`), and those
/// behind a real line.
public enum SerialScanner {
  /// The speeds that a port can have, in bits a second.
  public static let speeds = SerialPort.speeds

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
    let descriptor = try SerialPort.open(
      path, .serialPort, speed: speed, calls: calls, view: view, throwing: LiveSourceError.self)
    return TextSource(
      descriptor, name: path, description: "the serial scanner \(path)",
      notes: SerialPort.mayBeTakenForModem(path, view: view)
        ? [
          "ModemManager runs, and may take the scanner for a telephone for half a minute after it "
            + "was plugged in. \(DeviceTrouble.modemManagerHint)"
        ] : [],
      lines: ByteLines(), end: .unplugged(.serialPort), quietWaitsForLine: 5)
  }
}
