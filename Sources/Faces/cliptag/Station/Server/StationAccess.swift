import CliptagBasics
import Foundation
import Invocation
import Synchronization

/// Access control of the station.
///
/// The link that the terminal shows works once, and makes a session. A program's session is a
/// secret that it sends in a header. A browser's is two: a cookie, and one that only the station's
/// pages know. Cookies ignore ports, so every server of this computer gets them; the page's secret
/// stays with the page's origin, which has the port. Sessions go on when the station is started
/// again, from a file of their hashes, until a week after their last use. A request must name a
/// host of the station (a page that had its own name point here, DNS rebinding, does not), and must
/// not come from another origin.
final class StationAccess: Sendable {
  private typealias Session = SessionFile.Session

  /// Secrets that a page knows and no cookie holds.
  struct Secrets: Sendable {
    /// Sent in a header with every request of the page.
    let page = StationAccess.secret()
    /// The secret in addresses of pictures, files and events, for which a header cannot be sent. It
    /// permits no changes.
    let view = StationAccess.secret()
  }

  private struct State {
    var link: String
    /// The sessions in the order in which they began.
    var sessions: [Session] = []
    var phoneLink: (token: String, end: ContinuousClock.Instant)?
    var hosts: Set<String> = []
    var port = 0
    /// The sessions' file, where they outlive the station.
    var file: SessionFile?
    /// Whether it was said that the file cannot be written.
    var saidTrouble = false
  }

  private let note: @Sendable (String) -> Void
  private let state: Mutex<State>
  private let cookieBase = "cliptag-station"
  /// The lifetime of a phone's link, in seconds.
  static let phoneLifetime = 600.0
  /// The most sessions that are kept; the oldest goes for the next.
  private static let mostSessions = 100
  /// The interval at which a session in use is prolonged, in seconds: a day. The file is then
  /// written.
  private static let renewal = 86_400.0

  /// - Parameter note: Says a sentence to the person at the terminal.
  init(note: @escaping @Sendable (String) -> Void) {
    self.note = note
    state = Mutex(State(link: Self.secret()))
  }

