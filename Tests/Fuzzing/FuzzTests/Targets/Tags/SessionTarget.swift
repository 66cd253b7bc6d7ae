import SimulatedReader
import TagTypes

extension FuzzTarget {
  /// The text of a recorded session, and its playing to a program that sends what was recorded and
  /// something else: on a line, and through a PC/SC reader.
  static let session = FuzzTarget(name: "session") { bytes in
    guard let session = try? RecordedSession(parsing: String(decoding: bytes, as: UTF8.self)) else {
      return
    }
    _ = try? RecordedSession(parsing: session.text)
    let sent = session.exchanges.prefix(40).map(\.command)
    for mode in [PlayedAnswers.Mode.strict, .lenient] {
      guard let played = try? PlayedSession(session, mode: mode) else { continue }
      // A UID or a memory of the wrong size is an error, and no trap.
      guard var chip = try? played.chip() else { continue }
      _ = chip.receive([0x55, 0x55, 0x00, 0x00, 0x00])
      for command in [[0x4A, 0x01, 0x00], [0x40, 0x01, 0x30, 0x00], [0x42, 0x60]] as [[UInt8]] {
        _ = chip.receive(frame([0xD4] + command))
        _ = chip.delayElapsed()
      }
      for command in sent {
        _ = chip.receive(command)
        _ = chip.receive(frame(command))
        _ = chip.receive(frame([0xD4, 0x42] + command))
        if chip.delay != nil { _ = chip.delayElapsed() }
      }
      let usual: [[UInt8]] = [
        [0xFF, 0xCA, 0x00, 0x00, 0x00], [0xFF, 0xB0, 0x00, 0x03, 0x10], [0x00, 0xA4, 0x04, 0x00],
        [0xFF, 0xC2, 0x00, 0x00, 0x02, 0x81, 0x00],
      ]
      let answers = try? played.answers(to: usual + sent)
      try require(answers.map { $0.count == usual.count + sent.count } ?? true, "one answer each")
    }
  }

  /// A command in a PN532's frame; a longer one than a frame holds is cut.
  private static func frame(_ body: [UInt8]) -> [UInt8] {
    let body = body.prefix(0xFF)
    let length = UInt8(body.count)
    return [0x00, 0x00, 0xFF, length, 0 &- length] + body + [0 &- body.reduce(0, &+), 0x00]
  }

  /// What a recorder makes of commands and answers: it takes secrets and UIDs out and leaves every
  /// length. The first two bytes of an input choose the carrier and the tag.
  static let sessionMask = FuzzTarget(name: "session-mask") { bytes in
    var source = ByteSource(bytes)
    let carriers: [SessionMask.Carrier] = [.chip, .reader, .tag]
    let families: [SessionMask.Family] = [.type2, .classic, .isoDEP, .vicinity]
    var mask = SessionMask(carriers[Int(source.byte()) % carriers.count])
    mask.family = families[Int(source.byte()) % families.count]
    var uids = SessionUIDs()
    while !source.isEmpty {
      let command = source.bytes(Int(source.byte()))
      let answer = source.bytes(Int(source.byte()))
      uids.add(Array(answer.prefix(8)))
      uids.add(Array(command.prefix(7)))
      let masked = mask.command(command)
      try require(masked.count == command.count, "a command keeps its length")
      try require(
        mask.commandWithoutMessage(masked).count == command.count, "a command keeps its length")
      let maskedAnswer = mask.answer(answer)
      try require(maskedAnswer.count == answer.count, "an answer keeps its length")
      try require(
        mask.answerWithoutMessage(maskedAnswer).count == answer.count, "an answer keeps its length")
      for page in [nil, 0, 2, 0xFF] as [UInt8?] {
        try require(
          uids.replaced(answer, readFrom: page).count == answer.count, "UIDs keep their length")
      }
    }
  }

  /// A tag of ISO/IEC 15693, of one of the products, answers any frame.
  static let type5Tag = FuzzTarget(name: "type5-tag") { bytes in
    var source = ByteSource(bytes)
    let kinds: [SimulatedTagKind] = [.slix2, .icode3, .ntag5, .st25dv04k, .mb89r118, .tagIt]
    guard var card = try kinds[Int(source.byte()) % kinds.count].card() else { return }
    card.fieldOn()
    _ = card.request(wakeUp: true)
    _ = card.select()
    while !source.isEmpty {
      let frame = source.bytes(Int(source.byte() % 24))
      if let places = card.places(writtenBy: frame) {
        try require(places.count == 1, "a frame writes one block")
      }
      _ = card.receive(frame)
    }
    try require(card.memory.count > 20, "the memory stays whole")
  }
}
