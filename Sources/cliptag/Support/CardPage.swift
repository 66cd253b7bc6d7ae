import CodeDrawing
import Deployment
import Invocation

/// The page of `check --card`.
struct CardPage {
  let path: String
  let imagePath: String?

  /// The largest picture that is put into a page, in bytes.
  private static let maximumImageSize = 20_000_000

  /// Writes the page of one answer.
  ///
  /// - Throws: ``Failure`` when no card is shown, or a file cannot be read or written.
  func write(_ answer: PhoneAnswer, _ console: Console) throws {
    guard let card = answer.card else {
      throw Failure(
        "no-card", .notAccepted, "\(path) was not written: the phone shows no card for this URL.",
        hint: "The steps above say where its way ends.", source: path)
    }
    let page = CardPreview(card: card, url: answer.verification.payload, image: try image())
    guard path != "-" else { return console.write(Array(page.html.utf8)) }
    let sink = try FileSink(path: path)
    try sink.write(Array(page.html.utf8))
    try sink.commit()
    console.say("wrote \(path)")
  }

  private func image() throws -> CardPreview.Image? {
    guard let imagePath else { return nil }
    let bytes = try InputFile.bytes(of: imagePath, limit: Self.maximumImageSize)
    guard let image = CardPreview.Image(bytes: bytes) else {
      throw Failure(
        "not-a-picture", .malformedInput, "\(imagePath) is neither PNG nor JPEG.",
        hint: "Export the header image as PNG or JPEG, 1800 × 1200 pixels.", source: imagePath)
    }
    return image
  }
}
