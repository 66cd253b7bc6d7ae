import CliptagBasics
import TagTypes

/// A PC/SC reader of one model, above the same field, tags, decks and faults as the simulated
/// PN532, without a service or a socket.
struct SimulatedPCSCReader: Sendable {
  /// The field, its faults and its counts; for an ACR122U also the chip that answers.
  var chip: SimulatedPN532
  let model: SimulatedPCSCModel
  /// The recorded ATR, in place of the one that the tag would get.
  var playedATR: [UInt8]?
  /// The ATR of the powered tag; `nil` while there is none.
  private(set) var atr: [UInt8]?
  private var tag: FoundTag?
  private var isInSession = false
  /// A Boolean value that indicates whether standard commands fail until the tag is reset.
  private var isOutOfOrder = false
  /// A Boolean value that indicates whether all commands fail until the tag is lifted.
  private var isStuck = false
  /// The text of an ACR122U's firmware.
  var firmware = "ACR122U215"
  /// The lights of an ACR122U: bit 0 red, bit 1 green.
  private var lights: UInt8 = 0x02

  init(chip: SimulatedPN532, model: SimulatedPCSCModel) {
    self.chip = chip
    self.model = model
  }

  /// A Boolean value that indicates whether a tag that this reader's antenna reaches is present.
  var isPresent: Bool {
    guard let card = chip.field.presentCard, !chip.isUnplugged else { return false }
    return card.technology != .iso15693 || model.reachesVicinity
  }

  /// Resets the reader after the tag was lifted.
  mutating func forget() {
    powerDown()
    isStuck = false
  }

  mutating func powerDown() {
    chip.switchField(on: false)
    (atr, tag, isInSession, isOutOfOrder) = (nil, nil, false, false)
  }

  /// Cycles the field, selects the present tag and returns its ATR (PC/SC part 3, 3.1.3.2.3).
  mutating func powerUp() -> [UInt8]? {
    powerDown()
    chip.switchField(on: true)
    chip.target = nil
    let kinds = [0, 1, 3, 4] + (model.reachesVicinity ? [SimulatedTechnology.inventory] : [])
    for kind in kinds {
      guard
        let found = chip.field.findTag(baudRateAndType: kind, wakeUp: true, matching: { _ in true })
      else { continue }
      tag = found
      if found.technology == .typeA {
        guard let (target, ats) = chip.activated(found) else { return nil }
        chip.target = target
        atr =
          found.speaksISODEP
          ? Self.atr(historical: Self.historicalBytes(ats: ats)) : Self.storageCard(found)
      } else {
        atr = Self.storageCard(found)
      }
      if let playedATR { atr = playedATR }
      return atr
    }
    return nil
  }

  /// The bytes after TA, TB and TC.
  private static func historicalBytes(ats: [UInt8]) -> [UInt8] {
    guard ats.count > 1 else { return [] }
    let interface = [0x10, 0x20, 0x40].count { ats[1] & UInt8($0) != 0 }
    return Array(ats.dropFirst(2 + interface))
  }

  private static func atr(historical: [UInt8]) -> [UInt8] {
    let bytes = [0x80 | UInt8(min(15, historical.count)), 0x80, 0x01] + historical.prefix(15)
    return [0x3B] + bytes + [bytes.reduce(0, ^)]
  }

  private static func storageCard(_ tag: FoundTag) -> [UInt8] {
    let (standard, name): (UInt8, [UInt8]) =
      switch tag.technology {
      case .feliCa: (0x11, [0x00, 0x3B])
      case .typeB: (0x05, [0x00, 0x00])
      case .jewel: (0x03, [0xF0, 0x04])
      case .iso15693: (0x0B, [0x00, 0x14])
      case .typeA:
        switch tag.data.count > 2 ? tag.data[2] : 0 {
        case 0x08: (0x03, [0x00, 0x01])
        case 0x18: (0x03, [0x00, 0x02])
        default: (0x03, [0x00, 0x03])
        }
      }
    return atr(
      historical: [0x80, 0x4F, 0x0C, 0xA0, 0x00, 0x00, 0x03, 0x06, standard] + name
        + [0x00, 0x00, 0x00, 0x00])
  }

  /// Executes a command.
  ///
  /// - Returns: The response with its status word; `nil` if the reader fails to pass it on.
  mutating func transmit(_ apdu: [UInt8]) -> [UInt8]? {
    guard chip.takesCommand(apdu), !chip.isSilent else { return nil }
    let answer = played(apdu)
    chip.line.exchange(
      sent: apdu.count, answered: answer?.count ?? 0, taking: Self.messagePair)
    return chip.letsAnswerThrough() ? answer : nil
  }