  /// Returns an unguessable secret: 192 bits.
  static func secret() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<3).map { _ in String(generator.next() as UInt64, radix: 36) }.joined(separator: "-")
  }

  /// Sets the names by which the station is reached, once it listens.
  ///
  /// - Parameters:
  ///   - file: The file of sessions, which go on from the station's last run.
  ///   - forgets: Whether those of the last run end instead.
  func listens(on port: Int, as hosts: [String], sessions file: SessionFile?, forgets: Bool) {
    var trouble: String?
    state.withLock { state in
      state.port = port
      state.file = file
      do throws(SessionFile.Trouble) {
        if forgets { try file?.write([]) } else { state.sessions = try file?.read() ?? [] }
      } catch {
        trouble = error.description
      }
      state.hosts = Set(hosts.map { "\($0):\(port)".lowercased() })
      if port == 80 { state.hosts.formUnion(hosts.map { $0.lowercased() }) }
    }
    if let trouble { note(trouble) }
  }

  /// Changes the sessions, and keeps them.
  private func change<Result>(_ body: (inout State) -> Result?) -> Result? {
    var trouble: String?
    let result = state.withLock { state in
      let result = body(&state)
      guard result != nil else { return result }
      do throws(SessionFile.Trouble) {
        try state.file?.write(state.sessions)
      } catch {
        if !state.saidTrouble { trouble = error.description }
        state.saidTrouble = true
      }
      return result
    }
    if let trouble { note(trouble) }
    return result
  }

  /// The token of the link that is shown now.
  var linkToken: String { state.withLock(\.link) }

  /// Lets in a program that has the link's token; another link is made then.
  ///
  /// - Returns: The session's key, for `Authorization: Bearer`.
  /// - Throws: ``Refusal`` for a wrong or used link.
  func openProgram(_ token: String) throws(Refusal) -> String { try open(token, as: .program) }

  /// Lets in a browser in the same way.
  ///
  /// - Returns: The header of its cookie, and what its pages send besides.
  func openBrowser(_ token: String) throws(Refusal) -> (cookie: String, secrets: Secrets) {
    let secrets = Secrets()
    return (cookie(try open(token, as: .browser, secrets)), secrets)
  }

  /// Lets in a browser without JavaScript in the same way.
  ///
  /// - Returns: The header of its cookie.
  func openReader(_ token: String) throws(Refusal) -> String {
    cookie(try open(token, as: .reader))
  }

  private func open(
    _ token: String, as kind: Session.Kind, _ secrets: Secrets? = nil
  ) throws(Refusal) -> String {
    let key = Self.secret()
    let session: Session
    do {
      session = Session(
        kind: kind, key: try SessionFile.hash(key),
        page: try secrets.map { try SessionFile.hash($0.page) },
        view: try secrets.map { try SessionFile.hash($0.view) },
        end: .now + SessionFile.lifetime)
    } catch {
      throw Refusal(500, Failure(describing: error))
    }
    let isOpen: Void? = change { state in
      guard Self.isSame(token, state.link) else { return nil }
      state.link = Self.secret()
      state.sessions.removeAll { $0.end <= .now }
      state.sessions = state.sessions.suffix(Self.mostSessions - 1) + [session]
      return ()
    }
    guard isOpen != nil else { throw Self.noSession("The link was used, or is another browser's.") }
    return key
  }

  /// The session of a key, which is prolonged by its use.
  private func session(_ key: String) -> Session? {
    guard let hash = try? SessionFile.hash(key) else { return nil }
    let now = Date.now
    let found = state.withLock { $0.sessions.first { $0.key == hash && $0.end > now } }
    if let found, found.end < now + SessionFile.lifetime - Self.renewal {
      let _: Void? = change { state in
        for index in state.sessions.indices where state.sessions[index].key == hash {
          state.sessions[index].end = now + SessionFile.lifetime
        }
        return ()
      }
    }
    return found
  }

  /// A link for phones, which replaces the one before. It works until it ends: phones open links
  /// twice.
  func makePhoneLink() -> String {
    state.withLock { state in
      let token = Self.secret()
      state.phoneLink = (token, .now + .seconds(Self.phoneLifetime))
      return token
    }
  }

  /// Ends the phones' link.
  func endPhones() { state.withLock { $0.phoneLink = nil } }

  /// Compares secrets in a time that does not depend on where they differ.
  private static func isSame(_ left: String, _ right: String) -> Bool {
    guard left.utf8.count == right.utf8.count else { return false }
    return zip(left.utf8, right.utf8).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// The cookie's header for a session. Cookies know no ports, so that the name has it.
  private func cookie(_ session: String) -> String {
    "\(cookieName)=\(session); Path=/; HttpOnly; SameSite=Strict"
  }

  private var cookieName: String { "\(cookieBase)-\(state.withLock(\.port))" }

  /// The reason that a request is refused, with a status of HTTP (RFC 9110, section 15).
  struct Refusal: Error {
    let status: Int
    let failure: Failure

    init(_ status: Int, _ failure: Failure) {
      self.status = status
      self.failure = failure
    }

    /// More is asked for at once than the station serves.
    static func tooMuch(_ status: Int, _ message: String) -> Refusal {
      Refusal(
        status,
        Failure("too-many", .usage, message, hint: "Wait for a running request to finish."))
    }

    static let tooLarge = Refusal(
      413,
      Failure(
        "request-too-large", .usage, "The request is too large.", hint: "Send less at once."))
  }

  private static func noSession(_ message: String) -> Refusal {
    Refusal(401, Failure("no-session", .usage, message, hint: advice))
  }

  /// The advice for most refusals.
  static let advice = "Open the station with the link on its terminal."

  /// Checks a request by its head.
  ///
  /// - Returns: The party that sent the request.
  func check(
    _ request: StationRequest, for access: StationRoute.Access
  ) throws(Refusal) -> StationRequest.Party {
    let host = (request.headers["host"] ?? "").lowercased()
    guard state.withLock({ $0.hosts.contains(host) }) else {
      throw Refusal(
        403,
        Failure(
          "foreign-host", .usage, "The station is not at \(host.printable).", hint: Self.advice)
      )
    }
    if let origin = request.headers["origin"], origin != "http://\(host)" {
      throw Refusal(
        403,
        Failure(
          "foreign-origin", .usage, "The request is from \(origin.printable).", hint: Self.advice))
    }
    let changes = request.method != "GET" && request.method != "HEAD"
    if changes, let site = request.headers["sec-fetch-site"], site != "same-origin", site != "none"
    {
      throw Refusal(
        403, Failure("foreign-origin", .usage, "The request is cross-site.", hint: Self.advice))
    }
    switch access {
    case .anybody: return .stranger
    case .phone:
      let given = request.query["link"] ?? ""
      let isGood = state.withLock { state in
        state.phoneLink.map { $0.end > .now && Self.isSame(given, $0.token) } ?? false
      }
      guard isGood else { throw Self.noSession("The link has expired.") }
      return .phones
    case .session, .document, .page: return try visitor(request, for: access)
    }
  }

  private func visitor(
    _ request: StationRequest, for access: StationRoute.Access
  ) throws(Refusal) -> StationRequest.Party {
    let unknown = Self.noSession("This browser has not opened the station's link.")
    if let bearer = request.headers["authorization"] {
      guard bearer.hasPrefix("Bearer "), let session = session(String(bearer.dropFirst(7))),
        session.kind == .program
      else { throw unknown }
      return .session(session.key, isTrusted: true)
    }
    guard let cookie = request.cookie(cookieName), let session = session(cookie) else {
      throw unknown
    }
    switch session.kind {
    case .program: throw unknown
    case .reader:
      guard access == .page else { throw unknown }
      return .session(session.key, isTrusted: true)
    case .browser:
      let isTrusted =
        Self.isSecret(request.headers["x-csrf-token"], of: session.page)
        || access == .document && Self.isSecret(request.query["view"], of: session.view)
      guard isTrusted || access == .page else {
        throw Refusal(
          403,
          Failure("no-token", .usage, "The request lacks the page's secret.", hint: Self.advice))
      }
      return .session(session.key, isTrusted: isTrusted)
    }
  }

  private static func isSecret(_ given: String?, of hash: String?) -> Bool {
    guard let hash, let given, let found = try? SessionFile.hash(given) else { return false }
    return isSame(found, hash)
  }
}
