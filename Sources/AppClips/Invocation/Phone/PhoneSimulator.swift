import CliptagBasics
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Simulates the behaviour of a phone for a payload, from the registry's data.
///
/// The order of the steps follows Apple's documentation where it gives one; each step states
/// whether it is documented, observed by developers, or assumed.
public struct PhoneSimulator: Sendable {
  /// The check of the payload itself.
  package let check: InvocationCheck
  /// The time, for changes that may not have reached every phone.
  package let now: Date

  /// The time that a change may take to reach every phone, in seconds: developers saw a deactivated
  /// experience start for 48 hours.
  package static let settlingTime: Double = 48 * 60 * 60

  /// Makes a simulator.
  public init(check: InvocationCheck, now: Date = Date()) {
    self.check = check
    self.now = now
  }

  /// Simulates one phone with one payload.
  ///
  /// - Parameters:
  ///   - payload: The text as decoded.
  ///   - situation: The phone, and the way in which the text reaches it.
  ///   - location: The evidence of the position at which it was read.
  /// - Throws: The errors of the directory.
  public func play(
    _ payload: String, on situation: PhoneSituation, location: LocationEvidence = .notAsked
  ) throws -> PhoneAnswer {
    try simulate(payload, on: situation).answer(at: location)
  }

  /// Simulates one phone with one payload, before its position is known.
  ///
  /// - Throws: The errors of the directory.
  package func simulate(
    _ payload: String, on situation: PhoneSituation
  ) throws -> PhoneSimulation {
    let lookup = try check.lookUp(
      payload, by: InvocationWay(channel: situation.channel, page: situation.page))
    var walk = PhoneWalk(
      simulator: self, situation: situation, verification: lookup.verification(at: .notAsked))
    try walk.go()
    return PhoneSimulation(lookup: lookup, walk: walk)
  }
}

/// The way of a payload on a phone. Only the position at which it was read is left to judge.
package struct PhoneSimulation: Sendable {
  fileprivate let lookup: PayloadLookup
  fileprivate let walk: PhoneWalk

  /// Judges the position.
  package func answer(at location: LocationEvidence) -> PhoneAnswer {
    walk.answer(lookup.verification(at: walk.situation.channel.isPhysical ? location : .notAsked))
  }
}

/// One pass through the stages.
private struct PhoneWalk {
  let simulator: PhoneSimulator
  let situation: PhoneSituation
  let verification: Verification
  var steps: [InvocationStep] = []
  /// The started program or page, once decided.
  var start: PhoneAnswer.Start?
  var card: PhoneAnswer.Card?
  var handedOver: String?
  /// The kind of experience that serves the invocation.
  var kind: ServingKind?
  /// The experience that serves it, with its card. The one that the payload matches in the registry
  /// may be switched off.
  var served: MatchedExperience?
  /// The clip whose default experience serves it, if it differs from the verification's.
  var defaultClip: AppClip?
  /// The winner, if it is an advanced experience.
  var advanced: AdvancedExperience?
  /// The Local Experience that overrides the registry.
  var localExperience: InvocationURL?

  private var channel: InvocationChannel { situation.channel }
  private var clip: AppClip? { defaultClip ?? verification.clip }
  private var directory: any ExperienceDirectory { simulator.check.directory }
  private var way: InvocationWay {
    InvocationWay(channel: situation.channel, page: situation.page)
  }

  mutating func go() throws {
    lookAtPayload()
    guard start == nil, let url = verification.url else { return }
    try lookForExperience(url)
    if start != nil { lookForUniversalLink(url) }
    guard start == .clip || start == .app else {
      card = nil
      return
    }
    handOver(url)
    lookAtLocation()
  }

  /// Determines from the URL what starts, as far as clips and their experiences decide it.
  private mutating func lookForExperience(_ url: InvocationURL) throws {
    try lookForLocalExperience(url)
    if localExperience == nil {
      try lookAtHost(url)
      guard start == nil else { return }
      lookAtFit()
      guard start == nil else { return }
      try chooseExperience(url)
      guard start == nil else { return }
      lookAtSupport(url)
      guard start == nil else { return }
      lookAtChanges()
    }
    showCard()
    launch()
  }

