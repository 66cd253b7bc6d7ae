import Deployment
import Invocation
import WebFetching

extension Console {
  /// Prints a review and takes its verdict into the exit status.
  func show(
    _ review: AssociationReview, of source: String, _ run: AssociationCheckRun
  ) throws {
    let links = run.urls.map { (url: $0, links: review.links(for: $0)) }
    result(review.json(source, links), text: review.text(source, links, output))
    note(
      review.isUnreachable ? .unavailable : review.verdict == .accepted ? .done : .notAccepted)
  }
}

private typealias LinksOfURL = (url: InvocationURL, links: [AssociationReview.Link])

extension AssociationReview {
  fileprivate func json(_ source: String, _ links: [LinksOfURL]) -> JSONValue {
    .object([
      ("type", "association-report"), ("source", .string(source)),
      ("verdict", .string(verdict.rawValue)), ("origin", .string(origin.rawValue)),
      ("host", JSONValue(host)), ("url", JSONValue(answer?.url)),
      ("status", JSONValue(answer?.response?.status)), ("bytes", JSONValue(size)),
      ("domainError", JSONValue(answer?.domainError?.rawValue)),
      ("cdnFailure", answer?.cdnFailure?.json ?? .null),
      (
        "clips",
        .array(
          clips.map { listing in
            .object([
              ("clip", .string(listing.clip.bundleID)),
              ("identifier", .string(listing.clip.applicationIdentifier)),
              ("listed", JSONValue(listing.isListed)),
            ])
          })
      ),
      ("findings", .array(findings.map(\.json))),
      ("entitlements", .array(entitlements.map(\.json))),
      (
        "links",
        .array(
          links.map { url, links in
            .object([
              ("url", .string(url.payload)), ("apps", .array(links.map(\.json))),
            ])
          })
      ),
    ])
  }

  fileprivate func text(
    _ source: String, _ links: [LinksOfURL], _ style: Style
  ) -> String {
    var lines = ["\(verdict.label(style)) \(style.bold(source.printable))"]
    if let answer { lines.append("  from      \(answer.url)") }
    for listing in clips {
      let listed = listing.isListed.map { $0 ? "listed" : "not listed" } ?? "not known"
      lines.append("  clip      \(listing.clip.applicationIdentifier): \(listed)")
    }
    lines += findings.map { $0.line(style) }
    for entitlements in entitlements {
      let target = entitlements.target == .app ? "the app of " : ""
      lines.append(
        "  entitled  \(entitlements.source.printable): \(target)\(entitlements.clip.bundleID)")
      lines += entitlements.findings.map { $0.line(style) }
    }
    for (url, links) in links { lines += text(url, links) }
    return lines.joined(separator: "\n")
  }

  /// The apps that open a URL, or why a few of the others do not.
  private func text(_ url: InvocationURL, _ links: [Link]) -> [String] {
    let label = "  link      \(url.payload.printable)"
    let opening = links.filter { $0.decision.outcome == .matched }
    let shown = opening.isEmpty ? Array(links.prefix(5)) : opening
    guard !shown.isEmpty else {
      let why =
        association == nil
        ? "there is no file to tell" : "the file names no app in “applinks”, so no app opens it"
      return ["\(label): \(why)"]
    }
    var lines = [label]
    for link in shown {
      lines.append("            \(link.app.printable): \(link.decision.explanation)")
    }
    if opening.isEmpty, links.count > shown.count {
      lines.append("            and \(links.count - shown.count) more that do not open it")
    }
    return lines
  }
}

extension AssociationReview.EntitlementsReview {
  fileprivate var json: JSONValue {
    .object([
      ("source", .string(source)), ("target", .string(target.rawValue)),
      ("clip", .string(clip.bundleID)), ("findings", .array(findings.map(\.json))),
    ])
  }
}

extension AssociationReview.Link {
  fileprivate var json: JSONValue {
    .object([
      ("app", .string(app)), ("outcome", .string(decision.outcome.rawValue)),
      ("detail", JSONValue(decision.detail)), ("rule", JSONValue(decision.rule?.name)),
      ("line", JSONValue(decision.rule?.position.line)),
      ("column", JSONValue(decision.rule?.position.column)),
      ("explanation", .string(decision.explanation)),
      ("tried", .array(decision.trials.prefix(100).map { .string($0.explanation) })),
    ])
  }
}

extension CDNFailure {
  fileprivate var json: JSONValue {
    .object([
      ("number", JSONValue(number)), ("reason", JSONValue(reason)),
      ("details", JSONValue(details)), ("origin", JSONValue(origin)),
      ("triesDirect", JSONValue(triesDirect)), ("secondsKept", JSONValue(secondsKept)),
    ])
  }
}

extension AssociationFinding {
  /// The object: a finding with its place and the code of App Store Connect.
  var json: JSONValue {
    .object([
      ("code", .string(finding.code.rawValue)), ("severity", .string(finding.severity.rawValue)),
      ("message", .string(finding.message)), ("line", JSONValue(position?.line)),
      ("column", JSONValue(position?.column)), ("domainError", JSONValue(domainError?.rawValue)),
    ])
  }

  /// The line that people read.
  func line(_ style: Style) -> String {
    let label = finding.severity.rawValue.padding(to: 8)
    let codes = [finding.code.rawValue, domainError?.rawValue].compactMap(\.self)
    return "  \(finding.severity.colored(label, style))  \(description.printable) "
      + "[\(codes.joined(separator: ", "))]"
  }
}

extension Verdict {
  /// The word that stands in front of what was judged, in a column of its own.
  func label(_ style: Style) -> String {
    switch self {
    case .accepted: style.green("ACCEPTED ")
    case .rejected: style.red("REJECTED ")
    case .undecided: style.yellow("UNDECIDED")
    }
  }
}
