/// Clips, experiences and places in memory, found by hash.
public struct ExperienceCatalog: ExperienceDirectory {
  private let clipsByID: [String: AppClip]
  private let clipsByHost: [String: [AppClip]]
  /// By host, then by folded key.
  private let experiencesByLink: [String: [String: [AdvancedExperience]]]
  private let placesByID: [String: Place]

  /// Makes a catalog. Of two clips or two places with one id, the last stands.
  public init(
    clips: [AppClip] = [], experiences: [AdvancedExperience] = [], places: [Place] = []
  ) {
    let clipsByID = Dictionary(clips.map { ($0.bundleID, $0) }) { $1 }
    var clipsByHost: [String: [AppClip]] = [:]
    for clip in clipsByID.values.sorted(by: { $0.bundleID < $1.bundleID }) {
      for host in Set(clip.domains) { clipsByHost[host, default: []].append(clip) }
    }
    self.clipsByID = clipsByID
    self.clipsByHost = clipsByHost
    self.experiencesByLink = Dictionary(grouping: experiences) { $0.link.host }
      .mapValues { Dictionary(grouping: $0) { $0.link.foldedKey } }
    self.placesByID = Dictionary(places.map { ($0.id, $0) }) { $1 }
  }

  /// The clips that name `host` among their domains, by bundle identifier.
  public func clips(associatedWith host: String) -> [AppClip] { clipsByHost[host] ?? [] }

  /// The clip with a bundle identifier.
  public func clip(bundleID: String) -> AppClip? { clipsByID[bundleID] }

  /// Every experience whose link has this host and one of these keys.
  public func experiences(host: String, foldedKeys: Set<String>) -> [AdvancedExperience] {
    guard let experiences = experiencesByLink[host] else { return [] }
    return foldedKeys.flatMap { experiences[$0] ?? [] }
  }

  /// The place with an id.
  public func place(id: String) -> Place? { placesByID[id] }
}