  // MARK: The payload, the URL in it and its host

  private mutating func lookAtPayload() {
    let payload = verification.payload
    let carries =
      "\(channel.event) carries \(payload.quotedForMessage), \(payload.utf8.count) bytes."
    // An older phone does not detect the code at all, and so does not reach the text.
    guard channel != .appClipCode || situation.version >= .firstWithAppClipCodes else {
      add(.payload, .note, .documented, Source.codes, carries)
      stop(
        .payload, .nothing, .documented, Source.codes,
        "App Clip Codes require iOS \(IOSVersion.firstWithAppClipCodes) or newer; this "
          + "phone has \(situation.version), and reads only the NFC tag in it, if there is one.")
      return
    }
    guard let url = verification.url else {
      add(.payload, .note, .documented, Source.invocations, carries)
      let why = verification.findings.first { $0.severity == .error }?.message
      stop(
        .url, channel.isPhysical ? .browser : .nothing, .documented, Source.invocations,
        "The payload is not an invocation URL: \(why ?? "it breaks a rule of URLs.") No clip is searched for."
      )
      return
    }
    add(.payload, .passes, .documented, Source.invocations, carries)
    guard situation.version >= IOSVersion.firstWithAppClips else {
      stop(
        .url, .browser, .documented, Source.invocations,
        "iOS \(situation.version) has no App Clips; the page opens, and a Smart App Banner offers "
          + "the app in the App Store.")
      return
    }
    var text = "The URL is compared as \(url.normalized)"
    if let query = url.query { text += "; its query “\(query)” is passed on" }
    add(.url, .passes, .assumed, "normalisation of host and escapes is not documented", text + ".")
    if channel == .banner {
      add(
        .url, .note, .documented, Source.banner,
        "The page must have the apple-itunes-app tag with app-id and app-clip-bundle-id, and is "
          + "open in Safari, not in a private tab.")
    } else if channel == .messages, !DefaultLink.isHost(url.host) {
      add(
        .url, .note, .documented, Source.invocations,
        "The page must have the Smart App Banner's tag, and the sender must be in the recipient's "
          + "contacts.")
    }
  }

  private mutating func lookAtHost(_ url: InvocationURL) throws {
    if DefaultLink.isHost(url.host) { return lookAtAppleLink(url) }
    let clips = try directory.clips(associatedWith: url.host)
    guard !clips.isEmpty else {
      stop(
        .host, .browser, .documented, Source.association,
        "No clip has \(url.host) among its associated domains, so iOS does not search for an "
          + "experience and offers the page in the browser. Every host needs its own entry; "
          + "subdomains and www count as others.")
      return
    }
    let names = clips.map(\.bundleID).sorted().joined(separator: ", ")
    add(
      .host, .passes, .documented, Source.association,
      "\(url.host) is an associated domain of \(names).")
    if let foreign = finding(.pageOfOtherClip) {
      return stop(.host, .browser, .documented, Source.banner, foreign.message)
    }
    for clip in clips {
      guard let status = clip.listing.domainStatus(of: url.host) else { continue }
      if status.isValid {
        add(
          .host, .passes, .documented, Source.domainStatus,
          "Apple's servers confirm the association file of \(url.host) for \(clip.bundleID).")
      } else {
        let code = status.errorCode.map { " (\($0))" } ?? ""
        let begins =
          "Apple's servers did not accept the association file of \(url.host) for "
          + "\(clip.bundleID)\(code)"
        // Another clip of the same host has a separate status.
        guard clip.bundleID == self.clip?.bundleID else {
          add(.host, .note, .documented, Source.domainStatus, begins + ".")
          continue
        }
        stop(
          .host, .browser, .documented, Source.domainStatus,
          begins + ", so iOS does not serve the clip for it.")
        return
      }
    }
    lookAtAssociation(url)
  }

  /// The verification's finding with a code.
  private func finding(_ code: Finding.Code) -> Finding? {
    verification.findings.first { $0.code == code }
  }

