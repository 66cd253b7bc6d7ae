import Basics
import TagAuthenticity
import TagTypes

/// Several tags that come to lie on a simulated reader one after another, for batches.
///
/// The rule of the swap:
/// 1. The first tag lies there from the start.
/// 2. A tag leaves when the host releases or deselects it (InRelease, InDeselect: libnfc's
///    `nfc_initiator_deselect_target`, and its `nfc_close`) after at least one tag command to it.
///    A field that is switched off and on, and a client that dies, change nothing.
/// 3. The next search (InListPassiveTarget or InAutoPoll) finds nothing, so that the client can see
///    the tag leave; the search after it finds the next tag. A pause in the deck is one more search
///    that finds nothing. A search without end sees both in one.
/// 4. A tag that a ``Fault`` took away lies there again after one search that found nothing. A tag
///    that took another's place by ``Fault/swapTag(afterCommands:uid:)`` leaves like any other, and
///    the one it displaced comes back.
/// 5. Behind the last tag nothing lies there any more.
///
/// Two tags of the deck with the same UID are the same tag, put there again with what it then holds.
public struct SimulatedDeck: Sendable {
  /// The tags in order, `nil` for a pause. Those that have left are as they left.
  package private(set) var cards: [(any SimulatedCard)?]
  /// How many tags of the deck have left the reader.
  public private(set) var leftCount = 0

  private var memoryFiles: [String?]
  /// Where in the deck the tag stands that lies there, or that lay there last.
  private var position = -1
  /// Where tags stand that may come again.
  private var positions: [[UInt8]: Int] = [:]
  private var isLying = false
  /// How many searches still find nothing.
  private var emptyLooks = 0

  /// Makes a deck of any tags.
  ///
  /// - Parameters:
  ///   - cards: The tags in order, `nil` for a pause.
  ///   - memoryFiles: Where each tag's memory is kept, as in
  ///     ``SimulatedReader/init(tag:faults:memoryFile:timing:trace:script:)``; `nil` or
  ///     missing for nowhere. Tags with the same UID share the first one's.
  package init(_ cards: [(any SimulatedCard)?], memoryFiles: [String?] = []) {
    self.cards = cards
    self.memoryFiles =
      memoryFiles + Array(repeating: nil, count: max(0, cards.count - memoryFiles.count))
  }

  /// Makes a deck of blank tags of one kind, each with a UID of its own: the first has `firstUID`
  /// (or the kind's usual one), and the last three bytes count up from there.
  ///
  /// - Parameters:
  ///   - kind: The kind; ``SimulatedTagKind/none`` makes pauses.
  ///   - count: How many.
  ///   - firstUID: The first UID; `nil` for the kind's usual one.
  ///   - memoryFolder: A folder that keeps a file for each UID; `nil` for none.
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

  /// The UID whose last three bytes are larger by a number.
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

  /// The file of a folder that keeps a tag.
  static func file(of card: (any SimulatedCard)?, in folder: String?) -> String? {
    guard let card, let folder else { return nil }
    return "\(folder)/\(card.uid.hexadecimal).bin"
  }
}

/// What the field asks of a deck.
extension SimulatedDeck {
  /// Takes the tags' memories from their files, where there are any.
  mutating func loadMemories() throws(SimulatedReaderError) {
    for index in cards.indices {
      guard let path = memoryFiles[index], let card = cards[index] else { continue }
      cards[index] = try TagMemoryFile(path: path).loaded(for: card)
    }
  }

  /// The tag that lies there from the start.
  mutating func first() -> (any SimulatedCard)? {
    leaveGap(atLeast: 0)
    return emptyLooks == 0 ? lay() : nil
  }

  /// The tag that lay there is gone.
  mutating func remove(_ card: (any SimulatedCard)?) {
    guard isLying else { return }
    isLying = false
    leftCount += 1
    if let card { cards[position] = card }
    leaveGap(atLeast: 1)
  }

  /// A search has found nothing.
  ///
  /// - Returns: Whether anything is still to come.
  mutating func lookedInVain() -> Bool {
    guard !isLying, position + 1 < cards.count else { return false }
    emptyLooks = max(0, emptyLooks - 1)
    return true
  }

  /// The tag that comes to lie there now; `nil` while a pause lasts and behind the end.
  mutating func next() -> (any SimulatedCard)? { isLying || emptyLooks > 0 ? nil : lay() }

  /// The tag that lies there, as it is now.
  mutating func update(_ card: (any SimulatedCard)?) {
    if isLying, let card { cards[position] = card }
  }

  /// Where the tag that lies there is kept.
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

/// Reads a deck from text.
extension SimulatedDeck {
  /// Reads one tag per line: its kind, then, where wanted, its UID, then, where wanted, the file that
  /// keeps its memory. `-` alone is a pause. Empty lines, and what follows `#`, say nothing. A tag
  /// without UID gets one of its own, counted up from the kind's usual one by the lines before.
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
  ///   - memoryFolder: A folder that keeps the tags that name no file; `nil` for none.
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
        throw Self.malformed(index, "There is more than a file's name.")
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

  /// Reads a UID of four, seven or ten bytes, with or without colons.
  static func uid(_ text: String) -> [UInt8]? {
    let digits = text.filter { $0 != ":" }
    guard [8, 14, 16, 20].contains(digits.count) else { return nil }
    return [UInt8](hexadecimal: digits.utf8)
  }

  private static func malformed(_ index: Int, _ message: String) -> SimulatedReaderError {
    SimulatedReaderError(
      .malformedDeck, "Line \(index + 1): \(message)",
      hint: "Write a kind of tag, then its UID and a file if wanted, or - for a pause.")
  }
}
