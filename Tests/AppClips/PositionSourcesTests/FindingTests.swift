import CliptagBasics
import CliptagPlatform
import Foundation
import Invocation
import SimulatedReceivers
import Synchronization
import TestSupport
import Testing

@testable import PositionSources

/// A recording that opens a gate when everything in it was taken.
struct EmptiedRecording: PositionSource {
  let base: RecordedPositions
  let gate: Gate
  var description: String { base.description }
  var name: String { base.name }
  var kind: PositionOrigin.Kind { base.kind }

  func next() async throws(PositionError) -> PositionEvent? {
    if base.isEmpty { gate.open() }
    return try await base.next()
  }
}

/// Half past nine in Cupertino's registry sample.
let testTime = Date(timeIntervalSince1970: 1_795_339_610)

func report(
  _ latitude: Double = 37.3230, _ longitude: Double = -122.0322, error: Double? = 8,
  age: Double = 0, mode: PositionReport.Mode = .threeDimensional,
  status: PositionReport.Status? = .normal
) -> PositionReport {
  PositionReport(
    time: testTime.addingTimeInterval(-age),
    coordinate: Coordinate(latitude: latitude, longitude: longitude), mode: mode,
    horizontalError: error, status: status, source: "test")
}

@Suite("A filter of positions")
struct PositionFilterTests {
  private let filter = PositionFilter()

  @Test("what is not a fresh, measured fix with an error is refused, with the reason")
  func refusals() {
    var noTime = report()
    noTime.time = nil
    var noCoordinate = report()
    noCoordinate.coordinate = nil
    let table: [(PositionReport, PositionRefusal?)] = [
      (report(), nil), (report(age: 5), nil), (report(age: -5), nil),
      (report(mode: .twoDimensional), nil), (report(mode: .noFix), .noFix),
      (report(mode: .unknown), .noFix), (noTime, .noTime), (noCoordinate, .noCoordinate),
      (report(age: 6), .stale(age: .seconds(6))), (report(age: -6), .early(by: .seconds(6))),
      (report(status: .simulated), .simulated), (report(error: nil), .noError),
      (report(error: 0), .noError), (report(error: -3), .noError),
    ]
    for (report, refusal) in table {
      #expect(filter.refusal(of: report, now: testTime) == refusal)
    }
  }

  @Test("simulated positions count when they are allowed")
  func simulated() {
    let filter = PositionFilter(allowsSimulated: true)
    #expect(filter.refusal(of: report(status: .simulated), now: testTime) == nil)
  }

  @Test("an age is told so that people see whether a clock is wrong")
  func ages() {
    let table: [(Int, String)] = [
      (6, "6 s"), (300, "5 min"), (10_000, "2 h"), (619_315_200, "7168 days"),
    ]
    for (seconds, text) in table {
      #expect(
        PositionRefusal.stale(age: .seconds(seconds)).description == "the fix is \(text) old")
    }
  }
}

@Suite("The mean of positions")
struct PositionAverageTests {
  /// Positions around a point, whose distances have a known root mean square (Box and Muller), in
  /// a fixed series.
  private func scattered(
    _ count: Int, around centre: Coordinate, by metres: Double, error: Double
  ) -> [PositionReport] {
    var state: UInt64 = 42
    func uniform() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (Double(state >> 11) + 0.5) / Double(1 << 53)
    }
    let degree = 111_195.0
    return (0..<count).map { _ in
      let radius = metres * (-log(uniform())).squareRoot()
      let angle = uniform() * 2 * .pi
      let turned = SIMD2(cos(angle), sin(angle))
      let east = centre.longitude + radius * turned.x / (degree * cos(centre.latitude * .pi / 180))
      return report(centre.latitude + radius * turned.y / degree, east, error: error)
    }
  }

  @Test("it is no more exact than the best report, however many there are")
  func noGain() {
    var average = PositionAverage()
    for _ in 0..<1_000 { average.add(report(error: 8)) }
    #expect(average.fix?.accuracy == 8)
    average.add(report(error: 5))
    #expect(average.fix?.accuracy == 5)
    #expect(average.count == 1_001)
  }

  @Test("an error of no size, or of any, leaves the other reports their mean")
  func absurdErrors() throws {
    for error in [1e-200, 1e300] {
      var average = PositionAverage()
      average.add(report(error: error))
      average.add(report(error: 5))
      let fix = try #require(average.fix, "\(error)")
      #expect(fix.accuracy == min(error, 5))
    }
  }

  @Test("reports that scatter more than they admit give the scatter, not their error")
  func scatter() throws {
    let centre = try #require(Coordinate(latitude: 48.1, longitude: 11.5))
    var average = PositionAverage()
    for report in scattered(2_000, around: centre, by: 20, error: 3) { average.add(report) }
    // Twice the root mean square of 20 m, within what 2,000 draws leave open.
    #expect(abs(average.scatter - 40) < 2)
    let fix = try #require(average.fix)
    #expect(fix.accuracy == average.scatter)
    #expect(Geodesic.distance(from: centre, to: fix.coordinate) < 2)
  }

  @Test("an exact report weighs as the inverse square of its error")
  func weights() throws {
    var average = PositionAverage()
    average.add(report(0, 0, error: 1))
    average.add(report(0, 0.001, error: 3))
    #expect(abs(try #require(average.fix).coordinate.longitude - 0.0001) < 1e-9)
  }

  @Test("the mean is right at the antimeridian, at the poles and at the equator")
  func places() throws {
    let table: [([(Double, Double)], Double, Double)] = [
      ([(10, 179.9999), (10, -179.9999)], 10, 180), ([(0, -0.0001), (0, 0.0001)], 0, 0),
      ([(89.9999, 0), (89.9999, 180)], 90, 0), ([(-89.9999, 90), (-89.9999, -90)], -90, 0),
      ([(48, 11), (48.0002, 11)], 48.0001, 11),
    ]
    for (points, latitude, longitude) in table {
      var average = PositionAverage()
      for (north, east) in points { average.add(report(north, east, error: 20)) }
      let mean = try #require(Coordinate(latitude: latitude, longitude: longitude))
      let found = try #require(average.fix).coordinate
      #expect(Geodesic.distance(from: mean, to: found) < 0.001, "\(points): \(found)")
    }
  }

  @Test("a jump farther than both errors is told, and makes the mean as inexact as it is far")
  func jumps() throws {
    var average = PositionAverage()
    average.add(report(37.3230, error: 8))
    average.add(report(37.3231, error: 8))
    #expect(average.jumps == [])
    let added = average.add(report(37.3330, error: 8))
    let jump = try #require(added)
    #expect(abs(jump.distance - 1_104) < 2)
    #expect(average.jumps == [jump])
    #expect(try #require(average.fix).accuracy > 500)
  }

  @Test("points on opposite sides of the Earth give no nonsense")
  func opposite() {
    var average = PositionAverage()
    average.add(report(0, 0))
    average.add(report(0, 180))
    #expect((average.fix?.accuracy ?? 0) > 6_000_000)
  }
}