  /// Checks whether an App Clip Code can carry the URL.
  private mutating func lookAtFit() {
    for finding in verification.findings
    where finding.code == .appClipCodeCharacters || finding.doubtsAppClipCodeLength {
      let isEstimate = finding.code == .appClipCodeLength
      let evidence: Evidence = isEstimate ? .assumed : .documented
      let source = isEstimate ? "an estimate; the tables are Apple's" : Source.codes
      switch finding.severity {
      case .error: stop(.support, .nothing, evidence, source, finding.message)
      case .warning: add(.support, .doubtful, evidence, source, finding.message)
      case .note: add(.support, .note, evidence, source, finding.message)
      }
    }
  }

  /// Checks whether the file that the host serves lets it invoke the clip.
  private mutating func lookAtAssociation(_ url: InvocationURL) {
    guard let reading = situation.association, let clip else { return }
    guard let association = reading.association else {
      let why = reading.findings.first { $0.finding.severity == .error }?.finding.message
      return stop(
        .host, .browser, .documented, Source.association,
        "The association file of \(url.host) cannot be read: \(why ?? "it breaks a rule.")")
    }
    let check = SiteAssociationCheck(host: url.host, clip: clip)
    guard check.isListed(in: association) else {
      let why = check.findings(in: association).first { $0.finding.severity == .error }
      return stop(
        .host, .browser, .documented, Source.association,
        "The association file of \(url.host) does not list \(clip.bundleID): "
          + (why?.finding.message ?? "add it to appclips.apps."))
    }
    add(
      .host, .passes, .documented, Source.association,
      "The association file of \(url.host) lists \(clip.applicationIdentifier).")
  }

  private mutating func lookAtAppleLink(_ url: InvocationURL) {
    switch verification.state {
    case .malformed:
      stop(
        .host, .browser, .observed, "a page of Apple's documentation has id?= without p",
        "\(url.host)\(url.path) names no clip: the query must begin with p= and the clip's bundle "
          + "identifier.")
    case .unregistered:
      stop(
        .host, .browser, .documented, Source.defaultLink,
        "\(url.host) is Apple's host, and the link names no clip of this registry.")
    default:
      add(
        .host, .passes, .documented, Source.defaultLink,
        "\(url.host) is Apple's host; it needs neither association nor entitlement.")
    }
  }

  // MARK: Local Experiences, registered experiences, and the choice among them

  private mutating func lookForLocalExperience(_ url: InvocationURL) throws {
    let engine = simulator.check.engine
    let covering = situation.localExperiences.filter { local in
      local.host == url.host && engine.covers(link: local.matchingKey, key: url.matchingKey)
    }
    guard let local = covering.max(by: { $0.matchingKey.utf8.count < $1.matchingKey.utf8.count })
    else { return }
    let begins = "The Local Experience \(local.normalized) covers the URL"
    let isServed = channel.isPhysical || channel == .banner || channel == .messages
    guard isServed, situation.version >= IOSVersion(14, 2) else {
      add(
        .localExperience, .note, .documented, Source.localExperience,
        begins + ", but does not apply to this kind of invocation.")
      return
    }
    guard situation.installed == .clip else {
      add(
        .localExperience, .note, .documented, Source.localExperience,
        begins + ", but starts only a clip that is already on the phone.")
      return
    }
    localExperience = local
    add(
      .localExperience, .passes, .documented, Source.localExperience,
      begins + " and comes before every registered one. It starts the clip on this phone if it is "
        + "signed for development, ad hoc or TestFlight, and needs no association.")
  }

