import CliptagBasics
import CCrypto

/// A verified Secure Unique NFC message (SUN), which an NTAG 424 DNA mirrored into its URL at one
/// reading, under keys known only to the tag and the verifier.
///
/// A message that verifies was made by the tag once. The caller detects replays by keeping the last
/// ``counter`` of each ``uid``.
public struct SecureUniqueMessage: Hashable, Sendable {
  /// The algorithm of a tag's messages.
  public enum Mode: Hashable, Sendable {
    /// AES, the factory setting.
    case aes
    /// The Leakage Resilient Primitive (NXP AN12304), to which a tag can be switched permanently.
    case lrp
  }

  /// The algorithm of the message.
  public let mode: Mode
  /// The UID of the tag that made the message; `nil` if the tag does not mirror it.
  public let uid: [UInt8]?
  /// The number of readings of the tag, 0 to 16,777,215; `nil` if the tag does not mirror it.
  public let counter: Int?
  /// The decrypted file data; `nil` if the configuration names none.
  public let fileData: [UInt8]?

  /// Verifies the message in a URL.
  ///
  /// - Parameters:
  ///   - url: The URL exactly as on the tag.
  ///   - configuration: The places of the message's parts, and the keys.
  /// - Throws: ``AuthenticityError``: `missing` if a part is not in the URL, `not-authentic` if the
  ///   tag's keys do not make this message, `cryptography-failed` if there is no result.
  public init(
    url: String, configuration: SecureUniqueMessageConfiguration
  ) throws(AuthenticityError) {
    let query = MirroredQuery(url)
    // Missing parts are reported before wrong ones, and before any computation.
    for parameter in configuration.parameters { _ = try query.range(of: parameter) }
    let (identity, modes) = try Self.identity(in: query, configuration.identification)
    let key = try Self.fileReadKey(of: identity, configuration)
    let given = try query.value(of: configuration.macParameter, "16") { $0 == 8 }
    let covered = try Self.coveredText(in: query, configuration)
    var found: (mode: Mode, messaging: SecureMessaging)?
    for mode in modes where found == nil {
      let messaging = try SecureMessaging(
        uid: identity.uid ?? [], counter: identity.counter ?? [], fileReadKey: key, mode: mode)
      let expected = try messaging.truncatedMAC(over: covered)
      // In constant time: the duration must not reveal how many bytes were right.
      if CRYPTO_memcmp(given, expected, expected.count) == 0 { found = (mode, messaging) }
    }
    guard let (mode, messaging) = found else {
      let name = modes == [.lrp] ? " (LRP)" : ""
      throw AuthenticityError(
        .notAuthentic, "The MAC in “\(configuration.macParameter)” is not the tag's\(name).")
    }
    self.mode = mode
    fileData = try configuration.fileDataParameter.map { parameter throws(AuthenticityError) in
      let data = try query.value(of: parameter, "32, or a multiple of 32,") {
        $0 > 0 && $0.isMultiple(of: AES.blockByteCount)
      }
      return try messaging.decrypt(fileData: data)
    }
    uid = identity.uid
    counter = identity.counter.map { $0.reversed().reduce(0) { $0 << 8 | Int($1) } }
  }

  /// Returns `true` if a URL contains any part of a message, right or wrong.
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
        .missing, "The message does not contain the tag's UID, from which its key is derived.")
    }
    return try configuration.fileReadKey.diversified(by: uid + input)
  }

  private static func identity(
    in query: MirroredQuery, _ identification: SecureUniqueMessageConfiguration.Identification
  ) throws(AuthenticityError) -> (PICCData, possible: [Mode]) {
    switch identification {
    case .encrypted(let parameter, let key):
      let withRandom = PICCData.randomByteCount + AES.blockByteCount
      let bytes = try query.value(of: parameter, "32, or in LRP mode 48,") {
        $0 == AES.blockByteCount || $0 == withRandom
      }
      let mode: Mode = bytes.count == withRandom ? .lrp : .aes
      guard let identity = try PICCData(encrypted: bytes, metaReadKey: key) else {
        throw AuthenticityError(
          .notAuthentic,
          "The query item “\(parameter)”\(mode == .lrp ? " (LRP)" : "") does not decrypt to a UID and a "
            + "counter: the key is wrong or the data is forged.")
      }
      return (identity, [mode])
    case .plain(let uidParameter, let counterParameter):
      let uid = try query.value(of: uidParameter, "14") { $0 == PICCData.uidByteCount }
      let counter = try query.value(of: counterParameter, "6") {
        $0 == PICCData.counterByteCount
      }
      // With plain UID and counter, the URL does not reveal the algorithm.
      return (PICCData(uid: uid, counter: counter.reversed()), [.aes, .lrp])
    }
  }

  /// The text that the MAC covers: from the configured beginning up to the MAC.
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
        "The MAC in “\(configuration.macParameter)” is before the text that it covers.")
    }
    if let parameter = configuration.fileDataParameter {
      // NT4H2421Gx, 10.7.1: a tag encrypts only what its MAC covers. Anything else is forged.
      let data = try query.range(of: parameter)
      guard data.lowerBound >= start, data.upperBound <= end else {
        throw AuthenticityError(
          .notAuthentic, "The file data in “\(parameter)” is outside the MAC's coverage.")
      }
    }
    return Array(query.bytes[start..<end])
  }
}

