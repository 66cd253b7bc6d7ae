package import AppClipCodes
import CliptagBasics
import Invocation
package import Issuing
package import Registry

/// The facts about an App Clip Code that several results state.
private struct AppClipCodeFactsResult: Encodable {
  /// `cam` or `nfc`; `nil` if the file does not say.
  let kind: String?
  /// The number of Apple's colour template; `nil` for other colours.
  let template: Int?
  /// The colours.
  let colours: Colours
  /// The bits of the rings: 32 hexadecimal digits twice, with a hyphen between.
  let bits: String
  /// For each of the 128 positions, ring by ring from the inside: `0` if an arc begins there, `1` if the
  /// arc before it continues.
  let gaps: String
  /// For each position, `1` if its arc has the third colour, otherwise `0`.
  let thirds: String

  /// The three colours of an App Clip Code.
  struct Colours: Encodable {
    /// The colour of the disc, `#rrggbb`.
    let background: String
    /// The colour of the arcs whose bit is 0, `#rrggbb`.
    let foreground: String
    /// The colour of the arcs whose bit is 1, `#rrggbb`.
    let third: String
  }

  init(kind: AppClipCode.Kind?, colours: AppClipCodeColours, pattern: AppClipCodePattern) {
    self.kind = kind?.rawValue
    template = colours.template
    self.colours = Colours(
      background: colours.background.hexadecimal, foreground: colours.foreground.hexadecimal,
      third: colours.third.hexadecimal)
    bits = pattern.description
    (gaps, thirds) = (pattern.gaps, pattern.thirds)
  }
}

/// The `app-clip-code` object of a file.
package struct AppClipCodeFileResult: Encodable {
  private struct Head: Encodable {
    /// The type of the object.
    let type = "app-clip-code"
    /// The file.
    let source: String
    /// The text that the code carries, exactly.
    let url: String
  }

  private struct Tail: Encodable {
    /// `badge` if the disc lies on a badge, otherwise `none`.
    let logo: String
  }

  private let head: Head
  private let facts: AppClipCodeFactsResult
  private let tail: Tail

  package init(_ code: AppClipCode, source: String) {
    head = Head(source: source, url: code.payload)
    tail = Tail(logo: code.logo)
    facts = AppClipCodeFactsResult(
      kind: code.badge?.kind, colours: code.colours, pattern: code.pattern)
  }

  package func encode(to encoder: any Encoder) throws {
    try head.encode(to: encoder)
    try facts.encode(to: encoder)
    try tail.encode(to: encoder)
  }
}

/// The `app-clip-code` object of a code on record.
package struct IssuedAppClipCodeResult: Encodable {
  private struct Head: Encodable {
    /// The type of the object.
    let type = "app-clip-code"
    /// The name of the code.
    let code: String
    /// The text that the code carries, exactly.
    let url: String
    /// The id of its place.
    let place: String?
    /// The time of issue, RFC 3339 in UTC.
    let created: String
    /// Whether the registry accepted the URL when the code was issued.
    let registered: Bool
    /// `issued` or `retired`.
    let status: String
    /// The file.
    let output: String?
  }

  private let head: Head
  private let facts: AppClipCodeFactsResult?
  /// SHA-256 of the file.
  private let file: String?

  package init(_ code: IssuedCode) {
    head = Head(
      code: code.id.description, url: code.payload, place: code.placeID,
      created: code.created.registryTimestamp, registered: code.registered,
      status: code.status.rawValue, output: code.output)
    facts = code.appClipCode.map {
      AppClipCodeFactsResult(kind: $0.kind, colours: $0.colours, pattern: $0.pattern)
    }
    file = code.appClipCode?.fileDigest
  }

  package func encode(to encoder: any Encoder) throws {
    try head.encode(to: encoder)
    guard let facts else { return }
    try facts.encode(to: encoder)
    var values = encoder.container(keyedBy: NameKey.self)
    try values.encode(file, forKey: "file")
  }
}

/// The `app-clip-code` object of a file that was taken in.
package struct TakenAppClipCodeResult: Encodable {
  private struct Head: Encodable {
    /// The type of the object.
    let type = "app-clip-code"
    /// The file.
    let source: String
    /// The text that the code carries, exactly.
    let url: String
    /// `accepted`, `rejected` or `undecided`.
    let verdict: String
    /// The state of the URL in the registry.
    let state: String
    /// The id of the place that the URL names.
    let place: String?
    /// The findings of the check and of the file.
    let findings: [FindingResult]
  }

  private struct Outcome: Encodable {
    /// SHA-256 of the file.
    let file: String
    /// The code's name in the registry; `nil` if it is not on record.
    let code: String?
    /// The outcome, such as `imported`.
    let outcome: String
    /// Whether nothing was recorded.
    let dryRun: Bool
  }

  private let head: Head
  private let facts: AppClipCodeFactsResult
  private let outcome: Outcome

  package init(_ taken: TakenAppClipCode, isRehearsal: Bool) {
    let candidate = taken.candidate
    let verification = candidate.approval.verification
    head = Head(
      source: candidate.path, url: candidate.code.payload,
      verdict: verification.verdict.rawValue, state: verification.state.rawValue,
      place: verification.place?.id, findings: candidate.findings.map(FindingResult.init))
    facts = AppClipCodeFactsResult(
      kind: candidate.facts.kind, colours: candidate.facts.colours,
      pattern: candidate.facts.pattern)
    outcome = Outcome(
      file: candidate.facts.fileDigest, code: taken.id?.description,
      outcome: taken.outcome.rawValue, dryRun: isRehearsal)
  }

  package func encode(to encoder: any Encoder) throws {
    try head.encode(to: encoder)
    try facts.encode(to: encoder)
    try outcome.encode(to: encoder)
  }
}

/// The `mapping` object of a table of App Clip Codes that was written.
package struct AppClipCodeMappingResult: Encodable {
  /// The type of the object.
  let type = "mapping"
  /// The file.
  let output: String
  /// The number of codes in it.
  let codes: Int
  /// Whether no file was written.
  let dryRun: Bool

  package init(output: String, codes: Int, isRehearsal: Bool) {
    (self.output, self.codes, dryRun) = (output, codes, isRehearsal)
  }
}
