import Foundation
package import Invocation

/// A value of a document to be written, common to YAML and JSON.
package indirect enum OutputNode {
  case text(String)
  case number(Double)
  case flag(Bool)
  /// A list with one item per line.
  case list([OutputNode])
  /// A list on one line.
  case row([OutputNode])
  /// A mapping with one key per line.
  case mapping([(key: String, value: OutputNode)])
  /// A mapping on one line.
  case record([(key: String, value: OutputNode)])
}

extension OutputNode {
  /// Makes the whole document, with its keys in the order of the format's description.
  init(_ document: RegistryDocument) {
    let experiences = Dictionary(grouping: document.experiences, by: \.clip)
    self = .mapping([
      ("clips", .list(document.clips.map { Self($0, experiences[$0.bundleID] ?? []) })),
      ("places", .list(document.places.map(Self.init))),
    ])
  }

  /// Makes a clip with its experiences.
  init(_ clip: AppClip, _ experiences: [AdvancedExperience] = []) {
    var entries: [(key: String, value: OutputNode)] = [
      ("clip", .text(clip.bundleID)),
      ("app", .text(clip.appBundleID)),
      ("team", .text(clip.team)),
    ]
    if let id = clip.appStoreID { entries.append(("appStoreID", .text(id))) }
    entries.append(("domains", .row(clip.domains.map(OutputNode.text))))
    entries.append(("locationConfirmation", .flag(clip.locationConfirmation)))
    entries += Self.entries(of: clip.listing)
    if let card = clip.defaultExperience {
      entries.append(
        (
          "defaultExperience",
          .mapping(Self.entries(of: card) + Self.defaultEntries(of: clip.listing))
        ))
    }
    if !experiences.isEmpty {
      entries.append(("experiences", .list(experiences.map(Self.init))))
    }
    self = .mapping(entries)
  }

  /// Makes an experience.
  init(_ experience: AdvancedExperience) {
    var entries: [(key: String, value: OutputNode)] = [("link", .text(experience.link.payload))]
    entries += Self.entries(of: experience.card)
    entries.append(("language", .text(experience.language)))
    entries.append(("status", .text(experience.status.rawValue)))
    switch experience.place {
    case .fixed(let id): entries.append(("place", .record([("id", .text(id))])))
    case .path(let template):
      entries.append(("place", .record([("path", .text(template.text))])))
    case .query(let item): entries.append(("place", .record([("query", .text(item))])))
    case .coordinates(let latitudeItem, let longitudeItem, let radius):
      let items = OutputNode.row([.text(latitudeItem), .text(longitudeItem)])
      entries.append(("place", .record([("coordinates", items), ("radius", .number(radius))])))
    case nil: break
    }
    entries += Self.entries(of: experience.listing)
    self = .mapping(entries)
  }

  private static func entries(of card: ExperienceCard) -> [(key: String, value: OutputNode)] {
    var entries: [(key: String, value: OutputNode)] = []
    if let title = card.title { entries.append(("title", .text(title))) }
    if let subtitle = card.subtitle { entries.append(("subtitle", .text(subtitle))) }
    entries.append(("action", .text(card.action.rawValue)))
    return entries
  }

  /// Makes a place.
  init(_ place: Place) {
    let regions = place.regions.map(OutputNode.init)
    let shape: (key: String, value: OutputNode) =
      if regions.count == 1, let only = regions.first {
        ("region", only)
      } else {
        ("regions", .list(regions))
      }
    self = .mapping(
      [("id", .text(place.id)), ("name", .text(place.name)), shape]
        + (place.language.map { [("language", .text($0))] } ?? []))
  }

  /// Makes a circle or a polygon.
  package init(_ region: Region) {
    self =
      switch region {
      case .circle(let circle):
        .record([
          ("latitude", .number(circle.centre.latitude)),
          ("longitude", .number(circle.centre.longitude)),
          ("radius", .number(circle.radius)),
        ])
      case .polygon(let polygon):
        .record([
          (
            "polygon",
            .row(polygon.corners.map { .row([.number($0.latitude), .number($0.longitude)]) })
          )
        ])
      case .several(let several): .list(several.regions.map(OutputNode.init))
      }
  }
}

