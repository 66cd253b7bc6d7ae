import Invocation

extension FuzzTarget {
  /// Association files: reading, its findings, and every rule against a URL.
  static let association = FuzzTarget(name: "association") { bytes in
    let reading = SiteAssociation.read(bytes)
    try require(
      reading.association != nil || reading.findings.contains { $0.finding.severity == .error },
      "what is not read has an error")
    try require(reading.findings.count <= 500, "findings are bounded")
    let lines = bytes.count { $0 == 0x0A } + 1
    for finding in reading.findings {
      guard let position = finding.position else { throw BrokenRule("a finding has a place") }
      try require(
        (1...lines).contains(position.line) && (1...bytes.count + 1).contains(position.column),
        "the place of a finding is in the file: \(finding)")
    }
    guard let association = reading.association else { return }
    let clip = AppClip(
      bundleID: "com.example.Clip", appBundleID: "com.example", team: "ABCDE12345",
      domains: ["example.com"])
    let check = SiteAssociationCheck(host: "example.com", clip: clip)
    let errors = check.findings(in: association).contains { $0.finding.severity == .error }
    try require(errors != check.isListed(in: association), "a clip is listed or missed")
    guard let links = association.appLinks else { return }
    let matcher = AppLinkMatcher(links, host: "example.com")
    for app in Set(links.details.flatMap(\.appIDs)).sorted().prefix(3) {
      for url in urls { try feed(matcher.decision(for: url, app: app), of: links) }
    }
  }

  private static let urls = [
    "https://example.com", "https://example.com/buy/42?a=1&b=2&a=3#x",
    "https://example.com/a%2Fb/caf%C3%A9/aaaaaaaaaaaaaaaaaaaa/",
  ].compactMap { try? InvocationURL($0) }

  private static func feed(
    _ decision: AppLinkDecision, of links: SiteAssociation.AppLinks
  ) throws {
    try require(!decision.explanation.isEmpty, "a decision has an explanation")
    for trial in decision.trials {
      try require(links.details.indices.contains(trial.detail), "a trial is of an entry")
      try require(!trial.explanation.isEmpty, "a trial has an explanation")
    }
    let rules = links.details.reduce(0) { $0 + $1.rules.count }
    try require(decision.trials.count <= rules, "each rule is tried once")
  }
}
