import Foundation
package import Invocation
package import Publishing
import WebFetching

/// A finding about what a site publishes, with its place in the file.
package struct SiteFindingResult: Encodable {
  /// The stable name of the kind of finding.
  let code: String
  /// `note`, `warning` or `error`.
  let severity: String
  /// One sentence for people.
  let message: String
  /// The line of the file, from 1.
  let line: Int?
  /// The column of the line, from 1.
  let column: Int?
  /// Apple's name of the error, such as `BAD_JSON_CONTENT`.
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
  /// A failure that Apple's network reports.
  private struct CDNFailureResult: Encodable {
    /// The number of the reason, such as `SWCERR00101`.
    let number: String?
    /// The reason in words.
    let reason: String?
    /// The details as JSON, verbatim.
    let details: String?
    /// The URL that Apple's network fetched.
    let origin: String?
    /// Whether devices query the host directly.
    let triesDirect: Bool?
    /// The time for which the failure is cached, in seconds.
    let secondsKept: Int?
  }

  /// A comparison of the host's file with that of Apple's network.
  private struct Comparison: Encodable {
    /// `same`, `stale`, `different`, `missing-at-apple`, `missing-at-host` or `unknown`.
    let outcome: String
    /// The differences in words.
    let differences: [String]
  }

  /// A registered clip of the host.
  private struct Listing: Encodable {
    /// The bundle identifier of the clip.
    let clip: String
    /// The clip's application identifier.
    let identifier: String
    /// Whether the file lists it; `nil` without a file.
    let listed: Bool?
  }

  /// The entitlements of one target.
  private struct Entitlements: Encodable {
    /// The file of entitlements.
    let source: String
    /// The target that the entitlements are for.
    let target: String
    /// The bundle identifier of the clip.
    let clip: String
    /// The findings about them.
    let findings: [SiteFindingResult]
  }

  /// The apps that open one URL.
  private struct Links: Encodable {
    /// The URL.
    let url: String
    /// The decisions for the apps in the file.
    let apps: [App]
  }

  /// The decision for one app.
  private struct App: Encodable {
    /// The application identifier.
    let app: String
    /// The outcome of the decision.
    let outcome: String
    /// The number of the entry in the file's details, from 0.
    let detail: Int?
    /// The rule that decided.
    let rule: String?
    /// The line of the rule, from 1.
    let line: Int?
    /// The column of the rule, from 1.
    let column: Int?
    /// The decision in a sentence.
    let explanation: String
    /// The rules that were tried, in words.
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

  /// The type of the object.
  let type = "association-report"
  /// The host or the file as it was given.
  let source: String
  /// The verdict about the file.
  let verdict: String
  /// `site`, `cdn` or `file`.
  let origin: String
  /// The host.
  let host: String?
  /// The URL that was fetched.
  let url: String?
  /// The status of HTTP.
  let status: Int?
  /// The size of the file.
  let bytes: Int?
  /// Apple's name of the error, such as `DNS_ERROR`.
  let domainError: String?
  /// The failure that Apple's network reports.
  private let cdnFailure: CDNFailureResult?
  /// The age of the answer of Apple's network, in seconds.
  let age: Int?
  /// The time of the last change, by RFC 3339.
  let lastModified: String?
  /// The comparison of the host's file with that of Apple's network.
  private let comparison: Comparison?
  /// The registered clips of the host.
  private let clips: [Listing]
  /// The findings about the file.
  let findings: [SiteFindingResult]
  /// The entitlements that were compared with it.
  private let entitlements: [Entitlements]
  /// The apps that open each URL that was asked for.
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
  /// The type of the object.
  let type = "association"
  /// The file; `nil` if its text is stated.
  let output: String?
  /// The host.
  let host: String
  /// Whether no file was written.
  let dryRun: Bool
  /// The size of the file.
  let bytes: Int
  /// The application identifiers that were added.
  let added: [String]
  /// The text; `nil` if it went into a file.
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