  /// The recorded answer, otherwise that of the model. A lenient player's model executes the
  /// command as well, so that its state fits if it has to answer the next one.
  private mutating func played(_ apdu: [UInt8]) -> [UInt8]? {
    guard chip.played?.level == .reader, let answer = chip.played?.answer(to: apdu) else {
      return run(apdu)
    }
    if chip.played?.mode == .lenient { _ = run(apdu) }
    guard case .bytes(let bytes) = answer, bytes.count >= 2 else { return nil }
    return bytes
  }

  private mutating func run(_ apdu: [UInt8]) -> [UInt8]? {
    // The driver passes on no shorter command, such as a frame of ISO/IEC 15693.
    guard apdu.count >= 4, !isStuck else { return nil }
    if model == .acr122, let answer = answerOfReader(apdu) { return answer }
    guard let tag else { return Self.refused }
    guard apdu[0] == 0xFF else { return exchange(apdu) }
    let body = apdu.count > 5 ? Array(apdu[5...].prefix(Int(apdu[4]))) : []
    switch apdu[1] {
    case 0xCA:
      guard apdu[2] == 0, !isOutOfOrder, !isInSession else { return [0x6A, 0x81] }
      chip.field.identify()
      // The lowest byte of an ISO/IEC 15693 tag's UID comes first, as it is sent.
      return (tag.technology == .iso15693 ? tag.uid.reversed() : tag.uid) + Self.done
    case 0xB0: return isOutOfOrder || isInSession ? Self.refused : read(apdu)
    case 0xD6: return isOutOfOrder || isInSession ? Self.refused : write(apdu, body)
    case 0xC2 where model.hasSession: return session(apdu, body)
    case 0x00 where model == .acr122: return toChip(body)
    case 0x00 where model == .acr1252: return passThrough(body)
    default: return [0x6D, 0x00]
    }
  }

  /// The answer of an ACR122U to a command for itself, which it takes without a tag as well: LED
  /// state, firmware and PICC operating parameter. Those to the last two are bare: the text, and
  /// without a tag the parameter alone.
  private mutating func answerOfReader(_ apdu: [UInt8]) -> [UInt8]? {
    guard apdu[0] == 0xFF, apdu[1] == 0x00, apdu.count >= 5 else { return nil }
    switch apdu[2] {
    case 0x40:
      let (wanted, mask) = (apdu[3] & 0x03, apdu[3] >> 2 & 0x03)
      lights = lights & ~mask | wanted & mask
      return [0x90, lights]
    case 0x48: return Array(firmware.utf8)
    case 0x51: return tag == nil ? [apdu[3]] : [0x90, apdu[3]]
    default: return nil
    }
  }

  /// The time of a command to a USB reader and its response, at least a frame of 1 ms each (USB
  /// 2.0, section 5.8.4).
  static let messagePair = Duration.milliseconds(2)
  static let done: [UInt8] = [0x90, 0x00]
  static let refused: [UInt8] = [0x63, 0x00]

  private mutating func read(_ apdu: [UInt8]) -> [UInt8]? {
    guard apdu.count == 5 else { return [0x67, 0x00] }
    if tag?.technology == .iso15693 {
      let answer = vicinity([0x20], block: Int(apdu[2]) << 8 | Int(apdu[3]))
      return answer[0] == 0 ? answer[1...].prefix(Int(apdu[4])) + Self.done : Self.refused
    }
    guard apdu[2] == 0, apdu[3] < model.addressedPageCount else { return [0x6A, 0x82] }
    let page = Int(apdu[3])
    if model == .acr122, let pages = chip.field.tag?.layout.pageCount, page >= pages {
      isStuck = true
      return nil
    }
    guard case .data(let bytes) = chip.field.transmit([0x30, apdu[3]]) else { return Self.refused }
    let reached = (model.addressedPageCount - page) * 4
    let wanted = min(reached, model.fixedAnswer ?? (apdu[4] == 0 ? 16 : Int(apdu[4])))
    return bytes.prefix(wanted) + Self.done
  }

  private mutating func write(_ apdu: [UInt8], _ body: [UInt8]) -> [UInt8]? {
    if tag?.technology == .iso15693 {
      let block = Int(apdu[2]) << 8 | Int(apdu[3])
      return vicinity([0x21], block: block, body)[0] == 0 ? Self.done : Self.refused
    }
    guard body.count == 4 || body.count == 16 else { return [0x67, 0x00] }
    guard apdu[2] == 0, apdu[3] < model.addressedPageCount else { return [0x6A, 0x82] }
    guard body.count == 4 else { return Self.refused }
    return chip.field.transmit([0xA2, apdu[3]] + body) == .acknowledged ? Self.done : Self.refused
  }

  /// READ or WRITE SINGLE BLOCK of ISO/IEC 15693, with an address as long as the block needs.
  ///
  /// - Returns: The flags, of which bit 0 is an error, and the bytes after them.
  private mutating func vicinity(_ code: [UInt8], block: Int, _ bytes: [UInt8] = []) -> [UInt8] {
    let address =
      block <= 0xFF
      ? [code[0], UInt8(block)] : [code[0] + 0x10, UInt8(block & 0xFF), UInt8(block >> 8)]
    return Self.flagged(chip.field.transmit([0x02] + address + bytes)) ?? [0x01]
  }

