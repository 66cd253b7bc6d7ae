/// The serial line between host and chip, as far as it counts: its speed and how busy it was.
struct SerialLine: Sendable {
  /// What the chip speaks from power-up (UM0701-02, section 6.3.1).
  static let firstBaudRate = 115_200

  /// The figures of the line; those of the chip and the field are not in here.
  private(set) var counts = ReaderCounts()
  /// The speed from the next response on.
  var nextBaudRate = SerialLine.firstBaudRate

  private var baudRate = SerialLine.firstBaudRate
  /// How long what the host sent was on its way; it is over before the chip sends anything.
  private var arrival = Duration.zero

  /// Bytes have come from the host.
  mutating func receive(_ count: Int) {
    let time = ModelledTime.line(bytes: count, baudRate: baudRate)
    counts.bytesFromHost += count
    counts.lineTime += time
    arrival += time
  }

  /// Bytes go to the host.
  mutating func send(_ bytes: [UInt8], event: TraceEvent? = nil) -> ChipOutput {
    let time = ModelledTime.line(bytes: bytes.count, baudRate: baudRate)
    counts.bytesToHost += bytes.count
    counts.lineTime += time
    defer { arrival = .zero }
    if event != .chipAcknowledged { baudRate = nextBaudRate }
    return ChipOutput(bytes: bytes, line: arrival + time, event: event)
  }

  /// The chip has waited for a tag.
  mutating func waited(_ time: Duration) { counts.waitingTime += time }

  /// The client closed the line; the next one begins at the first speed, as with a reader that was
  /// plugged in again.
  mutating func reset() {
    let counts = counts
    self = SerialLine()
    self.counts = counts
  }
}
