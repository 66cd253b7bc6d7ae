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

/// The kinds of one library's errors: what each means, and how the command ends with it.
///
/// The statuses stand here and nowhere else: failures take theirs from here, and so do
/// `cliptag explain`, the man pages and the list of codes.
protocol FailureCode: RawRepresentable<String>, Hashable, Sendable {
  /// Every kind with its meaning in one sentence.
  static var meanings: [(code: Self, text: String)] { get }
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
