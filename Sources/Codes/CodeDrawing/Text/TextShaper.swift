import CliptagBasics
internal import CPango

/// Sets text of any script in lines: chooses fonts, joins and reorders letters, breaks lines.
///
/// The same text in the same style and with the same fonts installed gives the same numbers at
/// every size. A shaper must be used by one thread at a time.
public final class TextShaper {
  /// The maximum number of characters (Unicode scalars) of a text.
  public static let longestText = 4000

  private var shaper: OpaquePointer?
  private var installed: [String: Bool] = [:]
  private let hyphenator = Hyphenator()

  /// Makes a shaper, which opens the system's fonts with the first text.
  public init() {}

  deinit { if let shaper { cpango_close(shaper) } }

  /// Sets a text in lines.
  ///
  /// - Parameters:
  ///   - text: The text; a line feed begins a new line, and a soft hyphen divides a word.
  ///   - style: The style.
  ///   - width: The available width of a line in millimetres, or nil to break only at line feeds.
  ///   - alignment: The alignment of lines in the width, or in that of the widest line.
  ///   - maximumLines: The maximum number of lines, or nil.
  ///   - breaksWords: Whether a word wider than the line, such as a link, may be broken.
  ///   - language: A tag as in BCP 47, such as `ja` or `zh-Hant`, or nil to derive it from the
  ///     text. It determines the forms of Chinese characters, among others.
  /// - Throws: ``TextError``: for characters that no font has, for instance, for a text that needs
  ///   more lines or width than allowed, or if Pango is not installed.
  public func shape(
    _ text: String, _ style: TextStyle, width: Double? = nil, alignment: TextAlignment = .start,
    maximumLines: Int? = nil, breaksWords: Bool = false, language: String? = nil
  ) throws(TextError) -> ShapedText {
    try shape(
      text, style, width: width, alignment: alignment, maximumLines: maximumLines,
      breaksWords: breaksWords, wordBreaks: .standard, language: language)
  }

  /// Sets a text in lines, which may be broken at other places within words.
  package func shape(
    _ text: String, _ style: TextStyle, width: Double? = nil, alignment: TextAlignment = .start,
    maximumLines: Int? = nil, breaksWords: Bool = false, wordBreaks: WordBreaks,
    language: String? = nil
  ) throws(TextError) -> ShapedText {
    try style.check()
    let text = try TextCheck.printable(text)
    let language = try TextCheck.language(language)
    if let width, !(width > 0) {
      throw TextError(
        .textTooLarge,
        "A width of \(width.isFinite ? atMost(width) : "no") mm leaves no room for text.",
        hint: "Give millimetres above 0.")
    }
    let shaper = try opened()
    let set = SetText(text, breaks: wordBreaks) { text in
      language.map {
        hyphenator.breaks(in: text, language: $0, isHalving: wordBreaks == .halves)
      } ?? []
    }
    let request = try ShapingRequest(
      set, style, width: width, breaksWords: breaksWords, language: language,
      isInstalled: hasFamily)
    let lines = lines(of: request, by: shaper)
    let shaped = try ShapedText(request, lines, width: width, alignment: alignment)
    try shaped.checkRoom(width: width, maximumLines: maximumLines)
    return shaped
  }

  /// Whether a text has a word that ``WordBreaks/halves`` divides.
  func halves(_ text: String, language: String?) -> Bool {
    guard let language = try? TextCheck.language(language) else { return false }
    return !hyphenator.breaks(in: text, language: language, isHalving: true).isEmpty
  }

