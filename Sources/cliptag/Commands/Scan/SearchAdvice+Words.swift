import CliptagBasics
import Pictures
import Verifying

extension CodeObservation {
  /// Returns the failure of a source in which no code was found that can be judged.
  ///
  /// - Parameter hint: The hint to print instead, if another picture may help.
  func nothingFound(hint: String? = nil) -> Failure {
    let name = source == "-" ? PictureLoader.standardInputName : source
    var cutShort = false
    if case .nothingFound(true) = end { cutShort = true }
    let usual = advice ?? .anotherPicture
    let words = usual == .anotherPicture ? hint ?? usual.words : usual.words
    return Failure(
      "no-code", .nothingFound, "No QR code \(usual.participle) in \(name).",
      hint: words + (cutShort ? " Or give the search more time with --budget." : ""),
      source: source)
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
  var words: String {
    switch self {
    case .anotherPicture:
      "Take the picture closer, sharper and straighter; the code needs its white border."
    case .lookAtDrawing:
      "Check it in a viewer: the code must be on the page, whole, dark on light, with its white border "
        + "and modules of 0.33 mm or more."
    case .anotherKind: "Print the URL as an ordinary QR code."
    case .allParts:
      "Print the URL as one QR code: phones do not open parts of a message."
    }
  }
}
