import Auditing
import Foundation
import Invocation
import Registry
import Testing

/// Statistics about findings that were followed up.
@Suite("Statistics of findings") struct FollowUpStatisticsTests {
  private static let noon = Date(timeIntervalSince1970: 1_795_262_400)
  private static func day(_ number: Double) -> Date { noon.addingTimeInterval(86_400 * number) }

  private let registry: any RegistryStore
  private let walk: Walk

  init() throws {
    registry = try RegistryLocation.memory.open()
    walk = try registry.begin("Spring", by: "Jo", at: Self.noon)
    try add("a", .missingCode, [(.found, 0), (.done, 4), (.found, 6), (.right, 8), (.found, 9)])
    try add("a", .wornPrint, [(.found, 1), (.willNot, 2)])
    try add("b", .missingCode, [(.found, 2), (.reopened, 3), (.assigned, 4), (.done, 5)])
    try add(nil, .phishingCode, [(.found, 0)])
  }

  private func add(
    _ place: String?, _ finding: Finding.Code, _ entries: [(FollowUp.Entry.Kind, Double)]
  ) throws {
    let subject = FollowUp.Subject(placeID: place, code: nil, payload: "x", finding: finding)
    try registry.write { registry throws(RegistryError) in
      for (kind, day) in entries {
        try registry.insert(
          FollowUp.Entry(
            kind, at: Self.day(day), by: "Al", walk: kind == .found ? walk.id : nil,
            severity: .error), to: subject)
      }
    }
  }

  private func groups(
    by grouping: FollowUpStatistics.Grouping
  ) throws -> [FollowUpStatistics.Group] {
    FollowUpStatistics(
      of: try registry.followUps(), walks: try registry.walks(), now: Self.day(10)
    ).groups(by: grouping)
  }

  @Test("a finding counts once for each time that it was opened")
  func counts() throws {
    let places = try groups(by: .place)
    #expect(places.map(\.key) == ["a", nil, "b"])
    #expect(places.map(\.opened) == [4, 1, 1], "opening an open one opens nothing")
    #expect(places.map(\.open) == [1, 1, 0])
    #expect(places.map(\.done) == [2, 0, 1])
    #expect(places.map(\.willNot) == [1, 0, 0])
    #expect(try groups(by: .finding).map(\.key) == ["missing-code", "phishing-code", "worn-print"])
    let walks = try groups(by: .walk)
    #expect(walks.map(\.key) == ["Spring"] && walks.map(\.opened) == [6])
  }

  @Test("the median is that of closed ones, the oldest that of open ones")
  func times() throws {
    func days(_ seconds: TimeInterval?) -> Double? { seconds.map { $0 / 86_400 } }
    let places = try groups(by: .place)
    // 4, 2 and 1 days; 3 days.
    #expect(places.map { days($0.medianTime) } == [2, nil, 3])
    #expect(places.map { days($0.oldestTime) } == [1, 10, nil])
    let kinds = try groups(by: .finding)
    // 4, 2 and 3 days.
    #expect(kinds.map { days($0.medianTime) } == [3, nil, 1])
  }
}
