public import AppStoreConnect
public import Invocation
public import Registry

/// The changes, made or planned, of a pull from App Store Connect.
public struct PullReport: Sendable {
  /// The numbers of clips and experiences that were added, changed and removed.
  public var changes = ImportReport()
  /// Values that the registry cannot hold, and choices that were made, as sentences.
  public var notes: [String] = []
  /// The links of the app's clips that only the registry has, in its order.
  public var onlyInRegistry: [InvocationURL] = []
}

extension RegistryStore {
  /// Imports the clips of an app from App Store Connect into the registry, in one transaction: all
  /// or nothing.
  ///
  /// The way payloads name places, issued codes, and all other data that only the registry has are
  /// preserved.
  ///
  /// - Parameters:
  ///   - snapshot: The contents of App Store Connect.
  ///   - team: The team to use if it is not given elsewhere.
  ///   - removesOthers: Whether experiences of these clips that App Store Connect does not have are
  ///     removed.
  ///   - dryRun: Whether to report the changes without making them.
  /// - Throws: `AppStoreConnectError` with code `unknown-team`, or `RegistryError`.
  public func pull(
    _ snapshot: ConnectSnapshot, team: String? = nil, removesOthers: Bool = false,
    dryRun: Bool = false
  ) throws -> PullReport {
    var plan = try PullPlan(snapshot, over: try document(), team: team)
    if dryRun {
      plan.report.changes = try apply(plan.document, .merge, dryRun: true)
      if removesOthers {
        plan.report.changes.experiences.removed = plan.report.onlyInRegistry.count
      }
      return plan.report
    }
    var refusal: AppStoreConnectError?
    let report: PullReport? = try write { registry in
      // Planned again: another process may have changed the registry in between.
      let present = try registry.document()
      var plan: PullPlan
      do throws(AppStoreConnectError) {
        plan = try PullPlan(snapshot, over: present, team: team)
      } catch {
        refusal = error
        return nil
      }
      plan.report.changes = try registry.apply(plan.document, .merge)
      if removesOthers {
        for link in plan.report.onlyInRegistry { try registry.removeExperience(link: link) }
        plan.report.changes.experiences.removed = plan.report.onlyInRegistry.count
      }
      return plan.report
    }
    if let refusal { throw refusal }
    return report ?? plan.report
  }
}

/// The document to import, and the report.
private struct PullPlan {
  let document: RegistryDocument
  var report = PullReport()

  init(
    _ snapshot: ConnectSnapshot, over present: RegistryDocument, team: String?
  ) throws(AppStoreConnectError) {
    let content = try snapshot.content(over: present.clips, present.experiences, team: team)
    document = RegistryDocument(clips: content.clips, experiences: content.experiences)
    report.notes = content.notes
    let clips = Set(content.clips.map(\.bundleID))
    let links = Set(content.experiences.map(\.link.normalized))
    report.onlyInRegistry = present.experiences.filter {
      clips.contains($0.clip) && !links.contains($0.link.normalized)
    }.map(\.link)
  }
}

extension ConnectSnapshot {
  /// Returns the snapshot as one side of a comparison, with notes on the choices made.
  ///
  /// It covers only the clips of its app, and only the fields that App Store Connect has.
  public func compared(
    over registry: RegistryDocument
  ) throws(AppStoreConnectError) -> (document: ComparedDocument, notes: [String]) {
    // A placeholder: the team is compared only if a build gives it.
    let content = try content(over: registry.clips, registry.experiences, team: "AAAAAAAAAA")
    var unknown: Set<String> = [
      "place.id", "place.path", "place.query", "place.coordinates", "place.radius",
      "locationConfirmation", "demoLink", "changed", "defaultExperience.title",
      "defaultExperience.changed",
    ]
    if clips.contains(where: { $0.bundle == nil }) {
      unknown.formUnion([
        "team", "domains", "minimumIOS", "installBytes", "testInvocations", "domainStatuses",
      ])
    }
    let app = bundleID
    let document = RegistryDocument(clips: content.clips, experiences: content.experiences)
    return (
      ComparedDocument(
        document, clips: { $0.appBundleID == app }, unknown: unknown, isService: true),
      content.notes
    )
  }
}
