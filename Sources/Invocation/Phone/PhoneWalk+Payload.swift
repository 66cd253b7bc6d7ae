/// The payload, the URL in it and its host.
extension PhoneWalk {
  mutating func lookAtPayload() {
    let payload = verification.payload
    let carries =
      "\(channel.event) carries \(payload.quotedForMessage), \(payload.utf8.count) bytes."
    guard let url = verification.url else {
      add(.payload, .note, .documented, Source.invocations, carries)
      let why = verification.findings.first { $0.severity == .error }?.message
      stop(
        .url, channel.isPhysical ? .browser : .nothing, .documented, Source.invocations,
        "That is not an invocation URL: \(why ?? "it breaks a rule of URLs.") No clip is looked for."
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
    var text = "For comparison it is \(url.normalized)"
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

  mutating func lookAtHost(_ url: InvocationURL) throws {
    if DefaultLink.isHost(url.host) { return lookAtAppleLink(url) }
    let clips = try directory.clips(associatedWith: url.host)
    guard !clips.isEmpty else {
      stop(
        .host, .browser, .documented, Source.association,
        "No clip has \(url.host) among its associated domains, so iOS does not look for an "
          + "experience and offers the page in the browser. Every host needs its own entry; "
          + "subdomains and www count as others.")
      return
    }
    let names = clips.map(\.bundleID).sorted().joined(separator: ", ")
    add(
      .host, .passes, .documented, Source.association,
      "\(url.host) is an associated domain of \(names).")
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
        // Another clip of the same host has a status of its own.
        guard clip.bundleID == self.clip?.bundleID else {
          add(.host, .note, .documented, Source.domainStatus, begins + ".")
          continue
        }
        stop(
          .host, .browser, .documented, Source.domainStatus,
          begins + ", so the clip is not served for it.")
        return
      }
    }
    lookAtAssociation(url)
  }

  /// Whether the file that the host serves lets it invoke the clip.
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
        .host, .browser, .observed, "a page of Apple's documentation prints id?= without p",
        "\(url.host)\(url.path) names no clip: the query must begin with p= and the clip's bundle "
          + "identifier.")
    case .unregistered:
      stop(
        .host, .browser, .documented, Source.defaultLink,
        "\(url.host) is Apple's own host, and the link names no clip of this registry.")
    default:
      add(
        .host, .passes, .documented, Source.defaultLink,
        "\(url.host) is Apple's own host; it needs neither association nor entitlement.")
    }
  }
}

/// Where a rule is known from.
enum Source {
  static let invocations = "Apple, Responding to invocations"
  static let association = "Apple, Associating your App Clip with your website"
  static let choosing = "Apple, Choosing the right App Clip experience"
  static let configuring = "Apple, Configuring App Clip experiences"
  static let domainStatus = "App Store Connect, domain URL status"
  static let defaultLink = "Apple, Creating App Clip links"
  static let banner = "Apple, Supporting invocations from your website"
  static let localExperience = "Apple, Testing the launch experience of your App Clip"
  static let size = "App Store Connect Help, maximum build file sizes"
  static let confirmation = "Apple, Confirming a person's physical location"
}
