import TagAuthenticity

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
