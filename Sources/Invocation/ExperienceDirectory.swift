/// Where the check looks clips, experiences and places up: a database, or values in memory.
///
/// The lookups are shaped so that one check costs the same with ten experiences and with a
/// million.
public protocol ExperienceDirectory: Sendable {
  /// The clips that name `host` among their domains.
  ///
  /// - Parameter host: An A-label host in lower case.
  func clips(associatedWith host: String) throws -> [AppClip]

  /// The clip with a bundle identifier.
  func clip(bundleID: String) throws -> AppClip?

  /// The clip with a demo link: one that App Store Connect issued on Apple's own host. Unless a
  /// directory keeps such links, there is none.
  func clip(demoLink: InvocationURL) throws -> AppClip?

  /// Every experience, of any status, whose link has this host and whose
  /// ``InvocationURL/foldedKey`` is one of `foldedKeys`.
  func experiences(host: String, foldedKeys: Set<String>) throws -> [AdvancedExperience]

  /// Every experience, of any status, that covers `url`, or that would if case or the last slash
  /// of its path did not count.
  ///
  /// What else it gives does no harm. Unless a directory knows a faster way, these are the
  /// experiences under the URL's ``InvocationURL/foldedPrefixKeys``.
  func experiences(near url: InvocationURL) throws -> [AdvancedExperience]

  /// The place with an id.
  func place(id: String) throws -> Place?
}

extension ExperienceDirectory {
  /// No clip.
  public func clip(demoLink: InvocationURL) throws -> AppClip? { nil }

  /// Every experience under one of the URL's ``InvocationURL/foldedPrefixKeys``.
  public func experiences(near url: InvocationURL) throws -> [AdvancedExperience] {
    try experiences(host: url.host, foldedKeys: url.foldedPrefixKeys)
  }
}
