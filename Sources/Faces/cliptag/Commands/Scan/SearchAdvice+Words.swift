import CliptagBasics
import CodeScanning
import Pictures
import Verifying

extension CodeObservation {
  /// Returns the failure of a source in which no code was found that can be judged.
  ///
  /// - Parameter hint: The hint to print instead, if another picture may help.
  func nothingFound(hint: String? = nil) -> Failure {
    let name = source == "-" ? PictureLoader.standardInputName : source
    var cutShort = wasCutShort
    if case .nothingFound(true) = end { cutShort = true }
    let usual = advice ?? .anotherPicture
    let words = usual.words(soughtFor: sought)
    let chosen = usual == .anotherPicture ? hint ?? words : words
    return Failure(
      "no-code", .nothingFound, "No \(kind(for: usual)) \(usual.participle) in \(name).",
      hint: chosen + (cutShort ? " Or give the search more time with --budget." : ""),
      source: source)
  }

  /// The kind of code that was not found.
  private func kind(for advice: SearchAdvice) -> String {
    switch advice {
    // The symbols that were seen are kinds of QR codes.
    case .anotherKind, .allParts: "QR code"
    case .anotherPicture, .lookAtDrawing:
      if !sought.contains(.appClipCode) {
        "QR code"
      } else {
        sought.contains(.qr) ? "QR code or App Clip Code" : "App Clip Code"
      }
    }
  }
}

extension SearchAdvice {
  /// The result of the search.
  fileprivate var participle: String {
    switch self {
    case .anotherPicture, .lookAtDrawing: "was found"
    case .anotherKind, .allParts: "that can be verified was found"
    }
  }

  /// The advice, in a sentence.
  ///
  /// - Parameter sought: The symbologies that were searched for.
  func words(soughtFor sought: Set<DecodedCode.Symbology>) -> String {
    let hasQR = sought.contains(.qr) || !sought.contains(.appClipCode)
    let hasAppClipCodes = sought.contains(.appClipCode)
    switch self {
    case .anotherPicture:
      let needs = [
        hasQR ? "\(hasAppClipCodes ? "a QR" : "the") code needs its white border" : nil,
        hasAppClipCodes
          ? "an App Clip Code needs its whole disc in the picture, and a phone no farther than 20 "
            + "times its diameter, 38 cm for the smallest" : nil,
      ]
      return "Take the picture closer, sharper and straighter; "
        + needs.compactMap { $0 }.joined(separator: ", ") + "."
    case .lookAtDrawing:
      let needs = [
        hasQR
          ? "\(hasAppClipCodes ? "a QR" : "the") code must be on the page, whole, dark on light, "
            + "with its white border and modules of 0.33 mm or more" : nil,
        hasAppClipCodes ? "an App Clip Code unchanged and at least 19 mm across" : nil,
      ]
      return "Check it in a viewer: " + needs.compactMap { $0 }.joined(separator: ", ") + "."
    case .anotherKind: return "Print the URL as an ordinary QR code."
    case .allParts:
      return "Print the URL as one QR code: phones do not open parts of a message."
    }
  }
}
