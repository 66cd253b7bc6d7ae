import Foundation
import Invocation
import SimulatedReceivers
import Testing

@testable import PositionSources

@Suite("A receiver on a serial port")
struct SerialNMEATests {
  private let position = "3719.38,N,12201.932,W"

  @Test("reports come a moment after another, and unplugging is told after them")
  func reading() async throws {
    let port = try ReceiverPort()
    let receiver = try SerialNMEASource(port.path, now: { testTime })
    // The rest of a sentence, as it is met when a port is opened; a broken one; a transponder's.
    port.send("07.038,N*47\r\n" + sentence("GPGGA,092649,\(position),1,09,2,,M,,M,,") + "\r\n")
    port.send("$GPGGA,092649,9*00\r\n!AIVDM,1,1,,A,14eG;o@034o8sd<L9i:a;WF>062D,0*7D\r\n")
    port.send(sentence("GPGGA,092650,\(position),1,09,1,,M,,M,,") + "\r\n")
    #expect(try await receiver.next() == .broken)
    guard case .report(let first) = try await receiver.next() else { throw FakeGPSD.Failure() }
    #expect(first.horizontalError == 30)
    #expect(first.time == testTime.addingTimeInterval(-1))
    // Nothing follows: silence ends the second moment.
    guard case .report(let second) = try await receiver.next() else { throw FakeGPSD.Failure() }
    #expect(second.horizontalError == 15)
    #expect(second.time == testTime)
    port.unplug()
    let error = await #expect(throws: PositionError.self) { _ = try await receiver.next() }
    #expect(error?.code == .deviceLost)
    #expect(error?.message == "The satellite receiver \(port.path) was unplugged.")
  }

  @Test("a port that another program holds is busy, and what is no serial port is called so")
  func trouble() throws {
    let port = try ReceiverPort()
    let first = try SerialNMEASource(port.path)
    let table: [(String, PositionError.Code)] = [
      (port.path, .deviceBusy), ("/dev/null", .wrongDevice), ("/dev/no-such", .noDevice),
    ]
    for (path, code) in table {
      let error = #expect(throws: PositionError.self) { _ = try SerialNMEASource(path) }
      #expect(error?.code == code)
    }
    withExtendedLifetime(first) {}
    port.unplug()
  }

  @Test("a wait for a silent receiver ends when the task is cancelled")
  func cancelled() async throws {
    let port = try ReceiverPort()
    let receiver = try SerialNMEASource(port.path)
    let task = Task { () -> PositionError? in
      do throws(PositionError) {
        _ = try await receiver.next()
        return nil
      } catch {
        return error
      }
    }
    task.cancel()
    #expect(await task.value?.code == .cancelled)
    port.unplug()
  }
}
