import CliptagBasics

/// The figures of a simulated reader's work, for measuring clients.
///
/// They grow from the simulator's start, across clients. The cost of one job is the difference:
///
/// ```swift
/// let before = reader.counts
/// …
/// let job = reader.counts - before
/// print(job.exchanges, job.modelledMilliseconds)
/// ```
public struct ReaderCounts: Hashable, Sendable {
  /// The number of commands that the chip took; for a PC/SC reader, of APDUs.
  public internal(set) var exchanges = 0
  /// The number of frames to a selected tag; requests, selection and halting do not count.
  public internal(set) var tagCommands = 0
  /// The number of writes to a tag, accepted or not.
  public internal(set) var writes = 0
  /// The number of bytes on the serial line from the host, including wake-up and acknowledgements.
  public internal(set) var bytesFromHost = 0
  /// The number of bytes on the serial line to the host.
  public internal(set) var bytesToHost = 0
  /// The time of those bytes on the line at the speed chosen by the host, 115200 baud at first; for
  /// a PC/SC reader, 2 ms per exchange over USB.
  public internal(set) var lineTime = Duration.zero
  /// The time of the frames in the air and of writing the tag's memory.
  public internal(set) var radioTime = Duration.zero
  /// The time for which the chip waited for tags that did not answer.
  public internal(set) var waitingTime = Duration.zero

  /// Makes counts of zero.
  package init() {}

  /// The time for which a real reader would have been busy: the sum of the three times. It does not
  /// depend on the machine, on ``SimulatedTiming``, or on the client's own time.
  public var modelledTime: Duration { lineTime + radioTime + waitingTime }

  /// ``modelledTime`` in milliseconds.
  public var modelledMilliseconds: Double { modelledTime / .milliseconds(1) }

  /// The difference between two counts.
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
      + "\(Int(bounded: modelledMilliseconds.rounded())) ms modelled"
  }
}
