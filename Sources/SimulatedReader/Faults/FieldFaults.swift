import TagTypes

/// Which faults of the tag are due. Those that happen once are struck off when they do.
extension SimulatedField {
  /// Strikes off the first fault that is due.
  ///
  /// - Parameter isDue: Gets a fault, and how many tag commands and writes there have been.
  mutating func take(_ isDue: (Fault, _ commands: Int, _ writes: Int) -> Bool) -> Fault? {
    let index = faults.firstIndex { isDue($0, tagCommands, writes) }
    guard let index else { return nil }
    let fault = faults.remove(at: index)
    note("fault \(fault)")
    return fault
  }

  /// Faults that keep a frame from being carried out; the answer is what the chip gets instead.
  mutating func takeFaultInstead(of frame: [UInt8], _ tag: inout any SimulatedCard) -> TagAnswer? {
    if take({ fault, commands, _ in fault == .muteCommand(commands) }) != nil { return .silence }
    for fault in faults {
      switch fault {
      case .refuseCommand(tagCommands, let code):
        _ = take { other, _, _ in other == fault }
        return tag.refuse(frame, code: code, status: [0x6F, 0x00])
      case .apduStatus(tagCommands, let status):
        let word = StatusWord(value: status).bytes
        guard let answer = tag.answer(frame, withStatus: word) else { continue }
        _ = take { other, _, _ in other == fault }
        return answer
      default: continue
      }
    }
    if let places = tag.places(addressedBy: frame), takeFault(refusing: places) {
      return tag.refuseWrite(frame)
    }
    return nil
  }

  /// Whether the write just counted is torn; the tag holds then what is left of it.
  mutating func takeFaultThatTears(_ frame: [UInt8], _ tag: inout any SimulatedCard) -> Bool {
    let fault = take { fault, _, writes in
      switch fault {
      case .tearWrite(writes, _), .tearWriteAfter(writes, _): true
      default: false
      }
    }
    switch fault {
    case .tearWrite(_, let isHalf): tag.tear(frame, isHalf: isHalf)
    case .tearWriteAfter(_, let count): tag.tear(frame, storing: count)
    default: return false
    }
    return true
  }

  /// A write was confirmed: memory that forgets it, or keeps a wrong byte.
  mutating func letStoredBytesSuffer(
    _ places: Range<Int>, _ tag: inout any SimulatedCard, before: any SimulatedCard
  ) {
    if take({ fault, _, writes in fault == .forgetWrite(writes) }) != nil {
      tag.forgetWrite(memoryBefore: before.memory)
    }
    if let place = takeFault(spoiling: places) { tag.spoil(place: place) }
  }

  /// What becomes of an answer on its way to the chip.
  mutating func spoiled(_ answer: TagAnswer, by tag: any SimulatedCard) -> TagAnswer {
    let fault = take { fault, commands, _ in
      switch fault {
      case .loseAnswer(commands), .damageAnswer(commands, _), .garbleAnswer(commands, _),
        .shortAnswer(commands, _), .longAnswer(commands):
        true
      default: false
      }
    }
    guard let fault else { return answer }
    switch fault {
    case .loseAnswer: return .silence
    case .damageAnswer(_, let status): return .damaged(status: status)
    default: break
    }
    guard case .data(var bytes) = answer else { return answer }
    // The control byte of a block is not what a lying tag lies about.
    let first = min(tag.protocolByteCount, bytes.count)
    switch fault {
    case .garbleAnswer(_, let byte) where first + byte < bytes.count: bytes[first + byte] ^= 0x01
    case .shortAnswer(_, let count):
      bytes = Array(bytes.prefix(count.map { first + $0 } ?? max(first, bytes.count - 1)))
    case .longAnswer: bytes.append(0x00)
    default: break
    }
    return .data(bytes)
  }

