/// The commands that find tags and keep track of them (UM0701-02, section 7.3).
extension SimulatedPN532 {
  mutating func runInitiator(code: UInt8, parameters: [UInt8]) -> PN532Reply {
    switch code {
    case 0x40: exchangeData(parameters)
    case 0x42: communicateThrough(parameters)
    case 0x44: deselect(parameters, forgetting: false)
    // No peer for NFC-DEP ever answers, neither at once (InJumpForDEP, InJumpForPSL) nor as an
    // activated target (InPSL, InATR).
    case 0x46, 0x56: silence()
    case 0x4A: listPassiveTarget(parameters)
    case 0x4E, 0x50: .status(.wrongContext)
    case 0x52: deselect(parameters, forgetting: true)
    case 0x54: select(parameters)
    case 0x60: autoPoll(parameters)
    default: .syntaxError
    }
  }

  private mutating func listPassiveTarget(_ parameters: [UInt8]) -> PN532Reply {
    guard parameters.count >= 2, (1...2).contains(parameters[0]), parameters[1] <= 4 else {
      return .syntaxError
    }
    switchField(on: true)
    target = nil
    let retries = timing.activationRetries
    let isEndless = retries == 0xFF
    let empty = PendingReply(
      response: [0], delay: isEndless ? nil : PN532Timing.attempt * (retries + 1))
    // An endless search needs two attempts for a tag that stays: the first request returns a
    // selected tag to its earlier state, the second finds it.
    let search = TagSearch(
      baudRateAndType: parameters[1], initiatorData: Array(parameters[2...]),
      attempts: isEndless ? 2 : retries + 1)
    return find(search, else: empty)
  }

  private mutating func autoPoll(_ parameters: [UInt8]) -> PN532Reply {
    guard (3...17).contains(parameters.count), parameters[0] > 0,
      (1...15).contains(parameters[1])
    else { return .syntaxError }
    switchField(on: true)
    target = nil
    let types = parameters[2...]
    let rounds = Int(parameters[0])
    let empty = PendingReply(
      response: [0],
      delay: rounds == 0xFF
        ? nil : PN532Timing.pollUnit * Int(parameters[1]) * rounds * types.count)
    return find(
      TagSearch(
        baudRateAndType: 0, initiatorData: [], attempts: max(2, rounds),
        polledTypes: Array(types)), else: empty)
  }

  private mutating func find(_ search: TagSearch, else empty: PendingReply) -> PN532Reply {
    let isEndless = empty.delay == nil
    searchCount += 1
    if takeFault(.missTag(searchCount)) {
      field.note("fault miss-tag=\(searchCount): the search finds nothing")
      if !isEndless { return .later(empty) }
    }
    repeat {
      if let response = look(for: search) { return .data(Array(response.dropFirst())) }
    } while field.lookedInVain() && isEndless
    var waiting = empty
    waiting.search = search
    return .later(waiting)
  }

  /// Looks for a tag now.
  ///
  /// - Returns: The whole response, code first; `nil` if none answers.
  mutating func look(for search: TagSearch) -> [UInt8]? {
    guard !search.polledTypes.isEmpty else {
      return lookOnce(for: search).map { [0x4B, 1, 1] + $0.data + $0.ats }
    }
    for type in search.polledTypes {
      guard let baudRateAndType = Self.baudRateAndType(polledType: type) else { continue }
      var one = search
      one.baudRateAndType = baudRateAndType
      // 20 is a tag of ISO/IEC 14443-4, 10 one of the MIFARE family, 00 either.
      let found = lookOnce(for: one) { found in
        switch type {
        case 0x10: !found.speaksISODEP
        case 0x20: found.speaksISODEP
        default: true
        }
      }
      guard let found else { continue }
      let description = [1] + found.data + found.ats
      return [0x61, 1, type, UInt8(description.count)] + description
    }
    return nil
  }

