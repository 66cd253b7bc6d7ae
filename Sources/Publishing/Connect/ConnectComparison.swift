public import AppStoreConnect
import Invocation
public import Registry

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
      ComparedDocument(document, clips: { $0.appBundleID == app }, unknown: unknown), content.notes
    )
  }
}
