import CliptagBasics
import Foundation

/// The address of a registry on a server: a connection URI of libpq (PostgreSQL documentation,
/// 34.1.1.2).
///
/// Everything that libpq understands is passed to it: hosts, TLS (`sslmode`, `sslrootcert`),
/// services, a file of passwords (`PGPASSFILE`); ``ServerSettings`` adds the further requirements
/// for a host. No message shows a password.
struct ServerAddress: Hashable, Sendable {
  /// The URI as given, which may contain a password.
  private let uri: String
  /// The station's name, for the chain that it continues.
  let station: String
  /// The time limit for a connection, in seconds, if the URI has none.
  private let patience: Int

  /// Returns whether a registry's name is the address of a server.
  static func isOne(_ name: String) -> Bool {
    name.hasPrefix("postgresql://") || name.hasPrefix("postgres://")
  }

  init(_ uri: String, station: String?, patience: Duration) {
    self.uri = uri
    self.station = station ?? Self.machine
    // libpq treats 1 as 2.
    self.patience = max(2, Int(bounded: min(86_400, (patience / .seconds(1)).rounded(.up))))
  }

  /// The name of this machine: its `machine-id` (machine-id(5)), which containers may lack.
  private static var machine: String {
    let id = FileManager.default.contents(atPath: "/etc/machine-id") ?? Data()
    let text = String(decoding: id, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    return text.isEmpty ? ProcessInfo.processInfo.hostName : text
  }

  /// The parameters for libpq. A server that stops answering is noticed after some seconds, unless
  /// the URI has other values: later parameters take precedence.
  var parameters: [(name: String, value: String)] {
    let usual = [
      ("connect_timeout", "\(patience)"), ("application_name", "cliptag"),
      ("tcp_user_timeout", "10000"),
      ("keepalives_idle", "5"), ("keepalives_interval", "3"), ("keepalives_count", "3"),
      ("client_encoding", "UTF8"),
    ]
    return usual.map { (name: $0.0, value: $0.1) } + [(name: "dbname", value: uri)]
  }

  /// The address for display: without the password.
  var description: String { Self.withoutPassword(uri) }

  /// Returns a text without the password in this address.
  func redacted(_ text: String) -> String {
    guard let password, !password.isEmpty else { return text }
    return text.replacing(uri, with: description).replacing(password, with: "…")
      .replacing(password.removingPercentEncoding ?? password, with: "…")
  }

  private var password: String? { Self.passwords(in: uri).first.map { String(uri[$0]) } }

  /// Removes the password from a URI, including one that libpq does not understand.
  static func withoutPassword(_ uri: String) -> String {
    var text = uri
    for range in passwords(in: uri).reversed() { text.replaceSubrange(range, with: "…") }
    return text
  }

  /// Returns the ranges of passwords in a URI: from the first colon to the last @ of the authority,
  /// and the values of parameters that hold secrets.
  private static func passwords(in uri: String) -> [Range<String.Index>] {
    guard isOne(uri), let scheme = uri.range(of: "://") else { return [] }
    var found: [Range<String.Index>] = []
    let rest = uri[scheme.upperBound...]
    let query = rest.firstIndex(of: "?") ?? rest.endIndex
    // A password that was not escaped may contain a slash: it must stay hidden, however libpq
    // parses it.
    if let at = rest[..<query].lastIndex(of: "@") ?? rest.lastIndex(of: "@"),
      let colon = rest[..<at].firstIndex(of: ":")
    {
      found.append(rest.index(after: colon)..<at)
    }
    for name in ["password=", "sslpassword="] {
      var from = query
      while let start = uri.range(of: name, range: from..<uri.endIndex) {
        let end = uri[start.upperBound...].firstIndex(of: "&") ?? uri.endIndex
        if ["?", "&"].contains(uri[uri.index(before: start.lowerBound)]) {
          found.append(start.upperBound..<end)
        }
        from = end
      }
    }
    return found.filter { !$0.isEmpty }.sorted { $0.lowerBound < $1.lowerBound }
  }
}

extension RegistryError {
  /// Converts a server's SQLSTATE into the registry's error.
  ///
  /// - Parameters:
  ///   - trouble: The connection's error; a `RegistryError` stays unchanged.
  ///   - address: The address of the registry.
  ///   - holder: The holder of the awaited lock.
  init(_ trouble: any Error, at address: ServerAddress, heldBy holder: String? = nil) {
    if let error = trouble as? RegistryError {
      self = error
      return
    }
    let place = address.description
    guard let trouble = trouble as? ServerTrouble else {
      self.init(
        .failed, "The registry \(place) failed: \(trouble).", hint: "Try again.", path: place,
        underlying: trouble)
      return
    }
    let (code, problem, hint) = Self.words(for: trouble)
    // libpq's messages have several lines.
    let lines = trouble.message.split(whereSeparator: \.isNewline).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    let detail = address.redacted(
      (lines + (holder.map { ["held by \($0)"] } ?? [])).joined(separator: "; "))
    let state = trouble.state.isEmpty ? "" : "\(trouble.state): "
    self.init(
      code, "The registry \(place) \(problem) (\(state)\(detail)).", hint: hint, path: place,
      underlying: trouble)
  }