  private mutating func chooseExperience(_ url: InvocationURL) throws {
    if DefaultLink.isHost(url.host) { return chooseAppleLink(url) }
    let host = try HostClips(of: url.host, by: way, in: directory)
    let candidates = host.candidates(try directory.experiences(near: url))
    let matcher = ExperienceMatcher(
      key: url.matchingKey, engine: simulator.check.engine, candidates: candidates)
    list(candidates, url)
    if let other = matcher.disagreement {
      add(
        .experience, .doubtful, .assumed, "Apple does not document the end of a prefix",
        "A comparison as text and one by whole path segments choose different experiences: "
          + "\(matcher.winner?.link.normalized ?? "none") or \(other?.link.normalized ?? "none").")
    }
    if let open = finding(.severalClips) {
      add(.experience, .doubtful, .observed, "Apple developer forums, thread 659133", open.message)
    }
    if let winner = matcher.winner
      ?? (host.startableDefaults.isEmpty ? matcher.disagreement ?? nil : nil)
    {
      return choose(winner, of: matcher, for: url)
    }
    if verification.state == .unassociated {
      return stop(
        .host, .unavailable, .documented, Source.association,
        finding(.unassociatedHost)?.message ?? "The clip is not associated with \(url.host).")
    }
    if let sleeping = matcher.inactiveWinner {
      add(
        .experience, channel.isPhysical ? .doubtful : .note, .observed,
        "a deactivated experience started for up to 48 hours in tests",
        "\(sleeping.link.normalized) covers the URL, but its status is \(sleeping.status.rawValue)."
      )
    }
    guard
      let clip = host.withDefault.first(where: { $0.bundleID == verification.clip?.bundleID })
        ?? host.withDefault.first
    else {
      stop(
        .experience, channel == .nfc || channel == .qr ? .unavailable : .browser, .observed,
        "Apple developer forums, thread 803187",
        "No experience covers the URL, and the registry has no default experience of the clip. On a "
          + "clip's host an iPhone then shows the clip as unavailable instead of the page.")
      return
    }
    kind = .defaultSite
    if finding(.severalClips) != nil {
      let names = host.withDefault.map(\.bundleID).joined(separator: " or ")
      return add(
        .experience, .passes, .documented, Source.choosing,
        "No advanced experience covers the URL; the default experience of \(names) is left.")
    }
    defaultClip = clip
    served = MatchedExperience(defaultOf: clip)
    add(
      .experience, .passes, .documented, Source.choosing,
      "No advanced experience covers the URL; the default experience of \(clip.bundleID) is left.")
  }

  /// Selects the experience that covers the URL.
  private mutating func choose(
    _ winner: AdvancedExperience, of matcher: ExperienceMatcher, for url: InvocationURL
  ) {
    advanced = winner
    served = MatchedExperience(advanced: winner)
    kind = .advanced
    let others =
      matcher.hasForeignRival ? " Another clip has the same link; the winner is undefined." : ""
    add(
      .experience, matcher.hasForeignRival ? .doubtful : .passes, .documented, Source.configuring,
      "\(winner.link.normalized) wins: the active experience with the longest link that the URL "
        + "begins with.\(others)")
    if verification.state == .unassociated {
      stop(
        .host, .unavailable, .documented, Source.association,
        "Its clip \(winner.clip) does not have \(url.host) among its domains.")
    }
  }

  /// Lists the registered links that cover the URL, or nearly do.
  private mutating func list(_ candidates: [AdvancedExperience], _ url: InvocationURL) {
    let engine = simulator.check.engine
    let covering = candidates.filter {
      engine.covers(link: $0.link.matchingKey, key: url.matchingKey)
    }
    .sorted { $0.link.matchingKey.utf8.count > $1.link.matchingKey.utf8.count }
    guard covering.count > 1 else { return }
    let links = covering.map { experience in
      experience.link.normalized
        + (experience.status == .received ? "" : " (\(experience.status.rawValue))")
    }
    add(
      .experience, .note, .documented, Source.configuring,
      "\(covering.count) registered links cover the URL: \(links.joined(separator: ", ")).")
  }

  private mutating func chooseAppleLink(_ url: InvocationURL) {
    guard let clip else {
      return stop(
        .experience, .browser, .documented, Source.defaultLink, "The link names no known clip.")
    }
    let isDemo = clip.listing.demoLink.map { $0.path == url.path } ?? false
    kind = isDemo ? .demoLink : .defaultLink
    served = MatchedExperience(defaultOf: clip)
    if clip.defaultExperience == nil, !isDemo {
      stop(
        .experience, .unavailable, .documented, Source.defaultLink,
        "\(clip.bundleID) has no default experience, which a default link shows.")
      return
    }
    add(
      .experience, .passes, .documented, Source.defaultLink,
      isDemo
        ? "It is the demo link of \(clip.bundleID)."
        : "It is the default link of \(clip.bundleID) and shows its default experience.")
    if clip.listing.isReleased == nil {
      add(
        .experience, .note, .documented, Source.defaultLink,
        "The link works once the app is in the App Store, which the registry does not record.")
    }
  }

