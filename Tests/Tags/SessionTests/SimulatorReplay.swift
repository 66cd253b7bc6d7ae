import CliptagBasics
import TagTypes

@testable import SimulatedReader

/// Sends the commands of a record to the simulator, at the record's layer, and compares the
/// answers.
struct SimulatorReplay {
  private let session: RecordedSession
  private let facts: RecordedFacts
  private var places: [String] = []
  private var words: [String] = []
  private var count = 0

  static func compare(_ session: RecordedSession) throws -> Comparison {
    var replay = SimulatorReplay(session)
    let reason = try replay.run()
    if let reason { return .unplayable(reason) }
    return replay.places.isEmpty
      ? .equal(replay.count)
      : .different(
        places: replay.places.joined(separator: ","), words: replay.words.joined(separator: "; "))
  }

  private init(_ session: RecordedSession) {
    self.session = session
    facts = RecordedFacts(session)
  }

  /// Steps are counted from 1, as in the file.
  private mutating func expect(_ expected: [UInt8], _ got: [UInt8]?, at step: Int) {
    count += 1
    guard (got ?? []) != expected else { return }
    places.append("\(step + 1)")
    words.append(
      "step \(step + 1): \(got.map { $0.hexadecimal(.small) } ?? "no answer") instead of "
        + "\(expected.hexadecimal(.small))")
  }

  private mutating func expectFact(_ expected: [UInt8], _ got: [UInt8]?, _ name: String) {
    count += 1
    guard (got ?? []) != expected else { return }
    places.append(name)
    words.append(
      "\(name): \(got?.hexadecimal(.small) ?? "nothing") instead of "
        + "\(expected.hexadecimal(.small))")
  }

  /// - Returns: The reason why the record cannot be compared.
  private mutating func run() throws -> String? {
    let words = session.tag.lowercased()
    if facts.kind == nil {
      // A tag that is not named has the answers of its technology.
      let isNamed = !["unknown", "type 2", "sam"].contains { words.hasPrefix($0) }
      if isNamed { return "the simulator has no \(session.tag)" }
    }
    switch session.layer {
    case .chipLine: try chipLine()
    case .chipFrame: try chipFrames()
    case .chipTarget: try chipTarget()
    case .apdu, .ccid: return try reader()
    case .pcsc: return try pcsc()
    case .tag: return try tagCommands()
    case .airA: try airA()
    case .airVicinity, .vicinity: try vicinity()
    case .dump: try dump()
    case .signature: return try signature()
    case .uid: return try uid()
    case .nci: return "the simulator is no controller of NCI"
    case .airB, .airFeliCa: return "the simulator has no frames of this technology"
    }
    return count == 0 && places.isEmpty ? "there is nothing to compare" : nil
  }
}

/// A PN532.
extension SimulatorReplay {
  private func chip() throws -> SimulatedPN532 { SimulatedPN532(tag: try facts.card()) }

  private mutating func chipLine() throws {
    var chip = try chip()
    var isSelected = false
    for exchange in session.exchanges {
      prepare(&chip, for: RecordedFacts.body(exchange.command), &isSelected)
      var got = chip.receive(exchange.command)
      if exchange.answers.count > 1 || got == PN532Frame.acknowledge { got += chip.delayElapsed() }
      expect(exchange.answers.flatMap(\.self), got, at: exchange.step)
    }
  }

  private mutating func chipFrames() throws {
    var chip = try chip()
    Self.wake(&chip)
    var isSelected = false
    for exchange in session.exchanges {
      prepare(&chip, for: exchange.command, &isSelected)
      let got = Self.exchange(exchange.command, &chip)
      expect(exchange.answers.last ?? [], got, at: exchange.step)
    }
  }

  /// Wakes the chip and selects the tag if the record begins after that.
  private func prepare(
    _ chip: inout SimulatedPN532, for body: [UInt8], _ isSelected: inout Bool
  ) {
    guard body.count > 1, !isSelected else { return }
    if [0x4A, 0x60].contains(body[1]) { isSelected = true }
    guard [0x40, 0x42, 0x06, 0x08].contains(body[1]) else { return }
    isSelected = true
    Self.wake(&chip)
    _ = Self.exchange([0xD4, 0x4A, 0x01, 0x00], &chip)
  }

  /// Wakes the chip and lets it give up a search, as every program does first: a fresh chip searches
  /// for ever.
  private static func wake(_ chip: inout SimulatedPN532) {
    _ = chip.receive([0x55, 0x55, 0x00, 0x00, 0x00])
    _ = exchange([0xD4, 0x32, 0x05, 0xFF, 0x01, 0x01], &chip)
  }

  private static func exchange(_ body: [UInt8], _ chip: inout SimulatedPN532) -> [UInt8]? {
    let sent = chip.receive(PN532Frame.information(body)) + chip.delayElapsed()
    var reader = PN532FrameReader()
    for item in reader.take(sent) { if case .information(let body) = item { return body } }
    return nil
  }

