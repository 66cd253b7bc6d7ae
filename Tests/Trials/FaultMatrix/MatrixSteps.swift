import SimulatedReader

/// The number of steps of each sort in one undisturbed run of an operation.
struct MatrixSteps: Sendable {
  /// The number of commands to the chip.
  let chipCommands: Int
  /// The number of searches of the chip for a tag.
  let searches: Int
  /// The number of frames to the tag.
  let tagCommands: Int
  /// The number of bytes of each write.
  let writes: [Int]
  /// The changed pages; of a Type 4 tag, offsets in its NDEF file.
  let placesWritten: [Int]
  /// The selections (resets, field cycles, searches) after the one that returned the UID.
  let selections: Range<Int>
  /// The number of pauses in which a person is asked or the registry is waited for.
  let pauses: Int
  /// A Boolean value that indicates whether the tag uses ISO/IEC 14443-4.
  let takesAPDUs: Bool
  /// A Boolean value that indicates whether the reader is on a serial line, on which bytes may be
  /// late or lost.
  let isSerial: Bool

  /// Counts the steps of a reader that has just completed the run.
  init(
    of reader: SimulatedReader, before: any SimulatedCard, after: any SimulatedCard, by way: Way,
    pauses: Int
  ) {
    self.pauses = pauses
    let first = (reader.identifyingSelection ?? 0) + 1
    selections = first..<max(first, reader.selections + 1)
    chipCommands = reader.counts.exchanges
    // InListPassiveTarget.
    let isLibNFC = way == .libnfc
    searches = isLibNFC ? reader.exchanges.filter { $0.command.first == 0x4A }.count : 0
    tagCommands = reader.counts.tagCommands
    // A write over PC/SC to the tags used here is four bytes.
    writes =
      isLibNFC
      ? reader.exchanges.compactMap(\.writtenByteCount)
      : Array(repeating: 4, count: reader.counts.writes)
    isSerial = isLibNFC
    takesAPDUs = before is SimulatedType4Tag
    if let before = before as? SimulatedType4Tag, let after = after as? SimulatedType4Tag {
      placesWritten = before.ndefFile.indices.filter { before.ndefFile[$0] != after.ndefFile[$0] }
    } else if let before = before as? SimulatedType5Tag, let after = after as? SimulatedType5Tag {
      placesWritten = before.blocks.indices.filter { before.blocks[$0] != after.blocks[$0] }
    } else {
      let changed = before.memory.indices.filter { before.memory[$0] != after.memory[$0] }
      placesWritten = Set(changed.map { $0 / 4 }).sorted()
    }
  }

  /// Every disturbance that applies, at every step.
  var disturbances: [Disturbance] {
    let faults =
      faultsOfPresence + faultsOfTagCommands + faultsOfWrites + faultsOfPlaces + faultsOfReader
    return faults.compactMap(Fault.init).map(Disturbance.fault)
      + (0..<pauses).flatMap { pause in
        Disturbance.Event.allCases.map { .pause(pause + 1, $0) }
      }
  }

  /// Faults that put another tag in place of this one or beside it. A tag that comes before the
  /// first command is the tag of the run.
  private var faultsOfPresence: [String] {
    ["remove-after=0"]
      + (1...max(1, tagCommands)).flatMap { step in
        ["remove-after=\(step)", "swap-after=\(step)"]
      }
      + selections.flatMap { ["swap-at-selection=\($0)", "neighbour-at-selection=\($0)"] }
  }

  private var faultsOfTagCommands: [String] {
    let kinds = [
      "refuse-command", "mute-command", "lose-answer", "damage-answer", "garble-answer",
      "short-answer", "long-answer",
    ]
    // Try again, forbidden, no such file, end of file reached, and a false success.
    let words = takesAPDUs ? ["6581", "6982", "6A82", "6282", "9000"] : []
    return (1...max(1, tagCommands)).flatMap { step in
      // 01 is the chip's time-out, 02 its CRC error.
      kinds.map { "\($0)=\(step)" } + ["damage-answer=\(step):01"]
        + words.map { "apdu-status=\(step):\($0)" }
    }
  }

  private var faultsOfWrites: [String] {
    zip(1..., writes).flatMap { step, byteCount in
      ["tear-write=\(step)", "tear-write=\(step):half", "mute-after-write=\(step)"]
        + ["forget-write=\(step)"] + (1..<max(2, byteCount)).map { "tear-write=\(step):\($0)" }
    }
  }

  private var faultsOfPlaces: [String] {
    placesWritten.flatMap { place in
      ["", ":1", ":2"].map { "refuse-page=\(place)\($0)" }
        + ["store-wrong=\(place):1", "store-wrong=\(place):2"]
    }
  }

  private var faultsOfReader: [String] {
    let kinds = [
      "drop-response", "corrupt-response", "silent-after", "unplug-after", "busy", "error-frame",
      "noise",
      "restart-after",
    ]
    guard isSerial else {
      return (1...max(1, chipCommands)).flatMap { step in
        [
          "busy", "error-frame", "drop-response", "corrupt-response", "silent-after",
          "unplug-after",
        ].map {
          "\($0)=\(step)"
        }
      }
    }
    // Longer than libnfc waits: 700 ms for a command, above 2 s for an APDU.
    let late = takesAPDUs ? 2600 : 1000
    return (1...max(1, searches)).map { "miss-tag=\($0)" }
      + (1...max(1, chipCommands)).flatMap { step in
        kinds.map { "\($0)=\(step)" }
          + ["delay-response=\(step):\(Fault.shortDelay)", "delay-response=\(step):\(late)"]
      }
  }
}

extension Fault {
  /// The delay of an answer, in milliseconds, that no caller notices.
  static let shortDelay = 100

  /// A Boolean value that indicates whether the run must succeed despite the fault.
  var isToBeAbsorbed: Bool {
    if case .delayResponse(_, Self.shortDelay) = self { true } else { false }
  }
}

extension PN532Exchange {
  /// The number of bytes that InDataExchange carried to a tag's memory (WRITE, UPDATE BINARY);
  /// `nil` for any other command.
  var writtenByteCount: Int? {
    guard command.count > 6, command[0] == 0x40 else { return nil }
    if command[2] == 0xA2 { return 4 }
    // ChangeKey, ChangeFileSettings and WriteData of a byte, which are stored wholly or not at all.
    if command[2] == 0x90, [0xC4, 0x5F, 0x8D].contains(command[3]) { return 1 }
    return command[2] == 0x00 && command[3] == 0xD6 ? Int(command[6]) : nil
  }
}
