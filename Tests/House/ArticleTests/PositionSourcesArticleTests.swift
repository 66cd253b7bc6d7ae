import Foundation
import Invocation
import PositionSources
import SimulatedReceivers
import Testing

@Suite("What the articles of PositionSources show is true") struct PositionSourcesArticleTests {
  @Test("a report that is exact enough decides")
  func landingPage() async throws {
    let time = Date()
    let report = PositionReport(
      time: time, coordinate: Coordinate(latitude: 37.3230, longitude: -122.0322),
      mode: .threeDimensional, horizontalError: 4, source: "desk")
    let finder = PositionFinder(
      source: RecordedPositions([.report(report)]), clock: ContinuousClock(),
      now: { time })  // a recording's own time; by default it is this computer's
    let found = try await finder.find(until: { $0.accuracy < 10 }, timeout: .seconds(30))
    print(found.fix.coordinate, found.fix.accuracy)
    #expect(found.isDecided && found.fix.accuracy == 4)
    #expect(found.fix.coordinate == Coordinate(latitude: 37.3230, longitude: -122.0322))
  }

  @Test("gpsd is asked until it is known whether somebody stands in a region")
  func whereAmI() async throws {
    let gpsd = try FakeGPSD.inCupertino()
    let address = try #require(GPSDAddress("127.0.0.1:\(gpsd.port)"))
    let centre = try #require(Coordinate(latitude: 37.3230, longitude: -122.0322))
    let region = Region.circle(try #require(Region.Circle(centre: centre, radius: 500)))
    let source = GPSDSource(address, clock: ContinuousClock())  // .standard is this computer's
    try await source.open()  // throws `no-gpsd` when nothing listens there
    let finder = PositionFinder(source: source, clock: ContinuousClock())
    let found = try await finder.find(
      until: { LocationConfirmation.confirm($0, in: region).result != .undecided },
      timeout: .seconds(30))
    print(found.fix.coordinate, found.fix.accuracy, found.isDecided)
    #expect(found.isDecided)
  }
}
