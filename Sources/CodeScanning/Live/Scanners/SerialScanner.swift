import Glibc
import LinuxDevices

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

/// A scanner that types into the terminal, or any program that writes one code a line.
public enum LineScanner {
  /// Reads standard input to its end.
  public static func standardInput() -> TextSource { reading(STDIN_FILENO, isOwned: false) }

  static func reading(_ descriptor: Int32, isOwned: Bool) -> TextSource {
    TextSource(
      DeviceDescriptor(descriptor, calls: .system, isOwned: isOwned), name: "-",
      description: "standard input", lines: ByteLines(), end: .endOfInput)
  }
}

/// Takes a code out of what a scanner puts around it.
enum ScannerText {
  /// The reading in one line of a scanner.
  ///
  /// Control characters at both ends are the scanner's framing (STX and ETX, a tabulator) and are
  /// dropped; inside, they belong to the code, whose check will find them. An AIM symbology
  /// identifier (ISO/IEC 15424: `]`, a letter, a modifier) is dropped and tells the symbology.
  ///
  /// - Returns: `nil` when nothing is in the line.
  static func reading(_ line: [UInt8]) -> LiveReading? {
    var rest = withoutFraming(line[...])
    var symbology: DecodedCode.Symbology?
    if let identifier = Identifier(startOf: rest) {
      symbology = identifier.symbology
      rest = withoutFraming(rest.dropFirst(3))
      if identifier.escapesBackslashes { rest = withoutInterpretations(rest)[...] }
    }
    if rest.isEmpty { return nil }
    guard let text = String(validating: rest, as: UTF8.self) else {
      return .unreadable(reason: "The scanner sent \(rest.count) bytes that are not UTF-8 text.")
    }
    return .text(text, symbology: symbology)
  }

  private static func withoutFraming(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = bytes
    while let first = rest.first, first < 0x20 || first == 0x7F { rest.removeFirst() }
    while let last = rest.last, last < 0x20 || last == 0x7F { rest.removeLast() }
    return rest
  }

  /// Undoes the protocol of extended channel interpretations: `\000026` announces a character set,
  /// and a backslash of the code is sent twice.
  private static func withoutInterpretations(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let backslash = UInt8(ascii: "\\")
    var text: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      if byte == backslash, rest.first == backslash {
        rest.removeFirst()
      } else if byte == backslash, rest.prefix(6).count(where: isDigit) == 6 {
        rest.removeFirst(6)
        continue
      }
      text.append(byte)
    }
    return text
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// An AIM symbology identifier.
  private struct Identifier {
    private let letter: UInt8
    private let modifier: UInt8

    init?(startOf bytes: ArraySlice<UInt8>) {
      let start = Array(bytes.prefix(3))
      guard start.count == 3, start[0] == UInt8(ascii: "]"),
        Character(Unicode.Scalar(start[1])).isASCIILetter,
        Character(Unicode.Scalar(start[2])).isASCIILetter || isDigit(start[2])
      else { return nil }
      (letter, modifier) = (start[1], start[2])
    }

    var symbology: DecodedCode.Symbology {
      switch (letter, modifier) {
      case (UInt8(ascii: "Q"), _): .qr
      case (UInt8(ascii: "C"), _): .code128
      case (UInt8(ascii: "G"), _): .code93
      case (UInt8(ascii: "E"), UInt8(ascii: "4")): .ean8
      case (UInt8(ascii: "E"), _): .ean13
      default: DecodedCode.Symbology(rawValue: "aim-\(Character(Unicode.Scalar(letter)))")
      }
    }

    /// QR Code with extended channel interpretations (ISO/IEC 18004:2015, annex F).
    var escapesBackslashes: Bool {
      letter == UInt8(ascii: "Q") && [0x32, 0x34, 0x36].contains(modifier)
    }
  }
}

extension Character {
  fileprivate var isASCIILetter: Bool { isASCII && isLetter }
}
