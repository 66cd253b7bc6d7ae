extension NFCReaderError.Code {
  /// Every code with what it means, in one sentence, in the order of the documentation.
  package static let meanings: [(code: Self, text: String)] = [
    (.noReader, "No reader was found, or the one that was named does not open."),
    (.readerBusy, "Another program holds the reader."),
    (.noTag, "No tag came before the time-out."),
    (.tagUnsupported, "The only tag there is of a technology that cannot be served."),
    (.readerFailed, "The reader stopped answering or was unplugged."),
    (.libraryMissing, "libnfc, which works the readers, is not installed, or too old."),
    (.cancelled, "The work was stopped."),
  ]
}
