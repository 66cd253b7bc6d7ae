import Foundation
package import Invocation
package import Publishing
import WebFetching

/// A finding about what a site publishes, with its place in the file.
package struct SiteFindingResult: Encodable {
  let code: String
  let severity: String
  let message: String
  let line: Int?
  let column: Int?
  let domainError: String?

  init(_ found: AssociationFinding) {
    code = found.finding.code.rawValue
    severity = found.finding.severity.rawValue
    message = found.finding.message
    line = found.position?.line
    column = found.position?.column
    domainError = found.domainError?.rawValue
  }
}

/// The `association-report` object of a host or a file.
package struct AssociationResult: Encodable {
  private struct CDNFailureResult: Encodable {
    let number: String?
    let reason: String?
    let details: String?
    let origin: String?
    let triesDirect: Bool?
    let secondsKept: Int?
  }

  private struct Comparison: Encodable {
    let outcome: String
    let differences: [String]
  }

  private struct Listing: Encodable {
    let clip: String
    let identifier: String
    let listed: Bool?
  }

  private struct Entitlements: Encodable {
    let source: String
    let target: String
    let clip: String
    let findings: [SiteFindingResult]
  }

  private struct Links: Encodable {
    let url: String
    let apps: [App]
  }

  private struct App: Encodable {
    let app: String
    let outcome: String
    let detail: Int?
    let rule: String?
    let line: Int?
    let column: Int?
    let explanation: String
    let tried: [String]

    /// The largest number of rules that are stated.
    private static let mostTried = 100

    init(_ link: AssociationReview.Link) {
      let decision = link.decision
      app = link.app
      outcome = decision.outcome.rawValue
      detail = decision.detail
      rule = decision.rule?.name
      line = decision.rule?.position.line
      column = decision.rule?.position.column
      explanation = decision.explanation
      tried = decision.trials.prefix(Self.mostTried).map(\.explanation)
    }
  }

  let type = "association-report"
  let source: String
  let verdict: String
  let origin: String
  let host: String?
  let url: String?
  let status: Int?
  let bytes: Int?
  let domainError: String?
  private let cdnFailure: CDNFailureResult?
  let age: Int?
  let lastModified: String?
  private let comparison: Comparison?
  private let clips: [Listing]
  let findings: [SiteFindingResult]
  private let entitlements: [Entitlements]
  private let links: [Links]

  private enum CodingKeys: CodingKey {
    case type, source, verdict, origin, host, url, status, bytes, domainError, cdnFailure, age
    case lastModified, comparison, clips, findings, entitlements, links
  }

  /// - Parameters:
  ///   - source: The host or the file as it was given.
  ///   - links: The apps that open each URL that was asked for.
  package init(
    _ review: AssociationReview, source: String,
    links: [(url: InvocationURL, links: [AssociationReview.Link])]
  ) {
    let answer = review.answer
    self.source = source
    verdict = review.verdict.rawValue
    origin = review.origin.rawValue
    host = review.host
    url = answer?.url
    status = answer?.response?.status
    bytes = review.size
    domainError = answer?.domainError?.rawValue
    cdnFailure = answer?.cdnFailure.map {
      CDNFailureResult(
        number: $0.number, reason: $0.reason, details: $0.details, origin: $0.origin,
        triesDirect: $0.triesDirect, secondsKept: $0.secondsKept)
    }
    age = answer?.age
    lastModified = answer?.lastModified?.ISO8601Format()
    comparison = review.comparison.map {
      Comparison(outcome: $0.outcome.rawValue, differences: $0.differences)
    }
    clips = review.clips.map {
      Listing(
        clip: $0.clip.bundleID, identifier: $0.clip.applicationIdentifier, listed: $0.isListed)
    }
    findings = review.findings.map(SiteFindingResult.init)
    entitlements = review.entitlements.map {
      Entitlements(
        source: $0.source, target: $0.target.rawValue, clip: $0.clip.bundleID,
        findings: $0.findings.map(SiteFindingResult.init))
    }
    self.links = links.map { Links(url: $0.url.payload, apps: $0.links.map(App.init)) }
  }
}

/// The `association` object of a file that was made for a host.
package struct MadeAssociationResult: Encodable {
  let type = "association"
  let output: String?
  let host: String
  let dryRun: Bool
  let bytes: Int
  let added: [String]
  let text: String?

  /// - Parameters:
  ///   - byteCount: The length of the file.
  ///   - output: The file; `nil` if its text is stated.
  package init(
    _ file: SiteAssociationFile, byteCount: Int, for host: String, output: String?,
    isRehearsal: Bool
  ) {
    (self.output, self.host, dryRun, bytes) = (output, host, isRehearsal, byteCount)
    added = file.added
    text = output == nil ? file.text : nil
  }
}
