public import AppStoreConnect
public import Invocation
public import Registry

/// What a pull from App Store Connect changed, or would change.
public struct PullReport: Sendable {
  /// How many clips and experiences were added, changed and removed.
  public var changes = ImportReport()
  /// What the registry cannot hold, or had to choose, as sentences.
  public var notes: [String] = []
  /// Links of the app's clips that only the registry has, in its order.
  public var onlyInRegistry: [InvocationURL] = []
}

extension RegistryStore {
  /// Takes what App Store Connect holds of an app's clips into the registry, in one transaction:
  /// all of it or nothing.
  ///
  /// How payloads name places, issued codes, and whatever else only the registry knows stay.
  ///
  /// - Parameters:
  ///   - snapshot: What App Store Connect holds.
  ///   - team: The team to use where nobody tells.
  ///   - removesOthers: Whether experiences of these clips that App Store Connect does not have are
  ///     removed.
  ///   - dryRun: Whether to report only what would change.
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
      // Once more: another process may have changed the registry in between.
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

/// What to bring in, and what it is not about.
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
  /// The snapshot as a side of a comparison, and what had to be chosen to make it one.
  ///
  /// It speaks for the clips of its app alone, and for nothing that App Store Connect does not know.
  public func compared(
    over registry: RegistryDocument
  ) throws(AppStoreConnectError) -> (document: ComparedDocument, notes: [String]) {
    // Only to have one: the team is compared where a build tells it.
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
