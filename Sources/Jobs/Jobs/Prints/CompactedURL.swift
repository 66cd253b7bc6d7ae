import Invocation
import Issuing
import QRSymbol

/// A URL with its scheme and host in capitals, where that makes the code smaller or more robust.
public struct CompactedURL: Encodable, Sendable {
  /// Whether the code carries the URL in capitals.
  private let applied: Bool
  /// The number of bits that capitals save; `nil` for a text that is no invocation URL.
  private let savedBits: Int?
  /// The number of versions that capitals save; `nil` for a text that is no invocation URL.
  private let savedVersions: Int?
  /// The gain and the risk in one or two sentences.
  package let message: String
  /// The text that the code carries.
  package let payload: String

  private enum CodingKeys: CodingKey { case applied, savedBits, savedVersions, message }

  /// Plans the symbol with and without capitals.
  ///
  /// - Throws: `QRSymbolError` if no symbol holds the URL.
  init(_ url: String, minimum: QRSymbol.ErrorCorrection) throws(QRSymbolError) {
    var compact: CompactURL?
    if let url = try? InvocationURL(url) {
      compact = try CompactURL(url, minimumErrorCorrection: minimum)
    }
    applied = compact?.gains ?? false
    (savedBits, savedVersions) = (compact?.savedBits, compact?.savedVersions)
    message = compact?.message ?? "The text is not an invocation URL and is unchanged."
    payload = compact?.payload ?? url
  }
}
