import CliptagPlatform
internal import Dispatch
package import Foundation

/// A sentence with the checksum it should have.
package func sentence(_ body: String) -> String {
  let sum = body.utf8.reduce(0, ^)
  let figures = String(sum, radix: 16, uppercase: true)
  return "$\(body)*" + (figures.count == 1 ? "0" : "") + figures
}

/// A satellite receiver on a pseudo-terminal, which sends a moment ten times a second until it is
/// stopped.
package final class SteadyReceiver: Sendable {
  package let path: String
  private let port: ReceiverPort
  private let stopping: (reading: Int32, writing: Int32)
  private let isDone = Gate()

  package init(_ moment: @escaping @Sendable (Date) -> [String] = { moment($0) }) throws {
    let port = try ReceiverPort()
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw FakeGPSD.Failure() }
    (self.port, path, stopping) = (port, port.path, (ends[0], ends[1]))
    DispatchQueue(label: "SteadyReceiver").async { [stopping, isDone] in
      var waiting = pollfd(fd: stopping.reading, events: Int16(POLLIN), revents: 0)
      while poll(&waiting, 1, 100) == 0 {
        port.send(moment(Date()).map { sentence($0) + "\r\n" }.joined())
        // What gpsd asks receivers of other makes is read and not understood.
        port.forget()
      }
      isDone.open()
    }
  }

  package func stop() async {
    close(stopping.writing)
    await isDone.wait()
    close(stopping.reading)
    port.unplug()
  }

  /// The sentences of a moment in Cupertino, or elsewhere.
  package static func moment(
    _ date: Date, isFix: Bool = true, position: String = "3719.38000,N,12201.93200,W"
  ) -> [String] {
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
    return [
      "GPRMC,\(time),A,\(position),0.0,0.0,\(day),,,A",
      "GPGGA,\(time),\(position),1,09,0.9,60.0,M,-26.0,M,,",
      "GPGSA,A,3,04,05,09,12,24,25,29,31,32,,,,2.5,0.9,2.1",
      "GPGST,\(time),5.0,4.0,3.0,30.0,3.0,4.0,6.0",
    ]
  }
}
