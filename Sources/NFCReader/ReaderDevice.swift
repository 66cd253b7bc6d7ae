internal import TagTypes

/// A reader of whatever kind, opened: what ``NFCReader`` needs of one.
///
/// Not Sendable: it lives inside its reader's actor, and every call blocks that actor's own queue.
/// Forgetting it closes it.
protocol ReaderDevice: AnyObject {
  /// Whether "no tag" comes as a failure of the line.
  var reportsNoTagAsFailure: Bool { get }
  /// Whether the reader may be closed and opened again when it has fallen out of step.
  var mayReopen: Bool { get }
  /// How it is learnt that a tag has come or gone.
  var changes: ReaderChanges { get }
  /// The most bytes of an answer that this reader carries for a tag.
  func maximumAnswerByteCount(for target: TagTarget) -> Int
  /// What the reader calls itself; nil when it does not say.
  func chip() -> String?

  /// Makes the reader look for tags.
  func prepare() throws(DeviceFailure)
  /// Switches the field.
  func setField(on: Bool) throws(DeviceFailure)
  /// Selects the tag with this UID, halted or not; without a UID any that is not halted. Afterwards
  /// nothing is open or authenticated on it.
  ///
  /// - Returns: The tag, or nil when none answers.
  func select(uid: [UInt8]) throws(DeviceFailure) -> TagTarget?
  /// Whether the tag that was selected last has been taken away since; nil when the reader has to look
  /// for it to know.
  func hasLeft() throws(DeviceFailure) -> Bool?
  /// Lets the tag go. That there is none is no failure.
  func deselect() throws(DeviceFailure)
  /// Looks once for a tag of another technology.
  ///
  /// - Returns: Its identifier; nil when none answers, or when the reader cannot do this.
  func find(_ technology: OtherTechnology) throws(DeviceFailure) -> [UInt8]?
  /// Sends one tag command.
  ///
  /// Before a command that may change a tag (``ExchangeRule/mayChangeTag``) the device knows that the
  /// selected tag is the one that hears it: whatever resets or selects in between (a reconnection, a
  /// session, a lapse of time) is followed by a comparison of the UID. A PN53x needs none, because a tag
  /// that came later is not selected and hears no command.
  ///
  /// - Returns: The answer, empty for an acknowledgement.
  /// - Throws: `.anotherTag` when that comparison fails; the command was not sent.
  func transceive(_ command: [UInt8], _ rule: ExchangeRule) throws(DeviceFailure) -> [UInt8]
  /// Brings the line back after an answer that came late, damaged or not at all.
  func recover() throws(DeviceFailure)
  /// Lets the tag go and frees the reader. Done once; later calls do nothing.
  func close()
}

extension ReaderDevice {
  func select() throws(DeviceFailure) -> TagTarget? { try select(uid: []) }
}

/// How a reader tells that a tag has come or gone.
enum ReaderChanges: Sendable {
  /// It has to be asked again and again.
  case asking
  /// The system tells it by an event, when the state is another than this.
  case event(PCSCPresence, since: PCSCState)
}

/// Why a reader did not do what it was asked.
package enum DeviceFailure: Error, Hashable, Sendable {
  /// What libnfc reported.
  case libnfc(NFCStatus)
  /// What the PC/SC service reported.
  case pcsc(PCSCStatus)
  /// The tag answered with a refusal, or not at all.
  case refused(String)
  /// The reader cannot carry this command to a tag; nothing was sent.
  case notCarried(String)
  /// Another tag answers than the selected one, or it cannot be shown that it is the same; nothing was
  /// sent to it that may change it.
  case anotherTag

  /// Whether the failure lies between the host and the reader, so that nothing is known of the tag.
  var isOfTheLine: Bool {
    switch self {
    case .libnfc(let status): status.isOfTheLine
    case .pcsc, .anotherTag: true
    case .refused, .notCarried: false
    }
  }

  /// Whether an answer may still be on its way.
  var mayAnswerLate: Bool { self == .libnfc(.timedOut) }
}

extension DeviceFailure: CustomStringConvertible {
  /// What happened, with the number that the library's own log shows.
  package var description: String {
    switch self {
    case .libnfc(.radioTransmission): "the tag answered with a NAK or not at all"
    case .libnfc(let status): "\(status)"
    case .pcsc(let status): "\(status)"
    case .refused(let reason), .notCarried(let reason): reason
    case .anotherTag: "it cannot be shown that the tag is still the same"
    }
  }
}