  /// The response of an ISO/IEC 15693 tag as sent over the air; `nil` for none.
  private static func flagged(_ answer: TagAnswer) -> [UInt8]? {
    switch answer {
    case .data(let bytes): [0x00] + bytes
    case .acknowledged: [0x00]
    case .refused(let code): [0x01, code]
    case .silence, .damaged: nil
    }
  }

  /// Passes the body, a frame, to the PN532 of an ACR122U.
  private mutating func toChip(_ body: [UInt8]) -> [UInt8]? {
    guard body.count >= 2, body[0] == 0xD4 else { return Self.refused }
    switch chip.run(code: body[1], parameters: Array(body[2...])) {
    case .data(let data): return [0xD5, body[1] &+ 1] + data + Self.done
    // The chip's error frame.
    case .syntaxError: return [0x63, 0x7F]
    case .later(let reply): return [0xD5, body[1] &+ 1] + reply.response + Self.done
    }
  }

  private mutating func passThrough(_ body: [UInt8]) -> [UInt8]? {
    switch chip.field.transmit(body) {
    // Stored, but reported as failed.
    case .acknowledged: return Self.refused
    case .data(let bytes): return bytes + Self.done
    case .silence, .refused, .damaged:
      isOutOfOrder = true
      return Self.refused
    }
  }

  /// The manage and exchange commands of the transparent session (PC/SC part 3, amendment 1).
  private mutating func session(_ apdu: [UInt8], _ body: [UInt8]) -> [UInt8]? {
    let accepted: [UInt8] = [0xC0, 0x03, 0x00, 0x90, 0x00]
    switch (apdu[3], body.first) {
    case (0x00, 0x81):
      isInSession = true
      return accepted + Self.done
    case (0x00, 0x82):
      if isInSession, model == .acr1552 { isOutOfOrder = true }
      isInSession = false
      return accepted + Self.done
    case (0x02, 0x8F):
      selectAnew()
      return accepted + [0x8F, 0x01, 0x00] + Self.done
    case (0x01, _):
      guard isInSession, let command = Self.object(0x95, in: body) else {
        return [0xC0, 0x03, 0x01, 0x69, 0x85] + Self.done
      }
      var answer = chip.field.transmit(command)
      if tag?.technology == .iso15693 {
        answer = Self.flagged(answer).map(TagAnswer.data) ?? .silence
      }
      switch answer {
      case .data(let bytes):
        let length: [UInt8] =
          bytes.count < 0x80 ? [UInt8(bytes.count)] : [0x81, UInt8(min(255, bytes.count))]
        return accepted + [0x92, 0x01, 0x00, 0x96, 0x02, 0x00, 0x00, 0x97] + length + bytes
          + Self.done
      case .acknowledged:
        return accepted + [0x92, 0x01, 0x04, 0x96, 0x02, 0x00, 0x00, 0x97, 0x01, 0x0A] + Self.done
      case .refused(let code):
        return accepted + [0x92, 0x01, 0x04, 0x96, 0x02, 0x00, 0x00, 0x97, 0x01, code] + Self.done
      case .silence, .damaged: return [0xC0, 0x03, 0x01, 0x64, 0x01] + Self.done
      }
    default: return [0xC0, 0x03, 0x01, 0x6A, 0x81] + Self.done
    }
  }

  /// Switches to a protocol, which activates any tag that answers, up to the requested layer (PC/SC
  /// part 3 amendment 1, Switch Protocol). An active tag misses the first request.
  private mutating func selectAnew() {
    guard let technology = tag?.technology else { return }
    let kind = technology == .iso15693 ? SimulatedTechnology.inventory : 0
    for _ in 0..<2 {
      guard
        let found = chip.field.findTag(baudRateAndType: kind, wakeUp: true, matching: { _ in true })
      else { continue }
      tag = found
      return
    }
  }

  private static func object(_ tag: UInt8, in bytes: [UInt8]) -> [UInt8]? {
    var rest = bytes[...]
    while rest.count >= 2, var name = rest.popFirst().map(Int.init) {
      if name & 0x1F == 0x1F { name = name << 8 | Int(rest.popFirst() ?? 0) }
      let count = Int(rest.popFirst() ?? 0)
      if name == Int(tag) { return Array(rest.prefix(count)) }
      rest = rest.dropFirst(count)
    }
    return nil
  }

  /// Sends an APDU to a tag of ISO/IEC 14443-4.
  private mutating func exchange(_ apdu: [UInt8]) -> [UInt8]? {
    guard chip.target?.isoDEP != nil else { return [0x6E, 0x00] }
    guard case .data(let data) = chip.exchangeBlocks(apdu, isMoreToCome: false), data.first == 0
    else { return nil }
    return Array(data.dropFirst())
  }
}
