/// What lies in front of the antenna: at most one tag, and what happens to it.
///
/// It stands between the chip and the tag, counts frames and lets the tag's faults happen.
public struct SimulatedField: Sendable {
  /// The tag that belongs on this reader, also while a fault keeps it away.
  public private(set) var tag: SimulatedTag?
  /// Tag commands since the start.
  public private(set) var tagCommands = 0
  /// Writes to the tag since the start, taken or not.
  public private(set) var writes = 0

  private var visitor: SimulatedTag?
  private var isTagAway = false
  private var faults: [Fault]
  private(set) var isOn = false

  /// Makes a field.
  ///
  /// - Parameters:
  ///   - tag: What lies there; `nil` for nothing.
  ///   - faults: What goes wrong; faults of the reader itself are not the field's.
  public init(tag: SimulatedTag?, faults: [Fault] = []) {
    self.tag = tag
    self.faults = faults
  }

  /// Lays another tag on the reader, or takes it away with `nil`.
  public mutating func replaceTag(with tag: SimulatedTag?) {
    self.tag = tag
    putBack()
  }

  /// What a fault removed, tore or swapped lies on the reader again, freshly put there.
  mutating func putBackIfAway() {
    if isTagAway || visitor != nil { putBack() }
  }

  private mutating func putBack() {
    isTagAway = false
    visitor = nil
    present?.fieldOff()
    if isOn { present?.fieldOn() }
  }

  private var present: SimulatedTag? {
    get { isTagAway ? nil : visitor ?? tag }
    set {
      guard !isTagAway, let newValue else { return }
      if visitor != nil { visitor = newValue } else { tag = newValue }
    }
  }

  mutating func switchOn() {
    isOn = true
    present?.fieldOn()
  }

  mutating func switchOff() {
    isOn = false
    present?.fieldOff()
  }

  /// Looks for a tag once.
  ///
  /// - Parameters:
  ///   - wakeUp: Whether halted tags are asked too.
  ///   - matching: Whether to go on and select the tag with this UID.
  /// - Returns: The UID of the tag that is selected now.
  mutating func findTag(wakeUp: Bool, matching: ([UInt8]) -> Bool) -> [UInt8]? {
    letFaultsOfPresenceHappen()
    guard var tag = present else { return nil }
    defer { present = tag }
    guard tag.request(wakeUp: wakeUp) else { return nil }
    guard matching(tag.uid), tag.select() else {
      tag.fallBack()
      return nil
    }
    return tag.uid
  }

  /// Sends HLTA, which no tag answers.
  mutating func halt() {
    guard present?.isActive == true else { return }
    present?.halt()
  }

  /// Sends one frame to the tag.
  ///
  /// - Parameter frame: The bytes without CRC; `nil` for a frame whose CRC is wrong.
  mutating func transmit(_ frame: [UInt8]?) -> TagAnswer {
    letFaultsOfPresenceHappen()
    guard var tag = present, tag.isActive else { return .silence }
    tagCommands += 1
    guard let frame else {
      defer { present = tag }
      return tag.receiveDamagedFrame()
    }
    if let page = tag.page(addressedBy: frame), takeFault(refusing: page) {
      tag.fallBack()
      present = tag
      return .refused(5)
    }
    guard let page = tag.page(writtenBy: frame) else {
      defer { present = tag }
      return tag.receive(frame)
    }
    return write(frame, page: page, tag: tag)
  }

  private mutating func write(_ frame: [UInt8], page: Int, tag before: SimulatedTag) -> TagAnswer {
    var tag = before
    let answer = tag.receive(frame)
    writes += 1
    if let isHalf = takeFaultThatTears() {
      if answer == .acknowledged, isHalf, !tag.isGuardedAgainstTearing(page: page) {
        var torn = before
        torn.overwrite(page: page, with: Array(tag.page(page)[0..<2] + before.page(page)[2...]))
        present = torn
      }
      isTagAway = true
      return .silence
    }
    if answer == .acknowledged, takeFault(spoiling: page) {
      let stored = tag.page(page)
      tag.overwrite(page: page, with: [stored[0] ^ 0x01] + stored[1...])
    }
    present = tag
    return answer
  }
}

/// Which faults are due. Those that happen once are struck off when they do.
extension SimulatedField {
  private mutating func letFaultsOfPresenceHappen() {
    for (index, fault) in faults.enumerated().reversed() {
      switch fault {
      case .removeTag(let count) where tagCommands >= count:
        isTagAway = true
      case .swapTag(let count, let uid) where tagCommands >= count:
        guard let tag else { continue }
        visitor = try? SimulatedTag(tag.layout, uid: uid ?? Self.visitorUID(besides: tag.uid))
        if isOn { visitor?.fieldOn() }
      default: continue
      }
      faults.remove(at: index)
    }
  }

  /// A UID that is not the one given; its signature is genuine where it can be.
  private static func visitorUID(besides uid: [UInt8]) -> [UInt8] {
    let other: [UInt8] = [0x04, 0xDB, 0x0B, 0xDA, 0x99, 0x3C, 0x80]
    return uid == other ? SimulatedTag.defaultUID : other
  }

  private mutating func takeFault(refusing page: Int) -> Bool {
    for (index, fault) in faults.enumerated() {
      guard case .refusePage(page, let times) = fault, times != 0 else { continue }
      if let times { faults[index] = .refusePage(page, times: times - 1) }
      return true
    }
    return false
  }

  private mutating func takeFault(spoiling page: Int) -> Bool {
    for (index, fault) in faults.enumerated() {
      guard case .storeWrong(page, let times) = fault, times != 0 else { continue }
      if let times { faults[index] = .storeWrong(page: page, times: times - 1) }
      return true
    }
    return false
  }

  /// Whether the write just counted is torn; the value says whether half of it is stored.
  private mutating func takeFaultThatTears() -> Bool? {
    for (index, fault) in faults.enumerated() {
      guard case .tearWrite(writes, let isHalf) = fault else { continue }
      faults.remove(at: index)
      return isHalf
    }
    return nil
  }
}
