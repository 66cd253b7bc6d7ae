import Invocation

extension SnapshotReader {
  mutating func defaultExperience(
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

  mutating func experiences(
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
}
