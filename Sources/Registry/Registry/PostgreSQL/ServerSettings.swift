import CliptagBasics
import CliptagPlatform
import CPostgreSQL
import Foundation

/// The connection settings of a server: libpq's reading of an address, services and the
/// environment, with further requirements for each host.
///
/// A host other than this machine must show a certificate of its name that an authority vouches
/// for, unless `sslmode` is set to something other than `prefer`. Only a verified server gets a
/// password that it requests in clear.
struct ServerSettings {
  private let parameters: [(name: String, value: String)]
  private let values: [String: String]
  private let hasPassword: Bool

  /// The first version of libpq that can restrict the server's authentication methods
  /// (`require_auth`).
  private static let refusesClearPasswords = 160_000

  /// Opens libpq and asks it for the settings, without connecting.
  ///
  /// - Throws: ``ServerTrouble`` if there is no libpq, or for an address that it does not understand.
  init(_ address: ServerAddress) throws {
    if let why = cpostgresql_load() {
      throw ServerTrouble(
        state: ServerTrouble.State.noLibrary, message: String(cString: why), isLost: true)
    }
    parameters = address.parameters
    // libpq refuses this value after it has determined the settings and before it connects.
    let probe = "gssencmode"
    let handle = Self.start(parameters + [(name: probe, value: "-")])
    defer { cpostgresql_finish(handle) }
    let message = String(cString: cpostgresql_error(handle))
    guard message.contains(probe) else {
      throw ServerTrouble(state: "", message: message, isLost: true)
    }
    var bytes = [CChar](repeating: 0, count: 1 << 16)
    let count = cpostgresql_settings_in_effect(handle, &bytes, bytes.count)
    guard (0...bytes.count).contains(count) else {
      throw ServerTrouble(state: "", message: "the address is too long", isLost: true)
    }
    let texts = bytes.prefix(count).split(separator: 0, omittingEmptySubsequences: false)
      .dropLast().map { String(decoding: $0.map { UInt8(bitPattern: $0) }, as: UTF8.self) }
    var values: [String: String] = [:]
    for index in stride(from: 0, to: texts.count - 1, by: 2) where !texts[index + 1].isEmpty {
      values[texts[index]] = texts[index + 1]
    }
    self.values = values
    hasPassword = cpostgresql_has_password(handle)
  }

  private static func start(_ parameters: [(name: String, value: String)]) -> Int {
    withCStrings(parameters.map(\.name)) { names in
      withCStrings(parameters.map(\.value)) { values in cpostgresql_start(names, values) }
    }
  }

  // MARK: Hosts

  private struct Host {
    var name: String?
    var address: String?
    var port: String?

    /// A Boolean value that indicates whether the connection leaves this machine.
    var isElsewhere: Bool {
      guard let place = address ?? name, !isSocket, place != "localhost", place != "::1" else {
        return false
      }
      let numbers = place.split(separator: ".", omittingEmptySubsequences: false)
      return numbers.count != 4 || numbers[0] != "127" || numbers.contains { UInt8($0) == nil }
    }

    /// A Boolean value that indicates whether the host is a folder with a socket, libpq's choice
    /// for a missing name.
    var isSocket: Bool {
      guard let place = address ?? name else { return true }
      return place.hasPrefix("/") || place.hasPrefix("@")
    }
  }

  /// The named hosts, in order; one without a name if there are none.
  private var hosts: [Host] {
    func list(_ name: String) -> [String?] {
      (values[name]?.split(separator: ",", omittingEmptySubsequences: false) ?? [])
        .map { $0.isEmpty ? nil : String($0) }
    }
    let (names, addresses, ports) = (list("host"), list("hostaddr"), list("port"))
    return (0..<max(1, names.count, addresses.count)).map { index in
      Host(
        name: index < names.count ? names[index] : nil,
        address: index < addresses.count ? addresses[index] : nil,
        port: ports.count == 1 ? ports[0] : index < ports.count ? ports[index] : nil)
    }
  }