  /// Looks for a tag of one technology, and makes it the target.
  ///
  /// - Parameter isWanted: A closure that returns `true` if a selected tag is accepted.
  private mutating func lookOnce(
    for search: TagSearch, isWanted: (FoundTag) -> Bool = { _ in true }
  ) -> FoundTag? {
    // A known UID is requested with WUPA, which reaches halted tags; any tag with REQA.
    let wakesUp = search.baudRateAndType == 0 && !search.initiatorData.isEmpty
    for _ in 0..<search.attempts {
      let answer = field.findTag(
        baudRateAndType: search.baudRateAndType, wakeUp: wakesUp, request: search.initiatorData
      ) { uid in
        !wakesUp || Self.isCascade(search.initiatorData, beginning: uid)
      }
      guard var found = answer, isWanted(found), let (target, ats) = activated(found) else {
        continue
      }
      if search.baudRateAndType == 0 { registers.prepareForTypeA(unanswered: nil) }
      self.target = target
      field.identify()
      self.target?.baudRateAndType = search.baudRateAndType
      found.ats = ats
      return found
    }
    if search.baudRateAndType == 0 {
      // A Jewel answers REQA, but goes no further.
      let request: UInt8 = wakesUp ? 0x52 : 0x26
      registers.prepareForTypeA(unanswered: field.answersTypeARequest ? nil : request)
    }
    return nil
  }

  /// InListPassiveTarget's BrTy for a type of InAutoPoll (UM0701-02, section 7.3.13); `nil` for a
  /// peer of NFC-DEP.
  private static func baudRateAndType(polledType: UInt8) -> UInt8? {
    switch polledType {
    case 0x00, 0x10, 0x20: 0
    case 0x01, 0x11: 1
    case 0x02, 0x12: 2
    case 0x03, 0x23: 3
    case 0x04: 4
    default: nil
    }
  }

  /// Returns `true` if the initiator data is a UID with its cascade tags, or the beginning of it in
  /// whole cascade levels (UM0701-02, section 7.3.5).
  private static func isCascade(_ data: [UInt8], beginning uid: [UInt8]) -> Bool {
    var cascaded = uid
    if uid.count > 4 { cascaded.insert(0x88, at: 0) }
    if uid.count > 7 { cascaded.insert(0x88, at: 4) }
    return data.count.isMultiple(of: 4) && cascaded.starts(with: data)
  }

  private mutating func select(_ parameters: [UInt8]) -> PN532Reply {
    guard parameters.count == 1 else { return .syntaxError }
    guard parameters[0] == 1, target != nil else { return .status(.wrongContext) }
    return wakeTarget() ? .status(.ok) : silence()
  }

  /// Selects the target again by its UID after InDeselect.
  ///
  /// - Returns: `true` if it is selected.
  mutating func wakeTarget() -> Bool {
    guard let known = target else { return false }
    guard !known.isSelected else { return true }
    let answer = field.findTag(
      baudRateAndType: known.baudRateAndType, wakeUp: true, matching: { $0 == known.uid })
    guard let found = answer, var (woken, _) = activated(found) else { return false }
    woken.baudRateAndType = known.baudRateAndType
    target = woken
    return true
  }

  /// Target 0 means every target, which is not an error even if there is none.
  private mutating func deselect(_ parameters: [UInt8], forgetting: Bool) -> PN532Reply {
    guard parameters.count == 1 else { return .syntaxError }
    guard parameters[0] == 0 || (parameters[0] == 1 && target != nil) else {
      return .status(.wrongContext)
    }
    if target?.isSelected == true { field.halt() }
    if target != nil { field.released() }
    target?.isSelected = false
    if forgetting { target = nil }
    return .status(.ok)
  }

  /// Returns status 01 after the response time-out.
  mutating func silence() -> PN532Reply {
    lastError = PN532Status.timeout.rawValue
    return .later(PendingReply(response: [PN532Status.timeout.rawValue], delay: timing.answer))
  }
}

