public import Foundation

/// The highest counter that a verified Secure Unique NFC message of one tag has shown.
///
/// Counters stay in the registry that saw them; no export holds them, for a registry that is
/// brought in elsewhere must not make old messages new.
public struct TagCounter: Hashable, Sendable {
  /// The tag's UID in upper-case hexadecimal.
  public let uid: String
  /// The counter, 0 to 16,777,215.
  public let counter: Int
  /// When it was seen, in whole milliseconds.
  public let seen: Date

  /// Makes a counter.
  package init(uid: String, counter: Int, seen: Date) {
    self.uid = uid.uppercased()
    self.counter = counter
    self.seen = seen.inWholeMilliseconds
  }

  /// The values that a tag's counter takes: three bytes.
  static let range = 0...0xFF_FFFF
}

/// What became of a counter that a message showed.
package enum CounterAnswer: Hashable, Sendable {
  /// It is higher than every counter seen before, the last of which is told if there was one.
  case new(last: TagCounter?)
  /// It was seen before, or is older than one that was: the message is a copy.
  case replayed(last: TagCounter)
}