  // MARK: The support of the experience, and recent changes

  private mutating func lookAtSupport(_ url: InvocationURL) {
    guard let kind else { return }
    guard kind.isServed(by: channel) else {
      stop(
        .support, channel.isPhysical ? .browser : .nothing, .documented, Source.choosing,
        "iOS does not serve \(kind.words) for this: \(channel.event.lowercasedFirst) requires "
          + (channel == .banner ? "an associated site." : "an advanced experience."))
      return
    }
    let first = kind.firstVersion(by: channel)
    guard situation.version >= first else {
      stop(
        .support, channel.isPhysical || channel == .appLink ? .browser : .nothing, .documented,
        Source.choosing,
        "iOS \(first) and newer serve \(kind.words) for this; this phone has \(situation.version).")
      return
    }
    switch (kind, channel) {
    case (.defaultSite, .qr), (.defaultSite, .nfc): doubtPhysicalDefault()
    case (.advanced, .appLink):
      add(
        .support, .doubtful, .documented, Source.choosing,
        "An app that shows a preview of the link can start the clip; one that simply opens the URL "
          + "cannot, as that serves no advanced experiences.")
    case (.advanced, .maps), (.advanced, .siri): lookAtMaps()
    case (.demoLink, .messages):
      add(
        .support, .passes, .documented, Source.choosing, "Messages shows a limited preview of it.")
    case (.demoLink, _) where url.query != nil:
      add(
        .support, .doubtful, .documented, Source.defaultLink, "A demo link accepts no parameters.")
    default:
      add(.support, .passes, .documented, Source.choosing, "iOS serves \(kind.words) for this.")
    }
    if channel == .notification, situation.installed == .none {
      stop(
        .support, .nothing, .documented, Source.invocations,
        "Only an installed clip or app receives notifications.")
    }
  }

  private mutating func doubtPhysicalDefault() {
    if situation.version >= IOSVersion(18), situation.version < IOSVersion(18, 2) {
      add(
        .support, .doubtful, .observed, "Apple developer forums, thread 764545",
        "Since 16.4, iOS serves a default experience for codes, but iOS 18.0 and 18.1 responded "
          + "that the clip is not available. Register an advanced experience.")
    } else {
      add(
        .support, .doubtful, .observed, "Apple's table and a session of 2021 disagree",
        "Since 16.4, iOS serves a default experience for codes, but not reliably: earlier sessions "
          + "describe an offer of the page instead. Register an advanced experience.")
    }
  }

  private mutating func lookAtMaps() {
    switch advanced?.listing.placeStatus {
    case .matched:
      add(.support, .passes, .documented, Source.configuring, "Maps has the experience's place.")
    case .noMatch:
      stop(
        .support, .nothing, .documented, Source.configuring,
        "Maps does not have the experience's place (NO_MATCH), so it never offers the clip.")
    case .pending:
      add(
        .support, .doubtful, .documented, Source.configuring,
        "Apple is still searching for the experience's place (PENDING).")
    case nil:
      add(
        .support, .doubtful, .documented, Source.configuring,
        "The experience needs a place in Maps, which the registry does not record.")
    }
  }

  private mutating func lookAtChanges() {
    let changed = advanced != nil ? advanced?.listing.changed : clip?.listing.changed
    guard let changed else { return }
    let age = simulator.now.timeIntervalSince(changed)
    guard age < PhoneSimulator.settlingTime else { return }
    add(
      .settling, .note, .observed, "developers saw old experiences for 48 hours",
      "The experience was changed \(age < 7200 ? "just now" : "\(Int(bounded: age / 3600)) hours ago"); phones "
        + "and Apple's servers may still show the previous content.")
  }

  // MARK: The card, the start, the parameters, and the location confirmation

