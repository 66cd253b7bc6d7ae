public import Registry

/// The changes that a registry file made, or App Store Connect: the `import` and the `pull` object
/// of the command's contract.
public struct ImportResult: Encodable, Sendable {
  /// The numbers of changes of one kind of thing.
  public struct Tally: Encodable, Hashable, Sendable {
    /// The number of new things.
    public let added: Int
    /// The number of things that differ.
    public let changed: Int
    /// The number of things that are as they were.
    public let unchanged: Int
    /// The number of things that were removed.
    public let removed: Int

    init(_ tally: ImportReport.Tally) {
      (added, changed) = (tally.added, tally.changed)
      (unchanged, removed) = (tally.unchanged, tally.removed)
    }
  }

  /// The facts of a thing that the file does not state.
  public struct Unstated: Encodable, Hashable, Sendable {
    /// `clip`, `experience` or `place`.
    public let kind: String
    /// The key of the thing.
    public let key: String
    /// The keys of the facts.
    public let fields: [String]

    init(_ facts: UnstatedFacts) {
      (kind, key, fields) = (facts.kind.rawValue, facts.key, facts.fields)
    }
  }

  /// The origin of the changes.
  public enum Origin: String, Sendable {
    /// A file.
    case file = "import"
    /// App Store Connect.
    case appStoreConnect = "pull"
  }

  /// `import` or `pull`.
  public let type: String
  /// The file, or the app's number in App Store Connect.
  public let source: String
  /// Whether nothing was changed.
  public let dryRun: Bool
  /// The changes of clips.
  public let clips: Tally
  /// The changes of experiences.
  public let experiences: Tally
  /// The changes of places.
  public let places: Tally
  /// The facts that stayed although the file does not state them.
  public let kept: [Unstated]
  /// The facts that went because the file does not state them.
  public let dropped: [Unstated]
  /// The number of codes in use that were accepted before and no more; `nil` for a `pull`.
  public let orphanedCodes: Int?

  /// States changes.
  public init(
    _ report: ImportReport, of origin: Origin = .file, source: String, isRehearsal: Bool,
    orphanedCodes: Int? = nil
  ) {
    type = origin.rawValue
    self.source = source
    dryRun = isRehearsal
    clips = Tally(report.clips)
    experiences = Tally(report.experiences)
    places = Tally(report.places)
    kept = report.kept.map(Unstated.init)
    dropped = report.dropped.map(Unstated.init)
    self.orphanedCodes = orphanedCodes
  }
}
