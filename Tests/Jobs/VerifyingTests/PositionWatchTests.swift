import CliptagBasics
import Foundation
import Invocation
import PositionSources
import Synchronization
import TestSupport
import Testing

@testable import Verifying

@Suite("Where a code was read")
struct PositionWatchTests {
  private static let now = Date(timeIntervalSince1970: 1_795_339_610)
  private let here: Region
  private let there: Region

  init() throws {
    let centre = try #require(Coordinate(latitude: 37.3230, longitude: -122.0322))
    let other = try #require(Coordinate(latitude: 37.3236, longitude: -122.0322))
    here = .circle(try #require(Region.Circle(centre: centre, radius: 100)))
    there = .circle(try #require(Region.Circle(centre: other, radius: 70)))
  }

  /// Finds positions as listed: an accuracy in metres and an age in seconds, or `nil`.
  private final class Listed: Sendable {
    private let rest: Mutex<[(accuracy: Double, age: Double)?]>
    let count = Atomic<Int>(0)
    init(_ positions: [(accuracy: Double, age: Double)?]) { rest = Mutex(positions) }

    func find(
      _ decided: @escaping @Sendable (LocationFix) -> Bool
    ) async throws(PositionError) -> FoundPosition {
      count.add(1, ordering: .relaxed)
      let next = rest.withLock { $0.removeFirst() }
      guard let next, let coordinate = Coordinate(latitude: 37.3230, longitude: -122.0322) else {
        throw PositionError(.noPosition, source: "test", message: "None came.", hint: "Wait.")
      }
      let report = PositionReport(
        time: now.addingTimeInterval(-next.age), coordinate: coordinate, mode: .threeDimensional,
        horizontalError: next.accuracy, source: "test")
      return try await PositionFinder(
        source: RecordedPositions([.report(report)]),
        filter: PositionFilter(longestAge: .seconds(60)), clock: ManualClock { _, _ in false },
        now: { now }
      ).find(until: decided, timeout: .seconds(30))
    }
  }

  private func watch(_ listed: Listed, staysPut: Bool) -> PositionWatch {
    PositionWatch(staysPut: staysPut, longestAge: .seconds(5), now: { Self.now }) {
      decided async throws(PositionError) in try await listed.find(decided)
    }
  }

  @Test("a position that decides is asked for once; another region may need a better one")
  func once() async throws {
    let listed = Listed([(20, 0), (2, 0)])
    let watch = watch(listed, staysPut: true)
    for _ in 0..<3 { _ = try await watch.reading(in: here) }
    #expect(listed.count.load(ordering: .relaxed) == 1)
    // The edge is 3 m away.
    let reading = try await watch.reading(in: there)
    #expect(listed.count.load(ordering: .relaxed) == 2)
    guard case .fix(let fix) = reading.evidence else { throw CancellationError() }
    #expect(fix.accuracy == 2)
  }

  @Test("who stays put waits in vain once only, and the reason is a finding")
  func vain() async throws {
    let listed = Listed([nil])
    let watch = watch(listed, staysPut: true)
    for _ in 0..<3 {
      let reading = try await watch.reading(in: here)
      #expect(reading.evidence == .missing)
      #expect(reading.findings.map(\.code) == [.unusablePosition])
    }
  }

  @Test("who walks is asked again when the position is old, and after each wait in vain")
  func walking() async throws {
    let listed = Listed([nil, (20, 6), (20, 0)])
    let watch = watch(listed, staysPut: false)
    for _ in 0..<4 { _ = try await watch.reading(in: here) }
    #expect(listed.count.load(ordering: .relaxed) == 3)
  }
}
