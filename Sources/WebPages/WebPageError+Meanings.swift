extension WebPageError.Code {
  /// Every code with what it means, in one sentence, in the order of the documentation.
  package static let meanings: [(code: Self, text: String)] = [
    (.libraryMissing, "libxml2 is not installed, or too old."),
    (.failed, "There was no memory for the web page."),
  ]
}
