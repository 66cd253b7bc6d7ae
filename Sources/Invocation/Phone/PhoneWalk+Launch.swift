/// The card, what starts, what it is handed, and its location confirmation.
extension PhoneWalk {
  mutating func showCard() {
    if let local = localExperience {
      add(
        .card, .note, .documented, Source.localExperience,
        "The card shows what was typed in for the Local Experience \(local.normalized).")
      return
    }
    guard channel != .notification else {
      add(.card, .note, .documented, Source.invocations, "A notification shows no card.")
      return
    }
    guard let texts = verification.experience?.card else { return }
    let listing = clip?.listing
    let localizations = advanced?.listing.localizations ?? listing?.localizations ?? []
    let own = advanced?.language
    let match = situation.language.flatMap { wanted in
      wanted == own ? nil : localizations.first { $0.language.isLanguage(wanted) }
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

  mutating func launch() {
    switch situation.installed {
    case .app:
      start = .app
      add(
        .launch, .passes, .documented, Source.invocations,
        "The full app \(clip?.appBundleID ?? "") is installed: it is launched instead of the clip, "
          + "and gets the URL like a universal link.")
      lookAtAppLinks()
    case .clip:
      start = .clip
      add(
        .launch, .passes, .documented, Source.invocations,
        "The clip \(clip?.bundleID ?? "") is on the phone and is launched.")
    case .none: download()
    }
  }

  /// What the same URL does as an ordinary link, which only the file's `applinks` decide.
  private mutating func lookAtAppLinks() {
    guard let links = situation.association?.association?.appLinks, let clip,
      let url = verification.url
    else { return }
    let decision = AppLinkMatcher(links, host: url.host)
      .decision(for: url, app: clip.appApplicationIdentifier)
    add(
      .launch, .note, .documented, "Apple, Supporting associated domains",
      "Tapped as a link in another app, applinks decide: \(decision.explanation)")
  }

  private mutating func download() {
    if let minimum = clip?.listing.minimumIOS, situation.version < minimum {
      stop(
        .launch, .unavailable, .assumed, "what the phone shows is not documented",
        "The clip needs iOS \(minimum); this phone has \(situation.version).")
      return
    }
    if let bytes = clip?.listing.installBytes, let kind {
      let limit = ClipSizeLimit.bytes(on: situation.version, channel: channel, kind: kind)
      guard bytes <= limit else {
        stop(
          .launch, .unavailable, .documented, Source.size,
          "The clip takes \(ClipSizeLimit.megabytes(bytes)) once installed; on iOS \(situation.version) at "
            + "most \(ClipSizeLimit.megabytes(limit)) are allowed for this.")
        return
      }
    }
    start = .clip
    add(
      .launch, .passes, .documented, Source.invocations,
      "Nothing is installed: the clip \(clip?.bundleID ?? "") is downloaded and launched. Who "
        + "installs the full app from the card has to scan again, as the app gets no URL.")
  }

  mutating func handOver(_ url: InvocationURL) {
    let program = start == .app ? "app" : "clip"
    switch channel {
    case .notification:
      add(
        .parameters, .note, .documented, Source.invocations,
        "The \(program) is handed no URL; the notification's target-content-id chose the "
          + "experience, and its payload must say the rest.")
      return
    case .maps, .siri:
      let link = advanced?.link.payload ?? url.payload
      handedOver = link
      add(
        .parameters, .passes, .documented, Source.invocations,
        "The \(program) is handed the registered link \(link) itself, without anything after it, and "
          + "must do something useful with it.")
    case .spotlight:
      handedOver = url.payload
      add(
        .parameters, .passes, .documented, Source.invocations,
        "The \(program) is handed the last URL it was used with.")
    default:
      handedOver = url.payload
      let items = url.queryItems.map { "\($0.name)=\($0.value ?? "")" }
      let query = items.isEmpty ? "" : " with \(items.joined(separator: ", "))"
      let found = verification.parameters.sorted { $0.key < $1.key }
        .map { "\($0.key) “\($0.value)”" }
      let variables = found.isEmpty ? "" : "; its path says \(found.joined(separator: ", "))"
      add(
        .parameters, .passes, .documented, Source.invocations,
        "The \(program) is handed the whole URL in webpageURL\(query)\(variables).")
    }
    let tests = clip?.listing.testInvocations ?? []
    if tests.contains(where: { $0.url.matchingKey == url.matchingKey }) {
      add(
        .parameters, .note, .documented, "App Store Connect Help, TestFlight",
        "TestFlight offers this URL to testers; there no card is shown.")
    }
  }

  mutating func lookAtLocation() {
    guard start == .clip else {
      add(
        .location, .note, .documented, Source.confirmation,
        "The full app cannot ask for a location confirmation; it must use Core Location.")
      return
    }
    guard clip?.locationConfirmation == true else {
      add(
        .location, .note, .documented, Source.confirmation,
        "The clip does not ask for location confirmation (NSAppClipRequestLocationConfirmation).")
      return
    }
    guard channel.isPhysical else {
      add(
        .location, .note, .documented, Source.confirmation,
        "Asked for a confirmation, iOS answers disallowed: no QR code, NFC tag or App Clip Code was "
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
          + "switches that off on the card.")
    case .polygon:
      add(
        .location, .note, .documented, Source.confirmation,
        "The place is a polygon; a phone confirms circles only.")
    case .several(let several):
      add(
        .location, .note, .documented, Source.confirmation,
        "The place has \(several.regions.count) regions; a phone confirms one circle only.")
    case nil:
      add(
        .location, .doubtful, .documented, Source.confirmation,
        "The clip asks for location confirmation, but nothing says where this code belongs.")
    }
  }
}

extension String {
  /// Whether a language or locale of App Store Connect is that language: `DE` and `de-DE` are `DE`.
  func isLanguage(_ code: String) -> Bool {
    self == code || prefix { $0 != "-" }.lowercased() == code.lowercased()
  }
}
