import CliptagBasics

/// The status of a PC/SC function: 0 or a code.
///
/// An open set, with the names of winscard.h.
package struct PCSCStatus: RawRepresentable, Error, Hashable, Sendable {
  /// The code.
  package let rawValue: UInt32

  /// Makes a status from its code.
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Success (SCARD_S_SUCCESS).
  static let success = PCSCStatus(rawValue: 0)
  /// The wait was cancelled (SCARD_E_CANCELLED).
  static let cancelled = PCSCStatus(rawValue: 0x8010_0002)
  /// The response is longer than the buffer (SCARD_E_INSUFFICIENT_BUFFER).
  static let insufficientBuffer = PCSCStatus(rawValue: 0x8010_0008)
  /// There is no reader of that name (SCARD_E_UNKNOWN_READER).
  static let unknownReader = PCSCStatus(rawValue: 0x8010_0009)
  /// The time-out expired (SCARD_E_TIMEOUT).
  static let timedOut = PCSCStatus(rawValue: 0x8010_000A)
  /// Another program holds the card (SCARD_E_SHARING_VIOLATION).
  static let sharingViolation = PCSCStatus(rawValue: 0x8010_000B)
  /// There is no card (SCARD_E_NO_SMARTCARD).
  static let noCard = PCSCStatus(rawValue: 0x8010_000C)
  /// The card uses another protocol (SCARD_E_PROTO_MISMATCH).
  static let protocolMismatch = PCSCStatus(rawValue: 0x8010_000F)
  /// The reader could not pass the command on (SCARD_E_NOT_TRANSACTED).
  static let notTransacted = PCSCStatus(rawValue: 0x8010_0016)
  /// The reader is no longer available (SCARD_E_READER_UNAVAILABLE).
  static let readerUnavailable = PCSCStatus(rawValue: 0x8010_0017)
  /// The service is not running (SCARD_E_NO_SERVICE).
  static let noService = PCSCStatus(rawValue: 0x8010_001D)
  /// The service has ended (SCARD_E_SERVICE_STOPPED).
  static let serviceStopped = PCSCStatus(rawValue: 0x8010_001E)
  /// There is no reader (SCARD_E_NO_READERS_AVAILABLE).
  static let noReaders = PCSCStatus(rawValue: 0x8010_002E)
  /// The card does not answer after power-up (SCARD_W_UNRESPONSIVE_CARD).
  static let unresponsiveCard = PCSCStatus(rawValue: 0x8010_0066)
  /// The card has no power (SCARD_W_UNPOWERED_CARD).
  static let unpoweredCard = PCSCStatus(rawValue: 0x8010_0067)
  /// Another program has reset the card (SCARD_W_RESET_CARD).
  static let resetCard = PCSCStatus(rawValue: 0x8010_0068)
  /// The card was removed (SCARD_W_REMOVED_CARD).
  static let removedCard = PCSCStatus(rawValue: 0x8010_0069)
  /// This user may not use the service or the card (SCARD_W_SECURITY_VIOLATION). pcsc-lite's client
  /// returns it for a connection that was reset, too, also when a service ends during a request.
  static let securityViolation = PCSCStatus(rawValue: 0x8010_006A)

  /// A Boolean value that indicates whether the status means only that there is no tag.
  var saysNoTag: Bool {
    [.noCard, .removedCard, .unpoweredCard].contains(self)
  }

  /// A Boolean value that indicates whether the reader or the service is gone, so that the device
  /// must be reopened.
  var saysReaderGone: Bool {
    [
      .unknownReader, .readerUnavailable, .noService, .serviceStopped, .noReaders,
      // The context belonged to a service that has ended (SCARD_E_INVALID_HANDLE, F_COMM_ERROR).
      PCSCStatus(rawValue: 0x8010_0003), PCSCStatus(rawValue: 0x8010_0013), .securityViolation,
    ].contains(self)
  }

  /// Throws a code other than 0 as a status. No other code does this.
  static func check(_ code: UInt32) throws(DeviceFailure) {
    guard code == 0 else { throw .pcsc(PCSCStatus(rawValue: code)) }
  }
}

extension PCSCStatus: CustomStringConvertible {
  /// A description of the status, with the code in hexadecimal.
  package var description: String {
    "\(meaning) (PC/SC \(String(rawValue, radix: 16, uppercase: true)))"
  }

  private var meaning: String {
    switch self {
    case .success: "done"
    case .cancelled: "the wait was ended"
    case .insufficientBuffer: "the response is too long"
    case .unknownReader, .readerUnavailable: "the reader was removed"
    case .timedOut: "the reader or the smart card service did not respond in time"
    case .sharingViolation: "another program holds the tag"
    case .noCard: "no tag is present"
    case .protocolMismatch: "the tag uses another protocol"
    case .notTransacted: "the reader could not pass the command"
    case .noService: "the smart card service is not running"
    case .serviceStopped: "the smart card service has ended"
    case .noReaders: "no reader is present"
    case .unresponsiveCard: "the reader could not power up the tag"
    case .unpoweredCard: "the tag has no power"
    case .resetCard: "another program has reset the tag"
    case .removedCard: "the tag was removed"
    case .securityViolation:
      "the smart card service closed the connection: it has ended, or this user has no permission"
    default: "an unknown failure"
    }
  }
}
