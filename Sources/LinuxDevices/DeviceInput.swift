internal import Glibc

/// What came of one wait for a device or a stream.
package enum DeviceInput: Sendable {
  /// It sent something; nothing, when it only seemed so.
  case bytes([UInt8])
  /// The time was over first, or a signal came.
  case quiet
  /// The stream is at its end.
  case end
  /// It failed, with this `errno`.
  case failed(Int32)
}

extension DeviceDescriptor {
  /// Waits for input, and takes what there is, 4,096 bytes at most. Blocks its thread.
  package func input(within milliseconds: Int32) -> DeviceInput {
    let ready = calls.wait(number, milliseconds)
    if ready == 0 { return .quiet }
    if ready < 0 { return .failed(-ready) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = bytes.withUnsafeMutableBytes { calls.read(number, $0) }
    if count > 0 { return .bytes(Array(bytes[..<count])) }
    if count == -Int(EAGAIN) { return .bytes([]) }
    return count == 0 ? .end : .failed(Int32(-count))
  }
}
