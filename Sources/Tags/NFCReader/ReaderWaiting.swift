import CliptagBasics
import CNFC
import TagTypes

extension NFCReader {
  /// The pause between two searches for a tag, in which other calls to the reader run.
  static let lookInterval = Duration.milliseconds(50)
  /// The time between two searches for unsupported tags.
  static let surveyInterval = Duration.seconds(1)
  /// The number of consecutive searches on an ACR122U that fail as without a tag, after which it is
  /// reopened.
  static let looksBeforeReopening = 100
  /// The number of consecutive searches that may fail while the reader itself still answers.
  static let toleratedFailures = 5

  /// Waits until a tag is on the reader, and selects it.
  ///
  /// Of several tags in the field, one is selected. A tag that an earlier wait returned is
  /// released, and found again if it is still present.
  ///
  /// While no type A tag answers, the reader searches once a second, and at the end of the
  /// time-out, for FeliCa, NFC Type 1 and ISO/IEC 14443-4 type B. That takes a PN532 some 60 ms.
  ///
  /// Cancelling the task ends the wait with `.cancelled` at the next search: within the 5 to 20 ms
  /// that a search takes on a PN532, at most about 0.3 s on a slow reader and 3 s on one that has
  /// stopped answering.
  ///
  /// - Parameters:
  ///   - timeout: The longest time to wait, by the reader's clock; `nil` waits indefinitely. At
  ///     zero the reader searches once.
  ///   - told: An unsupported tag that an earlier wait has reported: while it stays, it does not
  ///     end this wait.
  /// - Throws: ``NFCReaderError``: `.noTag` if none arrived in time, `.readerBusy` if another
  ///   program held the tag until then, `.tagUnsupported` if only a tag of another technology
  ///   answers, `.readerFailed` if the reader stopped answering or is closed, `.cancelled` if the
  ///   task was cancelled or another wait on the same reader began.
  public func waitForTag(
    timeout: Duration? = nil, ignoring told: ForeignTag? = nil
  ) async throws(NFCReaderError) -> NFCTag {
    limit.isHurried = false
    return try await hurriedByCancellation { () async throws(NFCReaderError) -> NFCTag in
      try await nextTag(timeout: timeout, ignoring: told)
    }
  }

  private func nextTag(
    timeout: Duration?, ignoring told: ForeignTag?
  ) async throws(NFCReaderError) -> NFCTag {
    let elapsed = stopwatch(clock)
    let isFirst = selection == 0
    selection += 1
    isSelected = false
    let own = selection
    // An active tag misses the first request, a halted one all of them, until the field has been
    // off.
    if !isFirst { try resetField() }
    var failures = Failures()
    var nextSurvey = Self.surveyInterval
    var ignored = told
    while true {
      try checkTurn(own)
      if let target = try look(&failures) { return selected(target) }
      let now = elapsed()
      let remaining = timeout.map { $0 - now } ?? Self.lookInterval
      if now >= nextSurvey || remaining <= .zero {
        nextSurvey = now + Self.surveyInterval
        if let target = try survey(&failures, ignoring: &ignored) { return selected(target) }
      }
      guard remaining > .zero else {
        if let status = failures.last { throw failed(status) }
        throw failure(
          .noTag,
          ignored.map { "only a \($0.technology) tag on \(connectionString)" }
            ?? "no tag on \(connectionString)",
          hint: device is PCSCDevice
            ? "hold the tag flat on the reader"
            : "hold the tag flat on the reader; it does not support Type 5 (ISO 15693)")
      }
      await pause(Self.lookInterval, atMost: remaining)
    }
  }

  /// Waits before the next search: for `interval`, or until the system reports an event.
  /// Cancellation ends the pause at once; the caller then reports it.
  private func pause(_ interval: Duration, atMost remaining: Duration) async {
    switch device?.changes {
    case .event(let presence, let state): await presence.change(from: state, atMost: remaining)
    case .asking, nil: try? await clock.sleep(for: min(remaining, interval))
    }
  }

  /// Throws if the wait with this number has ended without a result.
  func checkTurn(_ own: Int) throws(NFCReaderError) {
    if Task.isCancelled { throw failure(.cancelled, "the wait for a tag was cancelled") }
    guard own == selection else {
      throw failure(.cancelled, "another wait for a tag on the same reader took over")
    }
  }

  private func selected(_ target: TagTarget) -> NFCTag {
    isSelected = true
    return NFCTag(
      target: target, reader: self, selection: selection,
      maximumAnswerByteCount: device?.maximumAnswerByteCount(for: target) ?? 60)
  }

