/// A serial port with the operations needed to repair a chip's speed.
struct SerialLink {
  /// Sets the port's speed in baud; returns `false` if the port does not support it.
  var setSpeed: (Int) -> Bool
  /// Sends bytes.
  var write: ([UInt8]) -> Void
  /// Reads bytes until a short silence, at most for some milliseconds.
  var read: (_ milliseconds: Int32) -> [UInt8]
}

/// Finds a PN532 that another program left at another speed, and resets it.
///
/// libnfc never changes the speed of the chip, and nfcpy sets it to 921,600 baud; a killed program
/// then leaves a chip that libnfc cannot reach until it loses power.
struct SpeedRepair {
  /// The result of a repair.
  enum Finding: Equatable {
    /// The chip answers at the wanted speed.
    case right
    /// The chip answered at another speed and now answers at the wanted one.
    case repaired(from: Int)
    /// The chip answered at another speed, but no longer after the change.
    case lost(at: Int)
    /// No chip answers at any speed.
    case silent
  }

  /// The speeds and their codes in SetSerialBaudRate (UM0701-02, 7.2.7), the likely ones first.
  static let speeds: [(baud: Int, code: UInt8)] = [
    (921_600, 7), (460_800, 6), (230_400, 5), (57_600, 3), (38_400, 2), (19_200, 1), (9600, 0),
    (115_200, 4),
  ]
  private static let wanted = 115_200
  private static let acknowledgement: [UInt8] = [0x00, 0x00, 0xFF, 0x00, 0xFF, 0x00]
  /// The bytes that wake a chip from power-down (UM0701-02, 7.2.11, and libnfc).
  private static let wakeUp: [UInt8] = [0x55, 0x55] + Array(repeating: 0, count: 14)

  let link: SerialLink

  /// Sets the chip to 115,200 baud, or to another requested speed.
  func run(wanted: Int = wanted) -> Finding {
    guard let code = Self.speeds.first(where: { $0.baud == wanted })?.code else { return .silent }
    if answers(at: wanted) { return .right }
    for (baud, _) in Self.speeds where baud != wanted && answers(at: baud) {
      let response = exchange([0x10, code])
      guard response.contains(frameOf: 0x11) else { return .lost(at: baud) }
      // The chip changes its speed after the response has been acknowledged.
      link.write(Self.acknowledgement)
      _ = link.read(20)
      return answers(at: wanted) ? .repaired(from: baud) : .lost(at: baud)
    }
    return .silent
  }

  /// Returns `true` if the chip answers SAMConfiguration at a speed. The command changes nothing
  /// and must be the first after waking up.
  private func answers(at baud: Int) -> Bool {
    guard link.setSpeed(baud) else { return false }
    _ = link.read(0)
    link.write(Self.wakeUp)
    return exchange([0x14, 0x01]).contains(frameOf: 0x15)
  }

  private func exchange(_ command: [UInt8]) -> [UInt8] {
    let data = [0xD4] + command
    let length = UInt8(data.count)
    let sum = data.reduce(0, &+)
    link.write([0x00, 0x00, 0xFF, length, 0 &- length] + data + [0 &- sum, 0x00])
    return link.read(200)
  }
}

extension [UInt8] {
  /// Returns `true` if the bytes contain the beginning of a response frame with this code: `D5`,
  /// code.
  fileprivate func contains(frameOf code: UInt8) -> Bool {
    zip(self, dropFirst()).contains { $0 == 0xD5 && $1 == code }
  }
}

import CliptagPlatform

extension SerialLink {
  /// Makes a link over an open serial port, which is set to raw eight-bit mode.
  init(_ port: PortLock) {
    let descriptor = port.descriptor
    setSpeed = { baud in
      guard let speed = Self.constant(baud) else { return false }
      var settings = termios()
      guard tcgetattr(descriptor, &settings) == 0 else { return false }
      cfmakeraw(&settings)
      settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
      guard cfsetspeed(&settings, speed) == 0 else { return false }
      return tcsetattr(descriptor, TCSANOW, &settings) == 0
    }
    write = { bytes in
      // A serial port takes the few bytes of a frame in one call.
      _ = bytes.withUnsafeBytes { writeOnce(descriptor, $0) }
      tcdrain(descriptor)
    }
    read = { milliseconds in
      var bytes: [UInt8] = []
      var piece = [UInt8](repeating: 0, count: 512)
      var patience = milliseconds
      while bytes.count < 4096 {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, patience) > 0 else { return bytes }
        let count = piece.withUnsafeMutableBytes { readOnce(descriptor, $0) }
        guard count > 0 else { return bytes }
        bytes += piece.prefix(count)
        // An acknowledgement may arrive some time before the response.
        patience = min(milliseconds, 100)
      }
      return bytes
    }
  }

  private static func constant(_ baud: Int) -> speed_t? {
    let constants: [Int: Int32] = [
      9600: B9600, 19_200: B19200, 38_400: B38400, 57_600: B57600, 115_200: B115200,
      230_400: B230400, 460_800: B460800, 921_600: B921600,
    ]
    return constants[baud].map(speed_t.init)
  }
}

/// The system's functions, which the properties of the same names hide.
private func writeOnce(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

private func readOnce(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, bytes.baseAddress, bytes.count)
}
