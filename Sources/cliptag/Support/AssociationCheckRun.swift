import Deployment
import Invocation
import Registry

/// What is the same for every host and file of one `association check`.
struct AssociationCheckRun {
  let registry: any RegistryStore
  /// URLs whose apps are asked for.
  let urls: [InvocationURL]
  /// The clips that were named.
  let clipIDs: [String]
  /// The host that was named for files.
  let host: String?
  let entitlements: [(source: String, file: EntitlementsFile)]

  /// The clips that were named, from the registry.
  func namedClips() throws -> [AppClip] {
    try clipIDs.map { id in
      guard let clip = try registry.clip(bundleID: id) else {
        throw Failure.unknownClip(id)
      }
      return clip
    }
  }

  /// The clips that a host's file has to list.
  func clips(on host: String) throws -> [AppClip] {
    clipIDs.isEmpty ? try registry.clips(associatedWith: host) : try namedClips()
  }

  /// The host that serves a file: the one named, else that of the URLs or the clips, when they have
  /// one only.
  func host(ofFile path: String, _ console: Console) throws -> String? {
    if let host { return host }
    if !urls.isEmpty { return urls.count == 1 || sameHost ? urls[0].host : nil }
    let clips = clipIDs.isEmpty ? try registry.clips() : try namedClips()
    let hosts = Set(clips.flatMap(\.domains))
    if hosts.count == 1 { return hosts.first }
    if clipIDs.isEmpty, !hosts.isEmpty {
      console.say(
        "note: The registry has \(hosts.count) hosts; name one with --host to check that "
          + "\(path == "-" ? "the file" : path) lists its clips.")
    }
    return nil
  }

  private var sameHost: Bool { urls.allSatisfy { $0.host == urls[0].host } }

  /// A review with the entitlements that were given.
  func completed(_ review: AssociationReview) throws -> AssociationReview {
    guard !entitlements.isEmpty else { return review }
    var clips = review.clips.map(\.clip)
    if clips.isEmpty { clips = try registry.clips() }
    var review = review
    for (source, file) in entitlements {
      guard let clip = file.clip(among: clips) else {
        throw Failure(
          "unknown-clip", .usage, "\(source) does not say which clip it belongs to.",
          hint: "Name the clip with --clip.", source: source)
      }
      review.add(file, source: source, for: clip)
    }
    return review
  }
}