  /// Returns the parameters for a host; later ones take precedence.
  private func parameters(of host: Host, among count: Int) throws -> [(name: String, value: String)]
  {
    var own: [(name: String, value: String)] = []
    if count > 1 {
      own = [
        ("host", host.name ?? ""), ("hostaddr", host.address ?? ""), ("port", host.port ?? ""),
      ]
    }
    guard !host.isSocket else { return parameters + own + withoutClearPassword }
    var mode = values["sslmode"] ?? "prefer"
    if host.isElsewhere, mode == "prefer" {
      mode = "verify-full"
      own.append(("sslmode", mode))
    }
    if mode.hasPrefix("verify-") {
      if values["sslrootcert"] == nil, let bundle = Self.authorities {
        own.append(("sslrootcert", bundle))
      }
      return parameters + own
    }
    guard cpostgresql_version() < Self.refusesClearPasswords, hasPassword else {
      return parameters + own + withoutClearPassword
    }
    if mode == "require" {
      // SCRAM is bound to this connection: a password in clear does not satisfy it.
      if values["channel_binding"] ?? "prefer" == "prefer" {
        own.append(("channel_binding", "require"))
      }
    } else if host.isElsewhere {
      throw ServerTrouble(
        state: ServerTrouble.State.unsafe,
        message:
          "libpq before version 16 would send this server the password in plain text, without TLS",
        isLost: true)
    }
    return parameters + own
  }

  private var withoutClearPassword: [(name: String, value: String)] {
    cpostgresql_version() >= Self.refusesClearPasswords && values["require_auth"] == nil
      ? [("require_auth", "!password")] : []
  }

  /// The authorities that this computer trusts; `nil` if this user has a list in libpq's place.
  private static var authorities: String? {
    // A list that cannot be reached is not replaced by a longer one.
    let own = UserFolders().home + "/.postgresql/root.crt"
    guard (try? PlainFile.facts(at: own) == nil) == true else { return nil }
    return [
      "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
      "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
    ].first { FileManager.default.isReadableFile(atPath: $0) }
  }

  // MARK: Connecting

