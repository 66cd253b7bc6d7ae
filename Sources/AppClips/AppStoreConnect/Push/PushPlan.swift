public import CliptagBasics
import CCrypto
public import Invocation

/// The requests that make App Store Connect equal to a registry, in the order in which they are
/// sent: creations first, removals last, so that no link loses its experience meanwhile.
///
/// A link cannot be changed; a changed link is a new experience and the removal of the old one.
/// Values that are missing from a registry that was never pulled are left unchanged.
public struct PushPlan: Sendable {
  /// The steps.
  public private(set) var steps: [PushStep] = []
  /// The differences that are left unchanged, as sentences.
  public private(set) var notes: [Hint] = []

  private let snapshot: ConnectSnapshot
  private let pictures: @Sendable (String) -> PushPicture?
  private let removes: Bool
  private var ending: [PushStep] = []
  private var reserved = 0

  /// Makes a plan.
  ///
  /// - Parameters:
  ///   - snapshot: The contents of App Store Connect.
  ///   - clips: The registry's clips; those of other apps are left out.
  ///   - experiences: The registry's experiences.
  ///   - removes: Whether to remove experiences that the registry does not have, or has switched
  ///     off.
  ///   - pictures: Returns the picture of a file name; nil if there is none.
  /// - Throws: ``AppStoreConnectError`` with code `missing-picture` for a new experience without a
  ///   picture, which App Store Connect does not accept.
  public init(
    from snapshot: ConnectSnapshot, to clips: [AppClip], _ experiences: [AdvancedExperience],
    removes: Bool, pictures: @escaping @Sendable (String) -> PushPicture?
  ) throws(AppStoreConnectError) {
    (self.snapshot, self.removes, self.pictures) = (snapshot, removes, pictures)
    var created: [PushStep] = []
    for clip in clips where clip.appBundleID == snapshot.bundleID {
      guard let present = snapshot.clips.first(where: { $0.bundleID == clip.bundleID }) else {
        notes.append("\(clip.bundleID) is not in App Store Connect: upload a build with it first.")
        continue
      }
      planDefault(clip, present)
      created += try plan(experiences.filter { $0.clip == clip.bundleID }, present)
    }
    steps = created + steps + ending
  }

  /// Plans a clip's advanced experiences.
  ///
  /// - Returns: The steps that create resources.
  private mutating func plan(
    _ experiences: [AdvancedExperience], _ clip: ConnectClip
  ) throws(AppStoreConnectError) -> [PushStep] {
    var served: [String: ConnectExperience] = [:]
    for experience in clip.experiences where experience.isServed {
      if let link = try? InvocationURL(experience.link) { served[link.normalized] = experience }
    }
    var created: [PushStep] = []
    for experience in experiences where experience.status == .received {
      if let present = served.removeValue(forKey: experience.link.normalized) {
        change(present, to: experience)
      } else {
        created += try create(experience, of: clip)
      }
    }
    for present in served.values.sorted(by: { $0.link < $1.link }) {
      end(present, isReleased: clip.defaultExperience?.isReleased)
    }
    return created
  }

  /// Removes an experience. The same request deletes one that was never released, and deactivates
  /// one that was, which stays visible in App Store Connect ("Advanced App Clip Experiences").
  /// Experiences are released with the app.
  private mutating func end(_ present: ConnectExperience, isReleased: Bool?) {
    guard removes else {
      notes.append(
        "\(present.link) is served by App Store Connect and not by the registry; \(.pushRemovals) removes it."
      )
      return
    }
    let purpose =
      switch isReleased {
      case true: "deactivate \(present.link)"
      case false: "delete \(present.link), which was never released"
      default: "end \(present.link)"
      }
    ending.append(
      PushStep(
        .remove, purpose, "PATCH", "/v1/appClipAdvancedExperiences/\(present.id)",
        body: PushBody.resource(
          "appClipAdvancedExperiences", id: present.id, attributes: [("removed", .flag(true))])))
  }

  // MARK: New experiences

  private mutating func create(
    _ experience: AdvancedExperience, of clip: ConnectClip
  ) throws(AppStoreConnectError) -> [PushStep] {
    let link = experience.link.payload
    guard let file = experience.listing.image?.file, let picture = pictures(file),
      !picture.bytes.isEmpty
    else {
      let file = experience.listing.image.map { "its picture \($0.file) was not found" }
      throw AppStoreConnectError(
        .missingPicture, "\(link) cannot be registered: \(file ?? "it has no picture").",
        hint: "Set a PNG or JPEG of 1800 × 1200 pixels as \"image\" in the registry, and "
          + "\(.givePictureFolder).")
    }
    reserved += 1
    let name = "image-\(reserved)"
    return Self.upload(picture, as: name, for: link) + [register(experience, clip, picture: name)]
  }

