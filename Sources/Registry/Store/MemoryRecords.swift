import Invocation

/// The primitive steps of a transaction over values in memory.
final class MemoryRecords: RegistryRecords {
  var state: MemoryState

  init(_ state: MemoryState) { self.state = state }

  func counts() -> RegistryCounts {
    RegistryCounts(
      clips: state.clips.count, experiences: state.experiences.count, places: state.places.count,
      codes: state.codes.count)
  }

  func clip(bundleID: String) -> AppClip? { state.clips[ByteKey(bundleID)] }

  func clips(associatedWith host: String) -> [AppClip] {
    clips().filter { $0.domains.contains(host) }
  }

  func clips() -> [AppClip] { state.clips.sorted { $0.key < $1.key }.map(\.value) }

  func store(_ clip: AppClip) { state.clips[ByteKey(clip.bundleID)] = clip }

  func deleteClip(bundleID: String) { state.clips[ByteKey(bundleID)] = nil }

  func experience(normalized: String) -> AdvancedExperience? {
    state.experiences[ByteKey(normalized)]
  }

  func experiences(host: String, foldedKeys: Set<String>) -> [AdvancedExperience] {
    foldedKeys
      .flatMap { state.linksByKey[MemoryState.HostKey(host, $0)] ?? [] }
      .sorted()
      .compactMap { state.experiences[$0] }
  }

  func catalog(ofHost host: String, atMost limit: Int) -> ExperienceCatalog? {
    let found = state.experiences.values.filter { $0.link.host == host }
    return found.count > limit ? nil : ExperienceCatalog(experiences: found)
  }

  func experiences(ofClip bundleID: String?) -> [AdvancedExperience] {
    let all = state.experiences.values
    let wanted = bundleID.map { id in all.filter { $0.clip == id } } ?? Array(all)
    return RegistryDocument(experiences: wanted).sorted().experiences
  }

  func experiences(fixedTo placeID: String) -> [AdvancedExperience] {
    state.experiences
      .filter {
        if case .fixed(let id) = $0.value.place { ByteKey(id) == ByteKey(placeID) } else { false }
      }
      .sorted { $0.key < $1.key }
      .map(\.value)
  }

  func store(_ experience: AdvancedExperience) {
    let link = ByteKey(experience.link.normalized)
    state.experiences[link] = experience
    state.linksByKey[MemoryState.HostKey(experience.link), default: []].insert(link)
  }

  func deleteExperience(normalized: String) {
    let link = ByteKey(normalized)
    guard let experience = state.experiences.removeValue(forKey: link) else { return }
    let key = MemoryState.HostKey(experience.link)
    state.linksByKey[key]?.remove(link)
    if state.linksByKey[key]?.isEmpty == true { state.linksByKey[key] = nil }
  }

  func place(id: String) -> Place? { state.places[ByteKey(id)] }

  func places() -> [Place] { state.places.sorted { $0.key < $1.key }.map(\.value) }

  func store(_ place: Place) { state.places[ByteKey(place.id)] = place }

  func deletePlace(id: String) { state.places[ByteKey(id)] = nil }

  func code(id: CodeID) -> IssuedCode? { state.codes[id] }

  func codes(_ filter: CodeFilter) -> [IssuedCode] {
    state.codes.values
      .filter(filter.admits)
      .sorted { $0.id.description.utf8Precedes($1.id.description) }
  }

  func insert(_ code: IssuedCode) { state.codes[code.id] = code }

  func markRetired(_ id: CodeID) { state.codes[id] = state.codes[id]?.retired() }
}
