import CCrypto

/// A Secure Unique NFC message (SUN) that was verified: what an NTAG 424 DNA mirrored into its URL
/// at one reading, under keys that only tag and verifier know.
///
/// That a message verifies says that the tag made it once. Whether it was seen before is for the
/// caller to say, who keeps the last ``counter`` of each ``uid``.
public struct SecureUniqueMessage: Hashable, Sendable {
  /// The UID of the tag that made the message; `nil` when the tag does not mirror it.
  public let uid: [UInt8]?
  /// How many times the tag had been read, 0 to 16,777,215; `nil` when the tag does not mirror it.
  public let counter: Int?
  /// The decrypted file data; `nil` when the configuration names none.
  public let fileData: [UInt8]?

  /// Verifies the message in a URL.
  ///
  /// - Parameters:
  ///   - url: The URL exactly as it is on the tag.
  ///   - configuration: Where its parts stand, and the keys.
  /// - Throws: ``AuthenticityError``: `missing` when a part is not in the URL, `not-authentic` when
  ///   the tag's keys do not make this message, `cryptography-failed` when nothing can be said.
  public init(
    url: String, configuration: SecureUniqueMessageConfiguration
  ) throws(AuthenticityError) {
    let query = MirroredQuery(url)
    // What is missing is told before what is wrong, and before anything is computed.
    for parameter in configuration.parameters { _ = try query.range(of: parameter) }
    let identity = try Self.identity(in: query, configuration.identification)
    let messaging = try SecureMessaging(
      uid: identity.uid ?? [], counter: identity.counter ?? [],
      fileReadKey: try Self.fileReadKey(of: identity, configuration))

    let given = try query.value(of: configuration.macParameter, "16") { $0 == 8 }
    let expected = try messaging.truncatedMAC(
      over: try Self.coveredText(in: query, configuration))
    // In constant time: the time must not say how many bytes were right.
    guard CRYPTO_memcmp(given, expected, expected.count) == 0 else {
      throw AuthenticityError(
        .notAuthentic, "The MAC in “\(configuration.macParameter)” is not the tag's.")
    }
    fileData = try configuration.fileDataParameter.map { parameter throws(AuthenticityError) in
      let data = try query.value(of: parameter, "32, or a multiple of 32,") {
        $0 > 0 && $0.isMultiple(of: AES.blockByteCount)
      }
      return try messaging.decrypt(fileData: data)
    }
    uid = identity.uid
    counter = identity.counter.map { $0.reversed().reduce(0) { $0 << 8 | Int($1) } }
  }

  /// Whether a URL carries any part of a message, right or wrong.
  public static func isPresent(
    in url: String, configuration: SecureUniqueMessageConfiguration
  ) -> Bool {
    let query = MirroredQuery(url)
    return configuration.parameters.contains { query.holds($0) }
  }

  /// The key of the tag that claims to have made the message.
  private static func fileReadKey(
    of identity: PICCData, _ configuration: SecureUniqueMessageConfiguration
  ) throws(AuthenticityError) -> SecretKey {
    guard let input = configuration.diversificationInput else { return configuration.fileReadKey }
    guard let uid = identity.uid else {
      throw AuthenticityError(
        .missing, "The message does not show the tag's UID, from which its key is made.")
    }
    return try configuration.fileReadKey.diversified(by: uid + input)
  }

  private static func identity(
    in query: MirroredQuery, _ identification: SecureUniqueMessageConfiguration.Identification
  ) throws(AuthenticityError) -> PICCData {
    switch identification {
    case .encrypted(let parameter, let key):
      let block = try query.value(of: parameter, "32") { $0 == AES.blockByteCount }
      guard let identity = try PICCData(encrypted: block, metaReadKey: key) else {
        throw AuthenticityError(
          .notAuthentic,
          "The query item “\(parameter)” does not decrypt to a UID and a counter: another key made "
            + "it, or nobody's.")
      }
      return identity
    case .plain(let uidParameter, let counterParameter):
      let uid = try query.value(of: uidParameter, "14") { $0 == PICCData.uidByteCount }
      let counter = try query.value(of: counterParameter, "6") {
        $0 == PICCData.counterByteCount
      }
      return PICCData(uid: uid, counter: counter.reversed())
    }
  }

  /// The text that the MAC covers: from where the configuration says up to the MAC.
  private static func coveredText(
    in query: MirroredQuery, _ configuration: SecureUniqueMessageConfiguration
  ) throws(AuthenticityError) -> [UInt8] {
    let end = try query.range(of: configuration.macParameter).lowerBound
    let start: Int
    switch configuration.macBeginning {
    case .nowhere: start = end
    case .value(let parameter): start = try query.range(of: parameter).lowerBound
    case .byte(let count): start = count
    }
    guard start >= 0, start <= end else {
      throw AuthenticityError(
        .notAuthentic,
        "The MAC in “\(configuration.macParameter)” stands before the text that it covers.")
    }
    if let parameter = configuration.fileDataParameter {
      // NT4H2421Gx, 10.7.1: a tag only encrypts what its MAC covers. Anything else is forged.
      let data = try query.range(of: parameter)
      guard data.lowerBound >= start, data.upperBound <= end else {
        throw AuthenticityError(
          .notAuthentic, "The file data in “\(parameter)” stands outside what the MAC covers.")
      }
    }
    return Array(query.bytes[start..<end])
  }
}

/// The query of a URL as its bytes stand on the tag: nothing is decoded, because a tag mirrors
/// plain characters and computes its MAC over them.
struct MirroredQuery {
  /// The URL's UTF-8.
  let bytes: [UInt8]
  private let values: [[UInt8]: [Range<Int>]]

  init(_ url: String) {
    bytes = Array(url.utf8)
    let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
    var values: [[UInt8]: [Range<Int>]] = [:]
    if let mark = bytes[..<end].firstIndex(of: UInt8(ascii: "?")) {
      for item in bytes[(mark + 1)..<end].split(
        separator: UInt8(ascii: "&"), omittingEmptySubsequences: true)
      {
        let equals = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
        let value = min(equals + 1, item.endIndex)..<item.endIndex
        values[Array(item[..<equals]), default: []].append(value)
      }
    }
    self.values = values
  }

  /// Whether a parameter is there, with or without a value.
  func holds(_ parameter: String) -> Bool { values[Array(parameter.utf8)] != nil }

  /// Where the value of a parameter stands.
  ///
  /// - Throws: ``AuthenticityError`` with code `missing`, or `not-authentic` when it is there twice:
  ///   a tag writes each part once, and two readers might take different ones.
  func range(of parameter: String) throws(AuthenticityError) -> Range<Int> {
    guard let ranges = values[Array(parameter.utf8)] else {
      throw AuthenticityError(.missing, "The URL has no query item “\(parameter)”.")
    }
    guard ranges.count == 1 else {
      throw AuthenticityError(
        .notAuthentic, "The query item “\(parameter)” is in the URL \(ranges.count) times.")
    }
    return ranges[0]
  }

  /// The bytes that a parameter's value spells in upper-case hexadecimal, as tags mirror them.
  ///
  /// - Parameter accepts: Whether a number of bytes is right.
  func value(
    of parameter: String, _ wanted: String, _ accepts: (Int) -> Bool
  ) throws(AuthenticityError) -> [UInt8] {
    guard let value = [UInt8](hexadecimalDigits: bytes[try range(of: parameter)]),
      accepts(value.count)
    else {
      throw AuthenticityError(
        .notAuthentic,
        "The query item “\(parameter)” is not \(wanted) upper-case hexadecimal digits.")
    }
    return value
  }
}
