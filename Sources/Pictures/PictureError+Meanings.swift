extension PictureError.Code {
  /// Every code with what it means, in one sentence, in the order of the documentation.
  package static let meanings: [(code: Self, text: String)] = [
    (.notFound, "The picture or document does not exist."),
    (.unreadable, "The picture or document exists, and cannot be read."),
    (.isDirectory, "The path is a folder, not a picture."),
    (.notAPicture, "The content is no kind of picture that is known here."),
    (
      .unsupportedFormat,
      "The content is a kind of picture or document that is known, but not read."
    ),
    (
      .malformed,
      "The content begins like a picture, and is cut short, broken or contradicts itself."
    ),
    (.tooLarge, "The file, the picture or the document is larger than the limits allow."),
    (.passwordProtected, "The document opens only with a password."),
    (.rendererMissing, "The program that renders this kind of document is not installed."),
    (
      .rendererFailed,
      "The program that renders this kind of document failed for a reason of its own."
    ),
    (.libraryMissing, "zbar, which finds the codes in pictures, is not installed, or too old."),
    (.timedOut, "Drawing the page took longer than the limits allow."),
    (.decoderCrashed, "The process that read the picture crashed, was killed, or wrote nonsense."),
    (.cancelled, "The work was stopped."),
    (.noSuchPage, "A page was asked for that the document does not have."),
    (
      .cannotEncode,
      "The picture to be written has impossible dimensions, or there was no memory for it."
    ),
  ]
}
