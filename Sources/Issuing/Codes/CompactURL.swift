public import Invocation
public import QRSymbol

/// An invocation URL with its scheme and host in capitals, and what that gains in a QR code.
///
/// A QR code holds two capitals in eleven bits and two small letters in sixteen. Path, query and
/// fragment are never touched, so it is the same URL. Readers differ all the same: nobody has
/// documented what iOS does with capitals in the host of an App Clip URL, so a code of this kind
/// has to be tried on a device before many are printed.
public struct CompactURL: Hashable, Sendable {
  /// The URL as it was given.
  public let original: String
  /// The URL with its scheme and host in capitals.
  package let capitals: String
  /// The symbol of the URL as it was given.
  public let before: SymbolPlan
  /// The symbol of the URL in capitals.
  public let after: SymbolPlan

  /// Plans both symbols.
  ///
  /// - Throws: `QRSymbolError` when no symbol holds the URL.
  public init(
    _ url: InvocationURL, minimumErrorCorrection: QRSymbol.ErrorCorrection
  ) throws(QRSymbolError) {
    original = url.payload
    capitals = url.payloadWithHostInCapitals
    before = try SymbolPlan(
      bytes: Array(original.utf8), minimumErrorCorrection: minimumErrorCorrection)
    after = try SymbolPlan(
      bytes: Array(capitals.utf8), minimumErrorCorrection: minimumErrorCorrection)
  }

  /// The bits that capitals save.
  package var savedBits: Int { before.bitCount - after.bitCount }

  /// The versions that capitals save; each makes the code four modules narrower.
  public var savedVersions: Int { before.version - after.version }

  /// Whether a reader is any better off: the code is smaller, or as large and more robust.
  public var gains: Bool {
    savedVersions > 0 || (savedVersions == 0 && after.errorCorrection > before.errorCorrection)
  }

  /// What the code should carry: capitals where they gain something, else the URL as it was given.
  public var payload: String { gains ? capitals : original }

  /// What is gained, and at what risk, in one or two sentences for people.
  package var message: String {
    guard savedBits > 0 else {
      return "Capitals in scheme and host save no bits; the URL stays as it is."
    }
    guard gains else {
      return "Capitals in scheme and host would save \(savedBits) bits, but the code would stay "
        + "version \(before.version) at level \(before.errorCorrection.rawValue); "
        + "the URL stays as it is."
    }
    return "Capitals in scheme and host save \(savedBits) bits: \(gain). Nobody has documented "
      + "what iOS does with capitals in the host of an App Clip URL: test the code on a device."
  }

  /// What the saved bits buy.
  var gain: String {
    savedVersions > 0
      ? "version \(after.version) instead of \(before.version)"
      : "level \(after.errorCorrection.rawValue) instead of "
        + "\(before.errorCorrection.rawValue) at the same size"
  }
}
