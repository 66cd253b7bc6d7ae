import Glibc

/// A server on this machine that nobody should call, and that tells whether somebody did.
final class LoopbackListener {
  struct NoSocket: Error {}

  /// Where it listens, on 127.0.0.1.
  let port: Int
  private let descriptor: Int32

  init() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
    self.descriptor = descriptor
    guard descriptor >= 0 else { throw NoSocket() }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    port = Int(UInt16(bigEndian: address.sin_port))
    guard listening else { throw NoSocket() }
  }

  deinit { close(descriptor) }

  /// Whether anybody has connected since the last time.
  func wasAsked() -> Bool {
    let caller = accept(descriptor, nil, nil)
    if caller >= 0 { close(caller) }
    return caller >= 0
  }
}
