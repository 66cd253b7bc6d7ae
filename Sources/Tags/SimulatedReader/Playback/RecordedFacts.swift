import CliptagBasics
package import TagTypes

/// The facts about a tag that a session shows besides commands and answers: identity and memory.
///
/// A step whose bytes do not show what they are says so in its note: `ATR`, `UID`, `SENS_RES`,
/// `SEL_RES`, `ATS`, `READ_SIG`, `GET_VERSION`, `page 3`, `pages 28 to 2B`, `block 79`.
package struct RecordedFacts: Sendable {
  /// The session.
  package let session: RecordedSession
  /// The answer to reset.
  package private(set) var atr: [UInt8]?
  /// The UID, highest byte first.
  package private(set) var uid: [UInt8]?
  /// SENS_RES, high byte first.
  package private(set) var atqa: [UInt8]?
  /// SEL_RES.
  package private(set) var sak: UInt8?
  /// The answer to select without its length byte.
  package private(set) var ats: [UInt8]?
  /// The originality signature.
  package private(set) var signature: [UInt8]?
  /// The response to GET_VERSION.
  package private(set) var version: [UInt8]?
  /// The encrypted random number with which the tag answers AUTHENTICATE.
  package private(set) var challenge: [UInt8]?
  /// The DSFID of a tag of ISO/IEC 15693.
  package private(set) var storageFormat: UInt8?
  /// The known pages or blocks, each with its bytes.
  package private(set) var places: [Int: [UInt8]] = [:]
  /// The password and its acknowledgement.
  package private(set) var password: (value: [UInt8], acknowledgement: [UInt8])?
  /// The part of a UID that anticollision has shown.
  private var cascade: [UInt8] = []

  /// Reads the facts of a session.
  package init(_ session: RecordedSession) {
    self.session = session
    for step in session.steps where !step.isFromHost { read(step) }
    for exchange in session.exchanges { read(exchange.command, exchange.answers) }
    if let text = session.simulated["uid"] { uid = [UInt8](separatedHexadecimal: text) }
    if let uid, uid.count == 8, uid[0] != 0xE0, uid[7] == 0xE0 { self.uid = uid.reversed() }
    if let sak, sak & 0x20 == 0 { ats = nil }
  }

  /// A Boolean value that indicates whether the tag is one of ISO/IEC 15693.
  package var isVicinity: Bool {
    uid?.count == 8 && uid?.first == 0xE0
      || [.vicinity, .airVicinity].contains(session.layer)
  }

  /// The command set of the tag.
  var family: SessionMask.Family {
    if isVicinity { return .vicinity }
    let sak = sak ?? 0
    // An ATR without PC/SC's identifier is that of a tag of ISO/IEC 14443-4.
    let isCard = atr.map { $0.count > 4 && !$0.contains(0x4F) } ?? false
    return sak & 0x20 != 0 || isCard ? .isoDEP : sak & 0x08 != 0 ? .classic : .type2
  }

  /// The recorded PC/SC reader; `nil` if the simulator has no such model.
  package var model: SimulatedPCSCModel? {
    let device = session.device.lowercased()
    guard !device.contains("sam slot") else { return nil }
    let names: [(String, SimulatedPCSCModel)] = [
      ("acr122", .acr122), ("acr1252", .acr1252), ("acr1552", .acr1552),
      ("acr1251", .acr1252), ("acr1255", .acr1252), ("acr1281", .acr1252),
      ("omnikey 5426", .omnikey5426), ("omnikey 5", .omnikey5022), ("utrust", .utrust3700),
      ("alcor", .alcor), ("orcanthus", .orcanthus),
    ]
    return names.first { device.contains($0.0) }?.1
  }

  /// The text of an ACR122U's firmware, if the session names its number.
  package var firmware: String? {
    let words = session.device.lowercased().split(separator: " ")
    guard words.contains("acr122u"), let place = words.firstIndex(of: "firmware"),
      let number = words[place...].dropFirst().first,
      number.count == 3, number.allSatisfy({ $0.isASCII && $0.isNumber })
    else { return nil }
    return "ACR122U\(number)"
  }

  private mutating func read(_ step: RecordedSession.Step) {
    let (bytes, note) = (step.bytes, step.note)
    switch true {
    case note.hasPrefix("ATR"), note.hasSuffix("ATR 3B 00"),
      session.layer == .apdu && atr == nil && bytes.starts(with: [0x3B]) && bytes.count > 8:
      atr = bytes.first == 0x3B ? bytes : nil
    case note.hasPrefix("UID"), note.hasPrefix("FF CA"), session.layer == .uid: uid = bytes
    case note.hasPrefix("SENS_RES") && bytes.count == 2:
      atqa = note.contains("as the tag sends") ? bytes.reversed() : bytes
    case note.hasPrefix("SEL_RES"): sak = bytes.first
    case note.hasPrefix("ATS"): ats = note.contains("without TL") ? bytes : Array(bytes.dropFirst())
    case note.hasPrefix("READ SIG"), note.hasPrefix("READ_SIG"): signature = bytes
    case note.hasPrefix("GET_VERSION") && bytes.count == 8: version = bytes
    case note.hasPrefix("INVENTORY") && bytes.count == 10:
      (storageFormat, uid) = (bytes[1], Array(bytes[2...].reversed()))
    default: readPlaces(bytes, note)
    }
  }

  /// `page 3`, `pages 28 to 2B`, in hexadecimal; `block 79`, `blocks 0 to 3`, in decimal.
  private mutating func readPlaces(_ bytes: [UInt8], _ note: String) {
    let words = note.split { " ,:".contains($0) }
    guard let noun = words.first, words.count > 1 else { return }
    let radix: Int
    switch noun {
    case "page", "pages": radix = 16
    case "block", "blocks": radix = 10
    default: return
    }
    guard let first = Int(words[1], radix: radix) else { return }
    place(bytes, at: first)
  }

  private mutating func place(_ bytes: [UInt8], at first: Int) {
    // No tag has more blocks than two bytes address.
    guard (0...0xFFFF).contains(first) else { return }
    for offset in stride(from: 0, to: bytes.count - 3, by: 4) {
      places[first + offset / 4] = Array(bytes[offset..<offset + 4])
    }
    // Pages 0 to 1 hold a UID of seven bytes between check bytes.
    if first == 0, !isVicinity, bytes.count >= 8,
      bytes[3] == 0x88 ^ bytes[0] ^ bytes[1] ^ bytes[2]
    {
      uid = Array(bytes[0..<3] + bytes[4..<8])
    }
  }

  /// Reads what an exchange shows about the tag.
  private mutating func read(_ command: [UInt8], _ answers: [[UInt8]]) {
    // After the answer of a tag there may be facts with a note.
    let answer = session.layer == .tag ? answers.first : answers.last
    guard let answer, !answer.isEmpty else { return }
    switch session.layer {
    case .chipLine, .chipFrame:
      let (command, answer) = (Self.body(command), Self.body(answer))
      if command.starts(with: [0xD4, 0x4A]), answer.count > 8, answer[2] == 1 {
        readTarget(Array(answer[4...]), command)
      } else if command.starts(with: [0xD4, 0x40]), answer.starts(with: [0xD5, 0x41, 0x00]) {
        readTag(Array(command.dropFirst(3)), Array(answer.dropFirst(3)))
      } else if command.starts(with: [0xD4, 0x42]), answer.starts(with: [0xD5, 0x43, 0x00]) {
        readTag(Array(command.dropFirst(2)), Array(answer.dropFirst(3)))
      }
    case .apdu, .ccid:
      let (command, answer) = (Self.message(command), Self.message(answer))
      guard answer.count > 2, answer.suffix(2) == [0x90, 0x00] else { return }
      if command.starts(with: [0xFF, 0xCA, 0x00]) { uid = answer.dropLast(2) }
      if command.starts(with: [0xFF, 0xB0, 0x00]), command.count > 3 {
        place(answer.dropLast(2), at: Int(command[3]))
      }
    case .airA: readAir(command, answer)
    case .airVicinity:
      if command.count >= 2, command[1] == 0x01, answer.count == 12 {
        storageFormat = answer[1]
        uid = Array(answer[2..<10].reversed())
      }
    case .tag:
      if command == [0xE0, 0x80] || command == [0xE0, 0x50] { ats = Array(answer.dropFirst()) }
      readTag(command, answer)
    case .vicinity:
      if command.count >= 2, command[1] == 0x2B, answer.count >= 10 {
        uid = Array(answer[2..<10].reversed())
      } else if command.count == 3, command[1] == 0x01, answer.count == 10 {
        storageFormat = answer[1]
        uid = Array(answer[2..<10].reversed())
      }
    default: break
    }
  }

  /// Reads a target of InListPassiveTarget, from SENS_RES on.
  private mutating func readTarget(_ target: [UInt8], _ command: [UInt8]) {
    guard command.count > 3, command[3] == 0, target.count >= 4,
      target.count >= 4 + Int(target[3])
    else { return }
    (atqa, sak) = (Array(target[0..<2]), target[2])
    uid = Array(target[4..<4 + Int(target[3])])
    ats = Array(target.dropFirst(5 + Int(target[3])))
  }

  private mutating func readTag(_ command: [UInt8], _ answer: [UInt8]) {
    if command.count == 2, command[0] == 0x30, answer.count >= 4 {
      place(Array(answer.prefix(16)), at: Int(command[1]))
    } else if command.count == 2, command[0] == 0x1A, answer.count > 8, answer[0] == 0xAF {
      challenge = Array(answer.dropFirst())
    } else if command == [0x60], answer.count == 8 {
      version = answer
    } else if command.first == 0x1B, command.count == 5, answer.count == 2 {
      password = (Array(command[1...]), answer)
    }
  }

  private mutating func readAir(_ command: [UInt8], _ answer: [UInt8]) {
    switch (command.first, command.count) {
    case (0x26, 1), (0x52, 1): if answer.count == 2 { atqa = answer.reversed() }
    case (0x93, 2), (0x95, 2), (0x97, 2):
      guard answer.count == 5 else { return }
      // An activation may be given up in the middle: only a whole UID counts.
      cascade =
        (command[0] == 0x93 ? [] : cascade) + (answer[0] == 0x88 ? answer[1..<4] : answer[0..<4])
      if answer[0] != 0x88 { uid = cascade }
    case (0x93, 9), (0x95, 9), (0x97, 9):
      // With bit 3, the UID is not complete.
      if answer[0] & 0x04 == 0 { sak = answer[0] }
      if command[0] == 0x93, command[2] == 0x88 { cascade = Array(command[3..<6]) }
    case (0xE0, 4): if answer.count > 3 { ats = Array(answer.dropFirst().dropLast(2)) }
    default:
      guard let command = CRCA.stripped(command), let answer = CRCA.stripped(answer) else { return }
      readTag(command, answer)
    }
  }

  /// The body of a PN53x's frame, with or without preamble.
  static func body(_ bytes: [UInt8]) -> [UInt8] {
    if bytes.first == 0xD4 || bytes.first == 0xD5 || bytes == [0x7F] { return bytes }
    var reader = PN532FrameReader()
    for item in reader.take(bytes) { if case .information(let body) = item { return body } }
    return []
  }

  /// A CCID message without its header of ten bytes; other bytes as they are.
  static func message(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count >= 10, let first = bytes.first,
      [0x6F, 0x80, 0x62, 0x65, 0x81].contains(first)
    else { return bytes }
    let count = Int(bytes[1]) | Int(bytes[2]) << 8
    return count == bytes.count - 10 ? Array(bytes[10...]) : bytes
  }
}

