import Foundation
import Invocation

/// What App Store Connect holds besides, as keys of the clip, its default experience and its
/// advanced ones. What is not known is left out.
extension OutputNode {
  typealias Entries = [(key: String, value: OutputNode)]

  static func entries(of listing: ExperienceListing) -> Entries {
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

  /// The keys of the clip itself.
  static func entries(of listing: ClipListing) -> Entries {
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

  /// The keys of the clip's default experience.
  static func defaultEntries(of listing: ClipListing) -> Entries {
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

  /// A time in UTC, to the second (RFC 3339).
  private static func time(_ date: Date) -> OutputNode { .text(date.formatted(.iso8601)) }
}
