extension QRSymbolError.Code {
  /// Every code with what it means, in one sentence, in the order of the documentation.
  package static let meanings: [(code: Self, text: String)] = [
    (.emptyText, "There is no text to make a code of."),
    (
      .tooLong,
      "The text does not fit a QR code of the versions and the level that were asked for."
    ),
    (.invalidVersions, "The versions asked for are not a range within 1 to 40."),
    (.outOfMemory, "libqrencode ran out of memory."),
    (.encoderFailed, "libqrencode refused a text that it should take."),
  ]
}
