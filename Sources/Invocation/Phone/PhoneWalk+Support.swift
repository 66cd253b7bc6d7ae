#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Whether iOS serves the kind of experience on this way, and whether changes have settled.
extension PhoneWalk {
  mutating func lookAtSupport(_ url: InvocationURL) {
    guard let kind else { return }
    guard kind.isServed(by: channel) else {
      stop(
        .support, channel.isPhysical ? .browser : .nothing, .documented, Source.choosing,
        "iOS does not serve \(kind.words) for this: \(channel.event.lowercasedFirst) needs "
          + (channel == .banner ? "an associated site." : "an advanced experience."))
      return
    }
    let first = kind.firstVersion(by: channel)
    guard situation.version >= first else {
      stop(
        .support, channel.isPhysical ? .browser : .nothing, .documented, Source.choosing,
        "iOS serves \(kind.words) for this from \(first) on; this phone has \(situation.version).")
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
    case (.demoLink, _) where url.queryItems.contains { $0.name != "p" }:
      add(
        .support, .doubtful, .documented, Source.defaultLink, "A demo link takes no parameters.")
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
        "From 16.4 on, iOS serves a default experience for codes, but iOS 18.0 and 18.1 answered "
          + "that the clip is not available. Register an advanced experience.")
    } else {
      add(
        .support, .doubtful, .observed, "Apple's table and a session of 2021 disagree",
        "From 16.4 on, iOS serves a default experience for codes, but not reliably: earlier sessions "
          + "say that the page is offered instead. Register an advanced experience.")
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
        "Apple is still looking for the experience's place (PENDING).")
    case nil:
      add(
        .support, .doubtful, .documented, Source.configuring,
        "The experience needs a place that Maps has; the registry does not say whether it has one.")
    }
  }

  mutating func lookAtChanges() {
    let changed = advanced != nil ? advanced?.listing.changed : clip?.listing.changed
    guard let changed else { return }
    let age = simulator.now.timeIntervalSince(changed)
    guard age < PhoneSimulator.settlingTime else { return }
    add(
      .settling, .doubtful, .observed, "developers saw old experiences for 48 hours",
      "The experience was changed \(age < 7200 ? "just now" : "\(Int(age / 3600)) hours ago"); phones "
        + "and Apple's servers may still show what was there before.")
  }
}

extension String {
  /// The text with a small first letter.
  var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
