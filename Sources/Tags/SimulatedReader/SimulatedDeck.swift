import CliptagBasics
import TagAuthenticity
import TagTypes

/// Several tags that are placed on a simulated reader one after another, for batches.
///
/// The swap follows these rules:
/// 1. The first tag is present from the start.
/// 2. A tag leaves when the host releases or deselects it (InRelease, InDeselect: libnfc's
///    `nfc_initiator_deselect_target`, and its `nfc_close`) after at least one tag command to it.
///    A field cycle, or a client that dies, changes nothing.
/// 3. The next search (InListPassiveTarget or InAutoPoll) finds nothing, so that the client can see
///    the tag leave; the search after it finds the next tag. A pause in the deck is one more search
///    that finds nothing. An endless search includes both.
/// 4. A tag that a ``Fault`` removed is back after one search that found nothing. A tag that
///    replaced another by ``Fault/swapTag(afterCommands:uid:)`` leaves like any other, and the
///    displaced one comes back.
/// 5. After the last tag, the reader is empty.
///
/// Two tags of the deck with the same UID are the same tag, which returns with its current content.
public struct SimulatedDeck: Sendable {
  /// The tags in order, `nil` for a pause. Tags that have left are in the state in which they left.
  package private(set) var cards: [(any SimulatedCard)?]
  /// The number of tags of the deck that have left the reader.
  public private(set) var leftCount = 0

  private var memoryFiles: [String?]
  /// The position in the deck of the present tag, or of the last one.
  private var position = -1
  /// The positions of tags that may return.
  private var positions: [[UInt8]: Int] = [:]
  private var isLying = false
  /// The number of further searches that find nothing.
  private var emptyLooks = 0

  /// Lets AUTH0, ACCESS and the mirror of every Type 2 tag act when it is next selected.
  package mutating func delayConfigurations() { cards = cards.map { $0?.delayingConfiguration() } }

  /// Makes a deck of any tags.
  ///
  /// - Parameters:
  ///   - cards: The tags in order, `nil` for a pause.
  ///   - memoryFiles: The memory file of each tag, as in
  ///     ``SimulatedReader/init(tag:faults:memoryFile:timing:trace:script:)``; `nil` or missing for
  ///     none. Tags with the same UID share the first one's.
  package init(_ cards: [(any SimulatedCard)?], memoryFiles: [String?] = []) {
    self.cards = cards
    self.memoryFiles =
      memoryFiles + Array(repeating: nil, count: max(0, cards.count - memoryFiles.count))
  }

  /// Makes a deck of blank tags of one kind, each with a different UID: the first has `firstUID`
  /// (or the kind's default), and the last three bytes count up from there.
  ///
  /// - Parameters:
  ///   - kind: The kind; ``SimulatedTagKind/none`` makes pauses.
  ///   - count: The number of tags.
  ///   - firstUID: The first UID; `nil` for the kind's default.
  ///   - memoryFolder: A folder with a file for each UID; `nil` for none.
  /// - Throws: `.malformedUID`.
  public init(
    _ kind: SimulatedTagKind, count: Int, firstUID: [UInt8]? = nil, memoryFolder: String? = nil
  ) throws(SimulatedReaderError) {
    var cards: [(any SimulatedCard)?] = []
    let first = try kind.card(uid: firstUID)
    for number in 0..<max(0, count) {
      let uid = first.map { Self.uid($0.uid, plus: number) }
      cards.append(try kind.card(uid: uid))
    }
    self.init(cards, memoryFiles: cards.map { Self.file(of: $0, in: memoryFolder) })
  }

  /// The UID with its last three bytes increased by a number.
  static func uid(_ uid: [UInt8], plus number: Int) -> [UInt8] {
    var uid = uid
    var carry = number
    for index in uid.indices.suffix(3).reversed() {
      carry += Int(uid[index])
      uid[index] = UInt8(truncatingIfNeeded: carry)
      carry >>= 8
    }
    return uid
  }

  /// The memory file of a tag in a folder.
  static func file(of card: (any SimulatedCard)?, in folder: String?) -> String? {
    guard let card, let folder else { return nil }
    return "\(folder)/\(card.uid.hexadecimal).bin"
  }
}

/// The deck's functions for the field.
extension SimulatedDeck {
  /// Loads the tags' memories from their files, if they exist.
  mutating func loadMemories() throws(SimulatedReaderError) {
    for index in cards.indices {
      guard let path = memoryFiles[index], let card = cards[index] else { continue }
      cards[index] = try TagMemoryFile(path: path).loaded(for: card)
    }
  }

