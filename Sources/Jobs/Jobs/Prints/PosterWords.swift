import AppClipCodes
import CodeDrawing
import Invocation
import Issuing
import Registry

/// The words of a poster: those that were given, and those of the registry and the language.
struct PosterWords {
  let content: PosterContent
  let note: PrintNote?

  /// Chooses the words.
  ///
  /// - Parameters:
  ///   - artwork: The artwork, which may have no place for some words; `nil` for a built-in design.
  ///   - kind: The kind of the App Clip Code on the poster; `nil` without one.
  /// - Throws: ``InputError`` for words that neither the job nor the registry nor the language has.
  init(
    _ job: PrintPoster, for approval: Approval, _ pictures: PrintPoster.Pictures,
    on artwork: PosterArtwork?, appClipCode kind: AppClipCode.Kind?, in workplace: Workplace
  ) throws {
    /// Returns the words that have a place: empty ones instead of none where there is no place.
    let places = job.placeNames(on: artwork)
    func placed(_ words: String?, _ name: String) -> String? {
      words ?? (places?.contains(name) ?? true ? nil : "")
    }
    let verification = approval.verification
    var card = verification.experience?.card
    var note: PrintNote?
    if let usual = card, let language = job.language {
      let advanced = try verification.experience?.link.flatMap {
        try workplace.registry.experience(link: $0)
      }
      let all = advanced?.listing.localizations ?? verification.clip?.listing.localizations ?? []
      if advanced?.language.isLanguage(language) == true {
        // The card's own words are in the language.
      } else if let texts = all.texts(in: language) {
        card = ExperienceCard(
          title: texts.title ?? usual.title, subtitle: texts.subtitle ?? usual.subtitle,
          action: usual.action)
      } else if placed(job.headline, "headline") == nil {
        note = .cardWithoutLanguage(language)
      }
    }
    guard let headline = placed(job.headline ?? card?.subtitle ?? card?.title, "headline") else {
      throw InputError.noWords(.headline)
    }
    let known = PosterWording(language: job.language ?? "en")
    func usualCall(_ wording: PosterWording) -> String {
      switch kind {
      case nil: wording.scan
      case .camera: wording.scanAppClipCode
      case .nfc: wording.holdOrScanAppClipCode
      }
    }
    guard let call = placed(job.callToAction ?? known.map(usualCall), "call-to-action") else {
      throw InputError.noWordsInLanguage(.callToAction, language: job.language ?? "")
    }
    if kind == .nfc, job.targetCaption != nil {
      throw InputError.captionWithoutRing(saidIn: .callToAction)
    }
    var caption: String?
    if job.nfcTarget || job.targetCaption != nil || artwork?.field(ArtworkField.Name.ring) != nil {
      guard let words = placed(job.targetCaption ?? known?.hold, "target-caption") else {
        throw InputError.noWordsInLanguage(.targetCaption, language: job.language ?? "")
      }
      caption = words
    }
    let logo = pictures.logo
    let title = logo != nil || headline == card?.title ? nil : card?.title
    func filled(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }
    var content = PosterContent(
      headline: headline, brand: filled(job.brand ?? title), logo: logo, callToAction: call,
      placeName: filled(job.placeName ?? verification.place?.name),
      address: job.smallPrint ? PosterContent.Address(url: verification.payload) : nil,
      targetCaption: caption, language: job.language)
    content.texts = job.texts
    content.image = pictures.image
    if let language = job.secondLanguage {
      guard let second = PosterWording(language: language) else {
        throw InputError.noWordsInLanguage(.secondLanguage, language: language)
      }
      let usual = [
        "second-call-to-action": usualCall(second),
        "second-target-caption": second.hold,
      ]
      content.texts.merge(usual.filter { places?.contains($0.key) ?? false }) { given, _ in given }
    }
    self.content = content
    self.note = note
  }
}