/// The exchanges and the tag of a session.
extension RecordedFacts {
  /// The exchanges at one place.
  func exchanges(
    _ level: PlayedAnswers.Level
  ) -> [(step: Int, command: [UInt8], answer: PlayedAnswers.Answer)] {
    var exchanges: [(step: Int, command: [UInt8], answer: PlayedAnswers.Answer)] = []
    for exchange in session.exchanges {
      guard let command = payload(exchange.command), !command.isEmpty else { continue }
      let answer = exchange.answers.compactMap(payload).last { !$0.isEmpty }
      exchanges.append((exchange.step, command, answer.map { .bytes($0) } ?? .silence))
    }
    guard level == .tag else { return exchanges }
    if let version { exchanges.append((0, [0x60], .bytes(version))) }
    if let signature {
      exchanges.append(
        (
          0, isVicinity ? [0x02, 0xBD, uid?.dropFirst().first ?? 0] : [0x3C, 0x00],
          .bytes(isVicinity ? [0x00] + signature : signature)
        ))
    }
    return exchanges
  }

  /// The bytes that a player compares; `nil` for those of anticollision, which it does not play.
  private func payload(_ bytes: [UInt8]) -> [UInt8]? {
    switch session.layer {
    case .chipLine, .chipFrame: Self.body(bytes)
    case .ccid, .apdu: Self.message(bytes)
    case .airA:
      bytes.count == 1 || [0x93, 0x95, 0x97, 0xE0, 0x50].contains(bytes.first)
        ? nil : CRCA.stripped(bytes) ?? bytes
    case .airVicinity: bytes.count > 3 ? bytes.dropLast(2) : bytes
    case .tag: bytes.first == 0xE0 ? nil : bytes
    default: bytes
    }
  }