  /// Searches once for a type A tag, or for the one with this UID, halted or not.
  ///
  /// A failure of the line counts as "no tag" as long as the reader recovers from it.
  func look(uid: [UInt8] = [], _ failures: inout Failures) throws(NFCReaderError) -> TagTarget? {
    guard let device else { throw closedError }
    do {
      let target = try device.select(uid: uid)
      failures = Failures()
      return target
    } catch {
      try recover(after: error)
      // libnfc 1.8 reports an ACR122U without a tag as a failure of the line.
      if error == .libnfc(.inputOutput) && device.reportsNoTagAsFailure {
        failures.last = nil
        failures.count = 0
        failures.withoutTag += 1
        // A loss of synchronisation has the same symptom.
        if failures.withoutTag.isMultiple(of: Self.looksBeforeReopening), !reopen() {
          throw failed(error)
        }
        return nil
      }
      failures.last = error
      // Another program may release the tag before the time-out.
      if error == .pcsc(.sharingViolation) { return nil }
      failures.count += 1
      guard failures.count < Self.toleratedFailures else { throw failed(error) }
      return nil
    }
  }

  /// Searches for unsupported tags, to report them instead of waiting in vain.
  ///
  /// - Parameter ignored: The tag that was already reported and is ignored; cleared when it has
  ///   left.
  /// - Returns: A type A tag that has arrived in the meantime, or that supports both technologies,
  ///   as telephones do.
  /// - Throws: `.tagUnsupported` if another technology answers and no type A tag does.
  private func survey(
    _ failures: inout Failures, ignoring ignored: inout ForeignTag?
  ) throws(NFCReaderError) -> TagTarget? {
    var isStillThere = false
    for technology in OtherTechnology.allCases where !unsupported.contains(technology) {
      guard let identifier = try find(technology) else { continue }
      if let target = try look(&failures) { return target }
      let found = technology.tag(identifier)
      if ignored?.mayBe(found) == true {
        isStillThere = true
        continue
      }
      throw NFCReaderError(
        .tagUnsupported, technology.message(identifier), hint: OtherTechnology.hint,
        connectionString: connectionString, foreignTag: found)
    }
    if !isStillThere { ignored = nil }
    return nil
  }

  private func find(_ technology: OtherTechnology) throws(NFCReaderError) -> [UInt8]? {
    guard let device else { throw closedError }
    do {
      return try device.find(technology)
    } catch {
      // Some PN532 do not support type B, and answer with an error frame.
      try recover(after: error)
      if !device.reportsNoTagAsFailure { unsupported.insert(technology) }
      return nil
    }
  }

  private func resetField() throws(NFCReaderError) {
    guard let device else { throw closedError }
    do {
      try device.setField(on: false)
      try device.setField(on: true)
    } catch {
      try recover(after: error)
    }
  }

  func recover(after status: DeviceFailure) throws(NFCReaderError) {
    guard let device else { throw closedError }
    do {
      try device.recover()
    } catch {
      guard reopen() else { throw failed(status) }
    }
  }

  var closedError: NFCReaderError { failure(.readerFailed, "the reader is closed") }

  func failed(_ status: DeviceFailure) -> NFCReaderError {
    if Task.isCancelled, status == .pcsc(.timedOut) {
      return failure(.cancelled, "the wait for a tag was cancelled", status: status)
    }
    if status == .pcsc(.sharingViolation), let origin {
      return failure(
        .readerBusy, origin.system.heldTag(on: connectionString),
        hint: PCSCReaders.helpAgainstHolder, status: status)
    }
    return failure(
      .readerFailed, "the reader \(connectionString) stopped working: \(status)",
      hint: status == .pcsc(.timedOut) ? PCSCReaders.helpForSilence : "plug it in again",
      status: status)
  }

  func failure(
    _ code: NFCReaderError.Code, _ message: String, hint: Hint? = nil,
    status: DeviceFailure? = nil
  ) -> NFCReaderError {
    NFCReaderError(
      code, message, hint: hint, connectionString: connectionString, status: status)
  }
}

/// Consecutive failed searches.
struct Failures {
  var count = 0
  var last: DeviceFailure?
  /// The number of failures that an ACR122U reports when there is no tag.
  var withoutTag = 0
}

/// Starts a stopwatch on a clock of unknown type.
func stopwatch<C: Clock<Duration>>(_ clock: C) -> () -> Duration {
  let start = clock.now
  return { start.duration(to: clock.now) }
}

extension NFCReader {
  /// The pause between two searches for a tag that will be removed.
  static let removalInterval = Duration.milliseconds(100)
  /// The pause between the first search that does not find the tag and the one that confirms it: a
  /// tag that is being lifted may lose the field for an instant.
  static let confirmationInterval = Duration.milliseconds(20)

