/// The exit statuses of the contract.
enum ExitStatus: Int32, Sendable {
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
  /// Ctrl-C, as shells report it.
  case interrupted = 130

  /// The status of a run with several inputs: any trouble of 64 and above, the first met; else 1;
  /// else 2; else 0.
  func joined(with later: ExitStatus) -> ExitStatus {
    if rawValue >= 64 { return self }
    if later.rawValue >= 64 { return later }
    if self == .notAccepted || later == .notAccepted { return .notAccepted }
    if self == .nothingFound || later == .nothingFound { return .nothingFound }
    return .done
  }
}