  private mutating func takeFault(refusing places: Range<Int>) -> Bool {
    for (index, fault) in faults.enumerated() {
      guard case .refusePage(let place, let times) = fault, places.contains(place), times != 0
      else { continue }
      if let times { faults[index] = .refusePage(place, times: times - 1) }
      note("fault \(fault)")
      return true
    }
    return false
  }

  private mutating func takeFault(spoiling places: Range<Int>) -> Int? {
    for (index, fault) in faults.enumerated() {
      guard case .storeWrong(let place, let times) = fault, places.contains(place), times != 0
      else { continue }
      if let times { faults[index] = .storeWrong(page: place, times: times - 1) }
      note("fault \(fault)")
      return place
    }
    return nil
  }
}

extension Fault {
  /// Whether it takes the tag away, or lays another there, after so many commands.
  func isDueOfPresence(afterCommands count: Int) -> Bool {
    switch self {
    case .removeTag(let number), .swapTag(let number, _): count >= number
    default: false
    }
  }
}

/// What a tag needs say nothing of unless its kind differs.
extension SimulatedCard {
  /// Answers carry nothing but data.
  package var protocolByteCount: Int { 0 }
  /// The tag knows no status words.
  package mutating func answer(_ frame: [UInt8], withStatus word: [UInt8]) -> TagAnswer? { nil }
  /// Half of the write, or nothing.
  package mutating func tear(_ frame: [UInt8], storing count: Int) {
    tear(frame, isHalf: count > 0)
  }

  /// A tag without memory has nothing to forget.
  package mutating func forgetWrite(memoryBefore: [UInt8]) {}

  /// Refuses a frame without carrying it out: NAK, or a status to one that ends an APDU.
  mutating func refuse(_ frame: [UInt8], code: UInt8, status: [UInt8]) -> TagAnswer {
    if let answer = answer(frame, withStatus: status) { return answer }
    // A block that ends no APDU is lost instead: ISO/IEC 14443-4 knows no NAK of a tag.
    guard protocolByteCount == 0 else { return .silence }
    fallBack()
    return .refused(code)
  }
}

extension SimulatedTag {
  /// Stores the first bytes of a page at most. Locks and OTP, which the data sheet guards against
  /// tearing, stay whole.
  package mutating func tear(_ command: [UInt8], storing count: Int) {
    guard count > 0, let page = places(writtenBy: command)?.first,
      page != 2, page != 3, page != layout.dynamicLockPage
    else { return }
    let old = self.page(page)
    guard receive(command) == .acknowledged else { return }
    let kept = min(count, old.count)
    overwrite(page: page, with: Array(self.page(page)[..<kept] + old[kept...]))
  }

  /// Every page is what it was.
  package mutating func forgetWrite(memoryBefore: [UInt8]) { memory = memoryBefore }
}

extension SimulatedType4Tag {
  /// The control byte of a block.
  package var protocolByteCount: Int { 1 }

  /// Stores the first bytes of what is written, unless the product writes so few of them whole.
  package mutating func tear(_ frame: [UInt8], storing count: Int) {
    guard count > 0, let command = transponder.command(completedBy: frame),
      let (file, range) = range(writtenBy: command), range.count > product.atomicWriteByteCount
    else { return }
    let before = files[file].bytes
    _ = receive(frame)
    let kept = min(range.lowerBound + count, range.upperBound)
    for offset in kept..<max(kept, min(range.upperBound, before.count)) {
      files[file].bytes[offset] = before[offset]
    }
  }

  /// Every file is what it was.
  package mutating func forgetWrite(memoryBefore: [UInt8]) {
    // The bytes come from a tag of the same product, so that they always fit.
    if let before = try? holding(memoryBefore) { files = before.files }
  }
}

extension SimulatedClassicTag {
  /// Every block is what it was.
  package mutating func forgetWrite(memoryBefore: [UInt8]) { memory = memoryBefore }
}

extension SimulatedJewelTag {
  /// Every byte is what it was.
  package mutating func forgetWrite(memoryBefore: [UInt8]) { memory = memoryBefore }
}
