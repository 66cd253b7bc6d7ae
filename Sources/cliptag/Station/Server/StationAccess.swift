import Foundation
import Invocation
import Synchronization

/// Who may talk to the station.
///
/// The link that the terminal shows works once: it makes a session, whose cookie no page of another
/// site can use. A request has to name a host of the station (a page that had its own name point here,
/// DNS rebinding, does not), must not come from another origin, and, when it changes something, carries
/// the session's token in a header, which no form can send.
final class StationAccess: Sendable {
  /// A browser or program that was let in.
  private struct Session {
    /// The token of requests that change something.
    let token: String
    /// When it ends; `nil` for that of the station itself.
    let end: ContinuousClock.Instant?
    let isPhone: Bool
  }

  private struct State {
    var link: String
    var sessions: [String: Session] = [:]
    var phoneLink: (token: String, end: ContinuousClock.Instant)?
    var hosts: Set<String> = []
    var port = 0
  }

  private let state: Mutex<State>
  private let cookieBase = "cliptag-station"
  /// How long a phone's link works, and what it lets in, in seconds.
  static let phoneLifetime = 600.0
  /// The most sessions that are kept; the oldest phones are not needed any more by then.
  private static let mostSessions = 1000

  init() { state = Mutex(State(link: Self.secret())) }

  /// A secret that nobody guesses: 192 bits.
  static func secret() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<3).map { _ in String(generator.next() as UInt64, radix: 36) }.joined(separator: "-")
  }

  /// Says by which names the station is reached, once it listens.
  func listens(on port: Int, as hosts: [String]) {
    state.withLock { state in
      state.port = port
      state.hosts = Set(hosts.map { "\($0):\(port)".lowercased() })
      if port == 80 { state.hosts.formUnion(hosts.map { $0.lowercased() }) }
    }
  }

  /// The token of the link that is shown now.
  var linkToken: String { state.withLock(\.link) }

  /// Lets in whoever has the link's token; another link is made then.
  ///
  /// - Returns: The session and its token; `nil` for a wrong or used link.
  func open(_ token: String) -> (session: String, token: String)? {
    state.withLock { state in
      guard Self.isSame(token, state.link) else { return nil }
      state.link = Self.secret()
      return Self.begin(&state, isPhone: false, end: nil)
    }
  }

  /// A link for a phone, which replaces the one before and its sessions.
  func makePhoneLink() -> String {
    state.withLock { state in
      Self.forgetPhones(&state)
      let token = Self.secret()
      state.phoneLink = (token, .now + .seconds(Self.phoneLifetime))
      return token
    }
  }

  /// Ends the phone's link and what it let in.
  func endPhones() { state.withLock { Self.forgetPhones(&$0) } }

  /// Lets in a phone. Its link works until it ends: phones open links twice.
  func openPhone(_ token: String) -> (session: String, token: String)? {
    state.withLock { state in
      guard let link = state.phoneLink, link.end > .now, Self.isSame(token, link.token) else {
        return nil
      }
      return Self.begin(&state, isPhone: true, end: link.end)
    }
  }

  private static func forgetPhones(_ state: inout State) {
    state.phoneLink = nil
    state.sessions = state.sessions.filter { !$0.value.isPhone }
  }

  private static func begin(
    _ state: inout State, isPhone: Bool, end: ContinuousClock.Instant?
  ) -> (session: String, token: String)? {
    state.sessions = state.sessions.filter { $0.value.end.map { $0 > .now } ?? true }
    guard state.sessions.count < mostSessions else { return nil }
    let (session, token) = (secret(), secret())
    state.sessions[session] = Session(token: token, end: end, isPhone: isPhone)
    return (session, token)
  }

  /// Compares secrets in a time that tells nothing of where they differ.
  private static func isSame(_ left: String, _ right: String) -> Bool {
    let (left, right) = (Array(left.utf8), Array(right.utf8))
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// The cookie's header for a session. Cookies know no ports, so that the name has it.
  func cookie(_ session: String, isPhone: Bool = false) -> String {
    "\(cookieName(isPhone: isPhone))=\(session); Path=\(isPhone ? "/phone" : "/"); HttpOnly; SameSite=Strict"
  }

  private func cookieName(isPhone: Bool) -> String {
    "\(cookieBase)-\(isPhone ? "phone-" : "")\(state.withLock(\.port))"
  }

  /// Why a request is refused, with a status of HTTP (RFC 9110, section 15).
  struct Refusal: Error {
    let status: Int
    let failure: Failure

    init(_ status: Int, _ failure: Failure) {
      self.status = status
      self.failure = failure
    }
  }

  /// What helps most who are refused.
  static let advice = "Open the station by the link that its terminal shows."

  /// Checks a request.
  ///
  /// - Returns: The token of whoever asks; empty where anybody may.
  func check(_ request: StationRequest, for access: StationRoute.Access) throws(Refusal) -> String {
    let host = (request.headers["host"] ?? "").lowercased()
    guard state.withLock({ $0.hosts.contains(host) }) else {
      throw Refusal(
        403,
        Failure(
          "foreign-host", .usage, "The station is not called \(host.printable).",
          hint: StationAccess.advice))
    }
    let changes = request.method != "GET" && request.method != "HEAD"
    let bearer = request.headers["authorization"].flatMap {
      $0.hasPrefix("Bearer ") ? String($0.dropFirst(7)) : nil
    }
    if let origin = request.headers["origin"], origin != "http://\(host)" {
      throw Refusal(
        403,
        Failure(
          "foreign-origin", .usage, "Another page, \(origin.printable), asked.",
          hint: StationAccess.advice))
    }
    if changes, let site = request.headers["sec-fetch-site"], site != "same-origin", site != "none"
    {
      throw Refusal(
        403,
        Failure(
          "foreign-origin", .usage, "A page of another site asked.", hint: StationAccess.advice))
    }
    guard access != .anybody else { return "" }
    let isPhone = access == .phone
    let key =
      isPhone
      ? request.cookie(cookieName(isPhone: true))
      : bearer ?? request.cookie(cookieName(isPhone: false))
    let session = key.flatMap { key in state.withLock { $0.sessions[key] } }
    guard let session, session.isPhone == isPhone, session.end.map({ $0 > .now }) ?? true else {
      throw Refusal(
        401,
        Failure(
          "no-session", .usage, "This browser has not opened the station's link.",
          hint: StationAccess.advice))
    }
    // A program that sends its session in a header was not made to do so by a page.
    if changes, isPhone || bearer == nil {
      let given = request.headers["x-csrf-token"] ?? request.formField("csrf") ?? ""
      guard Self.isSame(given, session.token) else {
        throw Refusal(
          403,
          Failure(
            "no-token", .usage, "The request has no token of this session.",
            hint: "Load the page anew."))
      }
    }
    return session.token
  }
}

