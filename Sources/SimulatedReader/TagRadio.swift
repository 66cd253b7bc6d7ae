/// What a tag sends back for one frame.
package enum TagAnswer: Hashable, Sendable {
  /// Nothing: the tag is not selected, or does not know the command or its length.
  case silence
  /// The four bits of an ACK (`A`).
  case acknowledged
  /// The four bits of a NAK: 0 for an argument or a closed page, 1 for a damaged frame, 4 for too
  /// many wrong passwords, 5 for memory that did not take the write.
  case refused(UInt8)
  /// Whole bytes, without CRC.
  case data([UInt8])
  /// Something that did not survive the way; the chip gives this status (UM0701-02, section 7.1).
  case damaged(status: UInt8)

  /// Whether a tag that gave it is mute until it is selected again: after a NAK, and after silence,
  /// unless it was sent to sleep.
  func endsSelection(of state: TypeAState) -> Bool {
    switch self {
    case .refused: true
    case .silence: !state.isHalted
    case .acknowledged, .data, .damaged: false
    }
  }

  /// Whether it says that a write succeeded: an ACK, or status 9000.
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
  /// The field comes on: the tag starts up and waits for a request.
  package mutating func fieldOn() {
    guard state.isOff else { return }
    state.fieldOn()
    hasCountedThisPowerUp = false
    latched.isConfigurationLocked = storedConfiguration?.isLocked ?? false
  }

  /// The field goes off: the tag forgets everything but its memory.
  package mutating func fieldOff() {
    leaveActiveState()
    state.fieldOff()
  }

  /// A request comes.
  ///
  /// - Parameter wakeUp: WUPA, which also reaches halted tags; otherwise REQA.
  /// - Returns: Whether the tag answers with its ATQA. A tag that was selected already does not:
  ///   it falls back to where it came from.
  package mutating func request(wakeUp: Bool) -> Bool {
    leaveActiveState()
    guard state.request(wakeUp: wakeUp) else { return false }
    latched.staticLocks = Array(memory[10..<12])
    return true
  }

  /// The tag, having answered a request, is selected.
  ///
  /// - Returns: Whether it is active now.
  package mutating func select() -> Bool {
    guard state.select() else { return false }
    latched.configuration = storedConfiguration
    return true
  }

  /// Whether the tag is selected and will look at commands.
  package var isActive: Bool { state.isActive }

  /// A frame arrives whose check bytes are wrong.
  package mutating func receiveDamagedFrame() -> TagAnswer {
    guard isActive else { return .silence }
    fallBack()
    return .refused(1)
  }

  /// Back to IDLE or HALT, as after every NAK and every command the tag does not know: it is mute
  /// until it is selected again.
  package mutating func fallBack() {
    state.fallBack()
    leaveActiveState()
  }

  /// HLTA: only WUPA reaches the tag now.
  package mutating func halt() {
    state.halt()
    leaveActiveState()
  }

  private mutating func leaveActiveState() {
    isAuthenticated = false
    compatibilityWritePage = nil
    isChallenging = false
  }
}
