/// The states of a type A tag between field and selection (ISO/IEC 14443-3, section 6.3).
struct TypeAState: Hashable, Sendable {
  private enum Phase: Hashable, Sendable {
    case off
    case idle
    case halted
    /// Has answered a request; `fromHalt` says where it falls back to.
    case ready(fromHalt: Bool)
    case active(fromHalt: Bool)
  }

  private var phase = Phase.off

  /// Whether there is no field.
  var isOff: Bool { phase == .off }
  /// Whether the tag is selected and will look at commands.
  var isActive: Bool { if case .active = phase { true } else { false } }
  /// Whether only WUPA reaches the tag.
  var isHalted: Bool { phase == .halted }

  mutating func fieldOn() { phase = .idle }
  mutating func fieldOff() { phase = .off }
  mutating func halt() { phase = .halted }

  /// A request comes.
  ///
  /// - Parameter wakeUp: WUPA, which also reaches halted tags; otherwise REQA.
  /// - Returns: Whether the tag answers with its ATQA. One that was selected already does not: it
  ///   falls back to where it came from.
  mutating func request(wakeUp: Bool) -> Bool {
    switch phase {
    case .idle: phase = .ready(fromHalt: false)
    case .halted where wakeUp: phase = .ready(fromHalt: true)
    case .off, .halted: return false
    case .ready, .active:
      fallBack()
      return false
    }
    return true
  }

  /// The tag, having answered a request, is selected.
  ///
  /// - Returns: Whether it is active now.
  mutating func select() -> Bool {
    guard case .ready(let fromHalt) = phase else { return false }
    phase = .active(fromHalt: fromHalt)
    return true
  }

  /// Back to IDLE or HALT.
  mutating func fallBack() {
    switch phase {
    case .ready(fromHalt: true), .active(fromHalt: true): phase = .halted
    case .ready, .active: phase = .idle
    case .off, .idle, .halted: break
    }
  }
}
