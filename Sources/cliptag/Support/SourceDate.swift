import Foundation

/// The time that files state as that of their making, from `SOURCE_DATE_EPOCH`
/// (reproducible-builds.org).
enum SourceDate {
  /// Seconds since 1970, or nil to state none.
  static var seconds: Int? {
    ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"].flatMap { Int($0) }
  }

  /// The same as a date; without the variable, now.
  static var now: Date { seconds.map { Date(timeIntervalSince1970: Double($0)) } ?? Date() }
}
