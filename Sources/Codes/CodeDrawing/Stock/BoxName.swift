/// The names that a stock on a box may have in tables of stocks.
///
/// A box says more than a table, such as “Avery Zweckform L4731REV-25”: two makers, the adhesive, and
/// the number of sheets. Rules about dies are those that LibreOffice's table of labels confirms for
/// every stock that it has of both names: the inkjet labels J8156 to J8173 of Avery are the laser
/// labels L7156 to L7173, and the A4 labels L4… and L6… of Avery Zweckform are those without the
/// letter. Brother's DK-11201 is DK-1201 in America.
struct BoxName {
  /// One way to read a name.
  struct Reading: Hashable {
    /// The name, with what separates its parts.
    let spelling: String
    /// The name as it is compared.
    var name: String { spelling.stockName }
    /// Whether only a stock of A4 paper is meant: the same number is another label in America.
    var isOnA4 = false
  }

  /// The readings, the literal one first.
  let readings: [Reading]

  /// Words around a name that say nothing about the die.
  private static let fillers: Set<Substring> = [
    "template", "templates", "label", "labels", "etikett", "etiketten", "sheet", "sheets", "us",
    "usa", "uk", "de", "eu",
  ]
  /// Names of Avery and of its German maker.
  private static let avery: Set<Substring> = [
    "avery", "zweckform", "averyzweckform", "dennison", "averydennison",
  ]

  init(_ name: String) {
    let literal = Reading(spelling: name.lowercased())
    let words = name.lowercased().split { " -_/".contains($0) }
    let isAvery = words.contains { Self.avery.contains($0) }
    let parts = words.filter { !Self.fillers.contains($0) && !Self.avery.contains($0) }
    var readings = [literal]
    for part in Self.withoutCount(parts) {
      for die in Self.dies(part) {
        // Without a maker, a table may have the name of any.
        for maker in isAvery ? ["avery", "zweckform"] : [""] {
          readings.append(Reading(spelling: "\(maker) \(die.spelling)", isOnA4: die.isOnA4))
        }
      }
    }
    var known: Set<String> = []
    self.readings = readings.filter { !$0.name.isEmpty && known.insert($0.name).inserted }
  }

  /// The name with and without the number of sheets behind it, `-100`.
  private static func withoutCount(_ parts: [Substring]) -> [String] {
    let whole = parts.joined(separator: " ")
    guard parts.count > 1, let last = parts.last, last.count <= 4, last.allSatisfy(\.isDigit),
      parts.dropLast().contains(where: { $0.contains(where: \.isDigit) })
    else { return [whole] }
    return [whole, parts.dropLast().joined(separator: " ")]
  }

  /// The name, and the names of the same die.
  private static func dies(_ part: String) -> [Reading] {
    var dies = [Reading(spelling: part)]
    let part = part.stockName
    // Removable adhesive.
    let plain = part.hasSuffix("rev") ? String(part.dropLast(3)) : part
    if plain != part { dies.append(Reading(spelling: plain)) }
    if let match = plain.wholeMatch(of: /j81(5[6-9]|6\d|7[0-3])/) {
      dies.append(Reading(spelling: "l71\(match.1)", isOnA4: true))
    }
    if let match = plain.wholeMatch(of: /l([46]\d{3})/) {
      dies.append(Reading(spelling: "\(match.1)", isOnA4: true))
    }
    if let match = plain.wholeMatch(of: /(|brother)dk11(\d{3})/) {
      dies.append(Reading(spelling: "\(match.1)dk1\(match.2)"))
    }
    return dies
  }
}

extension Character {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}

extension String {
  /// A stock's name for comparison: lower case, without spaces, hyphens and slashes.
  var stockName: String { lowercased().filter { !" -_/".contains($0) } }
  /// The longest run of digits; `nil` without a digit.
  var longestNumber: Substring? {
    split { !$0.isASCII || !$0.isNumber }.max { $0.count < $1.count }
  }
}