  private static func words(for trouble: ServerTrouble) -> (Code, String, Hint) {
    switch trouble.state {
    case ServerTrouble.State.noLibrary:
      (
        .unavailable, "needs PostgreSQL's library libpq",
        "Install it (on Debian: apt-get install libpq5), then try again."
      )
    case ServerTrouble.State.silent:
      (
        .unavailable, "does not respond",
        "Nothing was changed. Check the server and the network, then try again, or wait longer."
      )
    case ServerTrouble.State.broken:
      (
        .damaged, "does not respond like PostgreSQL",
        "Nothing was changed. Check the program at this address."
      )
    case ServerTrouble.State.unsafe:
      (
        .unavailable, "has no secure connection",
        "A remote server needs a certificate of its name: give the file of its authority with "
          + "sslrootcert, or set sslmode; passwords are never sent in plain text."
      )
    case ServerTrouble.State.pooled, "26000", "42P05":
      (
        .unavailable,
        "is behind a pooler in transaction mode, which assigns another session to each transaction",
        "Connect to the server directly, or set the pooler to pool_mode = session."
      )
    case "57014":
      (
        .unavailable, "took too long",
        "Nothing was changed. Try again under less load, or wait longer."
      )
    case "55P03":
      (
        .locked, "is being changed by another station", "Try again when the other has finished."
      )
    case "42501":
      (
        .notPermitted, "refuses the operation for this login",
        "Request the necessary role from the owner of the registry."
      )
    case "22P05":
      (
        .invalid, "cannot store a text with U+0000",
        "Remove that character."
      )
    case "3D000":
      (
        .missing, "does not exist: the server has no database of that name",
        "Create the database first, or \(.openAnother(isFile: false))."
      )
    case "3F000", "42P01":
      (
        .missing, "is not there",
        .sentence("\(.haveRegistryMade(inDatabase: false)), or \(.openAnother(isFile: false))")
      )
    case "53100":
      (.diskFull, "found no space left on its disk", "Free space on the server, then try again.")
    case "25006":
      (
        .readOnly, "is on a read-only server, such as a standby",
        "Use the primary server."
      )
    case "28P01":
      (
        .unavailable, "refused the password",
        "Check the user, and the password in the file of PGPASSFILE or in the service."
      )
    case let state where state.hasPrefix("28"):
      (
        .unavailable, "refused the login",
        "Check the user, and the password in the file of PGPASSFILE or in the service."
      )
    case let state where state.hasPrefix("XX"):
      (.damaged, "is damaged", "Check the server's log.")
    default:
      trouble.isLost || trouble.state.hasPrefix("53") || trouble.state.hasPrefix("57")
        ? (
          .unavailable, "does not respond",
          "Nothing was changed. Check the server and the network, then try again."
        ) : (.failed, "failed", "Try again; if the error persists, check the server's log.")
    }
  }

  /// Returns the error for a change whose outcome is unknown.
  static func unconfirmed(_ transaction: String, at address: ServerAddress) -> RegistryError {
    RegistryError(
      .unconfirmed,
      "The registry \(address.description) did not confirm the commit, and does not respond.",
      hint: "Check for the change before a new attempt; its owner can run: SELECT "
        + "pg_xact_status('\(transaction)').",
      path: address.description)
  }
}
