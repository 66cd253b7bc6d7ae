/// Clips, experiences and places in memory, compiled for checks: a million experiences take some
/// tens of bytes each, and a lookup among them as long as among ten.
public struct ExperienceCatalog: ExperienceDirectory {
  private let clipsByID: [String: AppClip]
  private let clipsByHost: [String: [AppClip]]
  private let links: CompiledLinks
  private let placesByID: [String: Place]

  /// Makes a catalog. Of two clips or two places with one id, the last stands.
  public init(
    clips: [AppClip] = [], experiences: some Sequence<AdvancedExperience> = [AdvancedExperience](),
    places: [Place] = []
  ) {
    var links = CompiledLinks.Builder()
    for experience in experiences { links.append(experience) }
    self.init(clips: clips, links: links.compiled(), places: places)
  }

  /// Makes a catalog of experiences alone, which come one after another.
  ///
  /// - Parameter read: Calls what it is given for each experience.
  package init<Failure>(
    reading read: ((AdvancedExperience) -> Void) throws(Failure) -> Void
  ) throws(Failure) {
    var links = CompiledLinks.Builder()
    try read { links.append($0) }
    self.init(clips: [], links: links.compiled(), places: [])
  }

  private init(clips: [AppClip], links: CompiledLinks, places: [Place]) {
    let clipsByID = Dictionary(clips.map { ($0.bundleID, $0) }) { $1 }
    var clipsByHost: [String: [AppClip]] = [:]
    for clip in clipsByID.values.sorted(by: { $0.bundleID < $1.bundleID }) {
      for host in Set(clip.domains) { clipsByHost[host, default: []].append(clip) }
    }
    self.clipsByID = clipsByID
    self.clipsByHost = clipsByHost
    self.links = links
    self.placesByID = Dictionary(places.map { ($0.id, $0) }) { $1 }
  }

  /// How many experiences there are.
  package var experienceCount: Int { links.count }

  /// The clips that name `host` among their domains, by bundle identifier.
  public func clips(associatedWith host: String) -> [AppClip] { clipsByHost[host] ?? [] }

  /// The clip with a bundle identifier.
  public func clip(bundleID: String) -> AppClip? { clipsByID[bundleID] }

  /// The clip with a demo link; of several, the first by bundle identifier.
  public func clip(demoLink: InvocationURL) -> AppClip? {
    clipsByID.values.filter { $0.listing.demoLink?.normalized == demoLink.normalized }
      .min { $0.bundleID < $1.bundleID }
  }

  /// Every experience whose link has this host and one of these keys.
  public func experiences(host: String, foldedKeys: Set<String>) -> [AdvancedExperience] {
    foldedKeys.flatMap { links.experiences(host: host, key: Array($0.utf8)) }
  }

  /// Every experience that covers a URL, or nearly does.
  public func experiences(near url: InvocationURL) -> [AdvancedExperience] {
    let (key, toggled, shared) = url.foldedSpellings
    return links.experiences(host: url.host, prefixing: key, longerThan: 0)
      + links.experiences(host: url.host, prefixing: toggled, longerThan: shared)
  }

  /// The place with an id.
  public func place(id: String) -> Place? { placesByID[id] }
}
