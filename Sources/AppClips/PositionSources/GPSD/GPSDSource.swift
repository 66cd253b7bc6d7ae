import CliptagBasics
import CliptagPlatform
public import Invocation
import LinuxDevices

/// A source of positions from gpsd, over its JSON protocol on TCP.
///
/// The first connection must succeed. A connection that is lost later is re-established, after a
/// wait that doubles from 1 to 30 seconds until a report arrives. Broken lines are counted and
/// skipped. There is no time limit for a silent receiver.
public actor GPSDSource<Time: Clock>: PositionSource where Time.Duration == Duration {
  /// The address of gpsd.
  public nonisolated let address: GPSDAddress
  /// The description for messages.
  public nonisolated var description: String { "gpsd at \(address)" }
  /// The address.
  public nonisolated var name: String { address.description }
  /// The kind of origin: gpsd.
  public nonisolated var kind: PositionOrigin.Kind { .gpsd }

  /// The time limit for gpsd to accept a connection, to greet and to answer a request.
  private static var answerLimit: Duration { .seconds(5) }
  private static var longestWait: Duration { .seconds(30) }
  private static var watch: String { #"?WATCH={"enable":true,"json":true};"# }

  private let clock: Time
  private let queue = BlockingQueue("PositionSources.GPSD")
  private var link: GPSDLink?
  private var lines = LineAssembler(longest: GPSDMessage.longestLine)
  private var waiting: [PositionEvent] = []
  private var polled: [PositionReport]?
  private var hasBeenGreeted = false
  private var nextWait = Duration.seconds(1)

  /// Creates a source that connects on first use.
  ///
  /// - Parameters:
  ///   - address: The address of gpsd.
  ///   - clock: The clock for waits and limits.
  public init(_ address: GPSDAddress = .standard, clock: Time) {
    self.address = address
    self.clock = clock
  }

  /// Connects and reads the greeting.
  ///
  /// - Throws: ``PositionError/Code/noGPSD`` or ``PositionError/Code/notGPSD``; a cancelled task
  ///   waits 100 ms at most, except during the look-up of the host name.
  public func open() async throws(PositionError) {
    if link == nil { try await connect() }
  }

  /// Waits for the next event.
  public func next() async throws(PositionError) -> PositionEvent? {
    while true {
      if Task.isCancelled { throw .cancelled(description) }
      if !waiting.isEmpty { return waiting.removeFirst() }
      try await advance()
    }
  }

  /// Requests the last known position of each receiver from gpsd (`?POLL;`).
  ///
  /// - Returns: One report per receiver; it may be old, and is empty for a receiver that has just
  ///   been switched on.
  /// - Throws: ``PositionError/Code/notGPSD`` if there is no answer.
  package func poll() async throws(PositionError) -> [PositionReport] {
    try await open()
    polled = nil
    guard link?.send("?POLL;") == true else { throw silent("does not accept a request") }
    while true {
      if let polled { return polled }
      guard let link else { throw silent("ended the connection before a response") }
      let input = await queue.run(for: Self.answerLimit, on: clock) { link.input(while: $0) }
      if Task.isCancelled { throw .cancelled(description) }
      if case .quiet = input { throw silent("does not respond") }
      take(input)
    }
  }

  // MARK: Reading

  /// Connects if there is no connection; otherwise reads the next input.
  private func advance() async throws(PositionError) {
    guard let link else {
      do throws(PositionError) {
        if hasBeenGreeted { try await pause() }
        try await connect()
      } catch {
        guard hasBeenGreeted, error.code != .cancelled else { throw error }
        waiting.append(.disconnected(error.message))
      }
      return
    }
    take(await queue.run { link.input(while: $0) })
  }

  private func take(_ input: DeviceInput) {
    switch input {
    case .quiet: break
    case .bytes(let bytes): for line in lines.take(bytes) { take(line) }
    case .end: disconnect("gpsd ended the connection")
    case .failed(let number): disconnect(systemMessage(number))
    }
  }

  private func take(_ line: LineAssembler.Line) {
    guard case .bytes(let bytes) = line, let message = GPSDMessage(line: bytes, source: name) else {
      waiting.append(.broken)
      return
    }
    switch message {
    case .position(let report):
      nextWait = .seconds(1)
      waiting.append(.report(report))
    case .satellites(let used, let seen): waiting.append(.satellites(used: used, seen: seen))
    case .poll(let reports): polled = reports
    case .version, .devices, .device, .watch, .error, .other: break
    }
  }

  // MARK: Connecting

  private func pause() async throws(PositionError) {
    do {
      try await clock.sleep(for: nextWait)
    } catch {
      throw .cancelled(description)
    }
    nextWait = min(nextWait * 2, Self.longestWait)
  }

  private func disconnect(_ reason: String) {
    link = nil
    lines.reset()
    waiting.append(.disconnected(reason))
  }

  private func connect() async throws(PositionError) {
    let (address, limit) = (address, Self.answerLimit)
    let opened = await queue.run(for: limit, on: clock) { GPSDLink.open(address, while: $0) }
    if Task.isCancelled { throw .cancelled(description) }
    let link: GPSDLink
    switch opened {
    case .success(let new): link = new
    case .failure(let failure): throw unreachable(failure)
    }
    lines.reset()
    try await hearGreeting(over: link)
    guard link.send(Self.watch) else { throw silent("ended the connection after its greeting") }
    self.link = link
    hasBeenGreeted = true
  }

  private func hearGreeting(over link: GPSDLink) async throws(PositionError) {
    // One limit for the whole line: bytes that come now and then do not extend it.
    let heard = await queue.run(for: Self.answerLimit, on: clock) {
      [lines] wanted -> (input: DeviceInput, lines: [LineAssembler.Line], rest: LineAssembler) in
      var rest = lines
      while true {
        let input = link.input(while: wanted)
        guard case .bytes(let bytes) = input else { return (input, [], rest) }
        let lines = rest.take(bytes)
        if !lines.isEmpty { return (input, lines, rest) }
      }
    }
    if Task.isCancelled { throw .cancelled(description) }
    switch heard.input {
    case .quiet: throw silent("accepts the connection without a response")
    case .end, .failed: throw silent("ends the connection without a greeting")
    case .bytes: lines = heard.rest
    }
    guard case .bytes(let greeting)? = heard.lines.first,
      case .version(let release, let major, _) = GPSDMessage(line: greeting, source: name)
    else { throw silent("does not send gpsd's greeting") }
    guard major == 3 else {
      throw PositionError(
        .notGPSD, source: name,
        message: "gpsd \(release ?? "of unknown release") at \(address) uses version "
          + "\(major.map(String.init) ?? "unknown") of its protocol, not 3.",
        hint: "Install gpsd 3.0 or newer.")
    }
    for line in heard.lines.dropFirst() { take(line) }
  }

  private func unreachable(_ failure: GPSDLink.Failure) -> PositionError {
    let reason =
      switch failure {
      case .unknownHost(let words): words
      case .refused(let number): systemMessage(number)
      case .unwanted: "no response within \(Self.answerLimit.components.seconds) s"
      }
    return PositionError(
      .noGPSD, source: name, message: "No gpsd responds at \(address): \(reason).",
      hint:
        "Start it with the receiver's device, for example gpsd -n /dev/ttyACM0, or give another "
        + "HOST:PORT.")
  }

  private func silent(_ verb: String) -> PositionError {
    PositionError(
      .notGPSD, source: name, message: "The server at \(address) \(verb).",
      hint: "Give the host and port of a gpsd; the usual port is 2947.")
  }
}

extension GPSDSource where Time == ContinuousClock {
  /// Creates a source with the system's clock.
  public init(_ address: GPSDAddress = .standard) {
    self.init(address, clock: ContinuousClock())
  }
}

/// A TCP connection to gpsd. All methods except ``send(_:)`` block, and are called on the source's
/// queue.
private struct GPSDLink: Sendable {
  /// The reason for a missing connection.
  enum Failure: Error, Sendable {
    /// The host name has no address; the value is the resolver's message.
    case unknownHost(String)
    /// No address accepts; the value is the `errno` of the last one.
    case refused(Int32)
    /// The connection is no longer wanted.
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
    guard CliptagPlatform.connect(number, info.ai_addr, info.ai_addrlen) != 0 else {
      return .success(link)
    }
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

  /// Waits for input; returns `.quiet` when the input is no longer wanted.
  func input(while wanted: BlockingQueue.Wanted) -> DeviceInput {
    while wanted.isSet {
      let input = descriptor.input(within: BlockingQueue.interval)
      if case .quiet = input { continue }
      return input
    }
    return .quiet
  }

  /// Sends a command, which is short enough that the system accepts it whole or not at all.
  ///
  /// - Returns: Whether the system accepted it.
  func send(_ command: String) -> Bool {
    let bytes = Array((command + "\n").utf8)
    return CliptagPlatform.send(descriptor.number, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      == bytes.count
  }
}

/// Returns the system's message for an `errno`.
private func systemMessage(_ number: Int32) -> String { String(cString: strerror(number)) }
