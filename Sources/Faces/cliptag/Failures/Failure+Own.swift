import CliptagBasics

extension Failure {
  /// The kinds of failure that only the command knows, and those that it reports in place of a
  /// library: with every exit status and what it means.
  static let own: [(code: String, statuses: [ExitStatus], meaning: String)] = [
    ("usage", [.usage], "The arguments of the command are invalid."),
    ("unknown-code", [.usage], "The code is not that of a finding or failure."),
    ("unknown-format", [.usage], "The file's extension is not that of a supported format."),
    ("no-input", [.noInput], "The file does not exist or cannot be read."),
    ("input-too-large", [.malformedInput], "The file exceeds the size limit."),
    ("not-utf8", [.malformedInput], "A line of the input is not UTF-8 text."),
    ("cannot-create", [.cannotCreate], "An output cannot be created."),
    ("no-code", [.nothingFound], "No code was found."),
    ("no-pictures", [.nothingFound], "The given files and folders contain no picture."),
    ("not-a-picture", [.malformedInput], "The card's picture is neither PNG nor JPEG."),
    ("no-card", [.notAccepted], "A phone shows no card for the URL, so none was drawn."),
    ("unreadable-scan", [.malformedInput], "The scanner's input is not a valid code."),
    ("no-reader", [.unavailable], "No NFC reader was found."),
    (
      "nothing-recorded", [.nothingFound],
      "The recorded command opened no reader, so there is no recording."
    ),
    ("lock-refused", [.notAccepted], "The tag's content was not accepted, so it was not locked."),
    (
      "malformed-password", [.malformedInput, .badSetting],
      "The password is not valid (78: in the environment)."
    ),
    ("no-terminal", [.usage], "The password prompt needs a terminal."),
    ("not-confirmed", [.usage], "A confirmation is required, and `--yes` was not given."),
    (
      "uid-differs", [.usage], "The given UID is not that of the tag."
    ),
    ("malformed-uid", [.usage], "The UID is not seven bytes in hexadecimal."),
    ("malformed-csv", [.malformedInput], "The CSV file has errors, each with its line."),
    ("unknown-column", [.usage], "The CSV file has no column of this name."),
    ("unknown-printer", [.usage], "No calibration is stored for the printer."),
    ("no-print-system", [.unavailable], "CUPS is not installed, or does not answer."),
    ("unknown-queue", [.usage], "CUPS has no printer of this name."),
    (
      "queue-refused", [.unavailable],
      "A printer did not take a file, which is complete and recorded."
    ),
    ("no-template", [.nothingFound], "No label stock matches the words."),
    ("not-found", [.noInput], "The registry has no item of this name."),
    ("unknown-clip", [.usage], "The clip is not in the registry, or none was given."),
    ("already-retired", [.usage], "The code is already retired."),
    ("nothing-to-pack", [.nothingFound], "No code of the place was issued."),
    ("no-walk", [.nothingFound], "The registry has no walk to report."),
    (
      "notification-failed", [.unavailable],
      "The command that takes findings over failed, or took too long."
    ),
    (
      "malformed-routes", [.malformedInput],
      "A line of the file with the app's routes is not valid."
    ),
    ("missing-answer", [.noInput], "A saved response of App Store Connect is missing."),
    ("invalid-settings", [.badSetting], "A file of settings, or a value in it, is not valid."),
    (
      "unusable-key", [.badSetting],
      "The key is not a usable private key, or its identifiers are not valid."
    ),
    ("wrong-time-stamp", [.notAccepted], "The time stamp does not match the checkpoint."),
    (
      "open-secret", [.badSetting],
      "A file with a key or a password is accessible to users other than its owner."
    ),
    ("station-busy", [.unavailable], "The station's reader is used for another batch."),
    ("cannot-listen", [.unavailable], "The station cannot listen on the address or port."),
    ("no-session", [.usage], "The request comes from a browser without a session."),
    ("foreign-host", [.usage], "The request has a host name that is not the station's."),
    ("foreign-origin", [.usage], "The request is from another site."),
    ("no-token", [.usage], "The request lacks the secret of the station's page."),
    ("malformed-request", [.usage], "The request is malformed."),
    ("request-too-large", [.usage], "The request exceeds the size limit."),
    ("too-many", [.usage], "The station has too many requests at once."),
    ("phones-off", [.usage], "The station is reachable from its own computer only."),
    ("no-map", [.noInput], "The walk has no position."),
    ("cancelled", [.interrupted], "The operation was stopped."),
    ("internal", [.defect], "A defect of cliptag: please report it with the command you ran."),
  ]
}
