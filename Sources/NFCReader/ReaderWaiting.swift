import Basics
import CNFC
import TagTypes

extension NFCReader {
  /// Pause between two looks for a tag, in which other calls to the reader get their turn.
  static let lookInterval = Duration.milliseconds(50)
  /// Time between two looks for tags that cannot be served.
  static let surveyInterval = Duration.seconds(1)
  /// Looks in a row on an ACR122U that fail as they do without a tag, after which it is opened anew.
  static let looksBeforeReopening = 100
  /// Looks in a row that may fail while the reader itself still answers.
  static let toleratedFailures = 5

  /// Waits until a tag is on the reader, and selects it.
  ///
  /// Of several tags in the field one is selected. A tag that an earlier wait returned is let go,
  /// and found again if it is still there.
  ///
  /// While no type A tag answers, the reader looks once a second, and at the end of the time-out,
  /// for FeliCa, NFC Type 1 and ISO/IEC 14443-4 type B. That takes a PN532 some 60 ms.
  ///
  /// Cancelling the task ends the wait with `.cancelled` at the next look: within the 5 to 20 ms
  /// that a look takes on a PN532, at most about 0.3 s on a slow reader and 3 s on one that has
  /// stopped answering.
  ///
  /// - Parameters:
  ///   - timeout: The longest time to wait, by the reader's clock; nil waits for ever. At zero the
  ///     reader looks once.
  ///   - told: A tag that cannot be served and that an earlier wait has told of: as long as it stays,
  ///     it does not end this one.
  /// - Throws: ``NFCReaderError``: `.noTag` when none came in time, `.readerBusy` when another program
  ///   held the tag until then, `.tagUnsupported` when nothing
  ///   but a tag of another technology answers, `.readerFailed` when the reader
  ///   stopped answering or is closed, `.cancelled` when the task was cancelled or another wait on
  ///   the same reader began.
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
    // A tag that is active misses the first request, a halted one all of them, until the field has
    // been off.
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
          ignored.map { "nothing but a \($0.technology) tag on \(connectionString)" }
            ?? "no tag on \(connectionString)",
          hint: device is PCSCDevice
            ? "hold the tag flat on the reader"
            : "hold the tag flat on the reader; Type 5 (ISO 15693) it cannot see")
      }
      await pause(Self.lookInterval, atMost: remaining)
    }
  }

  /// Waits until it is worth looking again: for so long, or until the system tells that something has
  /// happened. Cancellation ends it at once; whoever waits then reports that.
  private func pause(_ interval: Duration, atMost remaining: Duration) async {
    switch device?.changes {
    case .event(let presence, let state): await presence.change(from: state, atMost: remaining)
    case .asking, nil: try? await clock.sleep(for: min(remaining, interval))
    }
  }

  /// Throws when the wait with this number is over before it found what it waits for.
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

  /// One look for a type A tag, or for the one with this UID, halted or not.
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
        // It may have fallen out of step as well, which looks the same.
        if failures.withoutTag.isMultiple(of: Self.looksBeforeReopening), !reopen() {
          throw failed(error)
        }
        return nil
      }
      failures.last = error
      // Another program that holds the tag may be done with it before the time is over.
      if error == .pcsc(.sharingViolation) { return nil }
      failures.count += 1
      guard failures.count < Self.toleratedFailures else { throw failed(error) }
      return nil
    }
  }

  /// Looks for what cannot be served, to name it instead of waiting in vain.
  ///
  /// - Parameter ignored: What was told of already and is passed over; forgotten when it has gone.
  /// - Returns: A type A tag that has come in the meantime, or that is one and the other, as
  ///   telephones are.
  /// - Throws: `.tagUnsupported` when something else answers and is no type A tag.
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
      // Some PN532 do not know type B, and answer with an error frame.
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
    _ code: NFCReaderError.Code, _ message: String, hint: String? = nil,
    status: DeviceFailure? = nil
  ) -> NFCReaderError {
    NFCReaderError(
      code, message, hint: hint, connectionString: connectionString, status: status)
  }
}

/// Looks that failed, one after another, up to now.
struct Failures {
  var count = 0
  var last: DeviceFailure?
  /// Failures that an ACR122U reports when there is no tag.
  var withoutTag = 0
}

/// The time since now by a clock whose type is not known.
func stopwatch<C: Clock<Duration>>(_ clock: C) -> () -> Duration {
  let start = clock.now
  return { start.duration(to: clock.now) }
}

extension NFCReader {
  /// Pause between two looks at a tag that shall be taken away.
  static let removalInterval = Duration.milliseconds(100)
  /// Pause between the first look that does not find it and the one that has to confirm that: a
  /// tag that is being lifted may lose the field for an instant.
  static let confirmationInterval = Duration.milliseconds(20)

  /// Lets a tag go and waits until it has been taken away.
  ///
  /// The tag is halted, and asked for by its UID without being read, so that its NFC counter stays
  /// as it is. Afterwards it is no longer served, even when it is still there: wait for a tag
  /// again, which also switches the field, to work on.
  ///
  /// Cancelling the task ends the wait with `.cancelled` as in ``waitForTag(timeout:)``.
  ///
  /// - Parameters:
  ///   - tag: The tag that an earlier wait returned.
  ///   - timeout: The longest time to wait, by the reader's clock; nil waits for ever. At zero the
  ///     reader looks once, and once more when it did not find the tag.
  /// - Returns: Whether it is gone. Another tag in its place counts as that.
  /// - Throws: ``NFCReaderError``: `.readerFailed` when the reader stopped answering or is closed,
  ///   `.cancelled` when the task was cancelled or another wait on the same reader began.
  public func waitForRemoval(
    of tag: NFCTag, timeout: Duration? = nil
  ) async throws(NFCReaderError) -> Bool {
    let elapsed = stopwatch(clock)
    guard device != nil else { throw closedError }
    // Another wait has turned to another tag; that this one has gone is not known.
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

  /// Waits until a tag that cannot be served has been taken away, or one that can be served came beside it.
  ///
  /// - Parameters:
  ///   - foreign: The tag of an error of ``waitForTag(timeout:ignoring:)``.
  ///   - timeout: The longest time to wait, by the reader's clock.
  /// - Returns: Whether to wait for a tag again: `false` if only that one is still there.
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
        // Another tag of the kind in its place: the next wait names it.
        guard error.foreignTag != nil else { throw error }
        return true
      }
      let remaining = timeout - elapsed()
      guard remaining > .zero else { return false }
      await pause(Self.surveyInterval, atMost: remaining)
    }
  }

  /// Whether the tag answers; also true when the look failed, for then nothing is known.
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

  /// Halts whatever is selected, so that no search but one by its UID finds it.
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

/// A technology that the reader's chip can see and this program cannot serve.
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

  /// The tag that called itself so.
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

  /// What lies there, and why it is of no use.
  func message(_ identifier: [UInt8]) -> String {
    let kind =
      switch self {
      case .felica212, .felica424: "FeliCa tag (NFC Type 3"
      case .jewel: "Topaz or Jewel tag (NFC Type 1"
      case .typeB: "type B card (ISO/IEC 14443-4 B"
      }
    return "a \(kind), \(identifier.hexadecimal)) is on the reader, and cliptag knows only the "
      + "commands of NFC Type 2, Type 4 (of type A) and Type 5"
  }

  /// What to do about any of them.
  static let hint = "take it away, and use an NTAG213, NTAG215 or NTAG216"
}
