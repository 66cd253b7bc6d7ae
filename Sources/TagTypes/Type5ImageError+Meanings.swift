extension Type5ImageError.Code {
  /// Every code with what it means, in one sentence, in the order of the documentation.
  package static let meanings: [(code: Self, text: String)] = [
    (.tooSmall, "The message does not fit into the memory image."),
    (.invalidSize, "No Type 5 tag has such a memory."),
  ]
}
