extension CodeDrawingError.Code {
  /// Every code with what it means, in one sentence, in the order of the documentation.
  package static let meanings: [(code: Self, text: String)] = [
    (.invalidSize, "A width or module size is not a positive number."),
    (.invalidResolution, "The resolution is not within 50 to 9,600 dots per inch."),
    (.sizeTooSmall, "A module would be smaller than a dot of the printer."),
    (
      .sizeTooLarge,
      "The code would be larger than the largest page, or its picture than can be held."
    ),
    (.contradictingSizes, "Two sizes were given that lead to different codes."),
    (.tooFar, "No phone reads the code from the distance that was given."),
    (.invertedColours, "The modules would be lighter than the background."),
    (.lowContrast, "The two colours differ too little."),
    (.unknownFormat, "The file's ending names no format that is read or written."),
    (.invalidPaper, "The paper is unknown, or too small or too large."),
    (.noRoom, "The page has no room for what it must show."),
    (.invalidLogoSize, "The side of a logo's plate is no odd number of modules."),
    (
      .logoTooLarge,
      "The logo would cost more than the error correction restores, or cover a function pattern."
    ),
    (.noRoomForLogo, "No logo fits into the symbol with a good reserve."),
    (.cannotEncode, "The drawing could not be written as a file."),
    (.unknownStock, "No label stock has the name."),
    (.ambiguousStock, "Several label stocks have the name."),
    (.malformedStock, "A file of label templates cannot be understood."),
    (.invalidStock, "The template's labels lie off the paper or on each other."),
    (.noStock, "The label templates of the system (glabels-data) are missing."),
  ]
}
