extension SimulatedReaderError.Code {
  /// Every code with what it means, in one sentence, in the order of the documentation.
  package static let meanings: [(code: Self, text: String)] = [
    (.malformedUID, "The UID is not seven bytes in hexadecimal."),
    (
      .malformedMemory,
      "The memory file has the wrong size, or check bytes that contradict its UID."
    ),
    (.malformedFault, "The fault that the simulated reader shall have is not understood."),
    (.malformedDeck, "The file that lists the simulated tags cannot be read as one."),
    (.malformedCommand, "A line for the simulated reader is not understood."),
    (.malformedScript, "The script for the simulated reader cannot be read as one."),
    (
      .noControlChannel,
      "The control channel cannot be opened, or another simulated reader has it."
    ),
    (.memoryWithoutTag, "A memory file was named for a simulated reader without a tag."),
    (.memoryUnreadable, "The memory file exists, and cannot be read."),
    (.memoryUnwritable, "The memory file cannot be created or replaced."),
    (.noPseudoTerminal, "The system gave no pseudo-terminal, or no way to watch it."),
  ]
}