/// The two transports of commands to a tag: InDataExchange, which knows tag commands and frames
/// them, and InCommunicateThru, which does not (UM0701-02, sections 7.3.8 and 7.3.9).
extension SimulatedPN532 {
  /// InDataExchange. With a tag activated for ISO/IEC 14443-4, the chip exchanges whole APDUs. To
  /// other tags it sends only the known commands of the MIFARE family; any other command ends in an
  /// error frame.
  mutating func exchangeData(_ parameters: [UInt8]) -> PN532Reply {
    guard let number = parameters.first else { return .syntaxError }
    guard number & 0x0F == 1, target != nil else { return fail(.wrongContext) }
    let command = Array(parameters[1...])
    if target?.isoDEP != nil {
      return exchangeBlocks(command, isMoreToCome: number & 0x40 != 0)
    }
    guard let code = command.first else { return .syntaxError }
    if target?.baudRateAndType != 0 {
      return wakeTarget() ? outcome(of: field.transmit(command)) : silence()
    }
    switch (code, command.count) {
    case (0x30, 2), (0xA2, 6), (0xA0, 18), (0xB0, 2): break
    case (0x60, 12), (0x61, 12), (0xC0, 2...6), (0xC1, 2...6), (0xC2, 2...6): break
    default: return .syntaxError
    }
    guard wakeTarget() else { return silence() }
    switch code {
    case 0xA0:
      let announced = field.transmit(Array(command[0..<2]))
      guard announced == .acknowledged else { return outcome(of: announced) }
      return outcome(of: field.transmit(Array(command[2...])))
    case 0x60, 0x61, 0xC0, 0xC1, 0xC2:
      // Only command and block go out first; a Type 2 tag does not support them and stays silent.
      return outcome(of: field.transmit(Array(command[0..<2])))
    default:
      return outcome(of: field.transmit(command))
    }
  }

  private mutating func outcome(of answer: TagAnswer) -> PN532Reply {
    switch answer {
    case .silence: silence()
    case .acknowledged: succeed([])
    case .refused: fail(.badFrame)
    case .data(let data): succeed(data)
    case .damaged(let status): fail(status: status)
    }
  }

  /// InCommunicateThru. With CRC checking on, the four bits of an ACK or NAK look like a damaged
  /// frame; with it off they arrive as one byte, and data arrives with its CRC.
  mutating func communicateThrough(_ parameters: [UInt8]) -> PN532Reply {
    registers.received(lastBits: 0)
    guard !parameters.isEmpty, registers.lastBitsSent == 0 else { return silence() }
    let frame = registers.addsCRC ? parameters : CRCA.stripped(parameters)
    let answer = field.transmit(frame)
    switch answer {
    case .silence: return silence()
    case .acknowledged: return fourBits(0x0A)
    case .refused(let code): return fourBits(code)
    case .damaged(let status): return fail(status: status)
    case .data(let data):
      let received = registers.checksCRC ? data : data + CRCA.checksum(data)
      return received.count <= PN532Frame.longestBody - 3
        ? succeed(received) : fail(.bufferTooSmall)
    }
  }

  private mutating func fourBits(_ bits: UInt8) -> PN532Reply {
    registers.received(lastBits: 4)
    return registers.checksCRC ? fail(.badCRC) : succeed([bits])
  }

  mutating func succeed(_ data: [UInt8]) -> PN532Reply {
    lastError = PN532Status.ok.rawValue
    return .data([PN532Status.ok.rawValue] + data)
  }

  mutating func fail(_ status: PN532Status) -> PN532Reply { fail(status: status.rawValue) }

  /// Reports any status of section 7.1, including those that only a fault causes.
  mutating func fail(status: UInt8) -> PN532Reply {
    lastError = status
    return .data([status])
  }
}

/// The reader's half of ISO/IEC 14443-4, which the chip runs automatically for a tag that it
/// activated with RATS (UM0701-02, section 7.3.8).
extension SimulatedPN532 {
  /// Sends RATS if the tag supports ISO/IEC 14443-4 and SetParameters did not disable it.
  ///
  /// - Returns: The target, and its ATS with the length byte, empty for a tag that got no RATS;
  ///   `nil` if the tag did not answer RATS.
  mutating func activated(_ found: FoundTag) -> (target: PN532Target, ats: [UInt8])? {
    var target = PN532Target(uid: found.uid, isSelected: true)
    guard found.speaksISODEP, parameterFlags & PN532Flags.automaticRATS != 0 else {
      return (target, [])
    }
    guard case .data(let ats) = field.activate([0xE0, 0x50]), let length = ats.first,
      Int(length) == ats.count
    else { return nil }
    target.isoDEP = ISODEPState(frameByteCount: ISODEPState.frameByteCount(ats: ats))
    return (target, ats)
  }

