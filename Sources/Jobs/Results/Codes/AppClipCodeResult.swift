package import AppClipCodes
import CliptagBasics
import Invocation
package import Issuing
package import Registry

/// The facts about an App Clip Code that several objects state.
private struct AppClipCodeFactsResult: Encodable {
  let kind: String?
  let template: Int?
  let colours: Colours
  let bits: String

  struct Colours: Encodable {
    let background: String
    let foreground: String
    let third: String
  }

  init(kind: AppClipCode.Kind?, colours: AppClipCodeColours, pattern: AppClipCodePattern) {
    self.kind = kind?.rawValue
    template = colours.template
    self.colours = Colours(
      background: colours.background.hexadecimal, foreground: colours.foreground.hexadecimal,
      third: colours.third.hexadecimal)
    bits = pattern.description
  }
}

/// The `app-clip-code` object of a file.
package struct AppClipCodeFileResult: Encodable {
  private struct Head: Encodable {
    let type = "app-clip-code"
    let source: String
    let url: String
  }

  private let head: Head
  private let facts: AppClipCodeFactsResult

  package init(_ code: AppClipCode, source: String) {
    head = Head(source: source, url: code.payload)
    facts = AppClipCodeFactsResult(
      kind: code.badge?.kind, colours: code.colours, pattern: code.pattern)
  }

  package func encode(to encoder: any Encoder) throws {
    try head.encode(to: encoder)
    try facts.encode(to: encoder)
  }
}

/// The `app-clip-code` object of a code on record.
package struct IssuedAppClipCodeResult: Encodable {
  private struct Head: Encodable {
    let type = "app-clip-code"
    let code: String
    let url: String
    let place: String?
    let created: String
    let registered: Bool
    let status: String
    let output: String?
  }

  private let head: Head
  private let facts: AppClipCodeFactsResult?
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
    let type = "app-clip-code"
    let source: String
    let url: String
    let verdict: String
    let state: String
    let place: String?
    let findings: [FindingResult]
  }

  private struct Outcome: Encodable {
    let file: String
    let code: String?
    let outcome: String
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
  let type = "mapping"
  let output: String
  let codes: Int
  let dryRun: Bool

  package init(output: String, codes: Int, isRehearsal: Bool) {
    (self.output, self.codes, dryRun) = (output, codes, isRehearsal)
  }
}
