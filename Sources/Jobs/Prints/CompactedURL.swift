import Invocation
import Issuing
import QRSymbol

/// A URL with its scheme and host in capitals, where that makes the code smaller or more robust.
public struct CompactedURL: Encodable, Sendable {
  /// `nil` for a text that is no invocation URL and stays as it is.
  private let compact: CompactURL?
  /// The text that the code carries.
  package let payload: String

  private enum CodingKeys: String, CodingKey {
    case applied, savedBits, savedVersions, message
  }

  /// Plans the symbol with and without capitals.
  ///
  /// - Throws: `QRSymbolError` if no symbol holds the URL.
  init(_ url: String, minimum: QRSymbol.ErrorCorrection) throws(QRSymbolError) {
    var compact: CompactURL?
    if let url = try? InvocationURL(url) {
      compact = try CompactURL(url, minimumErrorCorrection: minimum)
    }
    self.compact = compact
    payload = compact?.payload ?? url
  }

  /// The gain and the risk in one or two sentences.
  package var message: String {
    compact?.message ?? "The text is not an invocation URL and is unchanged."
  }

  /// Encodes the object of the contract.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(compact?.gains ?? false, forKey: .applied)
    try values.encodeIfPresent(compact?.savedBits, forKey: .savedBits)
    try values.encodeIfPresent(compact?.savedVersions, forKey: .savedVersions)
    try values.encode(message, forKey: .message)
  }
}
