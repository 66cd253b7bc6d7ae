import Foundation

/// The time that files state as that of their making, from `SOURCE_DATE_EPOCH`
/// (reproducible-builds.org).
enum SourceDate {
  /// Seconds since 1970, or nil to state none.
  static var seconds: Int? {
    ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"].flatMap { Int($0) }
  }
}