  private mutating func showCard() {
    if let local = localExperience {
      add(
        .card, .note, .documented, Source.localExperience,
        "The card shows the texts entered for the Local Experience \(local.normalized).")
      return
    }
    guard channel != .notification else {
      add(.card, .note, .documented, Source.invocations, "A notification shows no card.")
      return
    }
    guard let texts = served?.card else { return }
    let listing = clip?.listing
    let localizations = advanced?.listing.localizations ?? listing?.localizations ?? []
    let own = advanced?.language
    let match = situation.language.flatMap { wanted in
      wanted == own ? nil : localizations.texts(in: wanted)
    }
    let shown = PhoneAnswer.Card(
      title: match?.title ?? texts.title ?? listing?.name,
      subtitle: match?.subtitle ?? texts.subtitle, action: texts.action,
      image: advanced?.listing.image ?? listing?.image, language: match?.language ?? own,
      app: listing?.name, isPoweredBy: advanced?.listing.isPoweredBy ?? false)
    card = shown
    let words = [shown.title, shown.subtitle].compactMap { $0 }.joined(separator: ": ")
    add(
      .card, .passes, .documented, Source.configuring,
      "The card shows “\(words)” and the button \(shown.action.rawValue).")
    guard let wanted = situation.language, wanted != own, match == nil else { return }
    add(
      .card, .note, .assumed, "the order of languages is not documented",
      "There are no texts for the language \(wanted); the experience's own are shown"
        + (own.map { " (\($0))." } ?? "."))
  }

  private mutating func launch() {
    switch situation.installed {
    case .app:
      start = .app
      add(
        .launch, .passes, .documented, Source.invocations,
        "The full app\(clip.map { " " + $0.appBundleID } ?? "") is installed: it is launched instead of the clip, "
          + "and gets the URL like a universal link.")
      lookAtAppLinks()
    case .clip:
      start = .clip
      add(
        .launch, .passes, .documented, Source.invocations,
        "The clip\(clip.map { " " + $0.bundleID } ?? "") is on the phone and is launched.")
    case .none: download()
    }
  }

  /// Describes the effect of the same URL as an ordinary link, which only the file's `applinks`
  /// decide.
  private mutating func lookAtAppLinks() {
    guard let url = verification.url, let decision = appLinkDecision(url) else { return }
    add(
      .launch, .note, .documented, Source.appLinks,
      "Tapped as a link in another app, applinks decide: \(decision.explanation)")
  }

  /// The decision of the file's `applinks` about the URL and the app; `nil` if no file can be read.
  private func appLinkDecision(_ url: InvocationURL) -> AppLinkDecision? {
    guard let association = situation.association?.association, let clip else { return nil }
    return AppLinkMatcher(association.appLinks ?? SiteAssociation.AppLinks(), host: url.host)
      .decision(for: url, app: clip.appApplicationIdentifier)
  }

  /// Checks whether an installed app opens the URL when no clip starts: a universal link needs only
  /// the file's `applinks`, not the clip.
  private mutating func lookForUniversalLink(_ url: InvocationURL) {
    guard situation.installed == .app, start == .browser || start == .unavailable,
      channel.takesUniversalLinks, !isFileRefused(on: url.host),
      let app = clip?.appBundleID
    else { return }
    guard situation.association != nil else {
      return add(
        .launch, .doubtful, .documented, Source.appLinks,
        "The full app \(app) is installed. The applinks of \(url.host) "
          + "decide if it opens the URL as a universal link; the association file was not read.")
    }
    guard let decision = appLinkDecision(url) else { return }
    guard decision.opensApp else {
      return add(
        .launch, .note, .documented, Source.appLinks,
        "The full app \(app) is installed, but does not open the link: \(decision.explanation)")
    }
    // The way ends for the clip, but not for the URL.
    if let end = steps.lastIndex(where: { $0.result == .stops }) { steps[end].result = .note }
    served = nil
    start = .app
    add(
      .launch, .passes, .documented, Source.appLinks,
      "The full app \(app) is installed and opens the URL as a universal link, without a card: "
        + decision.explanation)
  }