  private mutating func chipTarget() throws {
    var chip = try chip()
    Self.wake(&chip)
    let answer = Self.exchange([0xD4, 0x4A, 0x01, 0x00], &chip) ?? []
    guard answer.count > 8, answer.count >= 8 + Int(answer[7]) else {
      return expectFact([], answer, "target")
    }
    if let atqa = facts.atqa { expectFact(atqa, Array(answer[4..<6]), "SENS_RES") }
    if let sak = facts.sak { expectFact([sak], [answer[6]], "SEL_RES") }
    if let uid = facts.uid { expectFact(uid, Array(answer[8..<8 + Int(answer[7])]), "UID") }
    if let ats = facts.ats {
      expectFact(ats, Array(answer.dropFirst(9 + Int(answer[7]))), "ATS")
    }
  }
}

/// A PC/SC reader.
extension SimulatorReplay {
  private mutating func reader() throws -> String? {
    guard let model = facts.model else { return "the simulator has no \(session.device)" }
    var reader = SimulatedPCSCReader(chip: try chip(), model: model)
    if let firmware = facts.firmware { reader.firmware = firmware }
    let atr = reader.powerUp()
    if let recorded = facts.atr { expectFact(recorded, atr, "ATR") }
    for exchange in session.exchanges {
      let command = RecordedFacts.message(exchange.command)
      // A message of CCID without content is one between the driver and its reader.
      guard !command.isEmpty else { continue }
      expect(
        RecordedFacts.message(exchange.answers.last ?? []), reader.transmit(command),
        at: exchange.step)
    }
    return count == 0 ? "there are only headers of CCID, which the simulator does not have" : nil
  }

  private mutating func pcsc() throws -> String? {
    guard let model = facts.model else { return "the simulator has no \(session.device)" }
    var reader = SimulatedPCSCReader(chip: try chip(), model: model)
    let atr = reader.powerUp()
    if let recorded = facts.atr { expectFact(recorded, atr, "ATR") }
    if let uid = facts.uid {
      let shown = (uid.count == 8 ? uid.reversed() : uid) + SimulatedPCSCReader.done
      expectFact(shown, reader.transmit([0xFF, 0xCA, 0x00, 0x00, 0x00]), "UID")
    }
    return nil
  }
}

/// A tag.
extension SimulatorReplay {
  private func selected(_ card: (any SimulatedCard)?) -> (any SimulatedCard)? {
    guard var card else { return nil }
    card.fieldOn()
    _ = card.request(wakeUp: true)
    _ = card.select()
    return card
  }

  private mutating func tagCommands() throws -> String? {
    guard var card = selected(try facts.card()) else { return "there is no tag" }
    expectSelection(of: card)
    if let version = facts.version, session.exchanges.isEmpty {
      expectFact(version, Self.send([0x60], &card), "GET_VERSION")
    }
    let isISODEP = card.protocolByteCount == 1
    var isActivated = false
    var number: UInt8 = 0
    for exchange in session.exchanges {
      let expected = exchange.answers.first ?? []
      if exchange.command.first == 0xE0 || !isISODEP {
        isActivated = isISODEP
        var got = Self.send(exchange.command, &card)
        // A part of an answer is compared with that part.
        if session.steps.dropFirst(exchange.step + 1).first?.note.contains("beginning") == true {
          got = got.map { Array($0.prefix(expected.count)) }
        }
        expect(expected, got, at: exchange.step)
        continue
      }
      if !isActivated {
        _ = Self.send([0xE0, 0x80], &card)
        isActivated = true
      }
      let got = Self.send([0x02 | number] + exchange.command, &card)
      number ^= 1
      expect(expected, got.map { Array($0.dropFirst()) }, at: exchange.step)
    }
    return count == 0 ? "there is nothing to compare" : nil
  }

  private mutating func expectSelection(of card: any SimulatedCard) {
    guard let data = card.targetData(for: []), data.count > 3 else { return }
    if let atqa = facts.atqa { expectFact(atqa, Array(data[0..<2]), "SENS_RES") }
    if let sak = facts.sak { expectFact([sak], [data[2]], "SEL_RES") }
  }

  private static func send(_ frame: [UInt8], _ card: inout any SimulatedCard) -> [UInt8]? {
    switch card.receive(frame) {
    case .data(let bytes): bytes
    case .acknowledged: [0x0A]
    case .refused(let code): [code]
    case .silence, .damaged: nil
    }
  }

  private mutating func airA() throws {
    guard let card = try facts.card() else { return }
    var air = SimulatedAir(card)
    for exchange in session.exchanges {
      let expected = exchange.answers.first ?? []
      expect(
        expected, air.send(exchange.command, isAnswered: !expected.isEmpty), at: exchange.step)
    }
  }

