public import CliptagBasics

/// A URL that a code may carry to invoke an App Clip.
///
/// Apple documents `https` and a verified host, and leaves the rest of the form open. The rest is
/// defined here strictly, because a code is printed once and read by many phones:
///
/// - The scheme is `https`, in any case; stored in lower case.
/// - The host is a full domain name: an exact host, never a pattern, an address or a single label.
///   It is stored as A-labels in lower case (UTS 46, non-transitional). A trailing root dot is
///   refused, because certificates and associated domains are written without it.
/// - User information and a port are refused, even `:443`.
/// - Path segments `.` and `..` are refused, plain or escaped, because readers differ in when they
///   resolve them, and a code must have one meaning.
/// - White space, control and invisible characters, backslashes and the characters that RFC 3986
///   does not allow are refused. Letters beyond ASCII are allowed after the host, and compared by
///   their percent-encoded UTF-8.
/// - The text is at most ``maximumLength`` bytes.
///
/// The payload is kept unchanged; ``normalized`` is for comparison only.
public struct InvocationURL: Hashable, Sendable {
  /// The maximum length of a payload, in bytes of UTF-8.
  ///
  /// The limit exceeds any QR code that a phone reads from a sign, and the memory of most tags.
  public static let maximumLength = 2_048

  /// The text exactly as decoded or typed.
  public let payload: String
  /// The host as an A-label in lower case.
  public let host: String
  /// The form used for comparison: lower-case scheme and host, unreserved characters unescaped,
  /// escapes in upper case, characters beyond ASCII escaped, `/` for an empty path, no fragment.
  public let normalized: String

  /// Reads a payload.
  ///
  /// - Parameter payload: The text as decoded, untrimmed.
  /// - Throws: The first rule that the payload breaks, with its position and the next step.
  public init(_ payload: String) throws(InvocationURLError) {
    let parts = try InvocationURLParser(payload).parse()
    self.payload = payload
    self.host = parts.host
    self.normalized = "https://" + parts.host + parts.path + parts.query
  }

  /// Reassembles a URL that was read before.
  ///
  /// - Parameter payload: The payload; `nil` if it is the normal form.
  init(payload: String?, host: String, matchingKey: String) {
    self.host = host
    self.normalized = "https://" + host + matchingKey
    self.payload = payload ?? normalized
  }

  /// The path and query of ``normalized``, which prefixes are compared with. ASCII only.
  public var matchingKey: String { String(Substring(matchingBytes)) }

  /// The ``matchingKey`` in lower case: two keys that differ only by case share it.
  public var foldedKey: String { matchingKey.lowercased() }

  /// The path of ``normalized``; begins with a slash.
  public var path: String {
    String(Substring(matchingKey.utf8.prefix { $0 != UInt8(ascii: "?") }))
  }

  /// The part after the question mark in ``normalized``, or `nil` without one.
  public var query: String? {
    let key = matchingKey.utf8
    return key.firstIndex(of: UInt8(ascii: "?")).map {
      String(Substring(key[key.index(after: $0)...]))
    }
  }

  /// The part after the number sign in ``payload``, or `nil` without one. Never compared.
  public var fragment: String? {
    let bytes = payload.utf8
    return bytes.firstIndex(of: UInt8(ascii: "#")).map {
      String(payload[bytes.index(after: $0)...])
    }
  }

  /// The items of the query, percent-decoded, in order.
  ///
  /// A plus sign is kept, as in Foundation's `URLComponents`, which clips use.
  public var queryItems: [QueryItem] {
    guard let query, !query.isEmpty else { return [] }
    return query.split(separator: "&", omittingEmptySubsequences: false).map { item in
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return QueryItem(
        name: PercentEscapes.decode(parts[0]),
        value: parts.count > 1 ? PercentEscapes.decode(parts[1]) : nil)
    }
  }

  /// A name and an optional value in a query.
  public struct QueryItem: Hashable, Sendable {
    /// The decoded name.
    public let name: String
    /// The decoded value, or `nil` without an equals sign.
    public let value: String?
  }

  // MARK: Keys for a directory

  /// The folded keys under which an ``ExperienceDirectory`` may hold an experience that covers this
  /// URL, or nearly does.
  ///
  /// These are all prefixes of ``foldedKey``, and those of the same key with the slash at the end
  /// of the path added or removed: at most two for each byte of the URL, regardless of the number
  /// of experiences.
  public var foldedPrefixKeys: Set<String> {
    let (key, toggled, shared) = foldedSpellings
    var keys = Set<String>(minimumCapacity: key.count + 1)
    Self.insertPrefixes(of: key, longerThan: 0, into: &keys)
    Self.insertPrefixes(of: toggled, longerThan: shared, into: &keys)
    return keys
  }

