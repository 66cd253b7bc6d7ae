import Invocation

extension ConnectSnapshot {
  /// Reads everything about an app's clips.
  ///
  /// Some twenty requests for an app with one clip, and one more for each 200 experiences.
  ///
  /// - Parameters:
  ///   - app: The app's number in the App Store (App Information, Apple ID).
  ///   - source: Where the answers come from.
  /// - Throws: ``AppStoreConnectError``; then nothing was read.
  public static func read(
    app: String, from source: some AnswerSource
  ) async throws(AppStoreConnectError) -> ConnectSnapshot {
    guard (1...20).contains(app.utf8.count), app.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else {
      throw AppStoreConnectError(
        .notFound, "\"\(app.shortened)\" is no number of an app.",
        hint: "Give the digits of App Information, Apple ID, in App Store Connect.")
    }
    var reader = SnapshotReader(source: source)
    return try await reader.read(app)
  }
}

/// Asks for one thing after the other, and puts them together.
struct SnapshotReader<Source: AnswerSource> {
  let source: Source
  var notes: [String] = []

  init(source: Source) { self.source = source }

  mutating func read(_ app: String) async throws(AppStoreConnectError) -> ConnectSnapshot {
    let pages = try await required(
      ConnectRequest("/v1/apps/\(app)/appClips", ["include": "app", "limit": "200"]))
    var details: Resource?
    for page in pages where details == nil {
      details = page.included.values.first { $0.id.type == "apps" }
    }
    let bundles = try await clipBundles(ofApp: app)
    var clips: [ConnectClip] = []
    for resource in pages.flatMap(\.data) where resource.id.type == "appClips" {
      let clip = try await clip(resource, bundles)
      guard !clips.contains(where: { $0.bundleID == clip.bundleID }) else {
        throw .malformed("GET /v1/apps/\(app)/appClips", "has \(clip.bundleID.shortened) twice")
      }
      clips.append(clip)
    }
    guard !clips.isEmpty else {
      throw AppStoreConnectError(
        .notFound, "The app \(app) has no App Clip in App Store Connect.",
        hint: "Upload a build with a clip first, or check the app's number.")
    }
    let first = clips[0].bundleID
    return ConnectSnapshot(
      app: app,
      // A clip's identifier is its app's, a dot and a suffix.
      bundleID: try details?.attributes.text("bundleId")
        ?? first.split(separator: ".").dropLast().joined(separator: "."),
      name: try details?.attributes.text("name"),
      primaryLocale: try details?.attributes.text("primaryLocale"), clips: clips, notes: notes)
  }

  private mutating func clip(
    _ resource: Resource, _ bundles: [String: Resource]
  ) async throws(AppStoreConnectError) -> ConnectClip {
    guard let bundleID = try resource.attributes.text("bundleId") else {
      throw .malformed("GET /v1/apps", "has a clip without \"bundleId\"")
    }
    var clip = ConnectClip(id: resource.id.id, bundleID: bundleID, experiences: [])
    clip.defaultExperience = try await defaultExperience(ofClip: try identifier(resource))
    clip.experiences = try await experiences(ofClip: try identifier(resource))
    if let bundle = bundles[bundleID] { clip.bundle = try await self.bundle(bundle) }
    return clip
  }

  /// An identifier that may stand in a path.
  func identifier(_ resource: Resource) throws(AppStoreConnectError) -> String {
    guard resource.id.isSound else {
      throw .malformed(
        "GET \(resource.id.type)", "has the impossible identifier \"\(resource.id.id.shortened)\"")
    }
    return resource.id.id
  }

  /// The pages of what has to be there.
  func required(
    _ request: ConnectRequest
  ) async throws(AppStoreConnectError) -> [ResourceDocument] {
    guard let pages = try await source.pages(request) else {
      throw AppStoreConnectError(
        .notFound, "There is no answer to \(request.name).",
        hint: "Check the app's number and that the key may see the app; of saved answers, that "
          + "\(request.fileName(page: 1)) is among them.", request: request.name)
    }
    return pages
  }

  /// Tells of a value that the documentation does not have; each once.
  mutating func check(_ value: String?, among known: [String], _ what: String) {
    guard let value, !known.contains(value) else { return }
    let note = "App Store Connect says \"\(value.shortened)\" as \(what), which is new."
    if !notes.contains(note), notes.count < 100 { notes.append(note) }
  }
}
