import TagTypes

/// A Type 2 tag on a simulated reader; its places are pages.
extension SimulatedTag: SimulatedCard {
  /// Type A at 106 kbit/s.
  package var technology: SimulatedTechnology { .typeA }
  /// The product's name.
  package var name: String { layout.name }

  /// ATQA 0044 and SAK 00, a double-size UID without ISO/IEC 14443-4.
  package func targetData(for request: [UInt8]) -> [UInt8]? {
    [0x00, 0x44, 0x00, UInt8(uid.count)] + uid
  }

  /// Returns the same product with every page in order.
  package func holding(_ memory: [UInt8]) throws(SimulatedReaderError) -> SimulatedTag {
    var tag = try SimulatedTag(layout, memory: memory)
    tag.configurationActsAtOnce = configurationActsAtOnce
    tag.isGeneric = isGeneric
    tag.reservedPages = reservedPages
    return tag
  }

  /// Returns a blank tag; by default with a UID whose signature is genuine, if possible.
  package func sister(uid: [UInt8]?) throws(SimulatedReaderError) -> SimulatedTag {
    let other: [UInt8] =
      hasOneWayCounters
      ? [0x04, 0xC2, 0x28, 0x5A, 0x37, 0x30, 0x80] : [0x04, 0xDB, 0x0B, 0xDA, 0x99, 0x3C, 0x80]
    let uid = uid ?? (self.uid == other ? SimulatedTag.defaultUID : other)
    var tag = isGeneric ? try SimulatedTag.generic(uid: uid) : try SimulatedTag(layout, uid: uid)
    tag.configurationActsAtOnce = configurationActsAtOnce
    return tag
  }

  /// The page that a complete write would change if the tag accepted it.
  package func places(writtenBy command: [UInt8]) -> Range<Int>? {
    guard isActive else { return nil }
    if let page = compatibilityWritePage { return command.count == 16 ? page..<page + 1 : nil }
    return command.first == 0xA2 && command.count == 6
      ? stored(command[1])..<stored(command[1]) + 1 : nil
  }

  /// The page that a command writes, or announces to write.
  package func places(addressedBy command: [UInt8]) -> Range<Int>? {
    if let places = places(writtenBy: command) { return places }
    let isAnnouncement = isActive && command.first == 0xA0 && command.count == 2
    return isAnnouncement ? stored(command[1])..<stored(command[1]) + 1 : nil
  }

  /// Answers NAK 5.
  package mutating func refuseWrite(_ command: [UInt8]) -> TagAnswer {
    fallBack()
    return .refused(5)
  }

  /// Stores at most the first two bytes of a page. Locks and OTP, which the data sheet protects
  /// against tearing, are stored whole.
  package mutating func tear(_ command: [UInt8], isHalf: Bool) {
    guard isHalf, let page = places(writtenBy: command)?.first,
      page != 2, page != 3, page != layout.dynamicLockPage
    else { return }
    let old = self.page(page)
    guard receive(command) == .acknowledged else { return }
    overwrite(page: page, with: Array(self.page(page)[0..<2] + old[2...]))
  }

  /// Inverts the lowest bit of a page's first byte.
  package mutating func spoil(place page: Int) {
    let stored = self.page(page)
    guard let first = stored.first else { return }
    overwrite(page: page, with: [first ^ 0x01] + stored[1...])
  }
}

/// The answer of a tag to one frame.
package enum TagAnswer: Hashable, Sendable {
  /// No answer: the tag is not selected, or does not support the command or its length.
  case silence
  /// The four bits of an ACK (`A`).
  case acknowledged
  /// The four bits of a NAK: 0 for an argument or a closed page, 1 for a damaged frame, 4 for too
  /// many wrong passwords, 5 for memory that did not store the write.
  case refused(UInt8)
  /// Whole bytes, without CRC.
  case data([UInt8])
  /// An answer that was damaged in transmission; the chip reports this status (UM0701-02, section
  /// 7.1).
  case damaged(status: UInt8)

  /// Returns `true` if the tag is mute after this answer until it is selected again: after a NAK,
  /// and after silence unless it was halted.
  func endsSelection(of state: TypeAState) -> Bool {
    switch self {
    case .refused: true
    case .silence: !state.isHalted
    case .acknowledged, .data, .damaged: false
    }
  }

  /// A Boolean value that indicates whether the answer confirms a write: an ACK, or status 9000.
  var confirmsWrite: Bool {
    switch self {
    case .acknowledged: true
    case .data(let bytes): bytes.suffix(2) == [0x90, 0x00]
    case .silence, .refused, .damaged: false
    }
  }
}

/// The states of ISO/IEC 14443-3: field, request, selection, halt.
extension SimulatedTag {
  /// Switches the field on: the tag starts up and waits for a request.
  package mutating func fieldOn() {
    guard state.isOff else { return }
    state.fieldOn()
    hasCountedThisPowerUp = false
    latched.isConfigurationLocked = storedConfiguration?.isLocked ?? false
  }

  /// Switches the field off: the tag loses all state but its memory.
  package mutating func fieldOff() {
    leaveActiveState()
    state.fieldOff()
  }

  /// Receives a request.
  ///
  /// - Parameter wakeUp: `true` for WUPA, which also reaches halted tags; otherwise REQA.
  /// - Returns: `true` if the tag answers with its ATQA. A tag that was selected already does not:
  ///   it falls back to its earlier state.
  package mutating func request(wakeUp: Bool) -> Bool {
    leaveActiveState()
    guard state.request(wakeUp: wakeUp) else { return false }
    latched.staticLocks = Array(memory[10..<12])
    return true
  }

  /// Selects the tag after it has answered a request.
  ///
  /// - Returns: `true` if it is active now.
  package mutating func select() -> Bool {
    guard state.select() else { return false }
    latched.configuration = storedConfiguration
    return true
  }

  /// A Boolean value that indicates whether the tag is selected and processes commands.
  package var isActive: Bool { state.isActive }

  /// Receives a frame whose check bytes are wrong.
  package mutating func receiveDamagedFrame() -> TagAnswer {
    guard isActive else { return .silence }
    fallBack()
    return .refused(1)
  }

  /// Returns to IDLE or HALT, as after every NAK and every unknown command: the tag is mute until
  /// it is selected again.
  package mutating func fallBack() {
    state.fallBack()
    leaveActiveState()
  }

  /// Halts the tag (HLTA): only WUPA reaches it now.
  package mutating func halt() {
    state.halt()
    leaveActiveState()
  }

  private mutating func leaveActiveState() {
    isAuthenticated = false
    compatibilityWritePage = nil
    challengedKey = nil
    (sector, isSelectingSector) = (0, false)
  }
}