  /// Releases a tag and waits until it has been removed.
  ///
  /// The tag is halted, and searched by its UID without being read, so that its NFC counter does
  /// not change. Afterwards it is no longer usable, even if it is still present: to continue, wait
  /// for a tag again, which also resets the field.
  ///
  /// Cancelling the task ends the wait with `.cancelled` as in ``waitForTag(timeout:ignoring:)``.
  ///
  /// - Parameters:
  ///   - tag: The tag that an earlier wait returned.
  ///   - timeout: The longest time to wait, by the reader's clock; `nil` waits indefinitely. At
  ///     zero the reader searches once, and once more if it did not find the tag.
  /// - Returns: `true` if it is gone, also if another tag has replaced it.
  /// - Throws: ``NFCReaderError``: `.readerFailed` if the reader stopped answering or is closed,
  ///   `.cancelled` if the task was cancelled or another wait on the same reader began.
  public func waitForRemoval(
    of tag: NFCTag, timeout: Duration? = nil
  ) async throws(NFCReaderError) -> Bool {
    let elapsed = stopwatch(clock)
    guard device != nil else { throw closedError }
    // Another wait has selected another tag; whether this one has left is unknown.
    guard tag.selection == selection else {
      throw failure(.cancelled, "another wait for a tag on the same reader took over")
    }
    selection += 1
    let own = selection
    var failures = Failures()
    while true {
      try release()
      let remaining = timeout.map { $0 - elapsed() } ?? Self.removalInterval
      if try !mayBeThere(tag, &failures) {
        try? await clock.sleep(for: Self.confirmationInterval)
        try checkTurn(own)
        if try !mayBeThere(tag, &failures) { return true }
      }
      guard remaining > .zero else {
        try release()
        if let status = failures.last { throw failed(status) }
        return false
      }
      await pause(Self.removalInterval, atMost: remaining)
      try checkTurn(own)
    }
  }

  /// Waits until an unsupported tag has been removed, or a supported one has arrived beside it.
  ///
  /// - Parameters:
  ///   - foreign: The tag of an error of ``waitForTag(timeout:ignoring:)``.
  ///   - timeout: The longest time to wait, by the reader's clock.
  /// - Returns: `true` if a new wait for a tag is useful, `false` if only that tag is still there.
  /// - Throws: As ``waitForRemoval(of:timeout:)-(NFCTag,_)``.
  public func waitForRemoval(
    of foreign: ForeignTag, timeout: Duration
  ) async throws(NFCReaderError) -> Bool {
    let elapsed = stopwatch(clock)
    selection += 1
    isSelected = false
    let own = selection
    var failures = Failures()
    var ignored: ForeignTag? = foreign
    while true {
      try checkTurn(own)
      do {
        if try look(&failures) != nil { return true }
        if try survey(&failures, ignoring: &ignored) != nil || ignored == nil { return true }
      } catch {
        // Another tag of the same technology has replaced it: the next wait reports it.
        guard error.foreignTag != nil else { throw error }
        return true
      }
      let remaining = timeout - elapsed()
      guard remaining > .zero else { return false }
      await pause(Self.surveyInterval, atMost: remaining)
    }
  }

  /// Returns `true` if the tag answers, and also if the search failed, which shows nothing.
  private func mayBeThere(
    _ tag: NFCTag, _ failures: inout Failures
  ) throws(NFCReaderError) -> Bool {
    guard let device else { throw closedError }
    do throws(DeviceFailure) {
      if let hasLeft = try device.hasLeft() { return !hasLeft }
    } catch {
      throw failed(error)
    }
    let found = try look(uid: tag.target.uid, &failures)
    return found?.uid == tag.target.uid || failures.last != nil
  }

  /// Halts any selected tag, so that only a search by its UID finds it.
  private func release() throws(NFCReaderError) {
    isSelected = false
    guard let device else { throw closedError }
    do {
      try device.deselect()
    } catch {
      try recover(after: error)
    }
  }
}

/// A technology that the reader's chip detects and this program does not support.
enum OtherTechnology: CaseIterable {
  case felica212, felica424, jewel, typeB

  var modulation: nfc_modulation_type {
    switch self {
    case .felica212, .felica424: NMT_FELICA
    case .jewel: NMT_JEWEL
    case .typeB: NMT_ISO14443B
    }
  }

  var baud: nfc_baud_rate {
    switch self {
    case .felica212: NBR_212
    case .felica424: NBR_424
    case .jewel, .typeB: NBR_106
    }
  }

  /// The tag with this identifier.
  func tag(_ identifier: [UInt8]) -> ForeignTag {
    let name =
      switch self {
      case .felica212, .felica424: "FeliCa"
      case .jewel: "Jewel"
      case .typeB: "type B"
      }
    return ForeignTag(
      technology: name, identifier: identifier, isIdentifierRandom: self == .typeB)
  }

  /// A description of the tag, and the reason why it is not supported.
  func message(_ identifier: [UInt8]) -> String {
    let kind =
      switch self {
      case .felica212, .felica424: "FeliCa tag (NFC Type 3"
      case .jewel: "Topaz or Jewel tag (NFC Type 1"
      case .typeB: "type B card (ISO/IEC 14443-4 B"
      }
    return "a \(kind), \(identifier.hexadecimal)) is on the reader, and cliptag supports only the "
      + "commands of NFC Type 2, Type 4 (of type A) and Type 5"
  }

  /// The remedy for all of them.
  static let hint: Hint = "remove it, and use an NTAG213, NTAG215 or NTAG216"
}