  /// Connects to the first host that accepts the login. Each has its share of the time.
  ///
  /// - Parameters:
  ///   - patience: The time for all hosts, the look-up of their names included.
  ///   - lookUp: Looks a name up.
  /// - Returns: The handle of the connection.
  /// - Throws: ``ServerTrouble`` of the last host.
  func connect(
    within patience: Duration, lookingUpBy lookUp: @escaping HostLookup.LookUp = HostLookup.system
  ) throws -> Int {
    let told = values["connect_timeout"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    let limit = min(patience, told.map { .seconds(max(2, $0)) } ?? patience)
    let deadline = ContinuousClock.now + limit
    let (attempts, hosts) = (try attempts(), hosts)
    var last: (any Error)?
    for (index, parameters) in attempts.enumerated() {
      let share = (deadline - .now) / (attempts.count - index)
      guard share > .zero else { break }
      do {
        return try Self.connect(parameters, to: hosts[index % hosts.count], within: share, lookUp)
      } catch {
        last = error
      }
    }
    throw last
      ?? ServerTrouble(
        state: ServerTrouble.State.silent, message: "no time was left to connect", isLost: true)
  }

  /// Returns the parameters for libpq, one attempt after another. Of several hosts the writable one
  /// is preferred, and a read-only one is better than none.
  func attempts() throws -> [[(name: String, value: String)]] {
    let hosts = hosts
    let all = try hosts.map { try parameters(of: $0, among: hosts.count) }
    guard hosts.count > 1, values["target_session_attrs"] ?? "any" == "any" else { return all }
    return all.map { $0 + [(name: "target_session_attrs", value: "primary")] } + all
  }

  /// Connects to a host at the first of its addresses with a server that answers.
  private static func connect(
    _ parameters: [(name: String, value: String)], to host: Host, within patience: Duration,
    _ lookUp: @escaping HostLookup.LookUp
  ) throws -> Int {
    guard !host.isSocket, host.address == nil, let name = host.name, !HostLookup.isAddress(name)
    else { return try connect(parameters, within: patience) }
    let deadline = ContinuousClock.now + patience
    // libpq would look the name up itself, without a time limit.
    let addresses = try HostLookup.addresses(of: name, within: patience, by: lookUp)
    var last: (any Error)?
    for (index, address) in addresses.enumerated() {
      let share = (deadline - .now) / (addresses.count - index)
      guard share > .zero else { break }
      do {
        return try connect(parameters + [(name: "hostaddr", value: address)], within: share)
      } catch let trouble as ServerTrouble
        where !trouble.state.isEmpty && trouble.state != ServerTrouble.State.silent
      {
        // The server answered: its other addresses are of no use.
        throw trouble
      } catch {
        last = error
      }
    }
    throw last
      ?? ServerTrouble(
        state: ServerTrouble.State.silent, message: "no time was left to connect to \(name)",
        isLost: true)
  }

  private static func connect(
    _ parameters: [(name: String, value: String)], within patience: Duration
  ) throws -> Int {
    let handle = start(parameters)
    guard handle != 0 else {
      throw ServerTrouble(state: "", message: "out of memory", isLost: true)
    }
    do {
      try shakeHands(handle, ServerWatch(patience: patience))
      return handle
    } catch {
      cpostgresql_finish(handle)
      throw error
    }
  }

  private static func shakeHands(_ handle: Int, _ watch: ServerWatch) throws {
    var events = Int32(POLLOUT)
    while true {
      let socket = cpostgresql_socket(handle)
      if socket >= 0 {
        try watch.wait(at: socket, for: events)
        guard try isReady(handle, at: socket, for: events) else { continue }
      }
      switch Int(cpostgresql_go_on(handle)) {
      case CPOSTGRESQL_READING: events = Int32(POLLIN)
      case CPOSTGRESQL_WRITING: events = Int32(POLLOUT)
      case CPOSTGRESQL_CONNECTED: return
      default: throw refusal(handle)
      }
    }
  }

  /// Returns whether libpq may continue: the server's demands are checked before libpq fulfils
  /// them.
  private static func isReady(
    _ handle: Int, at socket: Int32, for events: Int32
  ) throws -> Bool {
    var waiting = pollfd(fd: socket, events: Int16(events), revents: 0)
    guard poll(&waiting, 1, 0) > 0 else { return false }
    switch Int(cpostgresql_demand(handle)) {
    case CPOSTGRESQL_CLEAR_PASSWORD:
      throw ServerTrouble(
        state: ServerTrouble.State.unsafe, message: "the server requests a plain-text password",
        isLost: true)
    case CPOSTGRESQL_TOO_MANY_ROUNDS:
      throw ServerTrouble.broken("it requests millions of SCRAM iterations")
    case CPOSTGRESQL_HALF_A_DEMAND where waiting.revents & Int16(POLLHUP) == 0:
      usleep(1000)
      return false
    default: return true
    }
  }

  /// Returns the reason for a refused connection. The SQLSTATE is in libpq's message, after the
  /// severity.
  private static func refusal(_ handle: Int) -> ServerTrouble {
    let lines = String(cString: cpostgresql_error(handle)).split(whereSeparator: \.isNewline)
      .filter { !$0.hasPrefix("LOCATION:") }
    var message = lines.joined(separator: "\n")
    var state = cpostgresql_needs_password(handle) ? "28P01" : ""
    if let found = message.firstMatch(of: #/:  (?<state>[0-9A-Z]{5}): /#) {
      state = String(found.output.state)
      message.replaceSubrange(found.range, with: ": ")
    } else if state.isEmpty, message.contains(/SSL|certificate/) {
      state = ServerTrouble.State.unsafe
    }
    return ServerTrouble(state: state, message: message, isLost: true)
  }
}

/// Passes texts as C strings, in an array ended by null.
func withCStrings<Value>(
  _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value
) -> Value {
  let copies = texts.map { strdup($0) }
  defer { for copy in copies { free(copy) } }
  let pointers = copies.map { $0.map { UnsafePointer($0) } } + [nil]
  return pointers.withUnsafeBufferPointer { buffer in
    // An array that ends with null is never empty.
    body(buffer.baseAddress!)
  }
}
