import Invocation

/// Facts of a clip, an experience or a place that a registry holds and that a file which names it omits.
///
/// A file may describe a clip partially: omitted facts stay unchanged, unless the caller imports
/// the file as the complete state.
public struct UnstatedFacts: Hashable, Sendable {
  /// The kind of thing.
  public let kind: DocumentDifference.Kind
  /// The thing's key: a clip's bundle identifier, an experience's link, or a place's id.
  public let key: String
  /// The keys that the file omits, for example `defaultExperience` or `defaultExperience.subtitle`,
  /// in the order of a file.
  public let fields: [String]
}

/// Completes a file's keys of a thing with known facts.
struct PresentFacts {
  private let clips: [String: AppClip]
  private let experiences: [String: AdvancedExperience]
  private let places: [String: Place]
  /// A Boolean value that indicates whether omitted facts are kept, and not only reported.
  private let keeps: Bool

  init(_ document: RegistryDocument, keeps: Bool) {
    clips = Dictionary(document.clips.map { ($0.bundleID, $0) }) { first, _ in first }
    experiences = Dictionary(document.experiences.map { ($0.link.normalized, $0) }) { first, _ in
      first
    }
    places = Dictionary(document.places.map { ($0.id, $0) }) { first, _ in first }
    self.keeps = keeps
  }

  /// Completes a clip's keys, except those that the file must state.
  func complete(
    _ fields: inout [String: DocumentNode], ofClip bundleID: String
  ) -> UnstatedFacts? {
    guard let clip = clips[bundleID] else { return nil }
    let left = complete(
      &fields, from: OutputNode(clip), but: ["clip", "app", "team", "domains"], nested: "")
    return left.isEmpty ? nil : UnstatedFacts(kind: .clip, key: bundleID, fields: left)
  }

  /// Completes the keys of an experience, unless its link has moved to another clip.
  func complete(
    _ fields: inout [String: DocumentNode], ofExperience link: InvocationURL, clip: String
  ) -> UnstatedFacts? {
    guard let experience = experiences[link.normalized], experience.clip == clip else { return nil }
    var known = experience
    // A language that becomes the default language of the experience no longer has separate texts.
    if case .text(let own)? = fields["language"]?.value {
      known.listing.localizations.removeAll { $0.language == own }
    }
    let left = complete(&fields, from: OutputNode(known), but: ["link"], nested: "")
    return left.isEmpty ? nil : UnstatedFacts(kind: .experience, key: link.payload, fields: left)
  }

  /// Completes the keys of a place, except those that the file must state.
  func complete(_ fields: inout [String: DocumentNode], ofPlace id: String) -> UnstatedFacts? {
    guard let place = places[id] else { return nil }
    let left = complete(
      &fields, from: OutputNode(place), but: ["id", "name", "region", "regions"], nested: "")
    return left.isEmpty ? nil : UnstatedFacts(kind: .place, key: id, fields: left)
  }

  private func complete(
    _ fields: inout [String: DocumentNode], from known: OutputNode, but required: Set<String>,
    nested prefix: String
  ) -> [String] {
    guard case .mapping(let entries) = known else { return [] }
    var left: [String] = []
    for (key, value) in entries where !required.contains(key) {
      guard let own = fields[key] else {
        if value.isWhatSilenceMeans(of: key) { continue }
        left.append(prefix + key)
        if keeps { fields[key] = DocumentNode(value) }
        continue
      }
      // The default experience is the one mapping that has separate optional keys.
      guard key == "defaultExperience", case .mapping(let ownEntries) = own.value else { continue }
      var inner = Dictionary(ownEntries.map { ($0.key, $0.value) }) { first, _ in first }
      let missing = complete(&inner, from: value, but: [], nested: key + ".")
      left += missing
      guard keeps else { continue }
      let added = missing.map { String($0.dropFirst(key.count + 1)) }.compactMap { name in
        inner[name].map { DocumentNode.Entry(key: name, position: own.position, value: $0) }
      }
      fields[key] = DocumentNode(value: .mapping(ownEntries + added), position: own.position)
    }
    return left
  }
}

extension OutputNode {
  /// Returns whether omitting a key in a file has the same meaning as this value.
  fileprivate func isWhatSilenceMeans(of key: String) -> Bool {
    switch (key, self) {
    case ("locationConfirmation", .flag(let flag)): !flag
    case ("action", .text(let action)): action == CardAction.open.rawValue
    case ("language", .text(let language)): language == "EN"
    case ("status", .text(let status)): status == ExperienceStatus.received.rawValue
    default: false
    }
  }
}
