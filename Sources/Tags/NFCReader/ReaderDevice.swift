import CliptagBasics
internal import TagTypes

/// An open reader of any type, with the operations that ``NFCReader`` needs.
///
/// Not Sendable: it belongs to its reader's actor, and every call blocks that actor's queue.
/// Releasing it closes it.
protocol ReaderDevice: AnyObject {
  /// A Boolean value that indicates whether "no tag" is reported as a failure of the line.
  var reportsNoTagAsFailure: Bool { get }
  /// A Boolean value that indicates whether the reader may be closed and reopened after it has lost
  /// synchronisation.
  var mayReopen: Bool { get }
  /// The method of detecting that a tag has arrived or left.
  var changes: ReaderChanges { get }
  /// The maximum length in bytes of a response that this reader carries for a tag.
  func maximumAnswerByteCount(for target: TagTarget) -> Int
  /// The reader's own name; `nil` if it reports none.
  func chip() -> String?

  /// Prepares the reader to look for tags.
  func prepare() throws(DeviceFailure)
  /// Switches the field.
  func setField(on: Bool) throws(DeviceFailure)
  /// Selects the tag with this UID, halted or not; without a UID, any tag that is not halted.
  /// Afterwards nothing is open or authenticated on it.
  ///
  /// - Returns: The tag, or `nil` if none answers.
  func select(uid: [UInt8]) throws(DeviceFailure) -> TagTarget?
  /// Returns `true` if the last selected tag has been removed since; `nil` if only a search for the
  /// tag can show this.
  func hasLeft() throws(DeviceFailure) -> Bool?
  /// Releases the tag. The absence of a tag is not an error.
  func deselect() throws(DeviceFailure)
  /// Looks once for a tag of another technology.
  ///
  /// - Returns: Its identifier; `nil` if none answers, or if the reader does not support the
  ///   technology.
  func find(_ technology: OtherTechnology) throws(DeviceFailure) -> [UInt8]?
  /// Sends one tag command.
  ///
  /// Before a command that may change a tag (``ExchangeRule/mayChangeTag``), the device ensures
  /// that the selected tag receives it: it compares the UID after anything that may reset or select
  /// a tag (a reconnection, a session, an idle time). A PN53x needs no comparison, because a tag
  /// that arrived later is not selected and receives no command.
  ///
  /// - Returns: The response, empty for an acknowledgement.
  /// - Throws: `.anotherTag` if that comparison fails; the command was not sent.
  func transceive(_ command: [UInt8], _ rule: ExchangeRule) throws(DeviceFailure) -> [UInt8]
  /// Restores the line after a late, damaged or missing response.
  func recover() throws(DeviceFailure)
  /// Releases the tag and frees the reader. Later calls have no effect.
  func close()
}

extension ReaderDevice {
  func select() throws(DeviceFailure) -> TagTarget? { try select(uid: []) }
}

/// The method with which a reader detects that a tag has arrived or left.
enum ReaderChanges: Sendable {
  /// The reader is polled.
  case asking
  /// The system reports an event when the state differs from this one.
  case event(PCSCPresence, since: PCSCState)
}

/// The reason why a reader did not execute a request.
package enum DeviceFailure: Error, Hashable, Sendable {
  /// A status reported by libnfc.
  case libnfc(NFCStatus)
  /// A status reported by the PC/SC service.
  case pcsc(PCSCStatus)
  /// The tag refused, or did not answer.
  case refused(String)
  /// The tag of ISO/IEC 15693 answered with this error.
  case refusedWith(UInt8)
  /// The reader cannot carry this command to a tag; nothing was sent.
  case notCarried(String)
  /// Another tag than the selected one answers, or the tag's identity cannot be shown; no command
  /// that may change it was sent.
  case anotherTag

  /// A Boolean value that indicates whether the failure lies between the host and the reader, so
  /// that the state of the tag is unknown.
  var isOfTheLine: Bool {
    switch self {
    case .libnfc(let status): status.isOfTheLine
    case .pcsc, .anotherTag: true
    case .refused, .refusedWith, .notCarried: false
    }
  }

  /// A Boolean value that indicates whether a response may still arrive.
  var mayAnswerLate: Bool { self == .libnfc(.timedOut) }
}

extension DeviceFailure: CustomStringConvertible {
  /// A description of the failure, with the number that the library's log shows.
  package var description: String {
    switch self {
    case .libnfc(.radioTransmission): "the tag responded with a NAK or not at all"
    case .libnfc(let status): "\(status)"
    case .pcsc(let status): "\(status)"
    case .refused(let reason), .notCarried(let reason): reason
    case .refusedWith(let code): "the tag returned error \([code].hexadecimal)"
    case .anotherTag: "the identity of the tag cannot be verified"
    }
  }
}