  private mutating func vicinity() throws {
    guard var card = selected(try facts.card()) else { return }
    let hasCRC = session.layer == .airVicinity
    for exchange in session.exchanges {
      var command = exchange.command
      var expected = exchange.answers.first ?? []
      if hasCRC {
        command.removeLast(2)
        expected = expected.dropLast(2)
      }
      let got: [UInt8]?
      if command.count == 3, command[0] & 0x04 != 0, command[1] == 0x01 {
        // INVENTORY is what the field does: flags, DSFID, UID.
        let storageFormat = (card as? SimulatedType5Tag)?.storageFormat ?? 0
        got = [0x00, storageFormat] + card.uid.reversed()
      } else {
        got =
          switch card.receive(command) {
          case .data(let bytes): [0x00] + bytes
          case .acknowledged: [0x00]
          case .refused(let code): [0x01, code]
          case .silence, .damaged: nil
          }
      }
      expect(expected, got, at: exchange.step)
    }
  }

  private mutating func dump() throws {
    let isFactory = session.tag.contains("factory")
    guard var card = selected(try facts.card(keepingFactoryState: isFactory)) else { return }
    for (place, bytes) in facts.places.sorted(by: { $0.key < $1.key }) {
      let answer =
        facts.isVicinity
        ? Self.send([0x02, 0x20, UInt8(place)], &card)
        : Self.send([0x30, UInt8(place)], &card).map { Array($0.prefix(4)) }
      if answer.map({ $0.count < 4 }) ?? true { card = selected(card) ?? card }
      expectFact(bytes, answer, facts.isVicinity ? "block \(place)" : "page \(place)")
    }
  }

  private mutating func signature() throws -> String? {
    guard var card = selected(try facts.card()), let signature = facts.signature else {
      return "there is no signature"
    }
    let got =
      facts.isVicinity
      ? Self.send([0x02, 0xBD, card.uid[1]], &card) : Self.send([0x3C, 0x00], &card)
    expectFact(signature, got, "READ_SIG")
    return nil
  }

  private mutating func uid() throws -> String? {
    guard let uid = facts.uid, let card = selected(try facts.card()) else { return "no UID" }
    expectFact(uid, card.uid, "UID")
    return nil
  }
}

/// The air between a reader and one tag of ISO/IEC 14443 type A: requests, anticollision and
/// frames, with their CRC.
///
/// A record does not show when the reader switched its field. A tag that answers a request although
/// it was active had no field before.
struct SimulatedAir {
  private var card: any SimulatedCard
  private var level = 0

  init(_ card: any SimulatedCard) {
    self.card = card
    self.card.fieldOn()
  }

  mutating func send(_ frame: [UInt8], isAnswered: Bool) -> [UInt8]? {
    switch (frame.first, frame.count) {
    case (0x26, 1), (0x52, 1): return request(wakeUp: frame[0] == 0x52, isAnswered)
    case (0x93, 2), (0x95, 2), (0x97, 2): return part(Int(frame[0] - 0x93) / 2)
    case (0x93, 9), (0x95, 9), (0x97, 9):
      guard CRCA.stripped(frame) != nil else { return nil }
      return select(Int(frame[0] - 0x93) / 2, Array(frame[2..<7]))
    default: break
    }
    guard card.isActive else {
      card.fallBack()
      return nil
    }
    guard let command = CRCA.stripped(frame) else {
      _ = card.receiveDamagedFrame()
      return nil
    }
    switch card.receive(command) {
    case .data(let bytes): return bytes + CRCA.checksum(bytes)
    case .acknowledged: return [0x0A]
    case .refused(let code): return [code]
    case .silence, .damaged: return nil
    }
  }

  private mutating func request(wakeUp: Bool, _ isAnswered: Bool) -> [UInt8]? {
    level = 0
    var answers = card.request(wakeUp: wakeUp)
    if !answers, isAnswered {
      card.fieldOff()
      card.fieldOn()
      answers = card.request(wakeUp: wakeUp)
    }
    guard answers, isAnswered, let data = card.targetData(for: []), data.count > 2 else {
      // A reader that gets no answer because of the distance leaves the tag without field.
      if answers {
        card.fieldOff()
        card.fieldOn()
      }
      return nil
    }
    return data[0..<2].reversed()
  }

  /// The UID's part of a cascade level with its check byte.
  private func part(_ level: Int) -> [UInt8]? {
    let uid = card.uid
    let isLast = uid.count <= 4 + 3 * level
    let start = 3 * level
    guard uid.count >= start + 3 else { return nil }
    let part = isLast ? Array(uid[start...].prefix(4)) : [0x88] + uid[start..<start + 3]
    return part + [part.reduce(0, ^)]
  }

  private mutating func select(_ level: Int, _ selected: [UInt8]) -> [UInt8]? {
    guard selected == part(level), let data = card.targetData(for: []), data.count > 2 else {
      card.fallBack()
      return nil
    }
    let isLast = card.uid.count <= 4 + 3 * level
    // A record may begin in the middle of an activation.
    if isLast, !card.select() {
      card.fieldOff()
      card.fieldOn()
      _ = card.request(wakeUp: true)
      _ = card.select()
    }
    let sak = isLast ? data[2] : data[2] | 0x04
    return [sak] + CRCA.checksum([sak])
  }
}
