import CliptagBasics
import CliptagPlatform
import Dispatch
import Foundation
import Synchronization

/// The look-up of a host's addresses, for which the system has no deadline.
enum HostLookup {
  /// Looks a name up; blocks for as long as the system takes.
  typealias LookUp = @Sendable (_ name: String) -> Result<[String], ServerTrouble>

  /// Returns whether a host is an address already, which needs no look-up.
  static func isAddress(_ name: String) -> Bool {
    if case .success = find(name, flags: AI_NUMERICHOST) { true } else { false }
  }

  /// The system's own look-up.
  static let system: LookUp = { find($0, flags: 0) }

  /// Returns the addresses of a name, in the order in which to try them.
  ///
  /// - Parameters:
  ///   - name: The host's name.
  ///   - patience: The longest time to wait. The look-up itself cannot be cancelled; its thread
  ///     ends when it returns.
  ///   - lookUp: Looks the name up.
  /// - Throws: ``ServerTrouble`` for a name without an address, and after the time limit.
  static func addresses(
    of name: String, within patience: Duration, by lookUp: @escaping LookUp = system
  ) throws(ServerTrouble) -> [String] {
    let answer = Answer()
    Thread.detachNewThread { answer.give(lookUp(name)) }
    guard let found = answer.wait(atMost: patience) else {
      let seconds = (patience / .seconds(1) * 10).rounded() / 10
      throw ServerTrouble(
        state: ServerTrouble.State.silent,
        message: "the address of the host \(name) was not found within \(seconds) seconds",
        isLost: true)
    }
    return try found.get()
  }

  /// The result of a look-up, passed from its thread to the caller that waits.
  private final class Answer: Sendable {
    private let found = Mutex<Result<[String], ServerTrouble>?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    func give(_ result: Result<[String], ServerTrouble>) {
      found.withLock { $0 = result }
      isThere.signal()
    }

    func wait(atMost patience: Duration) -> Result<[String], ServerTrouble>? {
      let milliseconds = Int(bounded: min(86_400_000, max(0, patience / .milliseconds(1))))
      guard isThere.wait(timeout: .now() + .milliseconds(milliseconds)) == .success else {
        return nil
      }
      return found.withLock { $0 }
    }
  }

  private static func find(_ name: String, flags: Int32) -> Result<[String], ServerTrouble> {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = flags
    var list: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(name, nil, &hints, &list)
    defer { if let list { freeaddrinfo(list) } }
    guard status == 0 else {
      let reason = gai_strerror(status).map { String(cString: $0) } ?? "error \(status)"
      return .failure(
        ServerTrouble(
          state: "", message: "the host \(name) has no address: \(reason)", isLost: true))
    }
    var addresses: [String] = []
    var next = list
    while let one = next?.pointee {
      next = one.ai_next
      var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      guard
        getnameinfo(
          one.ai_addr, one.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
      else { continue }
      let address = String(
        decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      if !addresses.contains(address) { addresses.append(address) }
    }
    return .success(addresses)
  }
}
