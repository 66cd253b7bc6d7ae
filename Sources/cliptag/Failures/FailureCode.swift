import AppStoreConnect
import CodeDrawing
import CodeScanning
import Invocation
import Issuing
import NFCReader
import Pictures
import PositionSources
import QRSymbol
import Registry
import SimulatedReader
import TagAuthenticity
import TagTypes
import WebFetching
import WebPages

/// The kinds of one library's errors, and how the command ends with each.
///
/// The statuses stand here and nowhere else: failures take theirs from here, and so do
/// `cliptag explain`, the man pages and the list of codes.
protocol FailureCode: RawRepresentable<String>, Hashable, Sendable {
  init(rawValue: String)
  /// The exit status of a failure of this kind.
  var status: ExitStatus { get }
  /// Every exit status that a failure of this kind can have.
  var statuses: [ExitStatus] { get }
}

extension FailureCode {
  /// One status, unless a kind says otherwise.
  var statuses: [ExitStatus] { [status] }
}

extension TagError.Code: FailureCode {
  var status: ExitStatus {
    switch self {
    case .noTag: .nothingFound
    case .tagLocked, .tagPassword: .tagLocked
    case .dumpMismatch, .mirroredText: .notAccepted
    case .cancelled: .interrupted
    default: .exchangeFailed
    }
  }
}

extension Type5ImageError.Code: FailureCode {
  var status: ExitStatus { .usage }
}

extension NFCReaderError.Code: FailureCode {
  var status: ExitStatus {
    switch self {
    case .noTag: .nothingFound
    case .tagUnsupported: .exchangeFailed
    case .cancelled: .interrupted
    default: .unavailable
    }
  }
}

extension AuthenticityError.Code: FailureCode {
  var status: ExitStatus { .unavailable }
}

extension SimulatedReaderError.Code: FailureCode {
  var status: ExitStatus {
    switch self {
    case .malformedUID, .malformedFault, .malformedCommand, .memoryWithoutTag: .usage
    case .malformedMemory, .malformedDeck, .malformedScript: .malformedInput
    case .memoryUnreadable: .noInput
    case .memoryUnwritable, .noControlChannel: .cannotCreate
    default: .unavailable
    }
  }
}

extension PictureError.Code: FailureCode {
  var status: ExitStatus {
    switch self {
    case .notFound, .unreadable, .isDirectory: .noInput
    case .rendererMissing, .rendererFailed, .libraryMissing: .unavailable
    case .cannotEncode: .cannotCreate
    case .cancelled: .interrupted
    default: .malformedInput
    }
  }
}

extension LiveSourceError.Code: FailureCode {
  var status: ExitStatus { self == .malformedRecording ? .malformedInput : .unavailable }
}

extension PositionError.Code: FailureCode {
  var status: ExitStatus { self == .cancelled ? .interrupted : .unavailable }
}

extension QRSymbolError.Code: FailureCode {
  var status: ExitStatus { .malformedInput }
}

extension CodeDrawingError.Code: FailureCode {
  var status: ExitStatus {
    switch self {
    case .cannotEncode: .cannotCreate
    case .malformedStock: .malformedInput
    case .noStock: .noInput
    default: .usage
    }
  }
}

extension TextError.Code: FailureCode {
  var status: ExitStatus {
    switch self {
    case .fontMissing, .fontUnreadable, .missingGlyphs, .libraryMissing: .unavailable
    default: .usage
    }
  }
}

extension PathTemplateError.Code: FailureCode {
  var status: ExitStatus { .usage }
}

extension RegistryError.Code: FailureCode {
  var status: ExitStatus {
    switch self {
    case .invalidDocument, .malformedLog, .malformedCheckpoint: .malformedInput
    case .wrongSignature, .brokenRecord, .forkedRecord, .foreignWalk, .walkChanged: .notAccepted
    case .unreadableLog: .noInput
    case .unknownFormat, .invalid, .alreadyExists, .inUse, .unknownClip, .unknownPlace,
      .alreadyRetired, .rowNotFree:
      .usage
    case .batchChanged: .malformedInput
    case .notFound: .noInput
    case .locked: .unavailable
    case .diskFull: .cannotCreate
    default: .badSetting
    }
  }
}

extension WebFetchError.Code: FailureCode {
  var status: ExitStatus {
    switch self {
    case .invalidRequest, .notHTTPS: .usage
    case .authoritiesUnreadable: .noInput
    case .cancelled: .interrupted
    default: .unavailable
    }
  }
}

extension WebPageError.Code: FailureCode {
  var status: ExitStatus { .unavailable }
}

extension AppStoreConnectError.Code: FailureCode {
  var status: ExitStatus {
    switch self {
    case .unauthorized, .forbidden, .unusableKey: .badSetting
    case .notFound, .missingAnswer, .missingPicture: .noInput
    case .refused: .notAccepted
    case .malformedAnswer, .tooMuch: .malformedInput
    case .unknownTeam: .usage
    case .cancelled: .interrupted
    default: .unavailable
    }
  }
}

extension IssuingError.Code: FailureCode {
  /// Of what was not recorded the registry's failure decides, where there was one.
  var status: ExitStatus {
    switch self {
    case .cannotCreate: .cannotCreate
    case .malformedDump, .captionTooLong: .malformedInput
    case .malformedCalibration, .notRecorded: .badSetting
    default: .notAccepted
    }
  }

  var statuses: [ExitStatus] {
    self == .notRecorded ? [.unavailable, .cannotCreate, .badSetting] : [status]
  }
}

/// The exit statuses of the contract.
enum ExitStatus: Int32, Sendable, CaseIterable {
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

  /// What the status says, for people.
  var meaning: String {
    switch self {
    case .done: "Done; every payload examined was accepted."
    case .notAccepted:
      "A payload was rejected or could not be decided, or issuing was refused."
    case .nothingFound: "Nothing was found: no code in the picture, no tag before the time-out."
    case .usage: "Wrong usage."
    case .malformedInput: "An input's content is malformed."
    case .noInput: "An input does not exist or cannot be read."
    case .unavailable:
      "A reader, camera, scanner, server or program that is needed is unavailable or busy."
    case .defect: "A defect of cliptag: please report it."
    case .cannotCreate: "An output cannot be created."
    case .exchangeFailed: "The exchange with the tag failed."
    case .tagLocked: "The tag is locked or protected by a password."
    case .badSetting: "The registry or a setting is invalid."
    case .interrupted: "Interrupted."
    }
  }

  /// How several inputs make one status.
  static let ofSeveral =
    "With several inputs every one is handled; the first status of 64 and above decides, else 1, "
    + "else 2."

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
