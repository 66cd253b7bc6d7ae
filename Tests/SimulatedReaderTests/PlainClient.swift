import Glibc
import Testing

@testable import SimulatedReader

/// A client with nothing but the system's own calls, blocking, on the client's end of a terminal.
struct PlainClient: ~Copyable {
  let descriptor: Int32

  init(_ reader: SimulatedReader) throws {
    descriptor = open(reader.devicePath, O_RDWR | O_NOCTTY)
    try #require(descriptor >= 0)
    send([0x55, 0x55, 0x00, 0x00, 0x00])
  }

  deinit { close(descriptor) }

  func send(_ bytes: [UInt8]) {
    let count = write(descriptor, bytes, bytes.count)
    #expect(count == bytes.count)
  }

  /// Reads as many bytes, fewer when the reader hangs up.
  func receive(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      var chunk = [UInt8](repeating: 0, count: count - bytes.count)
      let length = read(descriptor, &chunk, chunk.count)
      guard length > 0 else { break }
      bytes += chunk[0..<length]
    }
    return bytes
  }

  /// Sends a command, and returns the body behind `D5`.
  func command(_ command: [UInt8]) -> [UInt8] {
    send(PN532Frame.information([0xD4] + command))
    let header = receive(11)
    guard header.count == 11, header[0..<6] == PN532Frame.acknowledge[...] else { return [] }
    return Array(receive(Int(header[9]) + 2).dropLast(2).dropFirst())
  }
}
