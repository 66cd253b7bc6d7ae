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

  /// The same product holding every page in order.
  package func holding(_ memory: [UInt8]) throws(SimulatedReaderError) -> SimulatedTag {
    var tag = try SimulatedTag(layout, memory: memory)
    tag.configurationActsAtOnce = configurationActsAtOnce
    tag.isGeneric = isGeneric
    tag.reservedPages = reservedPages
    return tag
  }

  /// A blank tag; without a UID, one whose signature is genuine where it can be.
  package func sister(uid: [UInt8]?) throws(SimulatedReaderError) -> SimulatedTag {
    let other: [UInt8] =
      hasOneWayCounters
      ? [0x04, 0xC2, 0x28, 0x5A, 0x37, 0x30, 0x80] : [0x04, 0xDB, 0x0B, 0xDA, 0x99, 0x3C, 0x80]
    let uid = uid ?? (self.uid == other ? SimulatedTag.defaultUID : other)
    return isGeneric ? try SimulatedTag.generic(uid: uid) : try SimulatedTag(layout, uid: uid)
  }

  /// The page that a whole write would change if the tag took it.
  package func places(writtenBy command: [UInt8]) -> Range<Int>? {
    guard isActive else { return nil }
    if let page = compatibilityWritePage { return command.count == 16 ? page..<page + 1 : nil }
    return command.first == 0xA2 && command.count == 6 ? Int(command[1])..<Int(command[1]) + 1 : nil
  }

  /// The page that a command writes, or announces it will write.
  package func places(addressedBy command: [UInt8]) -> Range<Int>? {
    if let places = places(writtenBy: command) { return places }
    let isAnnouncement = isActive && command.first == 0xA0 && command.count == 2
    return isAnnouncement ? Int(command[1])..<Int(command[1]) + 1 : nil
  }

  /// NAK 5.
  package mutating func refuseWrite(_ command: [UInt8]) -> TagAnswer {
    fallBack()
    return .refused(5)
  }

  /// Stores the first two bytes of a page at most. Locks and OTP, which the data sheet guards
  /// against tearing, stay whole.
  package mutating func tear(_ command: [UInt8], isHalf: Bool) {
    guard isHalf, let page = places(writtenBy: command)?.first,
      page != 2, page != 3, page != layout.dynamicLockPage
    else { return }
    let old = self.page(page)
    guard receive(command) == .acknowledged else { return }
    overwrite(page: page, with: Array(self.page(page)[0..<2] + old[2...]))
  }

  /// Turns over the lowest bit of a page's first byte.
  package mutating func spoil(place page: Int) {
    let stored = self.page(page)
    guard let first = stored.first else { return }
    overwrite(page: page, with: [first ^ 0x01] + stored[1...])
  }
}
