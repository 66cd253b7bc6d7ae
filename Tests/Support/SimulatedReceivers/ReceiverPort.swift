import CliptagPlatform

/// The receiver's end of a serial port. Never blocks; the client's end stays open, so that what is
/// sent before a client comes is kept for it.
package final class ReceiverPort: Sendable {
  package let path: String
  private let device: Int32
  private let port: Int32

  package init() throws {
    var (device, port): (Int32, Int32) = (-1, -1)
    var name = [CChar](repeating: 0, count: 128)
    guard openpty(&device, &port, &name, nil, nil) == 0 else { throw FakeGPSD.Failure() }
    var mode = termios()
    tcgetattr(port, &mode)
    cfmakeraw(&mode)
    tcsetattr(port, TCSANOW, &mode)
    // Started by root, gpsd becomes another user before it opens the device.
    fchmod(port, 0o666)
    _ = fcntl(device, F_SETFL, O_NONBLOCK)
    // A child that inherited it would keep the line up.
    for descriptor in [device, port] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    (self.device, self.port) = (device, port)
  }

  package func send(_ text: String) { _ = write(device, text, text.utf8.count) }

  /// Drops what the client has sent.
  package func forget() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    _ = read(device, &bytes, bytes.count)
  }

  /// Hangs up.
  package func unplug() {
    close(port)
    close(device)
  }
}
