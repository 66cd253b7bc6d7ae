import Invocation

extension SnapshotReader {
  /// The clips of the newest build that App Store Connect has finished with, by bundle identifier.
  func clipBundles(ofApp app: String) async throws(AppStoreConnectError) -> [String: Resource] {
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

  mutating func bundle(_ resource: Resource) async throws(AppStoreConnectError) -> ConnectBundle {
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

/// What matters here of a bundle's entitlements.
///
/// The documentation has them as objects of objects of texts, one for each executable, and leaves
/// open how a list is written in a text; so every text below the wanted keys is looked through.
struct EntitlementTexts {
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
