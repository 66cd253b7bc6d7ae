/// One thing the chip does, in the order it does them, and how long after the one before.
struct ChipOutput: Sendable {
  /// What goes to the host; may be nothing.
  var bytes: [UInt8] = []
  /// How long the line is busy before they have arrived: with what the host sent just before, and
  /// with the bytes themselves.
  var line = Duration.zero
  /// How long the air and the tag's memory are busy before.
  var radio = Duration.zero
  /// How long a fault holds it back, whatever the timing.
  var hold = Duration.zero
  /// What happens, for a trace.
  var event: TraceEvent?
  /// The host has ended what the chip was doing: what it has not sent yet it never sends.
  var endsEarlier = false

  /// How long to wait before it.
  func delay(_ timing: SimulatedTiming) -> Duration {
    switch timing {
    case .none: hold
    case .radio: hold + radio
    case .wire: hold + radio + line
    }
  }

  /// Words for a trace.
  static func note(_ text: String) -> ChipOutput { ChipOutput(event: .note(text)) }
}
