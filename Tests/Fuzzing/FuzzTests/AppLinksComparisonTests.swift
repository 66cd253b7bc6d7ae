import CliptagBasics
import Foundation
import TestSupport
import Testing

/// The matcher of `applinks` against a plain reference, over rules and URLs made by chance.
@Suite("applinks by chance")
struct AppLinksComparisonTests {
  /// `CLIPTAG_LINK_CASES` says how many cases, for longer runs.
  @Test("matcher and reference decide alike")
  func comparison() {
    let wanted = ProcessInfo.processInfo.environment["CLIPTAG_LINK_CASES"].flatMap { Int($0) }
    var chance = SeededGenerator(seed: 6)
    for number in 0..<(wanted ?? 20_000) {
      let bytes = (0..<120).map { _ in UInt8.random(in: 0...255, using: &chance) }
      #expect(throws: Never.self, "case \(number)") { try FuzzTarget.appLinks.feed(bytes) }
    }
  }
}
