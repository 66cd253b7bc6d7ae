import Invocation

/// The primitive steps of one open transaction: what a store has to provide.
///
/// The rules (what may be added, what is in use) stand above them in ``RegistryTransaction``, once
/// for all stores. Lists come sorted by the UTF-8 bytes of their keys, events and entries by number.
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
  /// Every experience of a host, compiled for checks; `nil` when there are more than `limit`.
  func catalog(
    ofHost host: String, atMost limit: Int
  ) throws(RegistryError) -> ExperienceCatalog?
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

  /// The recorder of this registry, which is made when there is none.
  func ownRecorder() throws(RegistryError) -> Recorder
  /// The last entry of a recorder's chain; `nil` when it has none here.
  func head(of recorder: Recorder) throws(RegistryError) -> ChainHead?
  /// The last entry of every chain, by recorder.
  func heads() throws(RegistryError) -> [ChainHead]
  /// The hash of one entry; `nil` when it is not here.
  func hash(of recorder: Recorder, number: Int) throws(RegistryError) -> EntryHash?
  /// Adds an entry that follows the last of its chain.
  func append(_ entry: RecordEntry) throws(RegistryError)
  /// The entries of one code, by recorder and number.
  func entries(of id: CodeID) throws(RegistryError) -> [RecordEntry]
  /// How many entries a code has, and of how many recorders.
  func entryCount(of id: CodeID) throws(RegistryError) -> (entries: Int, recorders: Int)
  /// Every entry, by recorder and number, one after another: there may be millions.
  func forEachEntry(
    _ body: (RecordEntry) throws(RegistryError) -> Void
  ) throws(RegistryError)
  /// The codes whose status is not what their entries say.
  func codesOfWrongStatus() throws(RegistryError) -> [CodeID]
  /// The codes of which no entry tells how they were issued.
  func codesWithoutIssue() throws(RegistryError) -> [CodeID]
  /// When each code was last met, for those that ever were, or that were retired.
  func sightings() throws(RegistryError) -> [Sighting]
  /// Lets entries be added before the code that they are about, until the transaction ends.
  func letCodesFollow() throws(RegistryError)

  /// Every batch, by name.
  func batches() throws(RegistryError) -> [Batch]
  func batch(named name: String) throws(RegistryError) -> Batch?
  /// Inserts a batch whose name is new.
  func insert(_ batch: Batch) throws(RegistryError)
  func batchCounts(_ batch: String) throws(RegistryError) -> BatchCounts
  /// The rows that a filter lets through, by batch and number.
  func batchRows(_ filter: BatchRowFilter) throws(RegistryError) -> [BatchRow]
  /// Inserts a row whose number is new, of a batch that exists.
  func insert(_ row: BatchRow) throws(RegistryError)
  /// Replaces what has become of a row that exists.
  func update(_ row: BatchRow) throws(RegistryError)
  func batchHistory(_ batch: String, _ row: Int) throws(RegistryError) -> [BatchEvent]
  func lastBatchSequence(_ batch: String, _ row: Int) throws(RegistryError) -> Int
  func lastBatchEvent(_ batch: String, uid: String) throws(RegistryError) -> BatchEvent?
  /// Adds an event whose sequence number follows the row's last.
  func append(_ event: BatchEvent) throws(RegistryError)
  /// The claims on a batch's rows, by row.
  func batchClaims(_ batch: String) throws(RegistryError) -> [BatchClaim]
  /// Inserts or replaces the claim on a row.
  func store(_ claim: BatchClaim) throws(RegistryError)
  func deleteClaim(_ batch: String, row: Int) throws(RegistryError)

  /// Every tag's last counter, by UID.
  func tagCounters() throws(RegistryError) -> [TagCounter]
  func tagCounter(uid: String) throws(RegistryError) -> TagCounter?
  /// Inserts or replaces by UID.
  func store(_ counter: TagCounter) throws(RegistryError)
  func deleteTagCounter(uid: String) throws(RegistryError)

  /// Every walk, by the time it began and its name.
  func walks() throws(RegistryError) -> [Walk]
  func walk(_ id: Walk.ID) throws(RegistryError) -> Walk?
  /// Inserts a walk whose name is new.
  func insert(_ walk: Walk) throws(RegistryError)
  /// The number of a walk's last stop; 0 without any.
  func lastStop(of walk: Walk.ID) throws(RegistryError) -> Int
  func hasStop(in walk: Walk.ID, digest: EntryHash, page: Int?) throws(RegistryError) -> Bool
  /// The stops that are wanted, by number, one after another: there may be many.
  func forEachStop(
    of walk: Walk.ID, _ wanted: WantedStops,
    _ body: (WalkStop) throws(RegistryError) -> Void
  ) throws(RegistryError)
  func picture(of walk: Walk.ID, stop: Int) throws(RegistryError) -> WalkPicture?
  /// Adds a stop that follows the last of its walk, with its readings.
  func insert(_ stop: WalkStop, picture: WalkPicture?) throws(RegistryError)
}
