public import CliptagBasics
public import Invocation
public import QRSymbol

/// An explanation of a code's size, and of the change of the URL that would make it smaller.
public struct SymbolExplanation: Hashable, Sendable {
  /// The symbol that is explained.
  public let symbol: QRSymbol
  /// The level that was asked for; the symbol has this one or a stronger one.
  public let requested: QRSymbol.ErrorCorrection
  /// The changes that would help, each planned and not estimated; the least change first.
  public let suggestions: [Suggestion]

  /// A change of the URL that would make the code smaller, or more robust at its size.
  public struct Suggestion: Hashable, Sendable {
    /// The kind of change; new kinds may be added.
    public enum Kind: String, Hashable, Sendable {
      /// Scheme and host in capitals; the URL stays the same one.
      case hostInCapitals = "host-in-capitals"
      /// Fewer characters after the host; another URL.
      case shorter = "shorter"
      /// Fewer characters after the host, and capitals before it; another URL.
      case shorterWithHostInCapitals = "shorter-with-host-in-capitals"
      /// All letters in capitals; another URL, because paths are compared with their case.
      case allInCapitals = "all-in-capitals"
    }

    /// The kind of change.
    public let kind: Kind
    /// The text that was planned in place of the URL.
    public let text: String
    /// The symbol that it would need.
    public let plan: SymbolPlan
    /// The bits that it would save.
    public let savedBits: Int
    /// The change and its gain, in one sentence with its advice as values.
    public let advice: Hint
    /// The change and its gain, in one sentence.
    public var message: String { advice.text }
  }

  /// Plans the changes.
  ///
  /// - Parameters:
  ///   - symbol: The symbol to explain.
  ///   - requested: The requested level.
  /// - Throws: `QRSymbolError`; a symbol that was made gives no reason to.
  public init(
    of symbol: QRSymbol, requested: QRSymbol.ErrorCorrection
  ) throws(QRSymbolError) {
    self.symbol = symbol
    self.requested = requested
    let text = String(decoding: symbol.bytes, as: UTF8.self)
    let search = SuggestionSearch(
      text: text, url: try? InvocationURL(text), requested: requested, bitCount: symbol.bitCount,
      version: symbol.version)
    suggestions = try search.suggestions()
  }

  /// The bits left at the level in use.
  public var spareBits: Int { symbol.spareBits(at: symbol.errorCorrection) }

  /// The bits left before the level that was asked for needs a larger version.
  public var spareBitsAtRequestedLevel: Int { symbol.spareBits(at: requested) }
}

/// Tries possible changes of a text.
private struct SuggestionSearch {
  let text: String
  /// `nil` for a text that is not an invocation URL.
  let url: InvocationURL?
  let requested: QRSymbol.ErrorCorrection
  let bitCount: Int
  let version: Int

  func suggestions() throws(QRSymbolError) -> [SymbolExplanation.Suggestion] {
    guard let url else { return [shorter(text, keeping: 1)].compactMap(\.self) }
    let compact = try CompactURL(url, minimumErrorCorrection: requested)
    let plain = shorter(text, keeping: url.hostEnd)
    guard compact.gains else {
      let both = compact.savedBits > 0 ? shorter(compact.capitals, keeping: url.hostEnd) : nil
      return [both, plain, allInCapitals(below: version)].compactMap(\.self)
    }
    let capitals = suggestion(
      .hostInCapitals, compact.capitals, compact.after,
      .sentence("\(.schemeAndHostInCapitals) save \(compact.savedBits) bits: \(compact.gain)"))
    return [capitals, plain, allInCapitals(below: compact.after.version)].compactMap(\.self)
  }

  /// Returns the suggestion with the fewest characters removed from the end of a text that saves a
  /// version.
  private func shorter(
    _ text: String, keeping keptBytes: Int
  ) -> SymbolExplanation.Suggestion? {
    let characters = Array(text)
    let kept = String(decoding: text.utf8.prefix(keptBytes), as: UTF8.self).count
    // A shorter beginning never takes more bits, so the longest one that fits can be bisected.
    guard kept < characters.count, plan(characters[..<kept], below: version) != nil else {
      return nil
    }
    var (fits, tooLong) = (kept, characters.count)
    while tooLong - fits > 1 {
      let middle = (fits + tooLong) / 2
      if plan(characters[..<middle], below: version) == nil {
        tooLong = middle
      } else {
        fits = middle
      }
    }
    guard let plan = plan(characters[..<fits], below: version) else { return nil }
    let isPlain = text == self.text
    let count = characters.count - fits
    return suggestion(
      isPlain ? .shorter : .shorterWithHostInCapitals, String(characters[..<fits]), plan,
      "\(count.of("character")) fewer at the end"
        + (isPlain ? "" : ", \(.hostInCapitals),")
        + " fit\(count == 1 && isPlain ? "s" : "") version \(plan.version).")
  }

  private func allInCapitals(below smallest: Int) -> SymbolExplanation.Suggestion? {
    guard url != nil, text.utf8.allSatisfy({ $0 < 0x80 }),
      let plan = plan(Array(text.uppercased())[...], below: smallest)
    else { return nil }
    return suggestion(
      .allInCapitals, text.uppercased(), plan,
      "Capitals in the path, too, would fit version \(plan.version); that is another URL, so it "
        + "is an option for new codes only.")
  }

  /// The plan of a text that fits a version below `version`.
  private func plan(_ characters: ArraySlice<Character>, below version: Int) -> SymbolPlan? {
    guard version > 1 else { return nil }
    return try? SymbolPlan(
      bytes: Array(String(characters).utf8), minimumErrorCorrection: requested,
      maximumVersion: version - 1)
  }

  private func suggestion(
    _ kind: SymbolExplanation.Suggestion.Kind, _ text: String, _ plan: SymbolPlan,
    _ advice: Hint
  ) -> SymbolExplanation.Suggestion {
    SymbolExplanation.Suggestion(
      kind: kind, text: text, plan: plan, savedBits: bitCount - plan.bitCount, advice: advice)
  }
}

/// An invocation URL with its scheme and host in capitals, and its gain in a QR code.
///
/// A QR code holds two capitals in eleven bits and two small letters in sixteen. Path, query and
/// fragment are never touched, so it is the same URL. Readers may still differ: it is not
/// documented how iOS treats capitals in the host of an App Clip URL, so a code of this kind must
/// be tried on a device before many are printed.
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

  /// The recommended payload: capitals if they gain something, else the given URL.
  public var payload: String { gains ? capitals : original }

  /// The gain and the risk, in one or two sentences.
  package var message: String {
    guard savedBits > 0 else {
      return "Capitals in scheme and host save no bits; the URL is unchanged."
    }
    guard gains else {
      return "Capitals in scheme and host would save \(savedBits) bits, but the code would stay "
        + "version \(before.version) at level \(before.errorCorrection.rawValue); "
        + "the URL is unchanged."
    }
    return "Capitals in scheme and host save \(savedBits) bits: \(gain). The behaviour of "
      + "iOS with capitals in an App Clip URL's host is undocumented: test the code on a device."
  }

  /// The smaller version, or the stronger level, that the saved bits allow.
  var gain: String {
    savedVersions > 0
      ? "version \(after.version) instead of \(before.version)"
      : "level \(after.errorCorrection.rawValue) instead of "
        + "\(before.errorCorrection.rawValue) at the same size"
  }
}
