/// The exit statuses of the command's contract, which each code of a failure names.
package enum ExitStatus: Int32, Sendable, CaseIterable {
  /// Done; every payload examined was accepted.
  case done = 0
  /// A payload was rejected or could not be decided, or issuing was refused.
  case notAccepted = 1
  /// No code in the picture, no tag before the time-out.
  case nothingFound = 2
  /// Wrong usage.
  case usage = 64
  /// An input's content is malformed.
  case malformedInput = 65
  /// An input does not exist or cannot be read.
  case noInput = 66
  /// A device or service is unavailable or busy.
  case unavailable = 69
  /// A defect of this program.
  case defect = 70
  /// An output cannot be created.
  case cannotCreate = 73
  /// The exchange with the tag failed.
  case exchangeFailed = 74
  /// The tag is locked or password-protected.
  case tagLocked = 77
  /// The registry or a setting is invalid.
  case badSetting = 78
  /// Ctrl-C, as shells report it. Another signal that stops a run adds its own number to 128: 143
  /// after SIGTERM.
  case interrupted = 130

  /// What the status says, for people.
  package var meaning: String {
    switch self {
    case .done: "Done; every payload examined was accepted."
    case .notAccepted:
      "A payload was rejected or could not be decided, or issuing was refused."
    case .nothingFound: "No result: no code in the picture, no tag before the time-out."
    case .usage: "Wrong usage."
    case .malformedInput: "An input's content is malformed."
    case .noInput: "An input does not exist or cannot be read."
    case .unavailable:
      "A required reader, camera, scanner, server or program is unavailable or busy."
    case .defect: "A defect of cliptag: please report it."
    case .cannotCreate: "An output cannot be created."
    case .exchangeFailed: "The exchange with the tag failed."
    case .tagLocked: "The tag is locked or protected by a password."
    case .badSetting: "The registry or a setting is invalid."
    case .interrupted:
      "Interrupted. For signals other than Ctrl-C, 128 plus its number: 143 for SIGTERM."
    }
  }

  /// How several inputs make one status.
  package static let ofSeveral =
    "With several inputs each one is processed; the first status of 64 and above decides, else 1, "
    + "else 2."

  /// The status of a run with several inputs: any trouble of 64 and above, the first met; else 1;
  /// else 2; else 0.
  package func joined(with later: ExitStatus) -> ExitStatus {
    if rawValue >= 64 { return self }
    if later.rawValue >= 64 { return later }
    if self == .notAccepted || later == .notAccepted { return .notAccepted }
    if self == .nothingFound || later == .nothingFound { return .nothingFound }
    return .done
  }
}