/// The further facts that App Store Connect holds, as keys of the clip, its default experience and
/// its advanced ones. Unknown facts are left out.
extension OutputNode {
  package typealias Entries = [(key: String, value: OutputNode)]

  package static func entries(of listing: ExperienceListing) -> Entries {
    var entries: Entries = []
    if let identifier = listing.identifier { entries.append(("identifier", .text(identifier))) }
    entries += cardEntries(listing.localizations, listing.image)
    if listing.isPoweredBy { entries.append(("poweredBy", .flag(true))) }
    if let category = listing.businessCategory {
      entries.append(("businessCategory", .text(category)))
    }
    if let status = listing.placeStatus { entries.append(("placeStatus", .text(status.rawValue))) }
    if let changed = listing.changed { entries.append(("changed", .time(changed))) }
    return entries
  }

  /// Returns the keys of the clip itself.
  package static func entries(of listing: ClipListing) -> Entries {
    var entries: Entries = []
    if let identifier = listing.identifier { entries.append(("identifier", .text(identifier))) }
    if let name = listing.name { entries.append(("name", .text(name))) }
    if let version = listing.minimumIOS {
      entries.append(("minimumIOS", .text(version.description)))
    }
    if let isReleased = listing.isReleased { entries.append(("released", .flag(isReleased))) }
    if let bytes = listing.installBytes { entries.append(("installBytes", .number(Double(bytes)))) }
    if let link = listing.demoLink { entries.append(("demoLink", .text(link.payload))) }
    if !listing.testInvocations.isEmpty {
      entries.append(("testInvocations", .list(listing.testInvocations.map(Self.init))))
    }
    if !listing.domainStatuses.isEmpty {
      entries.append(("domainStatuses", .list(listing.domainStatuses.map(Self.init))))
    }
    return entries
  }

  /// Returns the keys of the clip's default experience.
  package static func defaultEntries(of listing: ClipListing) -> Entries {
    var entries = cardEntries(listing.localizations, listing.image)
    if let changed = listing.changed { entries.append(("changed", .time(changed))) }
    return entries
  }

  private static func cardEntries(
    _ localizations: [CardLocalization], _ image: HeaderImage?
  ) -> Entries {
    var entries: Entries = []
    if !localizations.isEmpty {
      let texts = localizations.sorted { $0.language.utf8Precedes($1.language) }.map { texts in
        let fields = [("title", texts.title), ("subtitle", texts.subtitle)]
        let present = fields.compactMap { key, text in
          text.map { (key: key, value: OutputNode.text($0)) }
        }
        return (key: texts.language, value: OutputNode.record(present))
      }
      entries.append(("localizations", .mapping(texts)))
    }
    if let image {
      var fields: Entries = [("file", .text(image.file))]
      if let size = image.size {
        fields.append(("width", .number(Double(size.width))))
        fields.append(("height", .number(Double(size.height))))
      }
      entries.append(("image", .record(fields)))
    }
    return entries
  }

  private init(_ invocation: TestInvocation) {
    self = .mapping([
      ("url", .text(invocation.url.payload)), ("title", .text(invocation.title)),
    ])
  }

  private init(_ status: DomainStatus) {
    var entries: Entries = [("domain", .text(status.domain)), ("valid", .flag(status.isValid))]
    if let code = status.errorCode { entries.append(("errorCode", .text(code))) }
    if let updated = status.updated { entries.append(("updated", .time(updated))) }
    self = .mapping(entries)
  }

  /// Returns a time in UTC, to the second (RFC 3339).
  private static func time(_ date: Date) -> OutputNode { .text(date.formatted(.iso8601)) }
}

extension DocumentNode {
  /// Makes the node that reading the written value would give, without formatting it as text.
  init(_ output: OutputNode) {
    let position = Position(line: 1, column: 1)
    let value: Value =
      switch output {
      case .text(let text): .text(text)
      case .number(let number): .number(number)
      case .flag(let flag): .flag(flag)
      case .list(let items), .row(let items): .list(items.map(DocumentNode.init))
      case .mapping(let entries), .record(let entries):
        .mapping(
          entries.map { Entry(key: $0.key, position: position, value: DocumentNode($0.value)) })
      }
    self.init(value: value, position: position)
  }
}
