import Foundation
import Glibc
import Invocation
import Synchronization
import Testing

@testable import PositionSources

/// gpsd itself (Debian's package gpsd), reading a receiver on a pseudo-terminal, as whoever runs the
/// tests. What gpsfake does needs gpsd-clients, which brings GTK along; a pseudo-terminal is enough.
@Suite("gpsd itself")
struct RealGPSDTests {
  /// A receiver that sends a moment ten times a second until it is stopped.
  private final class Receiver: Sendable {
    let path: String
    private let device: Int32
    private let port: Int32
    private let stopping: (reading: Int32, writing: Int32)
    private let isDone = Gate()

    init(_ moment: @escaping @Sendable (Date) -> [String]) throws {
      var (device, port): (Int32, Int32) = (-1, -1)
      var name = [CChar](repeating: 0, count: 128)
      try #require(openpty(&device, &port, &name, nil, nil) == 0)
      var mode = termios()
      try #require(tcgetattr(port, &mode) == 0)
      cfmakeraw(&mode)
      try #require(tcsetattr(port, TCSANOW, &mode) == 0)
      // Started by root, gpsd becomes another user before it opens the device.
      try #require(fchmod(port, 0o666) == 0)
      var ends: [Int32] = [0, 0]
      try #require(pipe(&ends) == 0)
      path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      (self.device, self.port, stopping) = (device, port, (ends[0], ends[1]))
      _ = fcntl(device, F_SETFL, O_NONBLOCK)
      DispatchQueue(label: "Receiver").async { [device, stopping, isDone] in
        var waiting = pollfd(fd: stopping.reading, events: Int16(POLLIN), revents: 0)
        while poll(&waiting, 1, 100) == 0 {
          let text = moment(Date()).map { sentence($0) + "\r\n" }.joined()
          _ = write(device, text, text.utf8.count)
          // What gpsd asks receivers of other makes is read and not understood.
          var questions = [UInt8](repeating: 0, count: 4096)
          _ = read(device, &questions, questions.count)
        }
        isDone.open()
      }
    }

    func stop() async {
      close(stopping.writing)
      await isDone.wait()
      for descriptor in [stopping.reading, device, port] { close(descriptor) }
    }
  }

  /// Plays a receiver to a gpsd of its own, and finds a position.
  private func find(
    _ moment: @escaping @Sendable (Date) -> [String], filter: PositionFilter = PositionFilter(),
    until decided: @escaping @Sendable (LocationFix) -> Bool = { _ in true },
    enough: @escaping @Sendable (PositionEvent) -> Bool = { _ in false }
  ) async throws -> (Result<FoundPosition, PositionError>, polled: [PositionReport]) {
    let receiver = try Receiver(moment)
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
      clock: ChosenClock(after: gate) { _ in true })
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

  /// The sentences of a moment; `hhmmss.ss` and `ddmmyy` are of the date.
  private static func moment(_ date: Date, isFix: Bool = true) -> [String] {
    var seconds = time_t(date.timeIntervalSince1970)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    let tenth = Int((date.timeIntervalSince1970 - Double(seconds)) * 10)
    let time = String(format: "%02d%02d%02d.%d0", parts.tm_hour, parts.tm_min, parts.tm_sec, tenth)
    let day = String(
      format: "%02d%02d%02d", parts.tm_mday, parts.tm_mon + 1, parts.tm_year % 100)
    guard isFix else {
      return [
        "GPRMC,\(time),V,,,,,,,\(day),,,N", "GPGGA,\(time),,,,,0,00,99.99,,,,,,",
        "GPGSA,A,1,,,,,,,,,,,,,99.99,99.99,99.99",
      ]
    }
    let position = "3719.38000,N,12201.93200,W"
    return [
      "GPRMC,\(time),A,\(position),0.0,0.0,\(day),,,A",
      "GPGGA,\(time),\(position),1,09,0.9,60.0,M,-26.0,M,,",
      "GPGSA,A,3,04,05,09,12,24,25,29,31,32,,,,2.5,0.9,2.1",
      "GPGST,\(time),5.0,4.0,3.0,30.0,3.0,4.0,6.0",
    ]
  }

  @Test("a receiver's position comes through gpsd, and is decided")
  func fix() async throws {
    let (found, polled) = try await find(
      { Self.moment($0) }, until: CircularRegionFixture.cupertino.isDecided)
    let position = try found.get()
    #expect(position.isDecided)
    #expect(position.fix.origin?.kind == .gpsd)
    let center = try #require(Coordinate(latitude: 37.3230, longitude: -122.0322))
    #expect(Geodesic.distance(from: center, to: position.fix.coordinate) < 0.1)
    #expect(position.fix.accuracy < 50)
    #expect(polled.count == 1)
    #expect(polled.first?.coordinate != nil)
  }

  @Test("a receiver without a fix, and one that measured long ago, give none")
  func noFix() async throws {
    for (age, isFix, reason) in [(0.0, false, "no-fix"), (3_600, true, "stale")] {
      let count = Atomic<Int>(0)
      let (found, _) = try await find(
        { Self.moment($0.addingTimeInterval(-age), isFix: isFix) },
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
