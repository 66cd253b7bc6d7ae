internal import TagTypes

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
      try? await clock.sleep(for: min(remaining, Self.removalInterval))
      try checkTurn(own)
    }
  }

  /// Whether the tag answers; also true when the look failed, for then nothing is known.
  private func mayBeThere(
    _ tag: NFCTag, _ failures: inout Failures
  ) throws(NFCReaderError) -> Bool {
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