  /// InDataExchange with an activated tag: sends a command in blocks and receives a response.
  ///
  /// - Parameters:
  ///   - data: The command, or its next piece.
  ///   - isMoreToCome: The MI bit: the host has more of this command.
  mutating func exchangeBlocks(_ data: [UInt8], isMoreToCome: Bool) -> PN532Reply {
    guard !data.isEmpty else { return .syntaxError }
    guard wakeTarget(), var protocolState = target?.isoDEP else { return silence() }
    protocolState.unsent += data
    defer { target?.isoDEP = protocolState }
    if isMoreToCome { return succeed([]) }
    let command = protocolState.unsent
    protocolState.unsent = []
    if let answer = field.played?.answer(to: command) {
      guard case .bytes(let bytes) = answer else { return silence() }
      return succeed(bytes)
    }
    let room = protocolState.frameByteCount - 3
    var answer = TagAnswer.silence
    for start in stride(from: 0, to: command.count, by: room) {
      let piece = command[start..<min(start + room, command.count)]
      let isLast = piece.endIndex == command.count
      answer = field.transmit([(isLast ? 0x02 : 0x12) | protocolState.blockNumber] + piece)
      guard case .data(let block) = answer else { return noBlock(answer) }
      if isLast { break }
      guard block == [0xA2 | protocolState.blockNumber] else { return fail(.protocolError) }
      protocolState.blockNumber ^= 1
    }
    return collect(answer, &protocolState)
  }

  /// Collects the blocks of a response, requesting each one that follows.
  private mutating func collect(
    _ first: TagAnswer, _ protocolState: inout ISODEPState
  ) -> PN532Reply {
    var response: [UInt8] = []
    var answer = first
    while true {
      guard case .data(let block) = answer else { return noBlock(answer) }
      guard let control = block.first, control & 0xEF == 0x02 | protocolState.blockNumber else {
        return fail(.protocolError)
      }
      protocolState.blockNumber ^= 1
      response += block.dropFirst()
      guard response.count <= PN532Frame.longestBody - 3 else { return fail(.bufferTooSmall) }
      guard control & 0x10 != 0 else { return succeed(response) }
      answer = field.transmit([0xA2 | protocolState.blockNumber])
    }
  }

  private mutating func noBlock(_ answer: TagAnswer) -> PN532Reply {
    if case .damaged(let status) = answer { fail(status: status) } else { silence() }
  }

  /// Diagnose 06: R(NAK), which a tag of ISO/IEC 14443-4 answers.
  mutating func isISODEPTargetPresent() -> PN532Reply {
    guard let target else { return .status(.wrongContext) }
    guard target.isSelected, let protocolState = target.isoDEP,
      case .data = field.transmit([0xB2 | protocolState.blockNumber])
    else { return .status(.timeout) }
    return .status(.ok)
  }
}

/// The chip's state in the block protocol with its target.
struct ISODEPState: Hashable, Sendable {
  /// The longest frame between chip and tag in bytes, including PCB and CRC.
  let frameByteCount: Int
  var blockNumber: UInt8 = 0
  /// The part of a command that the host has sent with the MI bit.
  var unsent: [UInt8] = []

  init(frameByteCount: Int) { self.frameByteCount = frameByteCount }

  /// The frame size that a tag accepts by its ATS (ISO/IEC 14443-4, section 5.2.3), limited by the
  /// chip to 64 bytes.
  static func frameByteCount(ats: [UInt8]) -> Int {
    let sizes = [16, 24, 32, 40, 48, 64]
    return ats.count > 1 ? sizes[min(Int(ats[1] & 0x0F), 5)] : 32
  }
}

/// The bits of SetParameters (UM0701-02, section 7.2.9).
enum PN532Flags {
  static let automaticRATS: UInt8 = 0x10
  /// The value after power-up: automatic ATR_RES and RATS.
  static let powerUp: UInt8 = 0x14
}