  /// Whether Apple's servers refused the host's file, and so its `applinks`, too.
  private func isFileRefused(on host: String) -> Bool {
    clip?.listing.domainStatus(of: host)?.isValid == false
  }

  private mutating func download() {
    if let minimum = clip?.listing.minimumIOS, situation.version < minimum {
      stop(
        .launch, .unavailable, .assumed, "the phone's response is not documented",
        "The clip needs iOS \(minimum); this phone has \(situation.version).")
      return
    }
    if let clip, let kind {
      let readiness = ClipReadiness(clip: clip, kind: kind, isPhysical: channel.isPhysical)
      for finding in readiness.findings {
        guard finding.severity < .error else {
          return stop(
            .launch, .unavailable, .documented,
            finding.code == .clipTooLarge ? Source.size : Source.invocations, finding.message)
        }
        add(.launch, .note, .documented, Source.invocations, finding.message)
      }
    }
    start = .clip
    add(
      .launch, .passes, .documented, Source.invocations,
      "Nothing is installed: the clip\(clip.map { " " + $0.bundleID } ?? "") is downloaded and launched. After "
        + "an installation of the full app from the card, scan again: the app receives no URL.")
  }

  private mutating func handOver(_ url: InvocationURL) {
    let program = start == .app ? "app" : "clip"
    switch channel {
    case .notification:
      add(
        .parameters, .note, .documented, Source.invocations,
        "The \(program) receives no URL; the notification's target-content-id chose the "
          + "experience, and its payload must contain the rest.")
      return
    case .maps, .siri:
      let link = advanced?.link.payload ?? url.payload
      handedOver = link
      add(
        .parameters, .passes, .documented, Source.invocations,
        "The \(program) receives the registered link \(link) alone, without a suffix, and "
          + "must handle it.")
    case .spotlight:
      handedOver = url.payload
      add(
        .parameters, .passes, .documented, Source.invocations,
        "The \(program) receives the last URL it was used with.")
    default:
      handedOver = url.payload
      let items = url.queryItems.map { "\($0.name)=\($0.value ?? "")" }
      let query = items.isEmpty ? "" : " with \(items.joined(separator: ", "))"
      let found = verification.parameters.sorted { $0.key < $1.key }
        .map { "\($0.key) “\($0.value)”" }
      let variables = found.isEmpty ? "" : "; its path contains \(found.joined(separator: ", "))"
      add(
        .parameters, .passes, .documented, Source.invocations,
        "The \(program) receives the whole URL in webpageURL\(query)\(variables).")
    }
    let tests = clip?.listing.testInvocations ?? []
    if tests.contains(where: { $0.url.matchingKey == url.matchingKey }) {
      add(
        .parameters, .note, .documented, "App Store Connect Help, TestFlight",
        "TestFlight offers this URL to testers, without a card.")
    }
  }

  private mutating func lookAtLocation() {
    guard start == .clip else {
      add(
        .location, .note, .documented, Source.confirmation,
        "The full app cannot request a location confirmation; it must use Core Location.")
      return
    }
    guard clip?.locationConfirmation == true else {
      add(
        .location, .note, .documented, Source.confirmation,
        "The clip does not request location confirmation (NSAppClipRequestLocationConfirmation).")
      return
    }
    guard channel.isPhysical else {
      add(
        .location, .note, .documented, Source.confirmation,
        "iOS refuses the confirmation (disallowed): no QR code, NFC tag or App Clip Code was "
          + "read.")
      return
    }
    switch verification.region {
    case .circle(let circle):
      let place = verification.place.map { " (\($0.name))" } ?? ""
      add(
        .location, .passes, .documented, Source.confirmation,
        "The clip can have confirmed that the code was read within \(Metres.text(circle.radius)) of "
          + "\(circle.centre.latitude), \(circle.centre.longitude)\(place), unless the person "
          + "turns that off on the card.")
    case .polygon:
      add(
        .location, .note, .documented, Source.confirmation,
        "The place is a polygon; a phone confirms circles only.")
    case .several(let several):
      add(
        .location, .note, .documented, Source.confirmation,
        "The place has \(several.regions.count) regions; a phone confirms one circle only.")
    case nil:
      let why = kind == .advanced || kind == nil ? "" : ": a default experience has no place rule"
      add(
        .location, .note, .documented, Source.confirmation,
        "The clip requests location confirmation, but the place of this code is unknown\(why).")
    }
  }

