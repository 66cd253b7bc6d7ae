import TagTypes

/// The command set of a Type 2 tag (NTAG21x data sheet, section 10; MF0ICU1, section 7.6).
extension SimulatedTag {
  /// A frame arrives whose CRC was right.
  ///
  /// - Parameter command: The bytes without CRC, of any number and value.
  /// - Returns: What the tag sends. After ``TagAnswer/refused(_:)``, and after silence on a command
  ///   it does not know, the tag is mute until it is selected again.
  package mutating func receive(_ command: [UInt8]) -> TagAnswer {
    guard isActive else { return .silence }
    let answer = answer(to: command)
    if answer.endsSelection(of: state) { fallBack() }
    return answer
  }

  private mutating func answer(to command: [UInt8]) -> TagAnswer {
    if let page = compatibilityWritePage {
      compatibilityWritePage = nil
      return command.count == 16 ? write(Array(command[0..<4]), page: page) : .silence
    }
    if isChallenging {
      // The proof of the key; none is right, for this tag cannot check it.
      isChallenging = false
      return command.first == 0xAF && command.count == 17 ? .refused(0) : .silence
    }
    switch (command.first, command.count) {
    case (0x30, 2): return read(from: Int(command[1]))
    case (0xA2, 6): return write(Array(command[2...]), page: Int(command[1]))
    case (0xA0, 2):
      guard isWritable(page: Int(command[1])) else { return .refused(0) }
      compatibilityWritePage = Int(command[1])
      return .acknowledged
    case (0x50, 2):
      if command[1] == 0 { halt() }
      return .silence
    case (0x1A, 2) where layout.tripleDESPage != nil && command[1] == 0:
      isChallenging = true
      // A challenge that is the same each time keeps a run repeatable.
      return .data([0xAF] + TagSignature.bytes(for: uid).prefix(8))
    default:
      // Only NTAG21x and MIFARE Ultralight EV1 know the rest; their sign is to tell a version.
      guard let version = layout.version else { return .silence }
      return answer(toVendorCommand: command, version: version)
    }
  }

  private mutating func answer(toVendorCommand command: [UInt8], version: [UInt8]) -> TagAnswer {
    switch (command.first, command.count) {
    case (0x60, 1): .data(version)
    case (0x3A, 3): fastRead(from: Int(command[1]), through: Int(command[2]))
    case (0x39, 2) where layout.hasCounter: command[1] == 2 ? readCounter() : .refused(0)
    case (0x39, 2) where hasOneWayCounters: readOneWayCounter(Int(command[1]))
    case (0xA5, 6) where hasOneWayCounters:
      increment(counter: Int(command[1]), by: Array(command[2..<5]))
    case (0x3E, 2) where hasOneWayCounters: command[1] < 3 ? .data([0xBD]) : .refused(0)
    case (0x3C, 2): command[1] == 0 ? .data(TagSignature.bytes(for: uid)) : .refused(0)
    case (0x1B, 5): authenticate(password: Array(command[1...]))
    default: .silence
    }
  }

  /// The pages READ knows: the key of a MIFARE Ultralight C is none of them.
  private var readablePageCount: Int { layout.tripleDESPage.map { $0 + 2 } ?? layout.pageCount }

  /// READ: sixteen bytes, going on at page 0 behind the last page that may be read.
  private mutating func read(from page: Int) -> TagAnswer {
    guard page < readablePageCount, isOpen(page: page, reading: true) else { return .refused(0) }
    countFirstRead()
    let visible = visibleMemory
    var bytes: [UInt8] = []
    var next = page
    for _ in 0..<4 {
      if next >= readablePageCount || !isOpen(page: next, reading: true) { next = 0 }
      bytes += visible[next * 4..<next * 4 + 4]
      next += 1
    }
    return .data(bytes)
  }

  private mutating func fastRead(from first: Int, through last: Int) -> TagAnswer {
    guard first <= last, last < layout.pageCount, isOpen(page: last, reading: true) else {
      return .refused(0)
    }
    countFirstRead()
    return .data(Array(visibleMemory[first * 4..<(last + 1) * 4]))
  }

  /// The NFC counter counts the first READ or FAST_READ after the field came on.
  private mutating func countFirstRead() {
    guard !hasCountedThisPowerUp, configuration?.counterIsEnabled == true else { return }
    hasCountedThisPowerUp = true
    counter = min(counter + 1, 0xFF_FFFF)
  }

  private func readCounter() -> TagAnswer {
    guard let configuration, configuration.counterIsEnabled,
      isAuthenticated || !configuration.counterNeedsPassword
    else { return .refused(0) }
    return .data([0, 8, 16].map { UInt8(truncatingIfNeeded: counter >> $0) })
  }

  private mutating func authenticate(password: [UInt8]) -> TagAnswer {
    guard let configuration, let page = layout.configurationPage else { return .silence }
    let limit = configuration.wrongPasswordLimit
    guard limit == 0 || wrongPasswords < limit else { return .refused(4) }
    guard password == self.page(page + 2) else {
      if limit > 0 { wrongPasswords += 1 }
      isAuthenticated = false
      return .refused(0)
    }
    wrongPasswords = 0
    isAuthenticated = true
    return .data(Array(self.page(page + 3)[0..<2]))
  }
}

/// Writing, and the pages that take a write in their own way.
extension SimulatedTag {
  private func isWritable(page: Int) -> Bool {
    guard (2..<layout.pageCount).contains(page), isOpen(page: page, reading: false),
      !isLocked(page: page), !reservedPages.contains(page)
    else { return false }
    guard let configuration = layout.configurationPage, latched.isConfigurationLocked else {
      return true
    }
    return page != configuration && page != configuration + 1
  }

  /// Replaces a page past every rule.
  mutating func overwrite(page: Int, with bytes: [UInt8]) {
    memory.replaceSubrange(page * 4..<page * 4 + 4, with: bytes)
  }

  private mutating func write(_ bytes: [UInt8], page: Int) -> TagAnswer {
    guard isWritable(page: page) else { return .refused(0) }
    let old = self.page(page)
    switch page {
    case 2: overwrite(page: page, with: old[0..<2] + staticLocks(afterWriting: Array(bytes[2...])))
    case 3: overwrite(page: page, with: zip(old, bytes).map { $0 | $1 })
    case dynamicLocks?.page:
      overwrite(page: page, with: dynamicLocks?.bytes(afterWriting: bytes, over: old) ?? old)
    default: overwrite(page: page, with: bytes)
    }
    return .acknowledged
  }
}

/// The one-way counters of a MIFARE Ultralight EV1 (MF0ULx1, section 8.7): three, of 24 bits, that
/// only ever grow.
extension SimulatedTag {
  /// Whether the product has them; its version says type 03.
  var hasOneWayCounters: Bool { layout.version?[2] == 0x03 }

  /// READ_CNT: low byte first.
  func readOneWayCounter(_ number: Int) -> TagAnswer {
    guard oneWayCounters.indices.contains(number) else { return .refused(0) }
    return .data([0, 8, 16].map { UInt8(truncatingIfNeeded: oneWayCounters[number] >> $0) })
  }

  /// INCR_CNT: three bytes, low byte first; NAK 4 where the counter would overflow.
  mutating func increment(counter number: Int, by bytes: [UInt8]) -> TagAnswer {
    guard oneWayCounters.indices.contains(number) else { return .refused(0) }
    let sum = bytes.reversed().reduce(0) { $0 << 8 | Int($1) } + oneWayCounters[number]
    guard sum <= 0xFF_FFFF else { return .refused(4) }
    oneWayCounters[number] = sum
    return .acknowledged
  }
}
