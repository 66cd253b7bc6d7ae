extension TagError.Code {
  /// Every code with what it means, in one sentence, in the order of the documentation.
  package static let meanings: [(code: Self, text: String)] = [
    (.noTag, "No tag came before the time-out."),
    (.tagLost, "The tag left before anything was written to it."),
    (.tagChanged, "Another tag answers than the one that was read; it was not written."),
    (.tagLocked, "The tag, or a page that has to change, is locked for good."),
    (.tagPassword, "A password guards the tag, or it did not take the one that was given."),
    (.tagTooSmall, "The message does not fit on the tag."),
    (.tagUnsupported, "The tag is of a kind that cannot be served, or not in this way."),
    (.notNDEF, "The tag is not formatted for NDEF, and cannot or must not be."),
    (.writeRefused, "The tag refused a page that nothing says is locked."),
    (.verifyFailed, "A page that was read back is not what was written."),
    (
      .tornWrite,
      "The tag left, and holds the old message, none or the new one: run the command again."
    ),
    (.dumpMismatch, "The dump is not of this tag's type, or lacks pages that are needed."),
    (
      .mirroredText,
      "A mirror, of the tag or in the dump, would make wrong text of what is restored."
    ),
    (.readerFailed, "The reader stopped answering during work on a tag."),
    (.cancelled, "The work was stopped."),
  ]
}
