/// Chooses among the experiences of one host.
///
/// The longest link that covers the URL wins; only active experiences take part (App Store
/// Connect's status `RECEIVED`).
struct ExperienceMatcher {
  let key: String
  let engine: PrefixEngine
  private let active: [AdvancedExperience]
  private let inactive: [AdvancedExperience]

  /// - Parameter candidates: What the directory holds under the URL's ``foldedPrefixKeys``.
  init(key: String, engine: PrefixEngine, candidates: [AdvancedExperience]) {
    self.key = key
    self.engine = engine
    // A fixed order, so that the same registry always gives the same answer.
    let sorted = candidates.sorted {
      ($0.link.normalized, $0.clip) < ($1.link.normalized, $1.clip)
    }
    self.active = sorted.filter { $0.status == .received }
    self.inactive = sorted.filter { $0.status != .received }
  }

  /// The active experience that an engine chooses.
  func winner(by engine: PrefixEngine) -> AdvancedExperience? {
    Self.longest(active) { engine.covers(link: $0, key: key) }
  }

  /// The active experience that covers the URL.
  var winner: AdvancedExperience? { winner(by: engine) }

  /// The experience that the other engine chooses, when it chooses another link.
  ///
  /// The outer optional says whether the engines disagree, the inner one what the other chooses.
  var disagreement: AdvancedExperience?? {
    let other = winner(by: engine.other)
    return other?.link.matchingKey == winner?.link.matchingKey ? nil : .some(other)
  }

  /// The other active experiences with the winner's link.
  var rivals: [AdvancedExperience] {
    guard let winner else { return [] }
    let same = active.filter { $0.link.matchingKey == winner.link.matchingKey }
    return Array(same.dropFirst())
  }

  /// An inactive experience whose link covers the URL more closely than the winner's.
  var inactiveWinner: AdvancedExperience? {
    Self.longest(inactive.filter(isCloserThanWinner)) { engine.covers(link: $0, key: key) }
  }

  /// An active experience that would win if only the case of its link or of the URL changed.
  var caseMismatch: AdvancedExperience? {
    let folded = key.lowercased()
    return Self.longest(active.filter(isCloserThanWinner)) {
      !engine.covers(link: $0, key: key) && engine.covers(link: $0.lowercased(), key: folded)
    }
  }

  /// An active experience that would win with a slash more or less at the end of the path.
  var slashMismatch: AdvancedExperience? {
    let toggled = InvocationURL.togglingTrailingSlash(of: key)
    return Self.longest(active) {
      !engine.covers(link: $0, key: key) && engine.covers(link: $0, key: toggled)
    }
  }

  private func isCloserThanWinner(_ experience: AdvancedExperience) -> Bool {
    experience.link.matchingKey.utf8.count > (winner?.link.matchingKey.utf8.count ?? 0)
  }

  /// The first of those with the longest link.
  private static func longest(
    _ experiences: [AdvancedExperience], where covers: (String) -> Bool
  ) -> AdvancedExperience? {
    var best: AdvancedExperience?
    var length = 0
    for experience in experiences {
      let link = experience.link.matchingKey
      if link.utf8.count > length, covers(link) {
        best = experience
        length = link.utf8.count
      }
    }
    return best
  }
}
