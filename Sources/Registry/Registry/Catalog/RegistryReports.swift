/// The number of things of each kind in a registry.
public struct RegistryCounts: Hashable, Sendable {
  /// Number of clips.
  public var clips = 0
  /// Number of advanced experiences, of any status.
  public var experiences = 0
  /// Number of places.
  public var places = 0
  /// Number of issued codes, retired ones included.
  public var codes = 0
}

/// The other things affected by the removal of something in use.
public struct RemovalReport: Hashable, Sendable {
  /// The normal forms of the links of experiences that were removed with a clip, or lost their
  /// place rule with a place; sorted.
  public var experiences: [String] = []
  /// Number of codes in use that name the removed place; they keep its id.
  public var codes = 0
}

/// The treatment of existing contents during an import.
public enum ImportMode: String, Hashable, Sendable, CaseIterable {
  /// Adds what is new and replaces what has the same key (a clip's bundle identifier, an
  /// experience's link, a place's id). Nothing is removed.
  case merge
  /// As ``merge``, and removes every clip, experience and place that the document does not contain.
  /// Issued codes and their history stay.
  case replaceAll
}

/// The changes that an import made, or would make.
public struct ImportReport: Hashable, Sendable {
  /// Numbers for one kind of thing.
  public struct Tally: Hashable, Sendable {
    /// The number of new things.
    public var added = 0
    /// The number of things that replaced a different one with the same key.
    public var changed = 0
    /// The number of things that the registry already held, unchanged.
    public var unchanged = 0
    /// The number of things removed; always 0 for ``ImportMode/merge``.
    public var removed = 0

    /// Makes a tally.
    package init(added: Int = 0, changed: Int = 0, unchanged: Int = 0, removed: Int = 0) {
      self.added = added
      self.changed = changed
      self.unchanged = unchanged
      self.removed = removed
    }
  }

  /// Numbers for clips.
  public var clips = Tally()
  /// Numbers for advanced experiences.
  public var experiences = Tally()
  /// Numbers for places.
  public var places = Tally()
  /// Facts that are kept although the file, which names their clip or experience, omits them.
  public var kept: [UnstatedFacts] = []
  /// Facts that were removed because the file, which names their clip or experience, omits them.
  public var dropped: [UnstatedFacts] = []

  /// Makes an empty report.
  package init() {}
}