  private static func upload(
    _ picture: PushPicture, as name: String, for link: String
  ) -> [PushStep] {
    let type = "appClipAdvancedExperienceImages"
    return [
      PushStep(
        .create, "reserve the picture of \(link)", "POST", "/v1/\(type)",
        body: PushBody.resource(
          type, id: nil,
          attributes: [
            ("fileSize", .number(Double(picture.bytes.count))), ("fileName", .text(picture.name)),
          ]), names: name),
      PushStep(
        .create, "send \(picture.name), \(picture.bytes.count) bytes", "PUT", "${\(name)}",
        picture: .init(reservation: name, file: picture)),
      PushStep(
        .create, "finish the picture of \(link)", "PATCH", "/v1/\(type)/${\(name)}",
        body: PushBody.resource(
          type, id: "${\(name)}",
          attributes: [
            ("uploaded", .flag(true)),
            ("sourceFileChecksum", PushBody.text(Checksum.md5(of: picture.bytes))),
          ])),
    ]
  }

  private func register(
    _ experience: AdvancedExperience, _ clip: ConnectClip, picture: String
  ) -> PushStep {
    // The experience before its link changed, whose place in Maps is kept.
    let old = clip.experiences.first { $0.id == experience.listing.identifier }
    var attributes: PushBody.Entries = [
      ("link", .text(experience.link.payload)),
      ("action", .text(experience.card.action.rawValue)),
      ("isPoweredBy", .flag(experience.listing.isPoweredBy)),
      ("defaultLanguage", .text(experience.language)),
    ]
    if let category = experience.listing.businessCategory {
      attributes.append(("businessCategory", .text(category)))
    }
    if let place = old?.place.flatMap({ JSONSource.read($0).root }) {
      attributes.append(("place", place.value))
    }
    let texts = Self.texts(of: experience, over: nil)
    return PushStep(
      .create, "register \(experience.link.payload)", "POST", "/v1/appClipAdvancedExperiences",
      body: PushBody.resource(
        "appClipAdvancedExperiences", id: nil, attributes: attributes,
        relationships: [
          ("appClip", PushBody.one("appClips", clip.id)),
          ("headerImage", PushBody.one("appClipAdvancedExperienceImages", "${\(picture)}")),
          ("localizations", PushBody.relationship(to: texts)),
        ], included: PushBody.included(texts)))
  }

  // MARK: Changes

  private mutating func change(_ present: ConnectExperience, to wanted: AdvancedExperience) {
    var attributes: PushBody.Entries = []
    if present.action != wanted.card.action.rawValue {
      attributes.append(("action", .text(wanted.card.action.rawValue)))
    }
    if present.defaultLanguage != wanted.language {
      attributes.append(("defaultLanguage", .text(wanted.language)))
    }
    if wanted.isPulled, present.isPoweredBy != wanted.listing.isPoweredBy {
      attributes.append(("isPoweredBy", .flag(wanted.listing.isPoweredBy)))
    }
    if let category = wanted.listing.businessCategory, present.businessCategory != category {
      attributes.append(("businessCategory", .text(category)))
    }
    let texts = Self.texts(of: wanted, over: present)
    let areSame = Set(texts) == Set(present.localizations.map(CardLocalization.init))
    var relationships: PushBody.Entries = []
    if let picture = changedPicture(of: present, to: wanted) {
      relationships.append(
        ("headerImage", PushBody.one("appClipAdvancedExperienceImages", "${\(picture)}")))
    }
    if !areSame { relationships.append(("localizations", PushBody.relationship(to: texts))) }
    guard !attributes.isEmpty || !relationships.isEmpty else { return }
    steps.append(
      PushStep(
        .change, "change \(present.link)", "PATCH",
        "/v1/appClipAdvancedExperiences/\(present.id)",
        body: PushBody.resource(
          "appClipAdvancedExperiences", id: present.id, attributes: attributes,
          relationships: relationships,
          included: areSame ? [] : PushBody.included(texts))))
  }

  /// Sends the picture that an experience should have, if it differs by name or size and is
  /// available.
  ///
  /// - Returns: The name under which it is reserved; `nil` if the experience keeps its present
  ///   picture.
  private mutating func changedPicture(
    of present: ConnectExperience, to wanted: AdvancedExperience
  ) -> String? {
    guard let image = wanted.listing.image, image.isOther(than: present.image) else { return nil }
    guard let picture = pictures(image.file), !picture.bytes.isEmpty else {
      let kept = present.image.map { "keeps the picture \($0.file)" } ?? "keeps no picture"
      notes.append(
        "\(present.link) \(kept): \(image.file) was not found; set it in the registry, and "
          + "\(.givePictureFolder).")
      return nil
    }
    reserved += 1
    let name = "image-\(reserved)"
    steps += Self.upload(picture, as: name, for: present.link)
    return name
  }

