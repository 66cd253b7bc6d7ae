internal import TagTypes

extension NFCReader {
  /// Pause between two looks for a tag, in which other calls to the reader get their turn.
  static let lookInterval = Duration.milliseconds(50)
  /// Looks in a row that may fail while the reader itself still answers.
  static let toleratedFailures = 5

  /// Waits until a tag is on the reader, and selects it.
  ///
  /// Of several tags in the field one is selected. A tag that an earlier wait returned is let go,
  /// and found again if it is still there.
  ///
  /// Cancelling the task ends the wait with `.cancelled` at the next look: within the 5 to 20 ms
  /// that a look takes on a PN532, at most about 0.3 s on a slow reader and 3 s on one that has
  /// stopped answering.
  ///
  /// - Parameter timeout: The longest time to wait, by the reader's clock; nil waits for ever. At
  ///   zero the reader looks once.
  /// - Throws: ``NFCReaderError``: `.noTag` when none came in time, `.readerFailed` when the reader
  ///   stopped answering or is closed, `.cancelled` when the task was cancelled or another wait on
  ///   the same reader began.
  public func waitForTag(timeout: Duration? = nil) async throws(NFCReaderError) -> NFCTag {
    let elapsed = stopwatch(clock)
    let isFirst = selection == 0
    selection += 1
    isSelected = false
    let own = selection
    // A tag that is active misses the first request, a halted one all of them, until the field has
    // been off.
    if !isFirst { try resetField() }
    var failures = Failures()
    while true {
      if Task.isCancelled { throw failure(.cancelled, "the wait for a tag was cancelled") }
      guard own == selection else {
        throw failure(.cancelled, "another wait for a tag on the same reader took over")
      }
      if let target = try look(&failures) {
        isSelected = true
        return NFCTag(target: target, reader: self, selection: own)
      }
      let remaining = timeout.map { $0 - elapsed() } ?? Self.lookInterval
      guard remaining > .zero else {
        if let status = failures.last { throw failed(status) }
        throw failure(
          .noTag, "no tag on \(connectionString)", remedy: "hold the tag flat on the reader")
      }
      // Cancellation ends the sleep at once; the loop's head then reports it.
      try? await clock.sleep(for: min(remaining, Self.lookInterval))
    }
  }

  /// One look. A failure of the line counts as "no tag" as long as the reader recovers from it.
  private func look(_ failures: inout Failures) throws(NFCReaderError) -> TagTarget? {
    guard let device else { throw closedError }
    do {
      let target = try device.select()
      failures = Failures()
      return target
    } catch {
      try recover(after: error)
      // libnfc 1.8 reports an ACR122U without a tag as a failure of the line.
      if error == .inputOutput && device.reportsNoTagAsFailure { return nil }
      failures.last = error
      failures.count += 1
      guard failures.count < Self.toleratedFailures else { throw failed(error) }
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

  private func recover(after status: NFCStatus) throws(NFCReaderError) {
    guard let device else { throw closedError }
    do {
      try device.recover()
    } catch {
      throw failed(status)
    }
  }

  private var closedError: NFCReaderError { failure(.readerFailed, "the reader is closed") }

  private func failed(_ status: NFCStatus) -> NFCReaderError {
    failure(
      .readerFailed, "the reader \(connectionString) stopped working: \(status)",
      remedy: "plug it in again", status: status)
  }

  private func failure(
    _ code: NFCReaderError.Code, _ message: String, remedy: String? = nil, status: NFCStatus? = nil
  ) -> NFCReaderError {
    NFCReaderError(
      code, message, remedy: remedy, connectionString: connectionString, status: status)
  }
}

/// Looks that failed, one after another, up to now.
private struct Failures {
  var count = 0
  var last: NFCStatus?
}

/// The time since now by a clock whose type is not known.
private func stopwatch<C: Clock<Duration>>(_ clock: C) -> () -> Duration {
  let start = clock.now
  return { start.duration(to: clock.now) }
}