  /// The folded key, the same with the slash at the end of the path added or removed, and the
  /// number of bytes that they share: they are equal up to the end of their paths.
  var foldedSpellings: (key: [UInt8], toggled: [UInt8], shared: Int) {
    let key = matchingBytes.map(\.folded)
    let toggled = Self.togglingTrailingSlash(of: key)
    return (key, toggled, zip(key, toggled).prefix { $0 == $1 }.count)
  }

  private static func insertPrefixes(
    of key: [UInt8], longerThan length: Int, into keys: inout Set<String>
  ) {
    guard length < key.count else { return }
    // The key is ASCII, so that a prefix may end after any byte.
    for end in (length + 1)...key.count {
      keys.insert(String(decoding: key[..<end], as: UTF8.self))
    }
  }

  /// The bytes of ``matchingKey``.
  var matchingBytes: Substring.UTF8View {
    normalized.utf8.dropFirst("https://".utf8.count + host.utf8.count)
  }

  /// A key with the slash at the end of its path removed, or added if there is none.
  static func togglingTrailingSlash(of key: String) -> String {
    String(decoding: togglingTrailingSlash(of: Array(key.utf8)), as: UTF8.self)
  }

  /// The bytes of a key with the slash at the end of its path removed, or added if there is none.
  static func togglingTrailingSlash(of key: [UInt8]) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    let end = key.firstIndex(of: UInt8(ascii: "?")) ?? key.endIndex
    if key[..<end].elementsEqual([slash]) { return key }
    var toggled = key
    if key[..<end].last == slash {
      toggled.remove(at: end - 1)
    } else {
      toggled.insert(slash, at: end)
    }
    return toggled
  }

  // MARK: Other forms of the same URL

  /// The URL without query and fragment; `nil` if it has no query.
  var withoutQuery: InvocationURL? { query == nil ? nil : replacing(path: path, keepsQuery: false) }

  /// The normal form with another path.
  func replacing(path: String, keepsQuery: Bool = true) -> InvocationURL? {
    let query = keepsQuery ? query.map { "?" + $0 } ?? "" : ""
    return try? InvocationURL("https://\(host)\(path)\(query)")
  }

  // MARK: The host in capitals

  /// The offset at which the path, the query or the fragment begins in ``payload``, in bytes of
  /// UTF-8; the length of the payload if the host is last.
  package var hostEnd: Int {
    let bytes = Array(payload.utf8)
    let ends = "/?#".utf8
    // The scheme and its delimiters take eight bytes in every invocation URL.
    return bytes[8...].firstIndex(where: ends.contains) ?? bytes.count
  }

  /// The ``payload`` with its scheme and host in capitals, which QR codes encode in fewer bits.
  ///
  /// The URL is equivalent: scheme and host are compared without case (RFC 3986, 6.2.2.1), so
  /// ``normalized`` does not change. Path, query and fragment are case-sensitive and unchanged.
  /// Letters beyond ASCII are unchanged, too: no QR code encodes their capitals in fewer bits.
  package var payloadWithHostInCapitals: String {
    let end = hostEnd
    let bytes = payload.utf8.enumerated().map { offset, byte in
      offset < end && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte & 0xDF : byte
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// An error in a payload that is not an acceptable invocation URL.
public struct InvocationURLError: CodedError {
  /// The stable name of the broken rule, which a ``Finding`` takes over.
  public let code: Finding.Code
  /// The offset of the fault, in bytes of UTF-8 from the payload's start.
  public let offset: Int
  /// The fault, as a clause without a full stop.
  public let problem: String
  /// The next step, as a clause without a full stop.
  package let advice: String

  init(_ code: Finding.Code, at offset: Int, _ problem: String, hint advice: String) {
    self.code = code
    self.offset = offset
    self.problem = problem
    self.advice = advice
  }

  /// The fault and its position, in one sentence.
  public var message: String { "\(problem) (at byte \(offset))".asSentence }
  /// The next step, in one sentence.
  public var hint: String { advice.asSentence }

  /// The fault, its position, and the next step, in one line.
  public var description: String { "\(problem) (at byte \(offset)); \(advice)." }

  /// The error as a finding.
  package var finding: Finding { Finding(code, .error, description) }
}
