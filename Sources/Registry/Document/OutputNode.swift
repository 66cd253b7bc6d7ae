import Invocation

/// One value of a document to be written: what YAML and JSON have in common.
indirect enum OutputNode {
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
  /// The whole document, its keys in the order that the file's description has them.
  init(_ document: RegistryDocument) {
    let experiences = Dictionary(grouping: document.experiences, by: \.clip)
    self = .mapping([
      ("clips", .list(document.clips.map { Self($0, experiences[$0.bundleID] ?? []) })),
      ("places", .list(document.places.map(Self.init))),
    ])
  }

  /// A clip with its experiences.
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

  /// An experience.
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

  /// A place.
  init(_ place: Place) {
    let regions = place.regions.map(OutputNode.init)
    let shape: (key: String, value: OutputNode) =
      if regions.count == 1, let only = regions.first {
        ("region", only)
      } else {
        ("regions", .list(regions))
      }
    self = .mapping([("id", .text(place.id)), ("name", .text(place.name)), shape])
  }

  /// A circle or a polygon.
  init(_ region: Region) {
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
