import Foundation
import Testing

@Suite("Matching against a reference")
struct MatchingComparisonTests {
  /// `CLIPTAG_MATCHING_CASES` asks for more than the ordinary run takes.
  @Test("what a check says is what a loop over all experiences says")
  func sameAsReference() throws {
    let wanted = ProcessInfo.processInfo.environment["CLIPTAG_MATCHING_CASES"].flatMap { Int($0) }
    var comparison = MatchingComparison(seed: 6)
    #expect(try comparison.differences(cases: wanted ?? 2_000) == [])
  }
}
