import Invocation

/// The primitive steps of one open transaction: what a store has to provide.
///
/// The rules (what may be added, what is in use) stand above them in ``RegistryTransaction``, once
/// for all stores. Lists come sorted by the UTF-8 bytes of their keys, events by sequence.
protocol RegistryRecords: AnyObject {
  func counts() throws(RegistryError) -> RegistryCounts

  func clip(bundleID: String) throws(RegistryError) -> AppClip?
  func clips(associatedWith host: String) throws(RegistryError) -> [AppClip]
  func clips() throws(RegistryError) -> [AppClip]
  /// Inserts or replaces; experiences of the clip stay.
  func store(_ clip: AppClip) throws(RegistryError)
  /// Deletes a clip that has no experiences.
  func deleteClip(bundleID: String) throws(RegistryError)

  func experience(normalized: String) throws(RegistryError) -> AdvancedExperience?
  func experiences(
    host: String, foldedKeys: Set<String>
  ) throws(RegistryError) -> [AdvancedExperience]
  /// The experiences of one clip, or all, by clip and link.
  func experiences(ofClip bundleID: String?) throws(RegistryError) -> [AdvancedExperience]
  /// The experiences that always name one place, by link.
  func experiences(fixedTo placeID: String) throws(RegistryError) -> [AdvancedExperience]
  /// Inserts or replaces by the link's normal form. The clip and a fixed place exist.
  func store(_ experience: AdvancedExperience) throws(RegistryError)
  func deleteExperience(normalized: String) throws(RegistryError)

  func place(id: String) throws(RegistryError) -> Place?
  func places() throws(RegistryError) -> [Place]
  /// Inserts or replaces by id.
  func store(_ place: Place) throws(RegistryError)
  /// Deletes a place that no experience is fixed to.
  func deletePlace(id: String) throws(RegistryError)

  func code(id: CodeID) throws(RegistryError) -> IssuedCode?
  /// Oldest first: by name, which begins with the time.
  func codes(_ filter: CodeFilter) throws(RegistryError) -> [IssuedCode]
  /// Inserts a code whose name is new.
  func insert(_ code: IssuedCode) throws(RegistryError)
  /// Marks a code as retired.
  func markRetired(_ id: CodeID) throws(RegistryError)
  func history(of id: CodeID) throws(RegistryError) -> [CodeEvent]
  /// The last sequence number in a code's history, 0 without one.
  func lastSequence(of id: CodeID) throws(RegistryError) -> Int
  /// Adds an event whose sequence number follows the last.
  func append(_ event: CodeEvent) throws(RegistryError)
}
