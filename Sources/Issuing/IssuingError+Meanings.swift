extension IssuingError.Code {
  /// Every code with what it means, in one sentence, in the order of the documentation.
  package static let meanings: [(code: Self, text: String)] = [
    (.cannotCreate, "An output cannot be created."),
    (
      .unreadableRendering,
      "What was drawn does not decode to the text it was made from, so it was not written."
    ),
    (.foreignData, "The tag holds somebody else's data."),
    (.malformedDump, "The file is no dump of a tag, or a damaged one."),
    (.notGenuine, "The tag's originality signature is not its maker's."),
    (.originalityUnknown, "The tag's originality was asked for and cannot be told."),
    (.notRecorded, "The tag or file was written, and the registry could not take the record."),
    (.tagInUse, "The tag carries another code, was given up, or was begun for another batch."),
    (.tagDiffers, "The tag of a row that is done no longer holds its URL."),
    (.wrongTagType, "The tag is not of the product that was asked for."),
    (.randomUID, "The tag has a new UID each time it is met, and cannot be one of a batch."),
    (.rowBusy, "Another station works on the row that the tag is for."),
    (.captionTooLong, "A caption has no room on its label, or cannot be set."),
    (.malformedCalibration, "The file with the printers' calibrations cannot be understood."),
  ]
}