  /// All texts that an experience should have; they are replaced together.
  private static func texts(
    of wanted: AdvancedExperience, over present: ConnectExperience?
  ) -> [CardLocalization] {
    let old = (present?.localizations ?? []).map(CardLocalization.init)
    let own = old.first { $0.language == wanted.language }
    let first = CardLocalization(
      language: wanted.language, title: wanted.card.title ?? own?.title,
      subtitle: wanted.card.subtitle ?? own?.subtitle)
    let others = wanted.isPulled || present == nil ? wanted.listing.localizations : old
    return [first] + others.filter { $0.language != wanted.language }
  }

  // MARK: The default experience

  private mutating func planDefault(_ clip: AppClip, _ present: ConnectClip) {
    noteTestInvocations(clip, present)
    guard let wanted = clip.defaultExperience else { return }
    guard let experience = present.defaultExperience else {
      notes.append(
        "\(clip.bundleID) has no default experience in App Store Connect, and the registry's is not "
          + "sent: create one there with its picture first.")
      return
    }
    noteDefaultPicture(clip, experience)
    let type = "appClipDefaultExperiences"
    if experience.action != wanted.action.rawValue {
      steps.append(
        PushStep(
          .change, "change the default experience's action", "PATCH",
          "/v1/\(type)/\(experience.id)",
          body: PushBody.resource(
            type, id: experience.id, attributes: [("action", .text(wanted.action.rawValue))])))
    }
    let main = snapshot.main(of: experience)
    var subtitles = clip.listing.localizations.map { ($0.language, $0.subtitle) }
    if let main { subtitles.insert((main.language, wanted.subtitle), at: 0) }
    for (locale, subtitle) in subtitles {
      guard let subtitle else { continue }
      let old = experience.localizations.first { $0.language == locale }
      guard old?.subtitle != subtitle else { continue }
      steps.append(Self.localize(experience.id, locale, subtitle, old: old?.id))
    }
  }

  /// The default experience's picture belongs to a version of the app, which is not changed here.
  private mutating func noteDefaultPicture(
    _ clip: AppClip, _ experience: ConnectDefaultExperience
  ) {
    let present = snapshot.main(of: experience)?.image
    guard let image = clip.listing.image, image.isOther(than: present) else { return }
    let kept = present.map { "keeps its picture \($0.file)" } ?? "has no picture"
    notes.append(
      "The default experience of \(clip.bundleID) \(kept), and \(image.file) is not sent: set it in "
        + "App Store Connect, at the app's next version.")
  }

  private mutating func noteTestInvocations(_ clip: AppClip, _ present: ConnectClip) {
    let wanted = Set(clip.listing.testInvocations.map { "\($0.url.payload) \($0.title)" })
    let served = Set((present.bundle?.invocations ?? []).map { "\($0.url) \($0.title)" })
    let count = wanted.subtracting(served).count
    guard count > 0 else { return }
    notes.append(
      "\(count) TestFlight \(count == 1 ? "invocation" : "invocations") of \(clip.bundleID) "
        + "\(count == 1 ? "is" : "are") not sent: they belong to a build; set them in TestFlight.")
  }

  private static func localize(
    _ experience: String, _ locale: String, _ subtitle: String, old: String?
  ) -> PushStep {
    let type = "appClipDefaultExperienceLocalizations"
    guard let old else {
      return PushStep(
        .create, "add the default experience's subtitle in \(locale)", "POST", "/v1/\(type)",
        body: PushBody.resource(
          type, id: nil, attributes: [("locale", .text(locale)), ("subtitle", .text(subtitle))],
          relationships: [
            ("appClipDefaultExperience", PushBody.one("appClipDefaultExperiences", experience))
          ]))
    }
    return PushStep(
      .change, "change the default experience's subtitle in \(locale)", "PATCH",
      "/v1/\(type)/\(old)",
      body: PushBody.resource(type, id: old, attributes: [("subtitle", .text(subtitle))]))
  }
}

extension AdvancedExperience {
  /// Whether values missing from the registry are absent, instead of unknown.
  fileprivate var isPulled: Bool { listing.identifier != nil }
}

extension HeaderImage {
  /// Whether this is another picture, judged by name and known sizes.
  fileprivate func isOther(than present: HeaderImage?) -> Bool {
    guard let present else { return true }
    if file != present.file { return true }
    guard let size, let other = present.size else { return false }
    return size != other
  }
}

extension CardLocalization {
  fileprivate init(_ localization: ConnectLocalization) {
    self.init(
      language: localization.language, title: localization.title, subtitle: localization.subtitle)
  }
}

/// The checksum with which App Store Connect verifies an uploaded file.
private enum Checksum {
  /// MD5 in lower-case hexadecimal; nil if OpenSSL is built without it.
  static func md5(of bytes: [UInt8]) -> String? {
    var digest = [UInt8](repeating: 0, count: 16)
    var count = 0
    guard EVP_Q_digest(nil, "MD5", nil, bytes, bytes.count, &digest, &count) == 1, count == 16
    else {
      ERR_clear_error()
      return nil
    }
    return digest.hexadecimal(.small)
  }
}