@Suite("Finding a position")
struct PositionFinderTests {
  private let region = CircularRegionFixture.cupertino

  private func finder(
    _ events: [PositionEvent], end: RecordedPositions.End = .silence, isTimed: Bool = false
  ) -> PositionFinder<ManualClock> {
    // Time passes when there is nothing left to hear.
    let gate = Gate()
    return PositionFinder(
      source: EmptiedRecording(base: RecordedPositions(events, end: end), gate: gate),
      clock: ManualClock { wait, _ in
        guard isTimed, wait == .seconds(30) else { return false }
        await gate.wait()
        return true
      }, now: { testTime })
  }

  @Test("it ends with the first report that decides the question")
  func decided() async throws {
    let found = try await finder(
      [.report(report(37.3230 + 0.0008, error: 60)), .report(report(error: 8))]
    ).find(until: region.isDecided, timeout: .seconds(30))
    #expect(found.isDecided)
    #expect(found.fix.origin?.reportCount == 2)
    #expect(found.fix.origin?.name == "recording")
    #expect(found.fix.origin?.time == testTime)
  }

  @Test("when the time is over, the best that there is counts, undecided")
  func timeout() async throws {
    let found = try await finder(
      [.report(report(37.3230 + 0.0008, error: 60))], isTimed: true
    ).find(until: { _ in false }, timeout: .seconds(30))
    #expect(!found.isDecided)
    #expect(found.fix.accuracy == 60)
  }

  @Test("without a report of use, the error says what was seen and what to do")
  func nothing() async throws {
    let events: [PositionEvent] = [
      .satellites(used: 0, seen: 4), .report(report(age: 600)), .broken,
      .report(report(mode: .noFix)),
    ]
    let error = await #expect(throws: PositionError.self) {
      _ = try await finder(events, isTimed: true)
        .find(until: { _ in true }, timeout: .seconds(30))
    }
    #expect(error?.code == .noPosition)
    #expect(error?.sightings.refusals == ["stale": 1, "no-fix": 1])
    #expect(
      error?.message == "No position arrived from the recording within 30 s: 2 reports arrived, "
        + "and the last was not usable: the receiver has no fix; the receiver uses 0 of 4 satellites; "
        + "1 line was broken.")
  }

  @Test("a source that ends or fails after a report leaves that report")
  func ends() async throws {
    let lost = PositionError(.deviceLost, source: "x", message: "x", hint: "x")
    for end in [RecordedPositions.End.end, .failure(lost)] {
      let found = try await finder([.report(report())], end: end)
        .find(until: { _ in false }, timeout: .seconds(30))
      #expect(!found.isDecided)
      let error = await #expect(throws: PositionError.self) {
        _ = try await finder([], end: end)
          .find(until: { _ in false }, timeout: .seconds(30))
      }
      if case .failure = end { #expect(error == lost) } else { #expect(error?.code == .noPosition) }
    }
  }

  @Test("a cancelled search ends")
  func cancelled() async {
    let finder = finder([])
    let task = Task { () -> PositionError? in
      do throws(PositionError) {
        _ = try await finder.find(until: { _ in true }, timeout: .seconds(30))
        return nil
      } catch {
        return error
      }
    }
    task.cancel()
    #expect(await task.value?.code == .cancelled)
  }
}

/// The circle of the sample registry's place.
struct CircularRegionFixture: Sendable {
  let region: Region
  static let cupertino: CircularRegionFixture = {
    let centre = Coordinate(latitude: 37.3230, longitude: -122.0322)!
    return CircularRegionFixture(region: .circle(Region.Circle(centre: centre, radius: 100)!))
  }()
  var isDecided: @Sendable (LocationFix) -> Bool {
    { [region] in LocationConfirmation.confirm($0, in: region).result != .undecided }
  }
}
