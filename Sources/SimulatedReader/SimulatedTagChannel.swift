public import TagTypes

/// A simulated tag without reader and wire, for tests of code that works on a `TagChannel`.
///
/// It lies in the field and is selected. Commands are answered at once, and what the tag refuses or
/// does not answer is an error of code `refused`, after which the tag is selected again, as the
/// protocol promises.
public actor SimulatedTagChannel: TagChannel {
  /// The tag as it answered when it was selected.
  public nonisolated let target: TagTarget
  /// The tag as it is now.
  public private(set) var tag: SimulatedTag

  /// Puts a tag into the field and selects it.
  ///
  /// - Parameter tag: What is worked on; the channel has a copy of its own.
  public init(_ tag: SimulatedTag) {
    self.tag = tag
    target = TagTarget(atqa: [0x00, 0x44], sak: 0, uid: tag.uid)
    self.tag.fieldOn()
    _ = self.tag.request(wakeUp: true)
    _ = self.tag.select()
  }

  /// Sends one command and returns the answer without its CRC.
  public func exchange(_ command: [UInt8]) throws(TagChannelError) -> [UInt8] {
    switch tag.receive(command) {
    case .data(let bytes): return bytes
    case .acknowledged: return []
    case .refused, .silence, .damaged:
      try reselect(fieldCycle: false)
      throw TagChannelError(.refused, "the tag refused the command")
    }
  }

  /// Selects the tag again, if wanted after the field was off.
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

  /// Changes the tag behind everybody's back, as somebody else's reader would.
  ///
  /// - Parameter change: Gets the tag as it is.
  public func alter(_ change: @Sendable (inout SimulatedTag) -> Void) { change(&tag) }
}
