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
  private func identifier(_ resource: Resource) throws(AppStoreConnectError) -> String {
    guard resource.id.isSound else {
      throw .malformed(
        "GET \(resource.id.type)", "has the impossible identifier \"\(resource.id.id.shortened)\"")
    }
    return resource.id.id
  }

  /// The pages of what has to be there.
  private func required(
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
  private mutating func check(_ value: String?, among known: [String], _ what: String) {
    guard let value, !known.contains(value) else { return }
    let note = "App Store Connect says \"\(value.shortened)\" as \(what), which is new."
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
      guard let version = included[id] else { continue }
      let state = try version.attributes.text("appVersionState")
      let older = try version.attributes.text("appStoreState")
      if state != nil || older != nil {
        isReleased = state == "READY_FOR_DISTRIBUTION" || older == "READY_FOR_SALE"
      }
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

  // MARK: The newest build

  /// The clips of the newest build that App Store Connect has finished with, by bundle identifier.
  private func clipBundles(ofApp app: String) async throws(AppStoreConnectError) -> [String:
    Resource]
  {
    let request = ConnectRequest(
      "/v1/builds",
      [
        "filter[app]": app, "sort": "-uploadedDate", "limit": "1", "include": "buildBundles",
        "limit[buildBundles]": "50", "fields[builds]": "version,processingState,buildBundles",
      ])
    var bundles: [String: Resource] = [:]
    guard let page = try await source.document(request) else { return bundles }
    for bundle in page.included.values where bundle.id.type == "buildBundles" {
      guard let bundleID = try bundle.attributes.text("bundleId") else { continue }
      if try bundle.attributes.text("bundleType") ?? "APP_CLIP" == "APP_CLIP" {
        bundles[bundleID] = bundle
      }
    }
    return bundles
  }

  private mutating func bundle(_ resource: Resource) async throws(AppStoreConnectError)
    -> ConnectBundle
  {
    let id = try identifier(resource)
    let entitlements = resource.attributes.node("entitlements").map { EntitlementTexts($0) }
    return ConnectBundle(
      id: id, minimumOSVersion: try resource.attributes.text("minimumOsVersion"),
      team: entitlements?.team, domains: entitlements?.domains,
      installBytes: try await installBytes(ofBundle: id),
      invocations: try await invocations(ofBundle: id),
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
/// The documentation has them as objects of objects of texts, one for each executable, and leaves
/// open how a list is written in a text; so every text below the wanted keys is looked through.
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
