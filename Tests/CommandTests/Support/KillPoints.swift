import Foundation

/// At which of its writes a command is killed.
///
/// Every write is a place to be killed at, but hundreds of them take minutes: one in so many is
/// tried, and others when half of the write is left. `CLIPTAG_KILLS=all` tries every one, both ways.
enum KillPoints {
  /// How many writes lie between two that are tried.
  static let stride = ProcessInfo.processInfo.environment["CLIPTAG_KILLS"] == "all" ? 1 : 5

  /// The first write to be killed at, from 1.
  ///
  /// - Parameter written: What is left of the write: `none` or `half`.
  static func first(written: String) -> Int { written == "none" ? 1 : 1 + stride / 2 }
}
