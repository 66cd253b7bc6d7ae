import Foundation

/// The writes of a command at which it is killed.
///
/// Every write is a place to be killed at, but hundreds of them take minutes: one in so many is
/// tried, and others when half of the write is left. `CLIPTAG_KILLS=all` tries every one, both
/// ways.
enum KillPoints {
  /// The number of writes between two that are tried.
  static let stride = ProcessInfo.processInfo.environment["CLIPTAG_KILLS"] == "all" ? 1 : 5

  /// Returns the first write to be killed at, from 1.
  ///
  /// - Parameter written: The rest of the write: `none` or `half`.
  static func first(written: String) -> Int { written == "none" ? 1 : 1 + stride / 2 }
}
