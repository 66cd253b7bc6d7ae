/// Which PC/SC reader is meant: `pcsc:NAME`, a part of the name being enough.
struct PCSCName: Hashable, Sendable {
  /// The part of the name; empty for the only reader there is.
  let part: String

  /// Reads a connection string; nil when it names no PC/SC reader.
  init?(_ text: String) {
    guard text == "pcsc" || text.hasPrefix("pcsc:") else { return nil }
    part = String(text.dropFirst("pcsc:".count))
  }

  /// What names this reader and no other.
  static func connectionString(_ reader: String) -> String { "pcsc:\(reader)" }

  /// Whether a name is that of a slot for SAM cards, which takes no tag.
  static func isSAM(_ reader: String) -> Bool {
    reader.split { !$0.isLetter && !$0.isNumber }.contains { $0.uppercased() == "SAM" }
  }

  /// The readers that are meant, of those that the service knows: the one of exactly this name, else
  /// those whose name holds the part, in whatever case, or begins with the number. Slots for SAM cards
  /// are never meant.
  func matches(in readers: [String]) -> [String] {
    let slots = readers.filter { !Self.isSAM($0) }
    if slots.contains(part) { return [part] }
    if let number = Int(part) { return slots.indices.contains(number) ? [slots[number]] : [] }
    let wanted = part.lowercased()
    let found = slots.filter { part.isEmpty || $0.lowercased().contains(wanted) }
    // Of two slots of one device the contactless one takes tags.
    let contactless = found.filter { name in
      let words = name.uppercased().split { !$0.isLetter && !$0.isNumber }
      return words.contains("PICC") || words.contains("CL") || words.contains("CONTACTLESS")
        || words.contains("NFC")
    }
    return contactless.count == 1 ? contactless : found
  }
}
