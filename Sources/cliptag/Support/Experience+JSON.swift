import Foundation
import Invocation

extension AdvancedExperience {
  /// The `experience` object of a listing.
  var json: JSONValue {
    .object([
      ("type", "experience"), ("kind", "advanced"), ("link", .string(link.payload)),
      ("title", JSONValue(card.title)), ("subtitle", JSONValue(card.subtitle)),
      ("action", .string(card.action.rawValue)), ("clip", .string(clip)),
      ("language", .string(language)), ("status", .string(status.rawValue)),
      ("place", place?.json ?? .null), ("identifier", JSONValue(listing.identifier)),
      ("localizations", listing.localizations.json), ("image", listing.image?.json ?? .null),
      ("poweredBy", .bool(listing.isPoweredBy)),
      ("businessCategory", JSONValue(listing.businessCategory)),
      ("placeStatus", JSONValue(listing.placeStatus?.rawValue)),
      ("changed", JSONValue(listing.changed.map { $0.formatted(.iso8601) })),
    ])
  }

  /// One line for people.
  var text: String {
    let words = [card.title, card.subtitle].compactMap { $0 }.joined(separator: ": ")
    let state = status == .received ? "" : " (\(status.rawValue))"
    return "\(link.payload)\(state): \(words) [\(card.action.rawValue)], \(clip)"
  }
}

extension AppClip {
  func json(of card: ExperienceCard) -> JSONValue {
    .object([
      ("type", "experience"), ("kind", "default"), ("link", .null),
      ("title", JSONValue(card.title)), ("subtitle", JSONValue(card.subtitle)),
      ("action", .string(card.action.rawValue)), ("clip", .string(bundleID)),
      ("language", .null), ("status", .null), ("place", .null), ("identifier", .null),
      ("localizations", listing.localizations.json), ("image", listing.image?.json ?? .null),
      ("poweredBy", .bool(false)), ("businessCategory", .null), ("placeStatus", .null),
      ("changed", JSONValue(listing.changed.map { $0.formatted(.iso8601) })),
    ])
  }

  func text(of card: ExperienceCard) -> String {
    let words = [card.title, card.subtitle].compactMap { $0 }.joined(separator: ": ")
    return """
      default on \(domains.joined(separator: ", ")): \(words) [\(card.action.rawValue)], \(bundleID)
      """
  }
}

extension PlaceRule {
  fileprivate var json: JSONValue {
    switch self {
    case .fixed(let id): .object([("id", .string(id))])
    case .path(let template): .object([("path", .string(template.text))])
    case .query(let item): .object([("query", .string(item))])
    case .coordinates(let latitude, let longitude, let radius):
      .object([
        ("coordinates", .array([.string(latitude), .string(longitude)])),
        ("radius", .number(radius)),
      ])
    }
  }
}

extension [CardLocalization] {
  /// The texts by language, in the order of languages.
  fileprivate var json: JSONValue {
    .array(
      sorted { $0.language < $1.language }.map { texts in
        .object([
          ("language", .string(texts.language)), ("title", JSONValue(texts.title)),
          ("subtitle", JSONValue(texts.subtitle)),
        ])
      })
  }
}

extension HeaderImage {
  fileprivate var json: JSONValue {
    .object([
      ("file", .string(file)), ("width", JSONValue(size?.width)),
      ("height", JSONValue(size?.height)),
    ])
  }
}
