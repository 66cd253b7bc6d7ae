/// How the tags of one product line mirror their Secure Unique NFC message into a URL, and with
/// which keys: what a verifier has to know, as it was set when the tags were made.
public struct SecureUniqueMessageConfiguration: Sendable {
  /// How UID and counter stand in the URL.
  public enum Identification: Sendable {
    /// Together and encrypted (PICCData), 32 hexadecimal digits.
    case encrypted(parameter: String, metaReadKey: SecretKey)
    /// As they are: the UID in 14 hexadecimal digits, the counter in 6, high byte first.
    case plain(uidParameter: String, counterParameter: String)
  }

  /// Where the text that the MAC (SDMMAC) covers begins; it ends before the MAC itself.
  public enum MACBeginning: Hashable, Sendable {
    /// It covers nothing but UID and counter, which are in its key.
    case nowhere
    /// At the first character of a parameter's value.
    case value(parameter: String)
    /// Behind a number of bytes of the URL as it is on the tag, `https://` included.
    case byte(Int)
  }

  /// How UID and counter stand in the URL.
  public let identification: Identification
  /// The parameter with the truncated CMAC, 16 hexadecimal digits.
  public let macParameter: String
  /// The parameter with encrypted file data; `nil` when there is none.
  public let fileDataParameter: String?
  /// K_SDMFileRead, from which the session keys come; the master key where each tag has its own.
  public let fileReadKey: SecretKey
  /// What follows the UID in the input from which each tag's key is made of ``fileReadKey`` (NXP
  /// AN10922); `nil` when all tags have that key itself.
  public let diversificationInput: [UInt8]?
  /// Where the text that the MAC covers begins.
  public let macBeginning: MACBeginning

  /// Makes a configuration.
  ///
  /// - Parameters:
  ///   - identification: How UID and counter stand in the URL.
  ///   - macParameter: The name of the parameter that holds the MAC.
  ///   - fileDataParameter: The name of the one that holds encrypted file data, if there is any.
  ///   - fileReadKey: The key of the MAC (SDMFileReadKey).
  ///   - macBeginning: Where the text that the MAC covers begins; `nil` means at the encrypted
  ///     file data where there is some, else nowhere, which is how AN12196 sets up tags.
  ///   - diversificationInput: At most 24 bytes, or none at all.
  /// - Throws: ``AuthenticityError`` with code `invalid-value` when a parameter has no name or two
  ///   have the same, or when the input for diversification is too long.
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
        .invalidValue, "Each part of a message has a query item of its own, with a name.")
    }
    let limit = SecretKey.maximumDiversificationByteCount - PICCData.uidByteCount
    guard diversificationInput.map({ $0.count <= limit }) ?? true else {
      throw AuthenticityError(
        .invalidValue, "At most \(limit) bytes follow the UID where keys are diversified.")
    }
  }

  /// The names of all parameters that a message has.
  package var parameters: [String] {
    let identifying =
      switch identification {
      case .encrypted(let parameter, _): [parameter]
      case .plain(let uid, let counter): [uid, counter]
      }
    return identifying + (fileDataParameter.map { [$0] } ?? []) + [macParameter]
  }
}
