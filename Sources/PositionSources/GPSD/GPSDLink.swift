internal import Glibc
internal import LinuxDevices

/// A TCP connection to gpsd. All but ``send(_:)`` block, and are called on the source's queue.
struct GPSDLink: Sendable {
  /// Why there is no connection.
  enum Failure: Error, Sendable {
    /// The name has no address; the resolver's words.
    case unknownHost(String)
    /// No address accepts; the last one's `errno`.
    case refused(Int32)
    /// Nobody waits any more.
    case unwanted
  }

  private let descriptor: DeviceDescriptor

  /// Connects to the first address of the host that accepts.
  static func open(
    _ address: GPSDAddress, while wanted: BlockingQueue.Wanted
  ) -> Result<GPSDLink, Failure> {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let problem = getaddrinfo(address.host, "\(address.port)", &hints, &list)
    guard problem == 0 else {
      return .failure(.unknownHost(String(cString: gai_strerror(problem))))
    }
    defer { freeaddrinfo(list) }
    var failure = Failure.refused(ECONNREFUSED)
    var next = list
    while let info = next {
      switch connect(info.pointee, while: wanted) {
      case .success(let link): return .success(link)
      case .failure(.unwanted): return .failure(.unwanted)
      case .failure(let other): failure = other
      }
      next = info.pointee.ai_next
    }
    return .failure(failure)
  }

  private static func connect(
    _ info: addrinfo, while wanted: BlockingQueue.Wanted
  ) -> Result<GPSDLink, Failure> {
    let kind = info.ai_socktype | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let number = socket(info.ai_family, kind, info.ai_protocol)
    guard number >= 0 else { return .failure(.refused(errno)) }
    let link = GPSDLink(descriptor: DeviceDescriptor(number, calls: .system))
    guard Glibc.connect(number, info.ai_addr, info.ai_addrlen) != 0 else { return .success(link) }
    guard errno == EINPROGRESS else { return .failure(.refused(errno)) }
    while wanted.isSet {
      var waiting = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
      guard poll(&waiting, 1, BlockingQueue.interval) > 0 else { continue }
      var outcome: Int32 = 0
      var size = socklen_t(MemoryLayout<Int32>.size)
      getsockopt(number, SOL_SOCKET, SO_ERROR, &outcome, &size)
      return outcome == 0 ? .success(link) : .failure(.refused(outcome))
    }
    return .failure(.unwanted)
  }

  /// Waits for input; `.quiet` when nobody waits any more.
  func input(while wanted: BlockingQueue.Wanted) -> DeviceInput {
    while wanted.isSet {
      let input = descriptor.input(within: BlockingQueue.interval)
      if case .quiet = input { continue }
      return input
    }
    return .quiet
  }

  /// Sends a command; it is short, so that the system takes it whole or not at all.
  ///
  /// - Returns: Whether the system took it.
  func send(_ command: String) -> Bool {
    let bytes = Array((command + "\n").utf8)
    return Glibc.send(descriptor.number, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      == bytes.count
  }
}
