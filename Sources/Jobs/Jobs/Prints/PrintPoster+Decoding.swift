import AppClipCodes
import CliptagBasics
import CodeDrawing
import Foundation
import Issuing
import Registry

/// The JSON of a poster: its inputs by their names in Swift, of which only `url` is required.
///
/// Empty words count as words that are not given, as the fields of a form do. The logo is an object
/// with `name` and `base64`, the App Clip Code `auto` or a code's name: JSON names no file of this
/// computer, and no output.
extension PrintPoster: Decodable {
  private enum CodingKeys: String, CodingKey {
    case url, headline, brand, logo, callToAction, placeName, nfcTarget, targetCaption, smallPrint
    case codeTail, itemName, language, design, paper, landscape, accent, ink, foreground,
      background, bleed,
      cropMarks
    case width, distance, appClipCode, appClipCodeOnly, unregistered, strict, prove, dryRun
  }

  private struct SentLogo: Decodable {
    let name: String
    let base64: Data
  }

  /// Decodes a poster.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func filled(_ key: CodingKeys) throws -> String? {
      try values.decodeIfPresent(String.self, forKey: key).flatMap { $0.isEmpty ? nil : $0 }
    }
    func flag(_ key: CodingKeys, else usual: Bool = false) throws -> Bool {
      try values.decodeIfPresent(Bool.self, forKey: key) ?? usual
    }
    func known<Value>(
      _ key: CodingKeys, else usual: Value, _ read: (String) -> Value?
    ) throws -> Value {
      guard let text = try filled(key) else { return usual }
      guard let value = read(text) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: values, debugDescription: "unknown value")
      }
      return value
    }

    self.init(url: try values.decode(String.self, forKey: .url))
    headline = try filled(.headline)
    brand = try filled(.brand)
    if let sent = try values.decodeIfPresent(SentLogo.self, forKey: .logo) {
      logo = PosterLogo(Array(sent.base64), named: sent.name)
    }
    callToAction = try filled(.callToAction)
    placeName = try filled(.placeName)
    nfcTarget = try flag(.nfcTarget)
    targetCaption = try filled(.targetCaption)
    smallPrint = try flag(.smallPrint, else: true)
    codeTail = try flag(.codeTail)
    itemName = try flag(.itemName)
    language = try filled(.language)
    design = try known(.design, else: design, PosterDesign.init(rawValue:))
    paper = try filled(.paper)
    landscape = try flag(.landscape)
    accent = try known(.accent, else: accent) { Colour($0) }
    ink = try known(.ink, else: ink) { Colour($0) }
    foreground = try known(.foreground, else: foreground) { Colour($0) }
    background = try known(.background, else: background) { Colour($0) }
    bleed = try values.decodeIfPresent(Double.self, forKey: .bleed)
    cropMarks = try flag(.cropMarks)
    width = try values.decodeIfPresent(Double.self, forKey: .width)
    distance = try values.decodeIfPresent(Double.self, forKey: .distance)
    appClipCode = try known(.appClipCode, else: nil) { text in
      // JSON names no file of this computer.
      let choice = AppClipCodeChoice(text)
      return if case .file = choice { nil } else { .some(choice) }
    }
    appClipCodeOnly = try flag(.appClipCodeOnly)
    unregistered = try flag(.unregistered)
    strict = try flag(.strict)
    prove = try flag(.prove)
    dryRun = try flag(.dryRun)
  }
}