  /// The kind of simulated tag: the one that the session names, or that the words for its tag mean;
  /// `nil` if the simulator has no such tag.
  package var kind: SimulatedTagKind? {
    if let name = session.simulated["kind"] { return SimulatedTagKind(rawValue: name) }
    let words = session.tag.lowercased()
    let names: [(String, SimulatedTagKind?)] = [
      ("ultralight aes", .ultralightAES), ("i2c plus 2k", .ntagI2CPlus2K),
      ("i2c plus", .ntagI2CPlus1K), ("i2c 2k", .ntagI2C2K), ("i2c", .ntagI2C1K),
      ("ntag 223", .ntag223), ("ntag223", .ntag223), ("ntag 224", .ntag224),
      ("ntag224", .ntag224), ("ntag 5", .ntag5), ("icode 3", .icode3),
      ("icode dna", .icodeDNA), ("slix-s", .slixS), ("slix-l", .slixL),
      ("st25dv64kc", .st25dv64kc), ("st25dv16kc", .st25dv16kc), ("st25dv16k", .st25dv16k),
      ("st25tv", .st25tv02k), ("rf430", .rf430), ("st25dv04kc", .st25dv04kc), ("tag-it", .tagIt),
      ("lri2k", .lri2k),
      ("ntag203", .ntag203), ("ntag210", .ntag210), ("ntag212", .ntag212), ("ntag213", .ntag213),
      ("ntag215", .ntag215), ("ntag216", .ntag216), ("ultralight c", .ultralightC),
      ("ultralight ev1", .ultralightEV1Small), ("ul ev1", .ultralightEV1Small),
      ("ultralight", .ultralight), ("slix2", .slix2), ("slix", .slix), ("icode sli", .sli),
      ("ntag 413", .ntag413),
      ("ntag 424", .ntag424), ("ntag424", .ntag424), ("desfire", .desfire), ("type 4", .type4),
      ("classic 4k", .classic4k), ("classic", .classic1k), ("st25dv64k", .st25dv64k),
      ("st25dv04k", .st25dv04k), ("mb89r118", .mb89r118), ("felica", .felica), ("topaz", .jewel),
      ("type 2", .type2), ("ntag21x", .ntag213),
    ]
    if words == "none" { return SimulatedTagKind.none }
    return names.first { words.contains($0.0) }?.1
  }

