import TagTypes

/// Something that happened on the line between host and chip, in front of the antenna, or to the
/// simulation.
public enum TraceEvent: Hashable, Sendable {
  /// The host sent a command frame; the body begins with `D4`.
  case command(body: [UInt8])
  /// The chip answers `command` (its code and parameters); the body begins with `D5`, or is `7F`,
  /// the error frame.
  case response(body: [UInt8], command: [UInt8])
  /// The host sent an ACK, which ends whatever the chip is doing.
  case hostAcknowledged
  /// The host sent a NAK: it wants the last response again.
  case hostRefused
  /// The chip acknowledges a command frame.
  case chipAcknowledged
  /// A fault, the deck, a script or the control channel did something; in words.
  case note(String)
}

extension TraceEvent: CustomStringConvertible {
  /// The event on one line: `>` from the host, `<` from the chip, `-` from neither; then words; then
  /// the bytes of the frame's body.
  public var description: String {
    switch self {
    case .command(let body):
      "> \(PN532Wording.command(Array(body.dropFirst())))  [\(Self.spaced(body))]"
    case .response(let body, let command):
      "< \(command.first.map(PN532Wording.name) ?? "an empty frame"): "
        + PN532Wording.response(body == [0x7F] ? body : Array(body.dropFirst()), to: command)
        + "  [\(Self.spaced(body))]"
    case .hostAcknowledged: "> ACK"
    case .hostRefused: "> NAK"
    case .chipAcknowledged: "< ACK"
    case .note(let text): "- \(text)"
    }
  }

  private static func spaced(_ bytes: [UInt8]) -> String {
    bytes.map { [$0].hexadecimal }.joined(separator: " ")
  }
}

/// A ``TraceEvent`` and when it happened.
public struct TraceEntry: Hashable, Sendable {
  /// The time since the reader began to serve. A response is timed when it is sent.
  public let time: Duration
  /// What happened.
  public let event: TraceEvent
}

extension TraceEntry: CustomStringConvertible {
  /// Milliseconds since the start with three decimals, and the event.
  public var description: String {
    let microseconds = Int(time / .microseconds(1))
    let fraction = String(microseconds % 1000)
    let text =
      String(microseconds / 1000) + "." + String(repeating: "0", count: 3 - fraction.count)
      + fraction
    return String(repeating: " ", count: max(0, 12 - text.count)) + text + "  \(event)"
  }
}
