public import Invocation

/// A difference among several documents.
public struct DocumentDifference: Hashable, Sendable {
  /// The kinds of things in documents.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A clip, by its bundle identifier.
    case clip
    /// An advanced experience, by its link.
    case experience
    /// A place, by its id.
    case place
  }

  /// The kind of thing.
  public let kind: Kind
  /// The key of the thing.
  public let key: String
  /// The key of the file that differs, for example `localizations.DE.title`; `nil` when the whole
  /// thing is missing from a document.
  public let field: String?
  /// The value in each document, in the order they were given; `nil` where it is absent.
  public let values: [String?]
  /// The documents, by their number, that lack the thing.
  public let missing: [Int]
}

/// A document to be compared, and its scope.
public struct ComparedDocument: Sendable {
  /// The document's contents.
  public let document: RegistryDocument
  /// The clips that the document covers; `nil` for all clips, and places.
  public let clips: (@Sendable (AppClip) -> Bool)?
  /// Fields that the document cannot state, as in ``DocumentDifference/field``.
  public let unknown: Set<String>
  /// A Boolean value that indicates whether the document comes from the service from which
  /// registries are pulled, and states everything that the service knows.
  public let isService: Bool

  /// Makes a side of a comparison.
  public init(
    _ document: RegistryDocument, clips: (@Sendable (AppClip) -> Bool)? = nil,
    unknown: Set<String> = [], isService: Bool = false
  ) {
    self.document = document
    self.clips = clips
    self.unknown = unknown
    self.isService = isService
  }
}

extension ComparedDocument {
  /// Returns the differences among documents: clips, experiences and places, each in the order of
  /// their keys, field by field in the order of a file.
  public static func differences(among sides: [ComparedDocument]) -> [DocumentDifference] {
    var clips: [String: AppClip] = [:]
    for clip in sides.flatMap(\.document.clips) where clips[clip.bundleID] == nil {
      clips[clip.bundleID] = clip
    }
    let tables = sides.map { FieldTable($0.document) }
    return DocumentDifference.Kind.allCases.flatMap { kind in
      let keys = Set(tables.flatMap { $0.keys(kind) }).sorted { $0.utf8Precedes($1) }
      return keys.flatMap { key in
        let owner = tables.lazy.compactMap { $0.owner(kind, key) }.first
        let speaking = sides.indices.filter { index in
          guard let speaksFor = sides[index].clips else { return true }
          return owner.flatMap { clips[$0] }.map(speaksFor) ?? false
        }
        return differences(kind, key, sides, tables, speaking)
      }
    }
  }

  private static func differences(
    _ kind: DocumentDifference.Kind, _ key: String, _ sides: [ComparedDocument],
    _ tables: [FieldTable], _ speaking: [Int]
  ) -> [DocumentDifference] {
    let present = speaking.filter { tables[$0].fields(kind, key) != nil }
    let missing = speaking.filter { !present.contains($0) }
    var differences: [DocumentDifference] = []
    if !missing.isEmpty, !present.isEmpty {
      differences.append(
        DocumentDifference(
          kind: kind, key: key, field: nil, values: sides.map { _ in nil }, missing: missing))
    }
    var names: [String] = []
    for index in present {
      for (name, _) in tables[index].fields(kind, key) ?? [] where !names.contains(name) {
        names.append(name)
      }
    }
    let hasService = present.contains { sides[$0].isService }
    for name in names {
      let knowing = present.filter { index in
        if sides[index].unknown.contains(name) { return false }
        // Beside the service, a document written by hand that was never pulled counts only for the
        // facts it states.
        let isHandWritten = hasService && !sides[index].isService
        let states = [name, "identifier"].contains { field in
          tables[index].fields(kind, key)?.contains { $0.name == field } ?? false
        }
        return !isHandWritten || states
      }
      let values = sides.indices.map { index in
        knowing.contains(index)
          ? tables[index].fields(kind, key)?.first { $0.name == name }?.value : nil
      }
      guard Set(knowing.map { values[$0] }).count > 1 else { continue }
      differences.append(
        DocumentDifference(kind: kind, key: key, field: name, values: values, missing: []))
    }
    return differences
  }
}

/// The contents of a document as texts, by the thing they belong to.
private struct FieldTable {
  typealias Field = (name: String, value: String)

  private var things: [DocumentDifference.Kind: [String: (owner: String?, fields: [Field])]] = [:]

  init(_ document: RegistryDocument) {
    for clip in document.clips {
      things[.clip, default: [:]][clip.bundleID] = (clip.bundleID, Self.fields(OutputNode(clip)))
    }
    for experience in document.experiences {
      things[.experience, default: [:]][experience.link.normalized] = (
        experience.clip, [("clip", experience.clip)] + Self.fields(OutputNode(experience))
      )
    }
    for place in document.places {
      things[.place, default: [:]][place.id] = (nil, Self.fields(OutputNode(place)))
    }
  }

  func keys(_ kind: DocumentDifference.Kind) -> [String] {
    things[kind].map { Array($0.keys) } ?? []
  }

  func owner(_ kind: DocumentDifference.Kind, _ key: String) -> String? {
    things[kind]?[key]?.owner
  }

  func fields(_ kind: DocumentDifference.Kind, _ key: String) -> [Field]? {
    things[kind]?[key]?.fields
  }

  private static func fields(_ node: OutputNode, _ prefix: String = "") -> [Field] {
    switch node {
    case .mapping(let entries), .record(let entries):
      return entries.flatMap { fields($0.value, prefix.isEmpty ? $0.key : "\(prefix).\($0.key)") }
    // The link is the key; two spellings of it are the same link.
    case .text(let text): return prefix == "link" ? [] : [(prefix, text)]
    default:
      var text = ""
      let value = node.onOneLine
      // The order of domains has no meaning.
      JSONText.append(prefix == "domains" ? value.sorted : value, indent: 0, to: &text)
      return [(prefix, text)]
    }
  }
}

extension OutputNode {
  /// The same row of texts, sorted.
  fileprivate var sorted: OutputNode {
    guard case .row(let items) = self else { return self }
    let texts = items.compactMap { if case .text(let text) = $0 { text } else { nil } }
    return texts.count == items.count ? .row(texts.sorted().map(OutputNode.text)) : self
  }

  /// The same value without line breaks.
  fileprivate var onOneLine: OutputNode {
    switch self {
    case .list(let items), .row(let items): .row(items.map(\.onOneLine))
    case .mapping(let entries), .record(let entries):
      .record(entries.map { ($0.key, $0.value.onOneLine) })
    default: self
    }
  }
}
