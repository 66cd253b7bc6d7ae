internal import CNFC

/// The status of a libnfc function: 0 or a negative code.
///
/// An open set: a newer libnfc may report codes that are not named here.
package struct NFCStatus: RawRepresentable, Error, Hashable, Sendable {
  /// The integer that libnfc returned.
  package let rawValue: Int32

  /// Makes a status from libnfc's integer.
  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// Success. The C name is `NFC_SUCCESS`.
  package static let success = NFCStatus(rawValue: NFC_SUCCESS)
  /// The line to the reader failed, or the reader answered with an error frame. The C name is
  /// `NFC_EIO`.
  package static let inputOutput = NFCStatus(rawValue: NFC_EIO)
  /// An argument was invalid, or no tag is selected. The C name is `NFC_EINVARG`.
  package static let invalidArgument = NFCStatus(rawValue: NFC_EINVARG)
  /// The reader does not support the operation. The C name is `NFC_EDEVNOTSUPP`.
  package static let notSupported = NFCStatus(rawValue: NFC_EDEVNOTSUPP)
  /// There is no such reader. The C name is `NFC_ENOTSUCHDEV`.
  package static let noSuchDevice = NFCStatus(rawValue: NFC_ENOTSUCHDEV)
  /// The response is longer than the buffer. The C name is `NFC_EOVFLOW`.
  package static let overflow = NFCStatus(rawValue: NFC_EOVFLOW)
  /// The reader did not answer in time. The C name is `NFC_ETIMEOUT`.
  package static let timedOut = NFCStatus(rawValue: NFC_ETIMEOUT)
  /// The command was aborted. The C name is `NFC_EOPABORTED`.
  package static let aborted = NFCStatus(rawValue: NFC_EOPABORTED)
  /// libnfc does not implement the operation. The C name is `NFC_ENOTIMPL`.
  package static let notImplemented = NFCStatus(rawValue: NFC_ENOTIMPL)
  /// The tag released the connection. The C name is `NFC_ETGRELEASED`.
  package static let targetReleased = NFCStatus(rawValue: NFC_ETGRELEASED)
  /// The radio exchange failed: the tag answered with a NAK, a damaged response, or not at all. The
  /// C name is `NFC_ERFTRANS`.
  package static let radioTransmission = NFCStatus(rawValue: NFC_ERFTRANS)
  /// MIFARE Classic authentication failed. The C name is `NFC_EMFCAUTHFAIL`.
  package static let authenticationFailed = NFCStatus(rawValue: NFC_EMFCAUTHFAIL)
  /// libnfc ran out of memory, files or pipes. The C name is `NFC_ESOFT`.
  package static let software = NFCStatus(rawValue: NFC_ESOFT)
  /// The chip in the reader reported a fault. The C name is `NFC_ECHIP`.
  package static let chip = NFCStatus(rawValue: NFC_ECHIP)
}

extension NFCStatus: CustomStringConvertible {
  /// A description of the status, with the number that libnfc's log shows.
  package var description: String { "\(meaning) (libnfc \(rawValue))" }

  private var meaning: String {
    switch self {
    case .success: "done"
    case .inputOutput: "the connection to the reader failed"
    case .invalidArgument: "the reader did not accept the command"
    case .notSupported: "the reader does not support this"
    case .noSuchDevice: "the reader does not exist"
    case .overflow: "the response is too long"
    case .timedOut: "the reader did not respond in time"
    case .aborted: "the command was aborted"
    case .notImplemented: "libnfc does not support this"
    case .targetReleased: "the tag was released"
    case .radioTransmission: "the tag sent an invalid response"
    case .authenticationFailed: "authentication failed"
    case .software: "libnfc ran out of resources"
    case .chip: "the reader's chip reported a fault"
    default: "an unknown failure"
    }
  }
}

extension NFCStatus {
  /// A Boolean value that indicates whether the failure lies between the host and the reader, so
  /// that the state of the tag is unknown.
  var isOfTheLine: Bool {
    [.inputOutput, .timedOut, .noSuchDevice, .software, .aborted].contains(self)
  }

  /// Throws a negative libnfc result as a status. No other code interprets that convention.
  ///
  /// - Returns: The result if it is 0 or more; libnfc returns counts.
  static func check(_ result: Int32) throws(NFCStatus) -> Int {
    guard result >= 0 else { throw NFCStatus(rawValue: result) }
    return Int(result)
  }
}
