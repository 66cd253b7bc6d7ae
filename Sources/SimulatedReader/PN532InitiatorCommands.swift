/// Commands that find tags and keep account of them (UM0701-02, section 7.3).
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
    // An endless search needs two looks at a tag that will not move: the first request sends a
    // selected tag back to where it came from, the second finds it.
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
  /// - Returns: The whole response, code first; `nil` when none answers.
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
  /// - Parameter isWanted: Whether to go on with a tag that was selected.
  private mutating func lookOnce(
    for search: TagSearch, isWanted: (FoundTag) -> Bool = { _ in true }
  ) -> FoundTag? {
    // A known UID is asked for with WUPA, which reaches halted tags; any tag with REQA.
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
      self.target?.baudRateAndType = search.baudRateAndType
      found.ats = ats
      return found
    }
    if search.baudRateAndType == 0 {
      // A Jewel answers REQA, though it goes no further.
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

  /// Whether initiator data is a UID with its cascade tags, or the beginning of it in whole cascade
  /// levels (UM0701-02, section 7.3.5).
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
  /// - Returns: Whether it is selected.
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

  /// Target 0 is every target, and then none is no mistake.
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

  /// Status 01 when the time for an answer has passed.
  mutating func silence() -> PN532Reply {
    lastError = PN532Status.timeout.rawValue
    return .later(PendingReply(response: [PN532Status.timeout.rawValue], delay: timing.answer))
  }
}
