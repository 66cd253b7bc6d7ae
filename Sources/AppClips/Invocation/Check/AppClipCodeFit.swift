import CliptagBasics

/// Estimates whether an App Clip Code can carry a URL.
///
/// The characters are documented (Apple, "Encoding a URL in an App Clip Code"). The length is not:
/// a code holds 128 bits of compressed text, and the number that a URL takes depends on Apple's
/// tables. The result is an estimate, which was compared with URLs that Apple's generator accepts
/// and refuses.
struct AppClipCodeFit {
  let url: InvocationURL

  /// The findings against a URL in an App Clip Code.
  var findings: [Finding] { characters + [length].compactMap(\.self) }

  /// The findings about the documented characters, which are certain.
  var characters: [Finding] {
    var findings: [Finding] = []
    func add(_ severity: Finding.Severity, _ message: String) {
      findings.append(Finding(.appClipCodeCharacters, severity, message))
    }
    let start = url.payload.utf8.prefix(url.hostEnd)
    if start.contains(where: { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) {
      add(.error, "Write https and the host of an App Clip Code in lower case.")
    }
    let rest = url.payload.utf8.dropFirst(url.hostEnd)
    if let other = rest.first(where: { !Self.allowed.contains($0) }) {
      let character =
        other < 0x80 ? String(UnicodeScalar(other)).quotedForMessage : "a letter beyond ASCII"
      add(
        .error,
        "An App Clip Code cannot carry \(character); letters, digits and /#?=%-._,+;:& are allowed "
          + "after the host.")
    }
    if url.path.utf8.count > 1, url.path.hasSuffix("/"), url.query == nil, url.fragment == nil {
      add(
        .note,
        "Remove the slash at the end of an App Clip Code's URL; Apple advises against it.")
    }
    return findings
  }

  /// The allowed characters: letters, digits, and Apple's further list.
  private static let allowed = Set(
    Array(0x30...0x39) + Array(0x41...0x5A) + Array(0x61...0x7A) + Array("/#?=%-._,+;:&".utf8))

  /// The finding about the estimated length, with the evidence for it; `nil` where URLs with such an
  /// estimate are known to fit.
  private var length: Finding? {
    let bits = estimatedBits
    guard bits > Self.knownToFit else { return nil }
    let advice =
      "Use a shorter host without www, and short paths of small letters or decimal numbers."
    guard bits > Self.capacity else {
      return Finding(
        .appClipCodeLength, .note,
        "The URL fits an App Clip Code by an estimate (about \(Int(bounded: bits)) of \(Int(bounded: Self.capacity)) "
          + "bits). Evidence: fair; no URL with an estimate above \(Int(bounded: Self.knownToFit)) is known that "
          + "fits. Make one code with Apple's tools before you order many.")
    }
    guard bits > Self.capacity * Self.certainty else {
      return Finding(
        .appClipCodeLength, .warning,
        "An App Clip Code holds \(Int(bounded: Self.capacity)) bits, and this URL needs about \(Int(bounded: bits)) by an "
          + "estimate. Evidence: weak; only Apple's generator decides if it fits. \(advice)")
    }
    return Finding(
      .appClipCodeLength, .error,
      "The URL fits no App Clip Code: it needs about \(Int(bounded: bits)) bits by an estimate, and a code holds "
        + "\(Int(bounded: Self.capacity)). Evidence: good; every known URL with such an estimate is refused. "
        + "\(advice)")
  }

  /// The capacity of a code's payload in bits.
  private static let capacity = 128.0
  /// The largest estimate of a URL that Apple's generator took, among 27.
  private static let knownToFit = 111.0
  /// The multiple of the capacity from which no URL with such an estimate was seen to fit.
  private static let certainty = 1.1

  /// The estimated number of bits of the URL after Apple's compression.
  ///
  /// Host names and paths are compressed by letter frequency in context, common top-level domains
  /// and the label `appclip` to a few bits, numbers between delimiters as binary numbers; capitals,
  /// and digits among letters, cost most.
  var estimatedBits: Double {
    var labels = url.host.split(separator: ".")
    if labels.first == "appclip" { labels.removeFirst() }
    let domain = labels.popLast() ?? ""
    var bits = 4 + (Self.commonDomains.contains(String(domain)) ? 5.0 : 9.0)
    bits += labels.reduce(0.0) { $0 + Self.bits(ofHostLabel: $1) + 2.5 }
    let rest = String(Substring(url.payload.utf8.dropFirst(url.hostEnd)))
    var run = ""
    for character in rest {
      if character.isLetter || character.isNumber {
        run.append(character)
      } else {
        bits += Self.bits(ofRun: run) + 3
        run = ""
      }
    }
    return bits + Self.bits(ofRun: run)
  }

  private static let commonDomains: Set<String> = [
    "com", "org", "net", "de", "uk", "jp", "fr", "it", "es", "nl", "cn", "br", "ru", "in", "au",
    "eu", "io",
    "co", "app", "us",
  ]

  /// The bits of a small letter among others.
  private static let letterBits = 3.8

  private static func bits(ofHostLabel label: Substring) -> Double {
    label.utf8.reduce(0) { $0 + ($1.isASCIIDigit ? 6 : letterBits) }
  }

  /// The bits of letters and digits between delimiters.
  private static func bits(ofRun run: String) -> Double {
    // A number is stored in binary, in groups of seven bits.
    if !run.isEmpty, run.utf8.allSatisfy(\.isASCIIDigit), run.utf8.count < 19 {
      return 8 * max(1, (Double(run.utf8.count) * 3.33 / 7).rounded(.up)) + 3
    }
    return run.unicodeScalars.reduce(0) { sum, scalar in
      sum
        + (("a"..."z").contains(scalar) ? letterBits : ("0"..."9").contains(scalar) ? 6 : 8)
    }
  }
}

extension Finding {
  /// A Boolean value that indicates whether the URL may be too long for an App Clip Code; the note
  /// about the evidence does not say so.
  package var doubtsAppClipCodeLength: Bool { code == .appClipCodeLength && severity > .note }
}
