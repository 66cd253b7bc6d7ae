package import Foundation

/// The last counters of tags that make Secure Unique NFC messages.
extension RegistryTransaction {
  /// Every tag's last counter, by UID.
  package borrowing func tagCounters() throws(RegistryError) -> [TagCounter] {
    try records.tagCounters()
  }

  /// What a counter is compared with the last one of its tag. Nothing is changed.
  ///
  /// - Parameters:
  ///   - counter: What a message of the tag showed.
  ///   - uid: The tag's UID in hexadecimal of any case.
  package borrowing func compareCounter(
    ofTag uid: String, with counter: Int
  ) throws(RegistryError) -> CounterAnswer {
    let last = try records.tagCounter(uid: uid.uppercased())
    if let last, counter <= last.counter { return .replayed(last: last) }
    return .new(last: last)
  }

  /// Keeps a counter when it is higher than the last one of its tag.
  ///
  /// Comparing and keeping are one step of the transaction: of several processes that bring the same
  /// message, exactly one is told that it is new.
  ///
  /// - Parameters:
  ///   - uid: The tag's UID in hexadecimal of any case.
  ///   - counter: The counter, 0 to 16,777,215.
  ///   - time: Now.
  /// - Throws: ``RegistryError/Code/invalid`` for a counter that no tag shows.
  package borrowing func advanceCounter(
    ofTag uid: String, to counter: Int, at time: Date
  ) throws(RegistryError) -> CounterAnswer {
    let records = try changeable()
    guard TagCounter.range.contains(counter) else {
      throw RegistryError(
        .invalid, "A tag's counter is 0 to \(TagCounter.range.upperBound), not \(counter).",
        hint: "Take the counter from a message that verified.")
    }
    let answer = try compareCounter(ofTag: uid, with: counter)
    if case .new = answer {
      try records.store(TagCounter(uid: uid, counter: counter, seen: time))
    }
    return answer
  }

  /// Forgets a tag's counter, for a tag that was set up again and counts from 0.
  ///
  /// Every message that the tag made since then verifies once more.
  ///
  /// - Returns: What was forgotten.
  /// - Throws: ``RegistryError/Code/notFound``.
  @discardableResult
  package borrowing func forgetCounter(ofTag uid: String) throws(RegistryError) -> TagCounter {
    let records = try changeable()
    guard let last = try records.tagCounter(uid: uid.uppercased()) else {
      throw .noCounter(ofTag: uid)
    }
    try records.deleteTagCounter(uid: last.uid)
    return last
  }
}

extension RegistryStore {
  /// Every tag's last counter, by UID.
  public func tagCounters() throws(RegistryError) -> [TagCounter] {
    try read { registry throws(RegistryError) in try registry.tagCounters() }
  }

  /// Forgets a tag's last counter, so that its next message is taken as the first.
  ///
  /// - Parameter uid: The tag's UID, upper-case hexadecimal.
  /// - Returns: The counter that was forgotten.
  /// - Throws: ``RegistryError`` with `notFound` when none is known.
  @discardableResult
  public func forgetCounter(ofTag uid: String) throws(RegistryError) -> TagCounter {
    try write { registry throws(RegistryError) in try registry.forgetCounter(ofTag: uid) }
  }
}

extension RegistryError {
  /// No counter of a tag is known.
  package static func noCounter(ofTag uid: String) -> RegistryError {
    RegistryError(
      .notFound, "No message of the tag \(uid) was seen.",
      hint: "Check the UID; registry counters lists what was seen.")
  }
}
