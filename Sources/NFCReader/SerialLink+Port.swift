#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension SerialLink {
  /// A link over an open serial port, which is set to eight bits without any translation.
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
      // A port takes the few bytes of a frame at once, or it is none.
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
        // An acknowledgement may come some time before the answer.
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
