/// The modelled durations on the serial line, in the air and in a tag's memory.
///
/// Frames at 106 kbit/s are those of ISO/IEC 14443-3 type A: nine bits per byte, with a start and
/// end of three (reader) or two bits (tag), which gives the figures of the NTAG21x data sheet
/// (section 10: READ 368 µs and 1548 µs, WRITE 708 µs and 57 µs). The execution time of the chip's
/// firmware is not published and counts as zero.
enum ModelledTime {
  /// The time of bytes on a serial line: a start bit, eight bits, a stop bit.
  static func line(bytes: Int, baudRate: Int) -> Duration {
    .nanoseconds(bytes * 10 * 1_000_000_000 / baudRate)
  }

  /// The time of a write in a tag's memory: 4.1 ms per page (NTAG21x data sheet, section 6). The
  /// data sheets of larger memories give no figure; theirs count as much for every 32 bytes begun.
  ///
  /// - Parameter places: The number of pages, blocks or bytes that the frame writes.
  static func write(places: Int) -> Duration { .microseconds(4100) * max(1, (places + 31) / 32) }

  /// The start-up time of a tag in the field, 5 ms (ISO/IEC 14443-3, section 5).
  static let startUp = Duration.milliseconds(5)
  /// The time of HLTA, which takes effect after a millisecond without a response (section 6.4.3).
  static let halt = frame(bytesSent: 4) + .milliseconds(1)
  /// The time of REQA or WUPA (seven bits) and ATQA, then for every cascade level anticollision,
  /// and SELECT with its SAK. Other technologies count the same; they differ by less than a
  /// millisecond.
  static func selection(of tag: any SimulatedCard) -> Duration {
    let request = bits(9) + turn + bits(20) + turn
    let level =
      bits(21) + turn + bits(47) + turn + frame(bytesSent: 9) + turn + frame(bytesReceived: 3)
      + turn
    return request + level * (tag.uid.count > 4 ? 2 : 1)
  }

  /// The time of a frame to the tag and its response.
  ///
  /// - Parameter frame: The bytes without CRC.
  static func exchange(_ frame: [UInt8], answer: TagAnswer) -> Duration {
    let sent = Self.frame(bytesSent: frame.count + 2)
    switch answer {
    // The chip's wait for a missing response is counted elsewhere.
    case .silence, .damaged: return sent
    case .acknowledged, .refused: return sent + turn + bits(6) + turn
    case .data(let data): return sent + turn + Self.frame(bytesReceived: data.count + 2) + turn
    }
  }

  /// The pause before the other side may send: 1236 periods of the carrier (section 6.2.1).
  private static let turn = Duration.nanoseconds(1236 * 100_000 / 1356)

  private static func frame(bytesSent count: Int) -> Duration { bits(9 * count + 3) }
  private static func frame(bytesReceived count: Int) -> Duration { bits(9 * count + 2) }

  /// The time of bits, each 128 periods of the carrier of 13.56 MHz.
  private static func bits(_ count: Int) -> Duration { .nanoseconds(count * 128 * 100_000 / 1356) }
}

/// The delays of a simulated reader's responses.
///
/// In every mode, a tag that does not answer also costs the chip's time-out, and an unsuccessful
/// search its attempts. In every mode, ``ReaderCounts`` reports the real durations.
public enum SimulatedTiming: String, CaseIterable, Hashable, Sendable {
  /// No delays.
  case none
  /// The delays of the frames in the air (106 kbit/s) and of writing the tag's memory (4.1 ms per
  /// page), as over a very fast line.
  case radio
  /// The delays of ``radio`` and of the serial line: ten bits per byte in both directions, at
  /// 115200 baud, or at the speed chosen by the host with SetSerialBaudRate. The line returns to
  /// 115200 baud when the host closes it.
  case wire
}
