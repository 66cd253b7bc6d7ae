/// How long things take on the serial line, in the air and in a tag's memory.
///
/// Frames at 106 kbit/s are those of ISO/IEC 14443-3 type A: nine bits a byte and a start and end of
/// three (reader) or two bits (tag), which gives the figures of the NTAG21x data sheet (section 10:
/// READ 368 µs and 1548 µs, WRITE 708 µs and 57 µs). What the chip's own program needs is in no
/// public document and counts as nothing.
enum ModelledTime {
  /// Bytes on a serial line: a start bit, eight bits, a stop bit.
  static func line(bytes: Int, baudRate: Int) -> Duration {
    .nanoseconds(bytes * 10 * 1_000_000_000 / baudRate)
  }

  /// A tag's memory takes what a frame writes: 4.1 ms a page (NTAG21x data sheet, section 6). The
  /// data sheets of larger memories give no figure; theirs count as much for every 32 bytes begun.
  ///
  /// - Parameter places: How many pages, blocks or bytes the frame writes.
  static func write(places: Int) -> Duration { .microseconds(4100) * max(1, (places + 31) / 32) }

  /// A tag has started up when the field has been on for 5 ms (ISO/IEC 14443-3, section 5).
  static let startUp = Duration.milliseconds(5)
  /// HLTA is obeyed when nothing has answered for a millisecond (section 6.4.3).
  static let halt = frame(bytesSent: 4) + .milliseconds(1)
  /// REQA or WUPA (seven bits) and ATQA, then for every cascade level anticollision, and SELECT with
  /// its SAK. Other technologies are counted alike; theirs differs by less than a millisecond.
  static func selection(of tag: any SimulatedCard) -> Duration {
    let request = bits(9) + turn + bits(20) + turn
    let level =
      bits(21) + turn + bits(47) + turn + frame(bytesSent: 9) + turn + frame(bytesReceived: 3)
      + turn
    return request + level * (tag.uid.count > 4 ? 2 : 1)
  }

  /// A frame to the tag and what it answers.
  ///
  /// - Parameter frame: The bytes without CRC.
  static func exchange(_ frame: [UInt8], answer: TagAnswer) -> Duration {
    let sent = Self.frame(bytesSent: frame.count + 2)
    switch answer {
    // How long the chip waits for an answer that does not come is its own affair.
    case .silence, .damaged: return sent
    case .acknowledged, .refused: return sent + turn + bits(6) + turn
    case .data(let data): return sent + turn + Self.frame(bytesReceived: data.count + 2) + turn
    }
  }

  /// The pause before the other side may speak: 1236 periods of the carrier (section 6.2.1).
  private static let turn = Duration.nanoseconds(1236 * 100_000 / 1356)

  private static func frame(bytesSent count: Int) -> Duration { bits(9 * count + 3) }
  private static func frame(bytesReceived count: Int) -> Duration { bits(9 * count + 2) }

  /// A bit is 128 periods of the carrier of 13.56 MHz.
  private static func bits(_ count: Int) -> Duration { .nanoseconds(count * 128 * 100_000 / 1356) }
}

/// How late a simulated reader's answers come.
///
/// Besides, and in every mode, a tag that does not answer costs the chip's time-out, and a search
/// that finds nothing its attempts. Whatever the mode, ``ReaderCounts`` says how long things would
/// have taken.
public enum SimulatedTiming: String, CaseIterable, Hashable, Sendable {
  /// At once.
  case none
  /// As late as the frames in the air (106 kbit/s) and writing the tag's memory (4.1 ms a page) make
  /// them, as over a very fast line.
  case radio
  /// As late as those and the serial line make them: ten bits a byte both ways, at 115200 baud, or
  /// what the host chose with SetSerialBaudRate. The line is back at 115200 when the host closes it.
  case wire
}