  /// The tag that is present from the start.
  mutating func first() -> (any SimulatedCard)? {
    leaveGap(atLeast: 0)
    return emptyLooks == 0 ? lay() : nil
  }

  /// Removes the present tag.
  mutating func remove(_ card: (any SimulatedCard)?) {
    guard isLying else { return }
    isLying = false
    leftCount += 1
    if let card { cards[position] = card }
    leaveGap(atLeast: 1)
  }

  /// Counts a search that has found nothing.
  ///
  /// - Returns: `true` if another tag follows.
  mutating func lookedInVain() -> Bool {
    guard !isLying, position + 1 < cards.count else { return false }
    emptyLooks = max(0, emptyLooks - 1)
    return true
  }

  /// Returns the next tag; `nil` during a pause and after the end.
  mutating func next() -> (any SimulatedCard)? { isLying || emptyLooks > 0 ? nil : lay() }

  /// Updates the state of the present tag.
  mutating func update(_ card: (any SimulatedCard)?) {
    if isLying, let card { cards[position] = card }
  }

  /// The memory file of the present tag.
  var memoryFile: String? { isLying ? memoryFiles[position] : nil }

  private mutating func leaveGap(atLeast looks: Int) {
    emptyLooks = looks
    while position + 1 < cards.count, cards[position + 1] == nil {
      position += 1
      emptyLooks += 1
    }
  }

  private mutating func lay() -> (any SimulatedCard)? {
    guard position + 1 < cards.count else { return nil }
    position += 1
    isLying = true
    guard let uid = cards[position]?.uid else { return nil }
    if let earlier = positions[uid] {
      cards[position] = cards[earlier]
      memoryFiles[position] = memoryFiles[earlier]
    }
    positions[uid] = position
    return cards[position]
  }
}

/// The text form of a deck.
extension SimulatedDeck {
  /// Parses one tag per line: its kind, then optionally its UID, then optionally its memory file.
  /// `-` alone is a pause. Empty lines, and text after `#`, are ignored. A tag without a UID gets a
  /// different one, counted up from the kind's default by the lines before.
  ///
  /// ```
  /// ntag215
  /// ntag213 04A1B2C3D4E5F6
  /// -
  /// ntag424 04A1B2C3D4E5F7 special.bin
  /// ```
  ///
  /// - Parameters:
  ///   - text: The lines.
  ///   - memoryFolder: A folder for the tags that name no file; `nil` for none.
  /// - Throws: `.malformedDeck`, naming the line.
  public init(
    parsing text: String, memoryFolder: String? = nil
  ) throws(SimulatedReaderError) {
    var cards: [(any SimulatedCard)?] = []
    var files: [String?] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let words = (line.split(separator: "#", omittingEmptySubsequences: false).first ?? "")
        .split { $0 == " " || $0 == "\t" || $0 == "\r" }.map(String.init)
      guard let first = words.first else { continue }
      guard words != ["-"] else {
        cards.append(nil)
        files.append(nil)
        continue
      }
      guard let kind = SimulatedTagKind(rawValue: first), kind != .none else {
        throw Self.malformed(index, "“\(first)” is not a kind of tag.")
      }
      let uid = words.count > 1 ? Self.uid(words[1]) : nil
      let rest = words.dropFirst(uid == nil ? 1 : 2)
      guard rest.count <= 1 else {
        throw Self.malformed(index, "Unexpected text after the file's name.")
      }
      do throws(SimulatedReaderError) {
        let usual = try kind.card(uid: uid)
        let ownUID = uid ?? usual.map { Self.uid($0.uid, plus: cards.count) }
        let card = try kind.card(uid: ownUID)
        cards.append(card)
        files.append(rest.first ?? Self.file(of: card, in: memoryFolder))
      } catch {
        throw Self.malformed(index, error.message)
      }
    }
    self.init(cards, memoryFiles: files)
  }

  /// Parses a UID of four, seven, eight or ten bytes, with or without colons.
  static func uid(_ text: String) -> [UInt8]? {
    let digits = text.filter { $0 != ":" }
    guard [8, 14, 16, 20].contains(digits.count) else { return nil }
    return [UInt8](hexadecimal: digits.utf8)
  }

  private static func malformed(_ index: Int, _ message: String) -> SimulatedReaderError {
    SimulatedReaderError(
      .malformedDeck, "Line \(index + 1): \(message)",
      hint: "Write a kind of tag, optionally with its UID and a file, or - for a pause.")
  }
}
