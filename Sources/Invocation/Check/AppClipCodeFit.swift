import Basics

/// Whether an App Clip Code can carry a URL.
///
/// The characters are documented (Apple, "Encoding a URL in an App Clip Code"). The length is not: a code holds
/// 128 bits of compressed text, and how many a URL takes depends on tables that are Apple's. It is told as an
/// estimate, which was compared with URLs that Apple's generator takes and refuses.
struct AppClipCodeFit {
  let url: InvocationURL

  /// What speaks against a URL in an App Clip Code.
  var findings: [Finding] { characters + [length].compactMap(\.self) }

  /// What the documented characters say, which is certain.
  var characters: [Finding] {
    var findings: [Finding] = []
    func add(_ severity: Finding.Severity, _ message: String) {
      findings.append(Finding(.appClipCodeCharacters, severity, message))
    }
    let start = url.payload.utf8.prefix(url.hostEnd)
    if start.contains(where: { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) {
      add(.error, "In an App Clip Code, https and the host are written in lower case.")
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
        "Apple advises against a slash at the end of a URL in an App Clip Code: it takes room.")
    }
    return findings
  }

  /// Letters, digits, and what Apple lists beside them.
  private static let allowed = Set(
    Array(0x30...0x39) + Array(0x41...0x5A) + Array(0x61...0x7A) + Array("/#?=%-._,+;:&".utf8))

  /// What the estimate says.
  private var length: Finding? {
    let bits = estimatedBits
    guard bits > Double(Self.capacity) else { return nil }
    let advice =
      "Use a shorter host without www, and short paths of small letters or decimal numbers."
    guard bits > Double(Self.capacity) * Self.certainty else {
      return Finding(
        .appClipCodeLength, .warning,
        "An App Clip Code holds \(Self.capacity) bits, and this URL takes about \(Int(bits)) by an "
          + "estimate: only Apple's generator can say whether it fits. \(advice)")
    }
    return Finding(
      .appClipCodeLength, .error,
      "The URL fits no App Clip Code: it takes about \(Int(bits)) bits by an estimate, and a code holds "
        + "\(Self.capacity). \(advice)")
  }

  /// Bits of a code's payload.
  private static let capacity = 128
  /// From how many times the capacity on no URL of such an estimate was seen to fit.
  private static let certainty = 1.1

  /// About how many bits Apple's compression makes of the URL.
  ///
  /// Host names and paths are compressed by how often letters follow each other, common top-level domains and
  /// the label `appclip` to a few bits, numbers that stand alone as binary numbers; capitals, and digits among
  /// letters, cost most.
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

  /// Bits of a small letter among others.
  private static let letterBits = 3.8

  private static func bits(ofHostLabel label: Substring) -> Double {
    label.utf8.reduce(0) { $0 + ($1.isASCIIDigit ? 6 : letterBits) }
  }

  /// Letters and digits between signs.
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