extension StationRequest {
  /// The fields of a form, or of what stands behind the question mark: names and values as browsers write them
  /// (URL Standard, section 5.1).
  static func fields(of text: String) -> [(String, String)] {
    text.split(separator: "&").map { field in
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let words = parts.map { part in
        let spaced = String(part.replacing("+", with: " "))
        return spaced.removingPercentEncoding ?? spaced
      }
      return (words[0], words.count > 1 ? words[1] : "")
    }
  }

  /// A field of a form that was sent without JavaScript.
  func formField(_ name: String) -> String? {
    let type = headers["content-type"] ?? ""
    if type.hasPrefix("application/x-www-form-urlencoded") {
      return Self.fields(of: String(decoding: body, as: UTF8.self)).first { $0.0 == name }?.1
    }
    return formPart(name).map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  /// A part of a form that was sent as multipart/form-data (RFC 7578).
  func formPart(_ name: String) -> (fileName: String?, bytes: Data)? {
    let type = headers["content-type"] ?? ""
    guard type.hasPrefix("multipart/form-data"), let range = type.range(of: "boundary=") else {
      return nil
    }
    let boundary = type[range.upperBound...].prefix { $0 != ";" }
      .trimmingCharacters(in: CharacterSet(charactersIn: "\" "))
    guard !boundary.isEmpty, boundary.utf8.count <= 70 else { return nil }
    let delimiter = Data("--\(boundary)".utf8)
    var rest = body[...]
    while let start = rest.range(of: delimiter) {
      rest = rest[start.upperBound...]
      guard let headEnd = rest.range(of: Data("\r\n\r\n".utf8)),
        let end = rest[headEnd.upperBound...].range(of: Data("\r\n".utf8) + delimiter)
      else { return nil }
      let head = String(decoding: rest[..<headEnd.lowerBound], as: UTF8.self)
      if head.contains(" name=\"\(name)\"") {
        let file = head.range(of: "filename=\"").map {
          head[$0.upperBound...].prefix { $0 != "\"" }
        }
        return (file.map { String($0) }, Data(rest[headEnd.upperBound..<end.lowerBound]))
      }
      rest = rest[end.lowerBound...]
    }
    return nil
  }
}