  /// Sets a text in the largest size that fits a box, at most that of its style.
  ///
  /// The size is found by bisection to a thousandth of the style's size.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - style: The style; its size is the largest.
  ///   - alignment: The alignment of lines in the box.
  ///   - maximumLines: The maximum number of lines; `nil` for any number.
  ///   - breaksWords: Whether a word that is too long may be broken.
  ///   - language: The language of the text, such as `en`; `nil` if unknown.
  ///   - width: The width of the box, in millimetres.
  ///   - height: The height of the box, in millimetres.
  ///   - minimumSize: The smallest em that may be chosen, in millimetres.
  /// - Throws: ``TextError``; ``TextError/Code/textTooLarge`` if it does not fit in the smallest
  ///   size.
  public func fitting(
    _ text: String, _ style: TextStyle, width: Double, height: Double, minimumSize: Double,
    alignment: TextAlignment = .start, maximumLines: Int? = nil, breaksWords: Bool = false,
    language: String? = nil
  ) throws(TextError) -> ShapedText {
    try fitting(
      text, style, width: width, height: height, minimumSize: minimumSize, alignment: alignment,
      maximumLines: maximumLines, breaksWords: breaksWords, wordBreaks: .standard,
      language: language)
  }

  /// Sets a text in the largest size that fits a box, with its long words divided if that makes it
  /// half as large again, or fit at all.
  package func fittingDivided(
    _ text: String, _ style: TextStyle, width: Double, height: Double, minimumSize: Double,
    alignment: TextAlignment, maximumLines: Int?, language: String?
  ) throws(TextError) -> ShapedText {
    func attempt(_ breaks: WordBreaks) -> Result<ShapedText, TextError> {
      Result { () throws(TextError) in
        try fitting(
          text, style, width: width, height: height, minimumSize: minimumSize,
          alignment: alignment, maximumLines: maximumLines, breaksWords: false, wordBreaks: breaks,
          language: language)
      }
    }
    func size(_ result: Result<ShapedText, TextError>) -> Double {
      (try? result.get())?.lines.first?.runs.first?.size ?? 0
    }
    let whole = attempt(.standard)
    guard size(whole) < style.size / 1.5 else { return try whole.get() }
    let halved = attempt(.halves)
    if size(halved) > 1.5 * size(whole) { return try halved.get() }
    if case .failure(let error) = whole, error.code == .textTooLarge,
      case .success(let divided) = attempt(.hyphens)
    {
      return divided
    }
    return try whole.get()
  }

  private func fitting(
    _ text: String, _ style: TextStyle, width: Double, height: Double, minimumSize: Double,
    alignment: TextAlignment, maximumLines: Int?, breaksWords: Bool, wordBreaks: WordBreaks,
    language: String?
  ) throws(TextError) -> ShapedText {
    func attempt(_ size: Double) throws(TextError) -> ShapedText? {
      do {
        let shaped = try shape(
          text, style.sized(size), width: width, alignment: alignment, maximumLines: maximumLines,
          breaksWords: breaksWords, wordBreaks: wordBreaks, language: language)
        return shaped.height <= height ? shaped : nil
      } catch {
        guard error.code == .textTooLarge, width > 0 else { throw error }
        return nil
      }
    }
    if let largest = try attempt(style.size) { return largest }
    var low = min(minimumSize, style.size)
    var high = style.size
    guard var best = try attempt(low) else {
      throw TextError.doesNotFit(text, width: width, height: height, size: low)
    }
    while high - low > style.size / 1000 {
      let middle = (low + high) / 2
      if let shaped = try attempt(middle) {
        best = shaped
        low = middle
      } else {
        high = middle
      }
    }
    return best
  }

  private func hasFamily(_ family: String) -> Bool {
    if let known = installed[family] { return known }
    let has = cpango_has_family(family) != 0
    installed[family] = has
    return has
  }

  private func opened() throws(TextError) -> OpaquePointer {
    if let shaper { return shaper }
    try TextLibraries.load()
    let opened: OpaquePointer = cpango_open()
    shaper = opened
    return opened
  }

  private func lines(of request: ShapingRequest, by shaper: OpaquePointer) -> PangoLines {
    PangoLines(
      request.withCRequest { text, length, request in
        cpango_shape(shaper, text, length, &request)
      })
  }
}
