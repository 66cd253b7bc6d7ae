public import TagTypes

/// A simulated tag without reader and line, for tests of code that works on a `TagChannel`.
///
/// It is in the field and selected. Commands are answered at once. A refusal or a missing response
/// is an error of code `refused`, after which the tag is selected again, as the protocol requires.
public actor SimulatedTagChannel: TagChannel {
  /// The tag's description from its selection.
  public nonisolated let target: TagTarget
  /// The tag in its current state.
  public private(set) var tag: SimulatedTag

  /// Puts a tag into the field and selects it.
  ///
  /// - Parameter tag: The tag, of which the channel has a separate copy.
  public init(_ tag: SimulatedTag) {
    self.tag = tag
    target = TagTarget(atqa: [0x00, 0x44], sak: 0, uid: tag.uid)
    self.tag.fieldOn()
    _ = self.tag.request(wakeUp: true)
    _ = self.tag.select()
  }

  /// Sends one command and returns the response without its CRC.
  public func exchange(_ command: [UInt8]) throws(TagChannelError) -> [UInt8] {
    switch tag.receive(command) {
    case .data(let bytes): return bytes
    case .acknowledged: return []
    case .refused, .silence, .damaged:
      try reselect(fieldCycle: false)
      throw TagChannelError(.refused, "the tag refused the command")
    }
  }

  /// Selects the tag again, optionally after a field cycle.
  public func reselect(fieldCycle: Bool) throws(TagChannelError) {
    if fieldCycle {
      tag.fieldOff()
      tag.fieldOn()
    }
    // An active tag falls back on the first request and answers the second.
    guard tag.request(wakeUp: true) || tag.request(wakeUp: true), tag.select() else {
      throw TagChannelError(.tagLost, "the tag does not answer")
    }
  }

  /// Changes the tag without the channel's client, like another reader would.
  ///
  /// - Parameter change: A closure that changes the tag.
  public func alter(_ change: @Sendable (inout SimulatedTag) -> Void) { change(&tag) }
}
