import AppClipCodes
import Basics
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
protocol FailureCode: ErrorCode {
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
    case .readerUnsupported: .unavailable
    case .cancelled: .interrupted
    default: .exchangeFailed
    }
  }
}

extension Type5ImageError.Code: FailureCode {
  var status: ExitStatus { .usage }
}

extension TagDumpError.Code: FailureCode {
  var status: ExitStatus { .malformedInput }
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

extension AppClipCodeError.Code: FailureCode {
  var status: ExitStatus { .malformedInput }
}

extension CodeDrawingError.Code: FailureCode {
  var status: ExitStatus {
    switch self {
    case .cannotEncode: .cannotCreate
    case .differentPayloads: .notAccepted
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
    case .wrongSignature, .brokenRecord, .forkedRecord, .untrustedRecord, .otherCheckpoint,
      .foreignWalk,
      .walkChanged:
      .notAccepted
    case .unreadableLog, .missing: .noInput
    case .unknownFormat, .invalid, .alreadyExists, .inUse, .unknownClip, .unknownPlace,
      .alreadyRetired, .rowNotFree:
      .usage
    case .batchChanged: .malformedInput
    case .notFound: .noInput
    case .locked, .unavailable, .unconfirmed: .unavailable
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
    case .malformedAnswer, .tooMuch, .unusablePicture: .malformedInput
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
    case .captionTooLong, .mappingDiffers, .appClipCodeConflict, .foreignBadge,
      .unusableCollection:
      .malformedInput
    case .malformedCalibration, .notRecorded: .badSetting
    default: .notAccepted
    }
  }

  var statuses: [ExitStatus] {
    self == .notRecorded ? [.unavailable, .cannotCreate, .badSetting] : [status]
  }
}

extension EntitlementsFileError.Code: FailureCode {
  var status: ExitStatus { .malformedInput }
}

extension SiteAssociationFileError.Code: FailureCode {
  var status: ExitStatus { .usage }
  var statuses: [ExitStatus] { [.usage, .malformedInput] }
}

/// An error of a library as the command tells it. Every public error of a library conforms, unless
/// another one or a finding stands for it.
protocol ReportedError: CodedError {
  /// The exit status that it leads to.
  var status: ExitStatus { get }
  /// What scripts want to know besides: `page`, `offset`, `uid`, `line`, `column`.
  var facts: [(String, JSONValue)] { get }
  /// What it is about.
  ///
  /// - Parameter given: What the command was told to work on.
  func reportedSource(_ given: String?) -> String?
  /// What was wrong and where, for people.
  ///
  /// - Parameter given: What the command was told to work on.
  func reportedMessage(_ given: String?) -> String
}

extension ReportedError {
  var facts: [(String, JSONValue)] { [] }
  func reportedSource(_ given: String?) -> String? { subject ?? given }
  func reportedMessage(_ given: String?) -> String { message }
}

extension ReportedError where Code: FailureCode {
  var status: ExitStatus { code.status }
}

extension AppClipCodeError: ReportedError {}
extension AppStoreConnectError: ReportedError {}
extension AuthenticityError: ReportedError {}
extension CodeDrawingError: ReportedError {}
extension EntitlementsFileError: ReportedError {}
extension LiveSourceError: ReportedError {}
extension NFCReaderError: ReportedError {}
extension PathTemplateError: ReportedError {}
extension PositionError: ReportedError {}
extension QRSymbolError: ReportedError {}
extension RegistryError: ReportedError {}
extension SimulatedReaderError: ReportedError {}
extension TagDumpError: ReportedError {}
extension TextError: ReportedError {}
extension Type5ImageError: ReportedError {}
extension WebPageError: ReportedError {}

extension InvocationURLError: ReportedError {
  var status: ExitStatus { .usage }
}

extension IssuingError: ReportedError {
  /// What kept the registry from taking the record says how this ends.
  var status: ExitStatus {
    let cause = code == .notRecorded ? underlying : nil
    return cause.map { Failure(describing: $0).status } ?? code.status
  }
}

extension PictureError: ReportedError {
  /// Results and failures call standard input what the command line calls it.
  func reportedSource(_ given: String?) -> String? {
    source == PictureLoader.standardInputName ? "-" : source
  }
}

extension SiteAssociationFileError: ReportedError {
  var status: ExitStatus { position == nil ? .usage : .malformedInput }
  var facts: [(String, JSONValue)] {
    position.map { [("line", .integer($0.line)), ("column", .integer($0.column))] } ?? []
  }
  /// With the place in the file that was to be kept.
  func reportedMessage(_ given: String?) -> String {
    (position.map { "\(given ?? "-"):\($0.line):\($0.column): " } ?? "") + message
  }
}

extension TagError: ReportedError {
  var facts: [(String, JSONValue)] {
    [
      ("page", JSONValue(page)), ("offset", JSONValue(offset)),
      ("uid", JSONValue(uid?.hexadecimal)),
    ]
  }
}

extension WebFetchError: ReportedError {
  func reportedSource(_ given: String?) -> String? { given ?? url }
}
