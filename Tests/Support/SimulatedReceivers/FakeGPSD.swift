import CliptagPlatform
internal import Dispatch
internal import Foundation

/// A server on the loopback interface that plays gpsd, each connection as a script says.
///
/// Its thread blocks in the system's calls; what a client sends and whether it has gone is all that
/// a script waits for.
package final class FakeGPSD: Sendable {
  package static let version =
    #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#
  package static let devices =
    #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0","activated":1}]}"#
  package static let watching = #"{"class":"WATCH","enable":true,"json":true}"#

  /// One connection, as a script sees it.
  package struct Connection {
    fileprivate let descriptor: Int32

    /// Sends a line.
    package func send(_ line: String) { sendPiece(line + "\r\n") }

    /// Sends a part of a line.
    package func sendPiece(_ text: String) {
      _ = CliptagPlatform.send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL))
    }

    /// Waits for a command; `nil` when the client has gone.
    package func command() -> String? {
      var line: [UInt8] = []
      var byte: UInt8 = 0
      while recv(descriptor, &byte, 1, 0) == 1 {
        if byte == 0x0A { return String(decoding: line, as: UTF8.self) }
        line.append(byte)
      }
      return nil
    }

    /// Greets, and answers the command to watch as gpsd does.
    ///
    /// - Returns: Whether the client is still there.
    @discardableResult
    package func beginWatch() -> Bool {
      send(FakeGPSD.version)
      guard command() == #"?WATCH={"enable":true,"json":true};"# else { return false }
      send(FakeGPSD.devices)
      send(FakeGPSD.watching)
      return true
    }

    /// Sends lines ten times a second until the client has gone.
    package func sendSteadily(_ lines: () -> [String]) {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      while poll(&waiting, 1, 100) == 0 || command() != nil { for line in lines() { send(line) } }
    }

    /// Is silent until the client has gone.
    package func staySilent() { while command() != nil {} }
  }

  package let port: Int
  private let listener: Int32

  /// Starts the server.
  ///
  /// - Parameter script: Plays a connection, the first has number 0; it is closed at the end.
  package init(_ script: @escaping @Sendable (Connection, Int) -> Void) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let port = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> Int in
        guard bind(listener, address, size) == 0, listen(listener, 5) == 0,
          getsockname(listener, address, &size) == 0
        else { return 0 }
        return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
          Int(UInt16(bigEndian: $0.pointee.sin_port))
        }
      }
    }
    guard port > 0 else { throw Failure() }
    self.listener = listener
    self.port = port
    DispatchQueue(label: "FakeGPSD").async {
      var number = 0
      while true {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else { break }
        script(Connection(descriptor: descriptor), number)
        close(descriptor)
        number += 1
      }
      close(listener)
    }
  }

  package struct Failure: Error {
    package init() {}
  }

  /// Ends the wait for connections.
  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  /// A gpsd that says ten times a second that it is in Cupertino, or what the members say.
  package static func inCupertino(
    _ members: String = #""mode":3,"lat":37.3230,"lon":-122.0322,"eph":8"#
  ) throws -> FakeGPSD {
    try FakeGPSD { connection, _ in
      guard connection.beginWatch() else { return }
      connection.sendSteadily {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let time = Date().formatted(style)
        return [#"{"class":"TPV","device":"/dev/ttyACM0","time":"\#(time)",\#(members)}"#]
      }
    }
  }
}
