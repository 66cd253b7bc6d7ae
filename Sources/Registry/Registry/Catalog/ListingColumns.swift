import Foundation
import Invocation

// A listing in its column: the keys of a registry file as one JSON text; NULL if there are none.

extension ExperienceListing {
  var column: String? { OutputNode.column(OutputNode.entries(of: self)) }

  init(row: any RegistryRow) throws(RegistryError) {
    let language: String = try row["language"]
    self =
      try Self.read(row) { reader, fields in
        reader.experienceListing(fields, language: language)
      } ?? ExperienceListing()
  }
}

extension ClipListing {
  /// The key of the default experience in a registry file.
  private static let card = "defaultExperience"

  var column: String? {
    let card = OutputNode.defaultEntries(of: self)
    return OutputNode.column(
      OutputNode.entries(of: self) + (card.isEmpty ? [] : [(Self.card, .mapping(card))]))
  }

  init(row: any RegistryRow) throws(RegistryError) {
    self =
      try ExperienceListing.read(row) { reader, fields in
        let card = fields[Self.card].map {
          reader.fields($0, of: .defaultExperience)
        }
        return reader.clipListing(fields, card: (card ?? nil) ?? [:])
      } ?? ClipListing()
  }
}

extension ExperienceListing {
  /// Reads the column `listing` by the rules of a registry file; returns `nil` for an empty column.
  fileprivate static func read<Listing>(
    _ row: any RegistryRow, _ read: (inout DocumentReader, [String: DocumentNode]) -> Listing
  ) throws(RegistryError) -> Listing? {
    guard let text: String = row["listing"] else { return nil }
    var problems: [DocumentProblem] = []
    var reader = DocumentReader()
    if case .mapping(let entries) = JSONSource.parse(text, problems: &problems)?.value {
      let listing = read(
        &reader, Dictionary(entries.map { ($0.key, $0.value) }) { first, _ in first })
      if problems.isEmpty, reader.problems.isEmpty { return listing }
    }
    throw RegistryError.damaged("the listing “\(text.shortened)”")
  }
}

extension OutputNode {
  static func column(_ entries: Entries) -> String? {
    guard !entries.isEmpty else { return nil }
    var text = ""
    JSONText.append(.record(entries), indent: 0, to: &text)
    return text
  }

  /// Several regions as one text of a database.
  static func column(ofRegions regions: [Region]) -> String? {
    column([("regions", .row(regions.map(OutputNode.init)))])
  }
}
