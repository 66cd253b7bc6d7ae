import CliptagBasics
public import Foundation

/// The highest counter in a verified Secure Unique NFC message of one tag.
///
/// Imported and exported registry files contain no counters; the record of codes contains each of
/// them, and their removals, so that a message used at one station counts as a copy at every other
/// after their records are merged. A merge only raises counters.
public struct TagCounter: Hashable, Sendable {
  /// The tag's UID in upper-case hexadecimal.
  public let uid: String
  /// The counter, 0 to 16,777,215.
  public let counter: Int
  /// The time at which the counter was seen, in whole milliseconds.
  public let seen: Date

  /// Makes a counter.
  package init(uid: String, counter: Int, seen: Date) {
    self.uid = uid.uppercased()
    self.counter = counter
    self.seen = seen.inWholeMilliseconds
  }

  /// The range of a tag's counter: three bytes.
  static let range = 0...0xFF_FFFF

  /// Returns whether a text is a UID: 1 to 10 bytes (ISO/IEC 14443-3) in hexadecimal.
  static func isUID(_ text: String) -> Bool {
    [UInt8](hexadecimal: text.utf8).map { (1...10).contains($0.count) } ?? false
  }
}

/// The result of comparing a message's counter.
package enum CounterAnswer: Hashable, Sendable {
  /// The counter is higher than every earlier one; `last` is the highest of those, if any.
  case new(last: TagCounter?)
  /// The counter was seen before, or is lower than an earlier one: the message is a copy.
  case replayed(last: TagCounter)
}

/// The last counters of tags that make Secure Unique NFC messages.
extension RegistryOperations where Self: ~Copyable {
  /// Returns every tag's last counter, by UID.
  public borrowing func tagCounters() throws(RegistryError) -> [TagCounter] {
    try rows(
      "SELECT * FROM tag_counter ORDER BY uid", [], comeInPieces: true, TagCounter.init(row:))
  }

  private borrowing func tagCounter(uid: String) throws(RegistryError) -> TagCounter? {
    try rows("SELECT * FROM tag_counter WHERE uid = ?", [uid.uppercased()], TagCounter.init(row:))
      .first
  }

  /// Compares a counter with the last one of its tag. Changes nothing.
  ///
  /// - Parameters:
  ///   - counter: The counter in a message of the tag.
  ///   - uid: The tag's UID in hexadecimal of any case.
  package borrowing func compareCounter(
    ofTag uid: String, with counter: Int
  ) throws(RegistryError) -> CounterAnswer {
    let last = try tagCounter(uid: uid)
    if let last, counter <= last.counter { return .replayed(last: last) }
    return .new(last: last)
  }

  /// Stores a counter if it is higher than the last one of its tag.
  ///
  /// Comparing and storing are one step of a transaction: of several processes with the same
  /// message, exactly one gets the answer that it is new.
  ///
  /// - Parameters:
  ///   - uid: The tag's UID in hexadecimal of any case.
  ///   - counter: The counter, 0 to 16,777,215.
  ///   - time: The current time.
  /// - Throws: `RegistryError.Code.invalid` for a counter outside the range.
  package borrowing func advanceCounter(
    ofTag uid: String, to counter: Int, at time: Date
  ) throws(RegistryError) -> CounterAnswer {
    try write { registry in
      guard TagCounter.range.contains(counter) else {
        throw RegistryError(
          .invalid, "A tag's counter is 0 to \(TagCounter.range.upperBound), not \(counter).",
          hint: "Use the counter of a verified message.")
      }
      let answer = try registry.compareCounter(ofTag: uid, with: counter)
      if case .new = answer {
        try registry.run(
          """
          INSERT INTO tag_counter (uid, counter, seen) VALUES (?, ?, ?)
          ON CONFLICT (uid) DO UPDATE SET counter = excluded.counter, seen = excluded.seen
          """, [uid.uppercased(), counter, time.millisecondsSince1970])
        try registry.tell(Setting(.counter, uid.uppercased()), .counted)
      }
      return answer
    }
  }

  /// Merges a counter of another registry, if it is higher than the last one here.
  ///
  /// - Parameter risen: The counters that rose by this merge, by UID.
  /// - Throws: `RegistryError.Code.brokenRecord` for a counter outside the range.
  borrowing func merge(
    _ counter: TagCounter, risen: inout [String: TagCounter]
  ) throws(RegistryError) {
    guard TagCounter.isUID(counter.uid), TagCounter.range.contains(counter.counter) else {
      throw RegistryError(
        .brokenRecord, "The counter \(counter.counter) of “\(counter.uid)” is out of range.",
        hint: "Nothing was imported; check the origin of the file.")
    }
    let answer = try advanceCounter(ofTag: counter.uid, to: counter.counter, at: counter.seen)
    if case .new = answer { risen[counter.uid] = counter }
  }

  /// Removes a tag's last counter, for a tag that was configured again and counts from 0: its next
  /// message counts as the first. Every earlier message of the tag is accepted once more.
  ///
  /// - Parameter uid: The tag's UID in hexadecimal of any case.
  /// - Returns: The removed counter.
  /// - Throws: `RegistryError.Code.notFound` when none is known.
  @discardableResult
  public borrowing func forgetCounter(ofTag uid: String) throws(RegistryError) -> TagCounter {
    try write { registry in
      guard let last = try registry.tagCounter(uid: uid) else {
        throw RegistryError.noCounter(ofTag: uid)
      }
      try registry.run("DELETE FROM tag_counter WHERE uid = ?", [last.uid])
      try registry.tell(
        Setting(.counter, last.uid), .forgotten, details: ["counter": "\(last.counter)"])
      return last
    }
  }
}

extension TagCounter {
  fileprivate init(row: any RegistryRow) throws(RegistryError) {
    self.init(uid: try row["uid"], counter: try row["counter"], seen: try row.date("seen"))
  }
}

extension RegistryError {
  /// Returns the error for a tag without a known counter.
  package static func noCounter(ofTag uid: String) -> RegistryError {
    RegistryError(
      .notFound, "No message of the tag \(uid) is recorded.",
      hint: "Check the UID, or list the recorded ones with registry counters.")
  }
}
