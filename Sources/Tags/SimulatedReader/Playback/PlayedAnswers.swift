import TagTypes

/// Recorded answers, which take precedence over those of a simulated reader or tag.
package struct PlayedAnswers: Sendable {
  /// The handling of a command that is not the recorded one.
  package enum Mode: String, Hashable, Sendable {
    /// Commands arrive in the recorded order, and another command is an error.
    case strict
    /// A recorded command gets its recorded answers, in any order; the model answers the rest.
    case lenient
  }

  /// The place at which commands are compared.
  package enum Level: Hashable, Sendable {
    /// The body of a PN53x's frame.
    case chip
    /// A PC/SC command.
    case reader
    /// A command of the tag, without CRC.
    case tag
  }

  /// The first command that was not the recorded one.
  package struct Difference: Hashable, Sendable {
    /// The index of the expected step; `nil` after the last one.
    package let step: Int?
    /// The recorded command; `nil` after the last one.
    package let expected: [UInt8]?
    /// The command that arrived.
    package let command: [UInt8]
  }

  /// The answer to a command.
  package enum Answer: Hashable, Sendable {
    case bytes([UInt8])
    case silence
  }

  private struct Exchange: Sendable {
    let step: Int
    let command: [UInt8]
    let answer: Answer
    var isUsed = false
  }

  package let mode: Mode
  package let level: Level
  /// The first command that was not the recorded one; `nil` if there was none.
  package private(set) var difference: Difference?
  private var exchanges: [Exchange]
  private let uid: [UInt8]
  /// Takes out of arriving commands what a recording leaves out.
  private var mask: SessionMask

  init(
    _ exchanges: [(step: Int, command: [UInt8], answer: Answer)], level: Level, mode: Mode,
    uid: [UInt8], family: SessionMask.Family
  ) {
    (self.level, self.mode, self.uid) = (level, mode, uid)
    mask = SessionMask(level == .chip ? .chip : level == .reader ? .reader : .tag)
    mask.family = family
    self.exchanges = exchanges.map {
      Exchange(step: $0.step, command: $0.command, answer: $0.answer)
    }
  }

  /// The number of exchanges.
  package var count: Int { exchanges.count }

  /// Begins anew, for the next client.
  mutating func rewind() {
    for index in exchanges.indices { exchanges[index].isUsed = false }
  }

  /// Returns the recorded answer to a command; `nil` if the model has to answer.
  mutating func answer(to command: [UInt8]) -> Answer? {
    mode == .strict ? strictAnswer(to: command) : lenientAnswer(to: command)
  }

  private mutating func lenientAnswer(to command: [UInt8]) -> Answer? {
    let same = exchanges.indices.filter { matches(exchanges[$0].command, command) }
    // The last answer to a command stays.
    guard let index = same.first(where: { !exchanges[$0].isUsed }) ?? same.last else { return nil }
    exchanges[index].isUsed = true
    return exchanges[index].answer
  }

  private mutating func strictAnswer(to command: [UInt8]) -> Answer? {
    guard !isSettingUp(command) else { return nil }
    let next = exchanges.firstIndex { !$0.isUsed }
    let masked = mask.command(command)
    if let next, [command, masked].contains(where: { matches(exchanges[next].command, $0) }) {
      exchanges[next].isUsed = true
      if case .bytes(let bytes) = exchanges[next].answer { _ = mask.answer(bytes) }
      return exchanges[next].answer
    }
    // A recording has a search without result once, and no search for another technology.
    if level == .chip, command.starts(with: [0xD4, 0x4A]) {
      if command.count > 3, command[3] != 0 { return .bytes([0xD5, 0x4B, 0x00]) }
      let last = exchanges[..<(next ?? exchanges.count)].last
      if let last, last.command == command { return last.answer }
    }
    // A client asks for the UID whenever a pause was long, and releases the tag at its end.
    if level == .reader, command.starts(with: [0xFF, 0xCA, 0x00, 0x00]), !uid.isEmpty {
      return .bytes((uid.count == 8 ? uid.reversed() : uid) + SimulatedPCSCReader.done)
    }
    if level == .reader, command.starts(with: [0xFF, 0xC2, 0x00, 0x00, 0x02, 0x82]) { return nil }
    if difference == nil {
      difference = Difference(
        step: next.map { exchanges[$0].step }, expected: next.map { exchanges[$0].command },
        command: command)
    }
    return .silence
  }

  /// Returns `true` for a command that sets up the chip and that the session does not have: a
  /// session may contain only the commands that reach a tag.
  private func isSettingUp(_ command: [UInt8]) -> Bool {
    guard level == .chip, command.count > 1 else { return false }
    let reachesTag = [0x40, 0x42, 0x46, 0x4A, 0x54, 0x56, 0x60].contains(command[1])
    return !reachesTag
      && !exchanges.contains { $0.command.count > 1 && $0.command[1] == command[1] }
  }

  private func matches(_ recorded: [UInt8], _ command: [UInt8]) -> Bool {
    if recorded == command { return true }
    switch level {
    case .chip, .reader: return false
    case .tag:
      return uid.first == 0xE0 && uid.count == 8
        && Self.unaddressed(recorded, uid) == Self.unaddressed(command, uid)
    }
  }

  /// A command of ISO/IEC 15693 without data rate and UID, which do not change its meaning.
  private static func unaddressed(_ frame: [UInt8], _ uid: [UInt8]) -> [UInt8] {
    guard frame.count >= 2 else { return frame }
    let head = frame[1] >= 0xA0 ? 3 : 2
    var frame = frame
    if frame[0] & 0x24 == 0x20, frame.count >= head + 8,
      Array(frame[head..<head + 8]) == uid.reversed()
    {
      frame.removeSubrange(head..<head + 8)
    }
    // The maker's code of a custom command.
    if head == 3, frame.count > 2, frame[2] == uid[1] { frame.remove(at: 2) }
    return [frame[0] & 0x40] + frame.dropFirst()
  }
}
