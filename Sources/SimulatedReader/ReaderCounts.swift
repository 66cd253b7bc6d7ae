/// How much a client has asked of a simulated reader: the figures to measure clients by.
///
/// They grow from the simulator's start, across clients. What one job needs is the difference:
///
/// ```swift
/// let before = reader.counts
/// …
/// let job = reader.counts - before
/// print(job.exchanges, job.modelledMilliseconds)
/// ```
public struct ReaderCounts: Hashable, Sendable {
  /// Commands the chip took; of a PC/SC reader, APDUs.
  public internal(set) var exchanges = 0
  /// Frames to a selected tag; requests, selection and halting do not count.
  public internal(set) var tagCommands = 0
  /// Writes to a tag, taken or not.
  public internal(set) var writes = 0
  /// Bytes on the serial line from the host, wake-up and acknowledgements included.
  public internal(set) var bytesFromHost = 0
  /// Bytes on the serial line to the host.
  public internal(set) var bytesToHost = 0
  /// How long those bytes take on the line at the speed the host chose, 115200 baud at first; of a PC/SC
  /// reader, 2 ms an exchange over USB.
  public internal(set) var lineTime = Duration.zero
  /// How long the frames in the air and the writing of the tag's memory take.
  public internal(set) var radioTime = Duration.zero
  /// How long the chip waited for tags that did not answer.
  public internal(set) var waitingTime = Duration.zero

  /// Everything at its beginning.
  package init() {}

  /// How long a real reader would have been busy: the sum of the three times. It does not depend on
  /// the machine, on ``SimulatedTiming``, or on how long the client thought.
  public var modelledTime: Duration { lineTime + radioTime + waitingTime }

  /// ``modelledTime`` in milliseconds.
  public var modelledMilliseconds: Double { modelledTime / .milliseconds(1) }

  /// What has come since.
  public static func - (later: Self, earlier: Self) -> Self {
    var difference = ReaderCounts()
    difference.exchanges = later.exchanges - earlier.exchanges
    difference.tagCommands = later.tagCommands - earlier.tagCommands
    difference.writes = later.writes - earlier.writes
    difference.bytesFromHost = later.bytesFromHost - earlier.bytesFromHost
    difference.bytesToHost = later.bytesToHost - earlier.bytesToHost
    difference.lineTime = later.lineTime - earlier.lineTime
    difference.radioTime = later.radioTime - earlier.radioTime
    difference.waitingTime = later.waitingTime - earlier.waitingTime
    return difference
  }
}

extension ReaderCounts: CustomStringConvertible {
  /// The figures on one line.
  public var description: String {
    "\(exchanges) exchanges, \(tagCommands) tag commands, \(writes) writes, "
      + "\(bytesFromHost) bytes from the host, \(bytesToHost) bytes to the host, "
      + "\(Int(modelledMilliseconds.rounded())) ms modelled"
  }
}
