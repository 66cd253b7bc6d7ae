import Foundation
import Testing

/// The matcher of `applinks` against a plain reference, over rules and URLs made by chance.
@Suite("applinks by chance")
struct AppLinksComparisonTests {
  /// The constants are those of SplitMix64 (Steele, Lea, Flood 2014).
  private struct Chance: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
      return value ^ (value >> 31)
    }
  }

  /// `CLIPTAG_LINK_CASES` says how many cases, for longer runs.
  @Test("matcher and reference decide alike")
  func comparison() {
    let wanted = ProcessInfo.processInfo.environment["CLIPTAG_LINK_CASES"].flatMap { Int($0) }
    var chance = Chance(state: 6)
    for number in 0..<(wanted ?? 20_000) {
      let bytes = (0..<120).map { _ in UInt8.random(in: 0...255, using: &chance) }
      #expect(throws: Never.self, "case \(number)") { try FuzzTarget.appLinks.feed(bytes) }
    }
  }
}
