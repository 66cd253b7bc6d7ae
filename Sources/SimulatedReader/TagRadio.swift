import TagTypes

/// What a tag sends back for one frame.
public enum TagAnswer: Hashable, Sendable {
  /// Nothing: the tag is not selected, or does not know the command or its length.
  case silence
  /// The four bits of an ACK (`A`).
  case acknowledged
  /// The four bits of a NAK: 0 for an argument or a closed page, 1 for a damaged frame, 4 for too
  /// many wrong passwords, 5 for memory that did not take the write.
  case refused(UInt8)
  /// Whole bytes, without CRC.
  case data([UInt8])
}

/// The states of ISO/IEC 14443-3: field, request, selection, halt.
extension SimulatedTag {
  /// The field comes on: the tag starts up and waits for a request.
  public mutating func fieldOn() {
    guard state == .off else { return }
    state = .idle
    hasCountedThisPowerUp = false
    latched.isConfigurationLocked = storedConfiguration?.isLocked ?? false
  }

  /// The field goes off: the tag forgets everything but its memory.
  public mutating func fieldOff() {
    leaveActiveState()
    state = .off
  }

  /// A request comes.
  ///
  /// - Parameter wakeUp: WUPA, which also reaches halted tags; otherwise REQA.
  /// - Returns: Whether the tag answers with its ATQA. A tag that was selected already does not:
  ///   it falls back to where it came from.
  public mutating func request(wakeUp: Bool) -> Bool {
    switch state {
    case .idle: state = .ready(fromHalt: false)
    case .halted where wakeUp: state = .ready(fromHalt: true)
    case .off, .halted: return false
    case .ready, .active:
      fallBack()
      return false
    }
    latched.staticLocks = Array(memory[10..<12])
    return true
  }

  /// The tag, having answered a request, is selected.
  ///
  /// - Returns: Whether it is active now.
  public mutating func select() -> Bool {
    guard case .ready(let fromHalt) = state else { return false }
    state = .active(fromHalt: fromHalt)
    latched.configuration = storedConfiguration
    return true
  }

  /// Whether the tag is selected and will look at commands.
  public var isActive: Bool {
    if case .active = state { true } else { false }
  }

  /// A frame arrives whose check bytes are wrong.
  mutating func receiveDamagedFrame() -> TagAnswer {
    guard isActive else { return .silence }
    fallBack()
    return .refused(1)
  }

  /// Back to IDLE or HALT, as after every NAK and every command the tag does not know: it is mute
  /// until it is selected again.
  mutating func fallBack() {
    switch state {
    case .ready(fromHalt: true), .active(fromHalt: true): state = .halted
    case .ready, .active: state = .idle
    case .off, .idle, .halted: break
    }
    leaveActiveState()
  }

  mutating func halt() {
    state = .halted
    leaveActiveState()
  }

  private mutating func leaveActiveState() {
    isAuthenticated = false
    compatibilityWritePage = nil
  }
}
