import CliptagBasics
import Invocation

extension ConnectSnapshot {
  /// Reads everything about an app's clips.
  ///
  /// Some twenty requests for an app with one clip, and one more for each 200 experiences.
  ///
  /// - Parameters:
  ///   - app: The app's number in the App Store (App Information, Apple ID).
  ///   - source: The source of the answers.
  /// - Throws: ``AppStoreConnectError``; then nothing was read.
  public static func read(
    app: String, from source: some AnswerSource
  ) async throws(AppStoreConnectError) -> ConnectSnapshot {
    guard (1...20).contains(app.utf8.count), app.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else {
      throw AppStoreConnectError(
        .notFound, "\"\(app.shortened)\" is not an app number.",
        hint: "Give the digits of App Information, Apple ID, in App Store Connect.")
    }
    var reader = SnapshotReader(source: source)
    return try await reader.read(app)
  }
}

/// Requests one resource after the other, and combines them.
private struct SnapshotReader<Source: AnswerSource> {
  private let source: Source
  private var notes: [String] = []

  init(source: Source) { self.source = source }

  mutating func read(_ app: String) async throws(AppStoreConnectError) -> ConnectSnapshot {
    let pages = try await required(
      ConnectRequest("/v1/apps/\(app)/appClips", ["include": "app", "limit": "200"]))
    var details: Resource?
    for page in pages where details == nil {
      details = page.included.values.first { $0.id.type == "apps" }
    }
    let builds = try await builds(ofApp: app)
    var clips: [ConnectClip] = []
    for resource in pages.flatMap(\.data) where resource.id.type == "appClips" {
      let clip = try await clip(resource, builds)
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
    _ resource: Resource, _ builds: Builds
  ) async throws(AppStoreConnectError) -> ConnectClip {
    guard let bundleID = try resource.attributes.text("bundleId") else {
      throw .malformed("GET /v1/apps", "has a clip without \"bundleId\"")
    }
    var clip = ConnectClip(id: resource.id.id, bundleID: bundleID, experiences: [])
    clip.defaultExperience = try await defaultExperience(ofClip: try identifier(resource))
    clip.experiences = try await experiences(ofClip: try identifier(resource))
    let (onSale, newest) = (builds.onSale?.clips[bundleID], builds.newest?.clips[bundleID])
    if let bundle = onSale ?? newest {
      clip.bundle = try await self.bundle(bundle, invocationsOf: newest ?? bundle)
    }
    try noteNewer(builds, bundleID)
    return clip
  }

  /// Checks that an identifier is safe in a path.
  private func identifier(_ resource: Resource) throws(AppStoreConnectError) -> String {
    guard resource.id.isSound else {
      throw .malformed(
        "GET \(resource.id.type)", "has the invalid identifier \"\(resource.id.id.shortened)\"")
    }
    return resource.id.id
  }

  /// The pages of a collection that must exist.
  private func required(
    _ request: ConnectRequest
  ) async throws(AppStoreConnectError) -> [ResourceDocument] {
    guard let pages = try await source.pages(request) else {
      throw AppStoreConnectError(
        .notFound, "The response to \(request.name) is missing.",
        hint: "Check the app's number and the key's access to the app; for saved responses, that "
          + "\(request.fileName(page: 1)) is among them.", request: request.name)
    }
    return pages
  }

  /// Notes a value that is not documented; each once.
  private mutating func check(_ value: String?, among known: [String], _ what: String) {
    guard let value, !known.contains(value) else { return }
    note("App Store Connect reports \"\(value.shortened)\" as \(what), an unknown value.")
  }

  /// Adds a note for the user; each once.
  private mutating func note(_ note: String) {
    if !notes.contains(note), notes.count < 100 { notes.append(note) }
  }

  // MARK: Experiences

  private mutating func defaultExperience(
    ofClip clip: String
  ) async throws(AppStoreConnectError) -> ConnectDefaultExperience? {
    let pages = try await source.pages(
      ConnectRequest(
        "/v1/appClips/\(clip)/appClipDefaultExperiences",
        ["include": "releaseWithAppStoreVersion,appClipAppStoreReviewDetail", "limit": "200"]))
    var chosen: ConnectDefaultExperience?
    for page in pages ?? [] {
      for resource in page.data where chosen?.isReleased != true {
        chosen = try defaultExperience(resource, page.included)
      }
    }
    guard var experience = chosen else { return nil }
    experience.localizations = try await defaultLocalizations(of: experience.id)
    check(experience.action, among: CardAction.allCases.map(\.rawValue), "an action")
    return experience
  }

  private func defaultExperience(
    _ resource: Resource, _ included: [ResourceID: Resource]
  ) throws(AppStoreConnectError) -> ConnectDefaultExperience {
    var isReleased: Bool?
    for id in try resource.related("releaseWithAppStoreVersion") {
      if let isOnSale = try included[id].flatMap(Self.isOnSale) { isReleased = isOnSale }
    }
    var urls: [String] = []
    for id in try resource.related("appClipAppStoreReviewDetail") {
      urls += try included[id]?.attributes.texts("invocationUrls") ?? []
    }
    return ConnectDefaultExperience(
      id: try identifier(resource), action: try resource.attributes.text("action"),
      isReleased: isReleased, localizations: [], reviewURLs: urls)
  }

  private func defaultLocalizations(
    of experience: String
  ) async throws(AppStoreConnectError) -> [ConnectLocalization] {
    let pages = try await source.pages(
      ConnectRequest(
        "/v1/appClipDefaultExperiences/\(experience)/appClipDefaultExperienceLocalizations",
        [
          "include": "appClipHeaderImage",
          "fields[appClipHeaderImages]": "fileName,imageAsset,assetDeliveryState", "limit": "200",
        ]))
    var localizations: [ConnectLocalization] = []
    for page in pages ?? [] {
      for resource in page.data {
        guard let locale = try resource.attributes.text("locale") else { continue }
        localizations.append(
          ConnectLocalization(
            id: try identifier(resource), language: locale,
            subtitle: try resource.attributes.text("subtitle"),
            image: try image(of: resource, "appClipHeaderImage", page.included)))
      }
    }
    return localizations
  }

  private mutating func experiences(
    ofClip clip: String
  ) async throws(AppStoreConnectError) -> [ConnectExperience] {
    let pages = try await required(
      ConnectRequest(
        "/v1/appClips/\(clip)/appClipAdvancedExperiences",
        [
          "include": "headerImage,localizations",
          "fields[appClipAdvancedExperienceImages]": "fileName,imageAsset,assetDeliveryState",
          "limit": "200", "limit[localizations]": "50",
        ]))
    var experiences: [ConnectExperience] = []
    for page in pages {
      for resource in page.data { experiences.append(try experience(resource, page.included)) }
    }
    return experiences
  }

  private mutating func experience(
    _ resource: Resource, _ included: [ResourceID: Resource]
  ) throws(AppStoreConnectError) -> ConnectExperience {
    let attributes = resource.attributes
    guard let link = try attributes.text("link") else {
      throw .malformed(attributes.request, "has an experience without \"link\"")
    }
    let experience = ConnectExperience(
      id: try identifier(resource), link: link, action: try attributes.text("action"),
      isPoweredBy: try attributes.flag("isPoweredBy") ?? false,
      defaultLanguage: try attributes.text("defaultLanguage"),
      status: try attributes.text("status"), placeStatus: try attributes.text("placeStatus"),
      businessCategory: try attributes.text("businessCategory"),
      localizations: try localizations(resource, included),
      image: try image(of: resource, "headerImage", included),
      place: attributes.node("place")?.json)
    let languages = AdvancedExperience.languages
    check(experience.action, among: CardAction.allCases.map(\.rawValue), "an action")
    check(experience.status, among: ExperienceStatus.allCases.map(\.rawValue), "a status")
    check(experience.placeStatus, among: PlaceStatus.allCases.map(\.rawValue), "a place's status")
    check(
      experience.businessCategory, among: ExperienceListing.businessCategories,
      "a business category")
    check(experience.defaultLanguage, among: languages, "a language")
    for localization in experience.localizations {
      check(localization.language, among: languages, "a language")
    }
    return experience
  }

  private func localizations(
    _ resource: Resource, _ included: [ResourceID: Resource]
  ) throws(AppStoreConnectError) -> [ConnectLocalization] {
    var localizations: [ConnectLocalization] = []
    for id in try resource.related("localizations") {
      guard let attributes = included[id]?.attributes,
        let language = try attributes.text("language")
      else { continue }
      localizations.append(
        ConnectLocalization(
          id: id.id, language: language, title: try attributes.text("title"),
          subtitle: try attributes.text("subtitle")))
    }
    return localizations
  }

  private func image(
    of resource: Resource, _ relationship: String, _ included: [ResourceID: Resource]
  ) throws(AppStoreConnectError) -> HeaderImage? {
    for id in try resource.related(relationship) {
      guard let attributes = included[id]?.attributes,
        let file = try attributes.text("fileName")
      else { continue }
      let asset = try attributes.fields("imageAsset")
      guard let width = try asset?.integer("width"), let height = try asset?.integer("height"),
        width > 0, height > 0
      else { return HeaderImage(file: file) }
      return HeaderImage(file: file, size: .init(width: width, height: height))
    }
    return nil
  }

  // MARK: The builds

  /// A build, with its clips by bundle identifier.
  private struct Build {
    let id: String
    let version: String
    let uploaded: String?
    var clips: [String: Resource] = [:]
  }

  /// The relevant builds.
  private struct Builds {
    /// The newest build that was uploaded.
    var newest: Build?
    /// The build of the version in the App Store.
    var onSale: Build?
  }

  private static var buildFields: String { "version,uploadedDate,processingState,buildBundles" }

  private mutating func builds(ofApp app: String) async throws(AppStoreConnectError) -> Builds {
    let request = ConnectRequest(
      "/v1/builds",
      [
        "filter[app]": app, "sort": "-uploadedDate", "limit": "1", "include": "buildBundles",
        "limit[buildBundles]": "50", "fields[builds]": Self.buildFields,
      ])
    var builds = Builds()
    builds.newest = try await build(request)
    guard let id = try await buildOnSale(ofApp: app) else { return builds }
    if id == builds.newest?.id {
      builds.onSale = builds.newest
    } else {
      builds.onSale = try await build(
        ConnectRequest(
          "/v1/builds/\(id)",
          [
            "include": "buildBundles", "limit[buildBundles]": "50",
            "fields[builds]": Self.buildFields,
          ]))
    }
    return builds
  }

  private func build(_ request: ConnectRequest) async throws(AppStoreConnectError) -> Build? {
    guard let page = try await source.document(request), let resource = page.data.first else {
      return nil
    }
    var build = Build(
      id: resource.id.id,
      version: (try resource.attributes.text("version") ?? "without a number").shortened,
      uploaded: try resource.attributes.text("uploadedDate"))
    for bundle in page.included.values where bundle.id.type == "buildBundles" {
      guard let bundleID = try bundle.attributes.text("bundleId") else { continue }
      if try bundle.attributes.text("bundleType") ?? "APP_CLIP" == "APP_CLIP" {
        build.clips[bundleID] = bundle
      }
    }
    return build
  }

  /// The build of the version in the App Store; nil if no version is on sale.
  private mutating func buildOnSale(
    ofApp app: String
  ) async throws(AppStoreConnectError) -> String? {
    let pages = try await source.pages(
      ConnectRequest(
        "/v1/apps/\(app)/appStoreVersions",
        [
          "include": "build", "limit": "200", "fields[builds]": "version",
          "fields[appStoreVersions]": "platform,versionString,appStoreState,appVersionState,build",
        ]))
    guard let pages else {
      note(
        "The responses do not contain the app version on sale, so domains, size and "
          + "minimum iOS are those of the newest build.")
      return nil
    }
    for version in pages.flatMap(\.data) {
      let platform = try version.attributes.text("platform") ?? "IOS"
      guard platform == "IOS", try Self.isOnSale(version) == true,
        let build = try version.related("build").first
      else { continue }
      guard build.isSound else {
        throw .malformed(
          "GET appStoreVersions", "has the invalid build \"\(build.id.shortened)\"")
      }
      return build.id
    }
    return nil
  }

  /// Whether a version of the app is in the App Store; nil if its state is unknown.
  private static func isOnSale(_ version: Resource) throws(AppStoreConnectError) -> Bool? {
    let state = try version.attributes.text("appVersionState")
    let older = try version.attributes.text("appStoreState")
    guard state != nil || older != nil else { return nil }
    return state == "READY_FOR_DISTRIBUTION" || older == "READY_FOR_SALE"
  }

  /// Notes a build that customers do not have yet.
  private mutating func noteNewer(
    _ builds: Builds, _ bundleID: String
  ) throws(AppStoreConnectError) {
    guard let onSale = builds.onSale, let newest = builds.newest, newest.id != onSale.id,
      let clip = newest.clips[bundleID]
    else { return }
    let uploaded = newest.uploaded.map { ", uploaded \($0.shortened)," } ?? ""
    guard onSale.clips[bundleID] != nil else {
      note(
        "The version on sale (build \(onSale.version)) has no \(bundleID): its data is from "
          + "build \(newest.version)\(uploaded) which customers do not have yet.")
      return
    }
    let minimum = try clip.attributes.text("minimumOsVersion").map { "minimum iOS \($0.shortened)" }
    let domains = clip.attributes.node("entitlements").map { EntitlementTexts($0).domains }
      .map { "the domains \($0.prefix(10).joined(separator: ", "))" }
    let facts = [minimum, domains].compactMap(\.self).joined(separator: " and ")
    note(
      "Build \(newest.version)\(uploaded) is newer than build \(onSale.version) of the version on "
        + "sale, whose domains, size and minimum iOS of \(bundleID) count."
        + (facts.isEmpty ? "" : " The newer has \(facts)."))
  }

  /// Reads a clip of a build.
  ///
  /// - Parameter tested: The same clip in the build that testers have.
  private mutating func bundle(
    _ resource: Resource, invocationsOf tested: Resource
  ) async throws(AppStoreConnectError) -> ConnectBundle {
    let id = try identifier(resource)
    let entitlements = resource.attributes.node("entitlements").map { EntitlementTexts($0) }
    return ConnectBundle(
      id: id, minimumOSVersion: try resource.attributes.text("minimumOsVersion"),
      team: entitlements?.team, domains: entitlements?.domains,
      installBytes: try await installBytes(ofBundle: id),
      invocations: try await invocations(ofBundle: try identifier(tested)),
      domainStatuses: try await domainStatuses(ofBundle: id))
  }

  private func installBytes(ofBundle id: String) async throws(AppStoreConnectError) -> Int? {
    let pages = try await source.pages(
      ConnectRequest("/v1/buildBundles/\(id)/buildBundleFileSizes", ["limit": "200"]))
    var largest: Int?
    for resource in (pages ?? []).flatMap(\.data) {
      guard let bytes = try resource.attributes.integer("installBytes"), bytes > 0 else { continue }
      largest = max(largest ?? 0, bytes)
    }
    return largest
  }

  private func invocations(
    ofBundle id: String
  ) async throws(AppStoreConnectError) -> [ConnectInvocation] {
    let pages = try await source.pages(
      ConnectRequest(
        "/v1/buildBundles/\(id)/betaAppClipInvocations",
        ["include": "betaAppClipInvocationLocalizations", "limit": "200"]))
    var invocations: [ConnectInvocation] = []
    for page in pages ?? [] {
      for resource in page.data {
        guard let url = try resource.attributes.text("url") else { continue }
        var titles: [String] = []
        for id in try resource.related("betaAppClipInvocationLocalizations") {
          if let title = try page.included[id]?.attributes.text("title") { titles.append(title) }
        }
        invocations.append(ConnectInvocation(url: url, title: titles.first ?? url))
      }
    }
    return invocations
  }

  private mutating func domainStatuses(
    ofBundle id: String
  ) async throws(AppStoreConnectError) -> [ConnectDomainStatus] {
    let request = ConnectRequest("/v1/buildBundles/\(id)/appClipDomainCacheStatus")
    guard let status = try await source.document(request)?.data.first else { return [] }
    var statuses: [ConnectDomainStatus] = []
    for node in try status.attributes.list("domains") {
      let fields = try AnswerFields(node, of: request.name)
      guard let domain = try fields.text("domain") else { continue }
      let code = try fields.text("errorCode")
      check(code, among: DomainErrorCode.allCases.map(\.rawValue), "an error of a domain")
      statuses.append(
        ConnectDomainStatus(
          domain: domain, isValid: try fields.flag("isValid") ?? (code == nil), errorCode: code,
          updated: try fields.text("lastUpdatedDate")))
    }
    return statuses
  }
}

/// The team and the domains of a bundle's entitlements.
///
/// The documentation describes them as objects of objects of texts, one for each executable, and
/// does not specify the encoding of a list in a text; so every text below the wanted keys is
/// examined.
private struct EntitlementTexts {
  /// The application identifier prefix.
  private(set) var team: String?
  /// The hosts of `appclips:` entries without a mode.
  private(set) var domains: [String] = []

  init(_ node: DocumentNode) { collect(node, under: "") }

  private mutating func collect(_ node: DocumentNode, under key: String) {
    switch node.value {
    case .mapping(let entries):
      for entry in entries { collect(entry.value, under: entry.key) }
    case .list(let items):
      for item in items { collect(item, under: key) }
    case .text(let text):
      switch key {
      case "com.apple.developer.associated-domains": addDomains(text)
      case "application-identifier", "com.apple.application-identifier",
        "com.apple.developer.team-identifier":
        let prefix = String(text.prefix { $0 != "." })
        if team == nil, AppClip.problem(withTeam: prefix) == nil { team = prefix }
      default: break
      }
    default: break
    }
  }

  private mutating func addDomains(_ text: String) {
    let words = text.split { " ,;[](){}\"'\n\t".contains($0) }
    for word in words.prefix(1000) {
      guard let entry = try? AssociatedDomain(String(word)), entry.service == .appClips,
        entry.modes.isEmpty, !domains.contains(entry.host)
      else { continue }
      domains.append(entry.host)
    }
  }
}