  // MARK: The answer

  /// - Parameter verification: The payload's, at the position where it was read.
  func answer(_ verification: Verification) -> PhoneAnswer {
    PhoneAnswer(
      situation: situation, verification: verification, steps: steps, start: start ?? .nothing,
      program: program, card: card, handedOver: handedOver,
      experience: start == .clip || start == .app ? served : nil,
      localExperience: start == .clip ? localExperience : nil, findings: findings(verification),
      verdict: verdict(verification))
  }

  /// The verification's findings. With a Local Experience, missing registry data concerns other
  /// phones only.
  private func findings(_ verification: Verification) -> [Finding] {
    guard localExperience != nil else { return verification.findings }
    return verification.findings.map { finding in
      guard Self.ofTheRegistry.contains(finding.code), finding.severity > .note else {
        return finding
      }
      return Finding(
        finding.code, .note, "On phones without the Local Experience: " + finding.message)
    }
    .gravestFirst
  }

  /// The findings that do not matter for a Local Experience, which needs neither an association nor
  /// a registered experience.
  private static let ofTheRegistry: Set<Finding.Code> = [
    .unknownHost, .unassociatedHost, .domainStatus, .unknownClip, .noMatch, .defaultOnly,
    .inactiveExperience, .ambiguousPrefix, .duplicateLink, .trailingSlash, .caseMismatch,
    .queryInLink, .defaultLinkWithoutP, .defaultLinkWithoutExperience, .defaultLinkInAppClipCode,
  ]

  private var program: String? {
    switch start {
    case .clip: clip?.bundleID
    case .app: clip?.appBundleID
    default: nil
    }
  }

  private func verdict(_ verification: Verification) -> Verdict {
    guard start == .clip || start == .app else { return .rejected }
    var verdict: Verdict = .accepted
    // The clip's default experience may start instead of a switched-off one for which the code was
    // made.
    if verification.state == .inactive, localExperience == nil, channel.isPhysical {
      verdict = .rejected
    }
    if steps.contains(where: { $0.result == .doubtful }) { verdict = max(verdict, .undecided) }
    // A payload that the check cannot accept because of its place is not accepted on any phone.
    if let location = verification.location {
      switch location.result {
      case .outside: verdict = .rejected
      case .undecided, .noPosition, .noPlace: verdict = max(verdict, .undecided)
      case .inside, .disallowed, .doesNotMatch, .waived: break
      }
    }
    return verdict
  }

  // MARK: Notes for the stages

  private mutating func add(
    _ stage: InvocationStep.Stage, _ result: InvocationStep.Result, _ evidence: Evidence,
    _ source: String, _ text: String
  ) {
    steps.append(
      InvocationStep(stage: stage, result: result, text: text, evidence: evidence, source: source))
  }

  /// Ends the way.
  private mutating func stop(
    _ stage: InvocationStep.Stage, _ start: PhoneAnswer.Start, _ evidence: Evidence,
    _ source: String, _ text: String
  ) {
    add(stage, .stops, evidence, source, text)
    self.start = start
  }
}

/// The sources of the rules.
private enum Source {
  static let codes = "Apple, Creating App Clip Codes"
  static let invocations = "Apple, Responding to invocations"
  static let association = "Apple, Associating your App Clip with your website"
  static let choosing = "Apple, Choosing the right App Clip experience"
  static let configuring = "Apple, Configuring App Clip experiences"
  static let domainStatus = "App Store Connect, domain URL status"
  static let defaultLink = "Apple, Creating App Clip links"
  static let banner = "Apple, Supporting invocations from your website"
  static let localExperience = "Apple, Testing the launch experience of your App Clip"
  static let appLinks = "Apple, Supporting associated domains"
  static let size = "App Store Connect Help, maximum build file sizes"
  static let confirmation = "Apple, Confirming a person's physical location"
}

extension String {
  /// The text with its first letter in lower case.
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }

}
