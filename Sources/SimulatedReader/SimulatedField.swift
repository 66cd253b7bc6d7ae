/// What lies in front of the antenna: at most one tag, and what happens to it.
///
/// It stands between the chip and the tag, counts frames and lets the tag's faults happen.
public struct SimulatedField: Sendable {
  /// What belongs on this reader, of whatever kind, also while a fault keeps it away.
  public private(set) var card: (any SimulatedCard)?
  /// Tag commands since the start.
  public private(set) var tagCommands = 0
  /// Writes to the tag since the start, taken or not.
  public private(set) var writes = 0

  /// How long the frames in the air and the writing of the tag's memory have taken.
  private(set) var radioTime = Duration.zero

  private var visitor: (any SimulatedCard)?
  private var isTagAway = false
  private var faults: [Fault]
  private(set) var isOn = false

  /// Makes a field.
  ///
  /// - Parameters:
  ///   - tag: What lies there; `nil` for nothing.
  ///   - faults: What goes wrong; faults of the reader itself are not the field's.
  public init(tag: (any SimulatedCard)?, faults: [Fault] = []) {
    card = tag
    self.faults = faults
  }

  /// The Type 2 tag that belongs on this reader; `nil` when something else does, or nothing.
  public var tag: SimulatedTag? { card as? SimulatedTag }

  /// Lays another tag on the reader, or takes it away with `nil`.
  public mutating func replaceTag(with tag: (any SimulatedCard)?) {
    card = tag
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

  private var present: (any SimulatedCard)? {
    get { isTagAway ? nil : visitor ?? card }
    set {
      guard !isTagAway, let newValue else { return }
      if visitor != nil { visitor = newValue } else { card = newValue }
    }
  }

  mutating func switchOn() {
    if !isOn { radioTime += ModelledTime.startUp }
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
  ///   - baudRateAndType: Whom it asks, as InListPassiveTarget's BrTy; 0 is type A at 106 kbit/s.
  ///   - wakeUp: Whether halted tags are asked too.
  ///   - request: Data that goes with the request, in technologies where some does.
  ///   - matching: Whether to go on and select the tag with this UID.
  /// - Returns: The tag that is selected now.
  mutating func findTag(
    baudRateAndType: UInt8 = 0, wakeUp: Bool, request: [UInt8] = [], matching: ([UInt8]) -> Bool
  ) -> FoundTag? {
    letFaultsOfPresenceHappen()
    guard var tag = present, tag.technology.isFound(byBaudRateAndType: baudRateAndType) else {
      return nil
    }
    defer { present = tag }
    guard tag.request(wakeUp: wakeUp) else { return nil }
    radioTime += ModelledTime.selection(of: tag)
    guard let data = tag.targetData(for: request), matching(tag.uid), tag.select() else {
      tag.fallBack()
      return nil
    }
    return FoundTag(uid: tag.uid, technology: tag.technology, data: data)
  }

  /// Whether a Jewel is there, which answers REQA and then speaks a language of its own.
  var answersTypeARequest: Bool { present?.technology == .jewel }

  /// Sends HLTA, or S(DESELECT) to a tag of ISO/IEC 14443-4; the chip does not care for an answer.
  mutating func halt() {
    guard present?.isActive == true else { return }
    radioTime += ModelledTime.halt
    present?.halt()
  }

  /// Sends a frame that is still part of selecting the tag, such as RATS; no fault counts it.
  mutating func activate(_ frame: [UInt8]) -> TagAnswer {
    guard var tag = present, tag.isActive else { return .silence }
    defer { present = tag }
    let answer = tag.receive(frame)
    radioTime += ModelledTime.exchange(frame, answer: answer)
    return answer
  }

  /// Proves a key to a MIFARE Classic, which counts as one command.
  ///
  /// - Returns: Whether the tag took it; `nil` when it does not know the command.
  mutating func authenticate(_ request: ClassicKeyRequest) -> Bool? {
    letFaultsOfPresenceHappen()
    guard var tag = present, tag.isActive else { return nil }
    defer { present = tag }
    guard let isOpen = tag.authenticate(request) else { return nil }
    tagCommands += 1
    return isOpen
  }

  /// Sends one frame to the tag.
  ///
  /// - Parameter frame: The bytes without CRC; `nil` for a frame whose CRC is wrong.
  mutating func transmit(_ frame: [UInt8]?) -> TagAnswer {
    let places = frame.flatMap { present?.places(writtenBy: $0) }
    let answer = deliver(frame)
    radioTime += ModelledTime.exchange(frame ?? [], answer: answer)
    if let places, answer.confirmsWrite { radioTime += ModelledTime.write(places: places.count) }
    return answer
  }

  private mutating func deliver(_ frame: [UInt8]?) -> TagAnswer {
    letFaultsOfPresenceHappen()
    guard var tag = present, tag.isActive else { return .silence }
    tagCommands += 1
    guard let frame else {
      defer { present = tag }
      return tag.receiveDamagedFrame()
    }
    if let places = tag.places(addressedBy: frame), takeFault(refusing: places) {
      defer { present = tag }
      return tag.refuseWrite(frame)
    }
    guard let places = tag.places(writtenBy: frame) else {
      defer { present = tag }
      return tag.receive(frame)
    }
    writes += 1
    if let isHalf = takeFaultThatTears() {
      tag.tear(frame, isHalf: isHalf)
      present = tag
      isTagAway = true
      return .silence
    }
    let answer = tag.receive(frame)
    if answer.confirmsWrite, let place = takeFault(spoiling: places) { tag.spoil(place: place) }
    present = tag
    return answer
  }
}

/// A tag that a search has selected.
struct FoundTag: Hashable, Sendable {
  var uid: [UInt8]
  var technology: SimulatedTechnology
  /// What InListPassiveTarget tells behind the target number, without ATS.
  var data: [UInt8]
  /// Answer to select with its length byte, once the chip has asked for it.
  var ats: [UInt8] = []

  /// Whether a type A tag's SAK says that it speaks ISO/IEC 14443-4.
  var speaksISODEP: Bool { technology == .typeA && data.count > 2 && data[2] & 0x20 != 0 }
}

/// Which faults are due. Those that happen once are struck off when they do.
extension SimulatedField {
  private mutating func letFaultsOfPresenceHappen() {
    for (index, fault) in faults.enumerated().reversed() {
      switch fault {
      case .removeTag(let count) where tagCommands >= count:
        isTagAway = true
      case .swapTag(let count, let uid) where tagCommands >= count:
        guard let card else { continue }
        visitor = try? card.sister(uid: uid)
        if isOn { visitor?.fieldOn() }
      default: continue
      }
      faults.remove(at: index)
    }
  }

  private mutating func takeFault(refusing places: Range<Int>) -> Bool {
    for (index, fault) in faults.enumerated() {
      guard case .refusePage(let place, let times) = fault, places.contains(place), times != 0
      else { continue }
      if let times { faults[index] = .refusePage(place, times: times - 1) }
      return true
    }
    return false
  }

  private mutating func takeFault(spoiling places: Range<Int>) -> Int? {
    for (index, fault) in faults.enumerated() {
      guard case .storeWrong(let place, let times) = fault, places.contains(place), times != 0
      else { continue }
      if let times { faults[index] = .storeWrong(page: place, times: times - 1) }
      return place
    }
    return nil
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
