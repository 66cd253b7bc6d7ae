import Invocation

extension FuzzTarget {
  /// Payloads: the first line is what was decoded, the others are registered links; what a phone
  /// does with it on one of the ways.
  static let invocation = FuzzTarget(name: "invocation") { bytes in
    let lines = bytes.split(separator: 0x0A, maxSplits: 6, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard let payload = lines.first else { return }
    if let url = try? InvocationURL(payload) { try requireNormalForm(url) }
    let links = lines.dropFirst().compactMap { try? InvocationURL($0) }
    let catalog = ExperienceCatalog(
      clips: [clip], experiences: links.enumerated().map(experience), places: [])
    // One way an input, by its length, so that a second holds many inputs.
    let channels = InvocationChannel.allCases
    let channel = channels[bytes.count / 2 % channels.count]
    let check = InvocationCheck(
      directory: catalog, engine: bytes.count.isMultiple(of: 2) ? .segment : .string)
    try requireSense(
      of: try PhoneSimulator(check: check).play(payload, on: PhoneSituation(channel: channel)))
  }

  private static let clip = AppClip(
    bundleID: "com.example.Clip", appBundleID: "com.example", team: "ABCDE12345",
    domains: ["example.com", "xn--caf-dma.example"], locationConfirmation: true,
    defaultExperience: ExperienceCard(title: "Example", subtitle: nil, action: .open))
  private static func experience(_ index: Int, _ link: InvocationURL) -> AdvancedExperience {
    AdvancedExperience(
      clip: clip.bundleID, link: link,
      card: ExperienceCard(title: "\(index)", subtitle: nil, action: .view),
      status: index == 2 ? .deactivated : .received,
      place: index == 1
        ? .coordinates(latitudeItem: "lat", longitudeItem: "lon", radius: 50) : .query(item: "p"))
  }

  private static func requireNormalForm(_ url: InvocationURL) throws {
    let again = try? InvocationURL(url.normalized)
    try require(again?.normalized == url.normalized, "a normal form is its own: \(url.normalized)")
    try require(url.normalized.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "it is plain ASCII")
    try require(url.matchingKey.hasPrefix("/"), "a key begins with a slash")
    _ = (url.path, url.query, url.fragment, url.queryItems, url.foldedPrefixKeys)
  }

  private static func requireSense(of answer: PhoneAnswer) throws {
    let verification = answer.verification
    try require(!answer.steps.isEmpty, "there is at least one step")
    try require(
      verification.url != nil || verification.state == .malformed, "what is no URL is malformed")
    try require(
      verification.url != nil || answer.start == .browser || answer.start == .nothing,
      "what is no URL starts nothing")
    try require(
      (answer.card == nil) || answer.start == .clip || answer.start == .app,
      "no card without a start")
    let severities = verification.findings.map(\.severity)
    try require(severities == severities.sorted(by: >), "the gravest finding comes first")
  }
}