  /// The tag, in its factory state or with the bytes that the session shows.
  ///
  /// A tag of no kind that the simulator has is one of its technology, whose answers the session
  /// then has to contain.
  ///
  /// - Throws: `.malformedUID`, `.malformedMemory`.
  package func card(keepingFactoryState: Bool = false) throws(SimulatedReaderError)
    -> (any SimulatedCard)?
  {
    let kind: SimulatedTagKind
    if let known = self.kind {
      kind = known
    } else if isVicinity {
      kind = uid?.prefix(2) == [0xE0, 0x02] ? .st25dv04k : .slix2
    } else if let sak, sak & 0x20 != 0 {
      kind = .type4
    } else {
      kind = .ntag213
    }
    let card = try kind.card(uid: fitting(kind))
    guard !keepingFactoryState else { return card }
    if var tag = card as? SimulatedTag {
      tag.signature = signature
      tag.challenge = challenge
      // A twin answers as its product does, with another maker.
      if let version, version[1] != 0x04 { tag.version = version }
      for (page, bytes) in places.sorted(by: { $0.key < $1.key }) where page > 1 {
        tag.place(bytes, atPage: page)
      }
      if let password, let page = tag.layout.configurationPage {
        tag.place(password.value, atPage: page + 2)
        tag.place(password.acknowledgement, atPage: page + 3)
      }
      return tag
    }
    if var tag = card as? SimulatedType5Tag {
      tag.signature = signature
      if let storageFormat { tag.storageFormat = storageFormat }
      for (block, bytes) in places where block < tag.blocks.count && bytes.count == 4 {
        tag.place(bytes, atBlock: block)
      }
      return tag
    }
    if let tag = card as? SimulatedType4Tag, ats != nil || atqa != nil {
      var product = tag.product
      if let ats, ats.count < Self.longestATS { product.ats = [UInt8(ats.count + 1)] + ats }
      if let atqa { product.atqa = atqa }
      return try SimulatedType4Tag(product, uid: tag.chipUID)
    }
    return card
  }

  /// The longest answer to select that fits into a frame of 64 bytes, as a PN532 has them.
  private static let longestATS = 62

  /// The UID, if the kind takes it.
  private func fitting(_ kind: SimulatedTagKind) -> [UInt8]? {
    guard let uid else { return nil }
    let count =
      switch kind {
      case .classic1k, .classic4k: 4
      case .sli, .slix, .slix2, .slixS, .slixL, .icodeDNA, .icode3, .ntag5, .st25tv02k,
        .st25dv04k, .st25dv04kc, .st25dv16k, .st25dv16kc, .st25dv64k, .st25dv64kc, .lri2k, .tagIt,
        .mb89r118, .rf430:
        8
      case .felica, .typeb, .jewel, .none: 0
      default: 7
      }
    return uid.count == count ? uid : nil
  }
}
