import Foundation
import Invocation
import SimulatedReceivers
import Synchronization
import TestSupport
import Testing

@testable import PositionSources

/// A TPV as gpsd writes it.
private func tpv(
  _ latitude: Double = 37.323, time: String = "2026-11-22T09:26:50.000Z", mode: Int = 3,
  error: Double? = 8, status: Int? = nil
) -> String {
  #"{"class":"TPV","device":"/dev/ttyACM0","mode":\#(mode),"time":"\#(time)","lat":\#(latitude),"#
    + #""lon":-122.0322"# + (error.map { #","eph":\#($0)"# } ?? "")
    + (status.map { #","status":\#($0)"# } ?? "") + "}"
}

@Suite("gpsd as a source")
struct GPSDSourceTests {
  private func source(
    _ server: FakeGPSD, clock: ManualClock = ManualClock { _, _ in false }
  ) throws -> GPSDSource<ManualClock> {
    GPSDSource(try #require(GPSDAddress(host: "127.0.0.1", port: server.port)), clock: clock)
  }

  /// The next report, after whatever else comes.
  private func report(_ source: some PositionSource) async throws -> PositionReport {
    while let event = try await source.next() {
      if case .report(let report) = event { return report }
    }
    throw FakeGPSD.Failure()
  }

  private func failure(
    _ script: @escaping @Sendable (FakeGPSD.Connection) -> Void,
    clock: ManualClock = ManualClock { _, _ in false }
  ) async throws -> PositionError? {
    let server = try FakeGPSD { connection, _ in script(connection) }
    let source = try source(server, clock: clock)
    return await #expect(throws: PositionError.self) { try await source.open() }
  }

  @Test("reports come as gpsd sends them, and messages of other classes are let pass")
  func watch() async throws {
    let server = try FakeGPSD { connection, _ in
      connection.beginWatch()
      connection.send(#"{"class":"SKY","nSat":11,"uSat":7}"#)
      connection.send(#"{"class":"TOFF"}"#)
      connection.send(tpv())
      connection.send(tpv(37.324))
      connection.staySilent()
    }
    let source = try source(server)
    #expect(try await source.next() == .satellites(used: 7, seen: 11))
    #expect(try await report(source).source == "/dev/ttyACM0")
    #expect(try await report(source).coordinate?.latitude == 37.324)
  }

  @Test("a line that comes in pieces is one line")
  func slow() async throws {
    let server = try FakeGPSD { connection, _ in
      connection.beginWatch()
      for character in tpv() + "\n" { connection.sendPiece(String(character)) }
      connection.staySilent()
    }
    #expect(try await report(try source(server)).horizontalError == 8)
  }

  @Test("a greeting has one time limit, which bytes that come now and then do not extend")
  func dripping() async throws {
    let server = try FakeGPSD { connection, _ in
      for character in #"{"class":"VERSION","release":"3.22","proto_major":3}"# + "\n" {
        connection.sendPiece(String(character))
      }
      guard connection.command() != nil else { return }
      connection.staySilent()
    }
    let limits = Mutex(0)
    let clock = ManualClock { _, _ in
      limits.withLock { $0 += 1 }
      return false
    }
    try await source(server, clock: clock).open()
    #expect(limits.withLock { $0 } <= 2, "one to connect, one for the greeting")
  }

  @Test("broken, foreign and huge lines are counted, and what follows is read")
  func broken() async throws {
    let server = try FakeGPSD { connection, _ in
      connection.beginWatch()
      connection.send(String(tpv().prefix(60)))
      connection.send("$GPGGA,123519*00")
      connection.send(
        #"{"class":"SKY","satellites":[\#(String(repeating: "1,", count: 40_000))1]}"#)
      connection.send(tpv())
      connection.staySilent()
    }
    let source = try source(server)
    for _ in 0..<3 { #expect(try await source.next() == .broken) }
    #expect(try await report(source).mode == .threeDimensional)
  }

  @Test("a connection that is lost in the middle of a line is made again, without that line")
  func lost() async throws {
    let server = try FakeGPSD { connection, number in
      guard connection.beginWatch() else { return }
      if number == 0 {
        connection.sendPiece(String(tpv(1).dropLast(3)))
      } else {
        connection.send(tpv(37.324))
        connection.staySilent()
      }
    }
    let clock = ManualClock { wait, _ in wait != .seconds(5) }
    let source = try source(server, clock: clock)
    #expect(try await source.next() == .disconnected("gpsd ended the connection"))
    #expect(try await report(source).coordinate?.latitude == 37.324)
    #expect(clock.waits == [.seconds(1)])
  }

  @Test("waits before another connection grow to half a minute, and begin anew after a report")
  func growing() async throws {
    let server = try FakeGPSD { connection, number in
      guard connection.beginWatch() else { return }
      if number == 7 { connection.send(tpv()) }
      if number == 9 {
        connection.send(tpv())
        connection.staySilent()
      }
    }
    let clock = ManualClock { wait, _ in wait != .seconds(5) }
    let source = try source(server, clock: clock)
    _ = try await report(source)
    #expect(clock.waits.map(\.components.seconds) == [1, 2, 4, 8, 16, 30, 30])
    _ = try await report(source)
    #expect(clock.waits.map(\.components.seconds) == [1, 2, 4, 8, 16, 30, 30, 1, 2])
  }

  @Test("what greets otherwise, or not at all, is called no gpsd")
  func foreign() async throws {
    let table: [(@Sendable (FakeGPSD.Connection) -> Void, String)] = [
      ({ $0.send("SSH-2.0-OpenSSH_9.2") }, "does not send gpsd's greeting"),
      ({ _ in }, "ends the connection without a greeting"),
      (
        { $0.send(#"{"class":"VERSION","release":"4.0","proto_major":4}"#) },
        "uses version 4 of its protocol, not 3"
      ),
    ]
    for (script, words) in table {
      let error = try await failure(script)
      #expect(error?.code == .notGPSD)
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }
    // The client gives up by its own clock.
    let error = try await failure(
      { $0.staySilent() }, clock: ManualClock { wait, _ in wait == .seconds(5) })
    #expect([.notGPSD, .noGPSD].contains(error?.code))
  }

  @Test("where nothing listens, there is no gpsd; a name that does not exist is told")
  func absent() async throws {
    var port = 0
    do { port = try FakeGPSD { _, _ in }.port }
    for host in ["127.0.0.1", "no-such-host.invalid"] {
      let source = GPSDSource(
        try #require(GPSDAddress(host: host, port: port)), clock: ManualClock { _, _ in false })
      let error = await #expect(throws: PositionError.self) { _ = try await source.next() }
      #expect(error?.code == .noGPSD)
    }
  }

  @Test("a question is answered with what gpsd last heard, and the stream goes on")
  func poll() async throws {
    let server = try FakeGPSD { connection, _ in
      connection.beginWatch()
      connection.send(tpv(1))
      guard connection.command() == "?POLL;" else { return }
      connection.send(#"{"class":"POLL","active":1,"tpv":[\#(tpv(2))],"sky":[]}"#)
      connection.send(tpv(3))
      connection.staySilent()
    }
    let source = try source(server)
    #expect(try await source.poll().map(\.coordinate?.latitude) == [2])
    #expect(try await report(source).coordinate?.latitude == 1)
    #expect(try await report(source).coordinate?.latitude == 3)
  }

  @Test("a wait for a silent gpsd ends when the task is cancelled")
  func cancelled() async throws {
    let greeted = Gate()
    let server = try FakeGPSD { connection, _ in
      connection.beginWatch()
      greeted.open()
      connection.staySilent()
    }
    let source = try source(server)
    let task = Task { () -> PositionError? in
      do throws(PositionError) {
        _ = try await source.next()
        return nil
      } catch {
        return error
      }
    }
    await greeted.wait()
    task.cancel()
    #expect(await task.value?.code == .cancelled)
  }

  @Test(
    "no fix, a stale and a simulated one and one without an error are passed over for a good one")
  func finding() async throws {
    let server = try FakeGPSD { connection, _ in
      connection.beginWatch()
      connection.send(#"{"class":"TPV","device":"/dev/ttyACM0","mode":1}"#)
      connection.send(tpv(time: "2007-04-08T09:26:50.000Z"))
      connection.send(tpv(status: 8))
      connection.send(tpv(error: nil))
      connection.send(tpv(mode: 2))
      connection.staySilent()
    }
    let finder = PositionFinder(
      source: try source(server), clock: ManualClock { _, _ in false }, now: { testTime })
    let found = try await finder.find(
      until: CircularRegionFixture.cupertino.isDecided, timeout: .seconds(30))
    #expect(found.isDecided)
    #expect(
      found.sightings.refusals == ["no-fix": 1, "stale": 1, "simulated": 1, "no-error": 1])
    #expect(found.fix.origin?.kind == .gpsd)
    #expect(found.fix.origin?.isSimulated == false)
  }
}
