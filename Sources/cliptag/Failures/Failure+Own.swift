import CliptagBasics

extension Failure {
  /// The kinds of failure that only the command knows, and those that it reports in place of a
  /// library: with every exit status and what it means.
  static let own: [(code: String, statuses: [ExitStatus], meaning: String)] = [
    ("usage", [.usage], "The command was called in a way that it does not understand."),
    ("unknown-code", [.usage], "No finding and no failure has this code."),
    ("unknown-format", [.usage], "The file's ending names no format that is read or written."),
    ("no-input", [.noInput], "The file does not exist or cannot be read."),
    ("input-too-large", [.malformedInput], "The file is larger than is read."),
    ("not-utf8", [.malformedInput], "A line of the input is not UTF-8 text."),
    ("cannot-create", [.cannotCreate], "An output cannot be created."),
    ("no-code", [.nothingFound], "No code was found."),
    ("no-pictures", [.nothingFound], "What was named holds no picture."),
    ("not-a-picture", [.malformedInput], "The card's picture is neither PNG nor JPEG."),
    ("no-card", [.notAccepted], "A phone shows no card for the URL, so none was drawn."),
    ("unreadable-scan", [.malformedInput], "What a scanner sent cannot be read as a code."),
    ("no-reader", [.unavailable], "No NFC reader was found."),
    ("lock-refused", [.notAccepted], "What the tag holds is not accepted, so it was not locked."),
    (
      "malformed-password", [.malformedInput, .badSetting],
      "What should be a password is none (78: in the environment)."
    ),
    ("no-terminal", [.usage], "There is no terminal to ask for a password."),
    ("not-confirmed", [.usage], "Nobody could be asked, and `--yes` was not given."),
    (
      "uid-differs", [.usage], "The UID that was named is not that of the tag it is about."
    ),
    ("malformed-uid", [.usage], "The UID is not seven bytes in hexadecimal."),
    ("malformed-csv", [.malformedInput], "The CSV file has mistakes, each with its line."),
    ("unknown-column", [.usage], "The CSV file has no column of this name."),
    ("unknown-printer", [.usage], "No calibration is kept for the printer."),
    ("no-template", [.nothingFound], "No label stock has the words that were looked for."),
    ("not-found", [.noInput], "Nothing in the registry has this name."),
    ("unknown-clip", [.usage], "The clip is not in the registry, or none was named."),
    ("already-retired", [.usage], "The code was retired before."),
    ("nothing-to-pack", [.nothingFound], "No code of the place is issued."),
    ("no-walk", [.nothingFound], "There is no walk to report about."),
    (
      "malformed-routes", [.malformedInput],
      "A line of the file with the app's routes is not understood."
    ),
    ("missing-answer", [.noInput], "A saved answer of App Store Connect is missing."),
    (
      "unusable-key", [.badSetting],
      "The key cannot be used: no private key, of another kind, or with impossible identifiers."
    ),
    ("wrong-time-stamp", [.notAccepted], "The time stamp does not vouch for the checkpoint."),
    (
      "open-secret", [.badSetting],
      "A file with a key or a password may be read or changed by others than its owner."
    ),
    ("station-busy", [.unavailable], "The station's reader is used for another batch."),
    ("cannot-listen", [.unavailable], "The station's address or port cannot be listened on."),
    ("no-session", [.usage], "Whoever asked the station did not open its link."),
    ("foreign-host", [.usage], "The station was asked by a name that is not its own."),
    ("foreign-origin", [.usage], "A page of another site asked the station."),
    ("no-token", [.usage], "A request to the station lacked the secret of its page."),
    ("malformed-request", [.usage], "A request to the station is not as it has to be."),
    ("request-too-large", [.usage], "A request to the station is larger than is taken."),
    ("too-many", [.usage], "More is asked of the station at once than it serves."),
    ("phones-off", [.usage], "The station is reached from its own computer alone."),
    ("no-map", [.noInput], "No position of the walk is known."),
    ("cancelled", [.interrupted], "The work was stopped."),
    ("internal", [.defect], "A defect of cliptag: please report it with the command you ran."),
  ]
}

/// The names that a misspelled one was probably meant to be.
struct NearestNames {
  /// At most three, the nearest first; none when nothing is near.
  let names: [String]

  /// Names that contain what was typed, or that a few slips lead to.
  init(of typed: String, among candidates: [String]) {
    // A text that is much longer than any name is not a misspelled name.
    let typed = String(typed.lowercased().prefix(64))
    let allowance = max(1, typed.count / 3)
    var seen: Set<String> = []
    let near = candidates.filter { seen.insert($0).inserted }.compactMap { name in
      let slips = Self.distance(Array(typed.utf8), Array(name.utf8))
      let isPart = typed.count > 2 && (name.contains(typed) || typed.contains(name))
      return slips <= allowance || isPart ? (name: name, slips: slips) : nil
    }
    names = near.sorted { ($0.slips, $0.name) < ($1.slips, $1.name) }.prefix(3).map(\.name)
  }

  /// Letters to add, leave out or exchange (Levenshtein).
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var row = Array(0...right.count)
    for (i, a) in left.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, b) in right.enumerated() {
        let kept = diagonal + (a == b ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(kept, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[right.count]
  }
}