/// The places and keys of the Secure Unique NFC messages of one product line, as set when the tags
/// were made.
public struct SecureUniqueMessageConfiguration: Sendable {
  /// The form of UID and counter in the URL.
  public enum Identification: Sendable {
    /// Both encrypted together (PICCData), 32 hexadecimal digits; 48 in LRP mode.
    case encrypted(parameter: String, metaReadKey: SecretKey)
    /// Both plain: the UID in 14 hexadecimal digits, the counter in 6, high byte first.
    case plain(uidParameter: String, counterParameter: String)
  }

  /// The beginning of the text that the MAC (SDMMAC) covers; the text ends before the MAC.
  public enum MACBeginning: Hashable, Sendable {
    /// The MAC covers only UID and counter, which are in its key.
    case nowhere
    /// The text begins at the first character of a parameter's value.
    case value(parameter: String)
    /// The text begins after a number of bytes of the URL as on the tag, including `https://`.
    case byte(Int)
  }

  /// The form of UID and counter in the URL.
  public let identification: Identification
  /// The name of the parameter with the truncated CMAC, 16 hexadecimal digits.
  public let macParameter: String
  /// The name of the parameter with encrypted file data; `nil` if there is none.
  public let fileDataParameter: String?
  /// K_SDMFileRead, from which the session keys are derived; the master key if keys are
  /// diversified.
  public let fileReadKey: SecretKey
  /// The bytes after the UID in the input that diversifies ``fileReadKey`` for each tag (NXP
  /// AN10922); `nil` if all tags share that key.
  public let diversificationInput: [UInt8]?
  /// The beginning of the text that the MAC covers.
  public let macBeginning: MACBeginning

  /// Makes a configuration.
  ///
  /// - Parameters:
  ///   - identification: The form of UID and counter in the URL.
  ///   - macParameter: The name of the parameter that holds the MAC.
  ///   - fileDataParameter: The name of the parameter that holds encrypted file data, if there is
  ///     any.
  ///   - fileReadKey: The key of the MAC (SDMFileReadKey).
  ///   - macBeginning: The beginning of the text that the MAC covers. `nil` means at the encrypted
  ///     file data if there is some, otherwise ``MACBeginning/nowhere``, as in AN12196.
  ///   - diversificationInput: At most 24 bytes, or `nil`.
  /// - Throws: ``AuthenticityError`` with code `invalid-value` if a parameter has no name, if two
  ///   have the same name, or if the input for diversification is too long.
  public init(
    identification: Identification, macParameter: String, fileDataParameter: String? = nil,
    fileReadKey: SecretKey, diversificationInput: [UInt8]? = nil,
    macBeginning: MACBeginning? = nil
  ) throws(AuthenticityError) {
    self.identification = identification
    self.macParameter = macParameter
    self.fileDataParameter = fileDataParameter
    self.fileReadKey = fileReadKey
    self.diversificationInput = diversificationInput
    self.macBeginning =
      macBeginning ?? fileDataParameter.map(MACBeginning.value) ?? .nowhere
    let names = parameters
    guard !names.contains(""), Set(names).count == names.count else {
      throw AuthenticityError(
        .invalidValue, "Each part of a message needs a separate query item with a name.")
    }
    let limit = SecretKey.maximumDiversificationByteCount - PICCData.uidByteCount
    guard diversificationInput.map({ $0.count <= limit }) ?? true else {
      throw AuthenticityError(
        .invalidValue, "At most \(limit) bytes follow the UID in key diversification.")
    }
  }

  /// The names of all parameters of a message.
  package var parameters: [String] {
    let identifying =
      switch identification {
      case .encrypted(let parameter, _): [parameter]
      case .plain(let uid, let counter): [uid, counter]
      }
    return identifying + (fileDataParameter.map { [$0] } ?? []) + [macParameter]
  }
}

/// The query of a URL, with its bytes as on the tag. Nothing is decoded, because a tag mirrors
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

  /// Returns `true` if a parameter is present, with or without a value.
  func holds(_ parameter: String) -> Bool { values[Array(parameter.utf8)] != nil }

  /// The range of a parameter's value.
  ///
  /// - Throws: ``AuthenticityError`` with code `missing`, or `not-authentic` if the parameter is
  ///   present twice: a tag writes each part once, and two readers might use different ones.
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

  /// Decodes a parameter's value from upper-case hexadecimal, as mirrored by tags.
  ///
  /// - Parameter accepts: A closure that returns `true` if a number of bytes is valid.
  func value(
    of parameter: String, _ wanted: String, _ accepts: (Int) -> Bool
  ) throws(AuthenticityError) -> [UInt8] {
    let text = bytes[try range(of: parameter)]
    guard let value = [UInt8](hexadecimal: text), accepts(value.count),
      !text.contains(where: { $0 >= UInt8(ascii: "a") })
    else {
      throw AuthenticityError(
        .notAuthentic,
        "The query item “\(parameter)” is not \(wanted) upper-case hexadecimal digits.")
    }
    return value
  }
}
