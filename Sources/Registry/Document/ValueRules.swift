import Invocation

/// The rules of a registry file, held for values that come from elsewhere.
///
/// What is added by hand must be exportable and importable again, so it is read as a file would be.
enum ValueRules {
  /// Checks a clip.
  ///
  /// - Throws: ``RegistryError/Code/invalid`` with the first broken rule.
  static func check(_ clip: AppClip) throws(RegistryError) {
    try check { $0.readClip(DocumentNode(OutputNode(clip))) }
  }

  /// Checks an experience, but not whether its clip and place exist.
  static func check(_ experience: AdvancedExperience) throws(RegistryError) {
    try check {
      $0.readExperience(
        DocumentNode(OutputNode(experience)), clip: experience.clip,
        domains: [experience.link.host])
    }
  }

  /// Checks a place.
  static func check(_ place: Place) throws(RegistryError) {
    try check { $0.readPlace(DocumentNode(OutputNode(place))) }
  }

  private static func check(
    _ read: (inout DocumentReader) -> Void
  ) throws(RegistryError) {
    var reader = DocumentReader(knownPlaces: [])
    read(&reader)
    guard let problem = reader.problems.first else { return }
    throw RegistryError(
      .invalid, problem.message, hint: "Nothing was changed; correct the value and repeat.")
  }
}
