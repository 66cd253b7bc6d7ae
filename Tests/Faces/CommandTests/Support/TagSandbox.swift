import SimulatedReader
import TagTypes

extension Sandbox {
  /// Runs a command of `cliptag tag` on a simulated reader.
  @discardableResult
  func tag(
    _ arguments: String..., on reader: SimulatedReader, stdin: [UInt8] = [],
    environment: [String: String] = [:]
  ) async throws -> Outcome {
    try await run(
      ["tag"] + arguments + ["--reader", reader.connectionString], stdin: stdin,
      environment: environment)
  }
}

/// Waits until a condition holds; a failing command ends the wait, because its test is bounded in
/// time.
func until(_ condition: () -> Bool) async throws {
  while !condition() { try await Task.sleep(for: .milliseconds(1)) }
}

extension SimulatedReader {
  /// Returns a reader with a prepared tag.
  static func holding(
    _ layout: Type2Layout = .ntag213, faults: Fault...,
    prepare: (inout SimulatedTag) -> Void = { _ in }
  ) throws -> SimulatedReader {
    var tag = try SimulatedTag(layout)
    prepare(&tag)
    return try SimulatedReader(tag: tag, faults: faults)
  }

  /// The present memory of the tag.
  var memory: [UInt8] { tag?.memory ?? [] }
}

extension SimulatedTag {
  /// Puts an NDEF message behind the factory's lock control TLV of an NTAG213.
  mutating func hold(message: [UInt8]) {
    place([0x01, 0x03, 0xA0, 0x0C, 0x34, 0x03, UInt8(message.count)] + message + [0xFE], atPage: 4)
  }

  /// Puts an NDEF message of one URI record on the tag.
  ///
  /// - Parameters:
  ///   - prefix: The code of the URI's beginning (URI RTD 1.0, table 3); 4 is `https://`.
  ///   - rest: The text that follows it, at most 200 bytes.
  mutating func hold(uri rest: String, prefix: UInt8 = 4) {
    let payload = [prefix] + Array(rest.utf8)
    hold(message: [0xD1, 0x01, UInt8(payload.count), 0x55] + payload)
  }
}
