import CliptagPlatform
import Foundation
import Invocation
import SimulatedReceivers
import Synchronization
import TestSupport
import Testing

@testable import PositionSources

/// gpsd itself (Debian's package gpsd), reading a receiver on a pseudo-terminal, as whoever runs the
/// tests. What gpsfake does needs gpsd-clients, which brings GTK along; a pseudo-terminal is enough.
@Suite("gpsd itself")
struct RealGPSDTests {
  /// Plays a receiver to a gpsd of its own, and finds a position.
  private func find(
    _ moment: @escaping @Sendable (Date) -> [String], filter: PositionFilter = PositionFilter(),
    until decided: @escaping @Sendable (LocationFix) -> Bool = { _ in true },
    enough: @escaping @Sendable (PositionEvent) -> Bool = { _ in false }
  ) async throws -> (Result<FoundPosition, PositionError>, polled: [PositionReport]) {
    let receiver = try SteadyReceiver(moment)
    let port = try FakeGPSD { _, _ in }.port
    let gpsd = Process()
    gpsd.executableURL = URL(fileURLWithPath: "/usr/sbin/gpsd")
    gpsd.arguments = ["-N", "-n", "-S", "\(port)", receiver.path]
    gpsd.standardInput = FileHandle.nullDevice
    gpsd.standardOutput = FileHandle.nullDevice
    gpsd.standardError = FileHandle.nullDevice
    let hasEnded = Gate()
    gpsd.terminationHandler = { _ in hasEnded.open() }
    // A child begins with what this thread blocks, and threads of a queue block every signal.
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_UNBLOCK, &all, nil)
    try gpsd.run()
    let source = GPSDSource(try #require(GPSDAddress(host: "127.0.0.1", port: port)))
    // It listens soon after it was started.
    while true {
      do {
        try await source.open()
        break
      } catch {
        guard error.code == .noGPSD, gpsd.isRunning else { throw error }
        await Task.yield()
      }
    }
    let gate = Gate()
    let finder = PositionFinder(
      source: WatchedSource(base: source, gate: gate, isEnough: enough), filter: filter,
      clock: ManualClock { _, _ in
        await gate.wait()
        return true
      })
    let found: Result<FoundPosition, PositionError>
    do throws(PositionError) {
      found = .success(try await finder.find(until: decided, timeout: .seconds(60)))
    } catch {
      found = .failure(error)
    }
    let polled = try await source.poll()
    gpsd.terminate()
    await hasEnded.wait()
    await receiver.stop()
    return (found, polled)
  }

  /// Opens a gate when enough was heard.
  private struct WatchedSource: PositionSource {
    let base: GPSDSource<ContinuousClock>
    let gate: Gate
    let isEnough: @Sendable (PositionEvent) -> Bool
    var description: String { base.description }
    var name: String { base.name }
    var kind: PositionOrigin.Kind { base.kind }

    func next() async throws(PositionError) -> PositionEvent? {
      let event = try await base.next()
      if let event, isEnough(event) { gate.open() }
      return event
    }
  }

  @Test("a receiver's position comes through gpsd, and is decided")
  func fix() async throws {
    let (found, polled) = try await find(
      { SteadyReceiver.moment($0) }, until: CircularRegionFixture.cupertino.isDecided)
    let position = try found.get()
    #expect(position.isDecided)
    #expect(position.fix.origin?.kind == .gpsd)
    let centre = try #require(Coordinate(latitude: 37.3230, longitude: -122.0322))
    #expect(Geodesic.distance(from: centre, to: position.fix.coordinate) < 0.1)
    #expect(position.fix.accuracy < 50)
    #expect(polled.count == 1)
    #expect(polled.first?.coordinate != nil)
  }

  @Test("a receiver without a fix, and one that measured long ago, give none")
  func noFix() async throws {
    for (age, isFix, reason) in [(0.0, false, "no-fix"), (3_600, true, "stale")] {
      let count = Atomic<Int>(0)
      let (found, _) = try await find(
        { SteadyReceiver.moment($0.addingTimeInterval(-age), isFix: isFix) },
        enough: { event in
          guard case .report(let report) = event, !isFix || report.coordinate != nil else {
            return false
          }
          return count.add(1, ordering: .relaxed).newValue >= 3
        })
      let error = #expect(throws: PositionError.self) { try found.get() }
      #expect(error?.code == .noPosition)
      #expect((error?.sightings.refusals[reason] ?? 0) >= 3, "\(error?.message ?? "")")
    }
  }
}
