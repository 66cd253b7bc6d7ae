import Basics
import TagTypes

/// What lies in front of the antenna: a tag, a fault's stranger in its place or beside it, or nothing.
///
/// It stands between the chip and the tag, counts frames and lets the tag's faults happen.
package struct SimulatedField: Sendable {
  /// What belongs on this reader, of whatever kind, also while a fault keeps it away.
  package private(set) var card: (any SimulatedCard)?
  /// Tag commands since the start.
  package private(set) var tagCommands = 0
  /// Writes to the tag since the start, taken or not.
  package private(set) var writes = 0

  /// How long the frames in the air and the writing of the tag's memory have taken.
  private(set) var radioTime = Duration.zero

  /// Selections that found a tag since the start.
  private(set) var selections = 0
  /// The selection after which the host first knew a UID; `nil` before.
  private(set) var identifyingSelection: Int?
  /// Tags that came and went in a way that a smart card service notices, beyond being there or not.
  private(set) var noticedChanges = 0
  /// What takes the tag's place, or lies beside it; without it a blank sister of the tag.
  package var strangerTemplate: (any SimulatedCard)?

  private var visitor: (any SimulatedCard)?
  /// A second tag in the field.
  private var neighbour: (any SimulatedCard)?
  /// Whether the second tag was selected last.
  private var isNeighbourSelected = false
  /// Whether the next selection picks the second tag.
  private var picksNeighbourNext = false
  private var lastStranger: (any SimulatedCard)?
  private var absence: Absence?
  var faults: [Fault]
  private(set) var isOn = false
  private var deck: SimulatedDeck?
  private var lastMemoryFile: String?
  /// How many tag commands there had been when the present tag came.
  private var commandsBefore = 0
  private var notes: [String] = []

  /// Why the tag that belongs here is away.
  private enum Absence: Hashable, Sendable {
    case fault
    case hand
  }

  /// Makes a field.
  ///
  /// - Parameters:
  ///   - tag: What lies there; `nil` for nothing.
  ///   - faults: What goes wrong; faults of the reader itself are not the field's.
  package init(tag: (any SimulatedCard)?, faults: [Fault] = []) {
    card = tag
    self.faults = faults
  }

  /// Makes a field with a deck.
  init(deck: SimulatedDeck, faults: [Fault] = []) {
    var deck = deck
    card = deck.first()
    self.deck = deck
    self.faults = faults
  }

  /// The Type 2 tag that belongs on this reader; `nil` when something else does, or nothing.
  package var tag: SimulatedTag? { card as? SimulatedTag }

  /// Lays another tag on the reader, or takes it away with `nil`.
  package mutating func replaceTag(with tag: (any SimulatedCard)?) {
    card = tag
    commandsBefore = tagCommands
    putBack()
  }

  /// What a fault removed, tore or swapped lies on the reader again, freshly put there.
  mutating func putBackIfAway() {
    if absence == .fault || visitor != nil || neighbour != nil { putBack() }
  }

  /// The tag that a fault laid there, as it is now or was when it left.
  package var stranger: (any SimulatedCard)? { neighbour ?? visitor ?? lastStranger }

  /// The host learns the UID of the tag that is selected.
  mutating func identify() { identifyingSelection = identifyingSelection ?? selections }

  /// Lays the stranger in the tag's place.
  ///
  /// - Parameter isNoticed: Whether a smart card service notices; a quick hand is faster than its polling.
  mutating func swap(isNoticed: Bool) {
    guard let stranger = newStranger(uid: nil) else { return }
    present?.fieldOff()
    visitor = stranger
    if isOn { visitor?.fieldOn() }
    if isNoticed { noticedChanges += 1 }
  }

  /// Lays the stranger beside the tag; the next selection without a UID picks it.
  mutating func layBeside() {
    guard let stranger = newStranger(uid: nil) else { return }
    neighbour = stranger
    if isOn { neighbour?.fieldOn() }
    picksNeighbourNext = true
  }

  private func newStranger(uid: [UInt8]?) -> (any SimulatedCard)? {
    guard uid == nil, let strangerTemplate else { return try? card?.sister(uid: uid) }
    return strangerTemplate
  }

  private mutating func putBack() {
    absence = nil
    lastStranger = stranger
    visitor = nil
    neighbour = nil
    (isNeighbourSelected, picksNeighbourNext) = (false, false)
    present?.fieldOff()
    if isOn { present?.fieldOn() }
  }

  /// What lies there now.
  var presentCard: (any SimulatedCard)? { present }

  private var present: (any SimulatedCard)? {
    get { absence != nil ? nil : isNeighbourSelected ? neighbour : visitor ?? card }
    set {
      guard absence == nil, let newValue else { return }
      if isNeighbourSelected {
        neighbour = newValue
      } else if visitor != nil {
        visitor = newValue
      } else {
        card = newValue
      }
    }
  }

  mutating func switchOn() {
    if !isOn {
      radioTime += ModelledTime.startUp
      isNeighbourSelected = false
    }
    isOn = true
    neighbour?.fieldOn()
    present?.fieldOn()
  }

  mutating func switchOff() {
    isOn = false
    neighbour?.fieldOff()
    isNeighbourSelected = false
    present?.fieldOff()
  }

  /// Decides which of two tags in the field hears a selection.
  ///
  /// Anticollision settles on the tag whose UID is asked for; without a UID the first tag answers, or
  /// the second one where a fault says so.
  private mutating func chooseTag(matching: ([UInt8]) -> Bool) {
    let isDue = faults.contains(.neighbourAtSelection(selections + 1))
    if isDue, neighbour == nil {
      neighbour = newStranger(uid: nil)
      if isOn { neighbour?.fieldOn() }
    }
    guard let other = neighbour else { return }
    let first = absence == nil ? visitor ?? card : nil
    let choosesOther =
      matching(other.uid)
      && (isDue || picksNeighbourNext || first.map { !matching($0.uid) } ?? true)
    guard choosesOther != isNeighbourSelected else { return }
    present?.fallBack()
    isNeighbourSelected = choosesOther
    if choosesOther { note("the tag \(other.uid.hexadecimal) beside the first answers") }
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
    guard present?.technology.isFound(byBaudRateAndType: baudRateAndType) == true else {
      return nil
    }
    letFaultsOfSelectionHappen()
    chooseTag(matching: matching)
    guard var tag = present else { return nil }
    defer { present = tag }
    guard tag.request(wakeUp: wakeUp) else { return nil }
    radioTime += ModelledTime.selection(of: tag)
    guard let data = tag.targetData(for: request), matching(tag.uid), tag.select() else {
      tag.fallBack()
      return nil
    }
    selections += 1
    picksNeighbourNext = false
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
    if let answer = takeFaultInstead(of: frame, &tag) {
      present = tag
      return answer
    }
    guard let places = tag.places(writtenBy: frame) else {
      let answer = tag.receive(frame)
      present = tag
      return spoiled(answer, by: tag)
    }
    writes += 1
    if takeFaultThatTears(frame, &tag) {
      present = tag
      absence = .fault
      return .silence
    }
    let before = tag
    let answer = tag.receive(frame)
    if answer.confirmsWrite { letStoredBytesSuffer(places, &tag, before: before) }
    present = tag
    let isLost = take { fault, _, writes in fault == .muteAfterWrite(writes) } != nil
    return isLost ? .silence : spoiled(answer, by: tag)
  }
}

/// How tags come and go by hand and from a deck; ``SimulatedDeck`` states the rule.
extension SimulatedField {
  /// The deck with every tag as it is now.
  var deckNow: SimulatedDeck? {
    var deck = deck
    deck?.update(card)
    return deck
  }

  /// Where the memory of the tag that belongs here is kept.
  var memoryFile: String? {
    get { deck == nil ? lastMemoryFile : deck?.memoryFile }
    set { lastMemoryFile = newValue }
  }

  /// Takes the words for what has happened since the last call.
  mutating func takeNotes() -> [ChipOutput] {
    defer { notes = [] }
    return notes.map { ChipOutput(event: .note($0)) }
  }

  mutating func note(_ text: String) { notes.append(text) }

  /// The host has let go of the tag.
  mutating func released() {
    guard deck != nil, present != nil, tagCommands > commandsBefore else { return }
    if visitor != nil {
      note("the tag \(visitor?.uid.hexadecimal ?? "") leaves")
      visitor = nil
      absence = .fault
      commandsBefore = tagCommands
    } else {
      leave()
    }
  }

  /// A search has found nothing.
  ///
  /// - Returns: Whether another one may find something that this one could not.
  mutating func lookedInVain() -> Bool {
    guard deck != nil else { return false }
    if absence == .fault {
      putBack()
      note("the tag \(card?.uid.hexadecimal ?? "") is back")
      return true
    }
    guard absence == nil, deck?.lookedInVain() == true else { return false }
    layNext()
    return true
  }

  /// The next tag of the deck is to come: what lies there leaves.
  mutating func goOn() {
    if card != nil { leave() }
    absence = nil
  }

  /// Takes away what lies there; it comes back only by hand.
  mutating func takeAway() {
    guard card != nil, absence != .hand else { return }
    present?.fieldOff()
    visitor = nil
    absence = .hand
  }

  /// What was taken away lies there again.
  mutating func bringBack() { putBack() }

  /// Lays a tag there in the place of what lies there, which leaves.
  mutating func place(_ card: any SimulatedCard) {
    if deck != nil, self.card != nil { leave() }
    lastMemoryFile = nil
    replaceTag(with: card)
  }

  /// The faults that take the tag away, or lay another in its place, when enough commands were
  /// answered.
  private mutating func letFaultsOfPresenceHappen() {
    while let fault = take({ fault, count, _ in fault.isDueOfPresence(afterCommands: count) }) {
      guard case .swapTag(_, let uid) = fault else {
        absence = .fault
        continue
      }
      visitor = newStranger(uid: uid)
      if isOn { visitor?.fieldOn() }
    }
  }

  /// The faults that lay another tag there just before the next selection.
  private mutating func letFaultsOfSelectionHappen() {
    let next = selections + 1
    while take({ fault, _, _ in fault == .swapAtSelection(next) }) != nil {
      visitor = newStranger(uid: nil)
      if isOn { visitor?.fieldOn() }
    }
  }

  private mutating func leave() {
    card?.fieldOff()
    note("the tag \(card?.uid.hexadecimal ?? "") leaves")
    deck?.remove(card)
    replaceTag(with: nil)
  }

  private mutating func layNext() {
    guard card == nil, let next = deck?.next() else { return }
    replaceTag(with: next)
    note("the tag \(next.uid.hexadecimal) lies there")
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

/// Which faults of the tag are due. Those that happen once are struck off when they do.
extension SimulatedField {
  /// Strikes off the first fault that is due.
  ///
  /// - Parameter isDue: Gets a fault, and how many tag commands and writes there have been.
  mutating func take(_ isDue: (Fault, _ commands: Int, _ writes: Int) -> Bool) -> Fault? {
    let index = faults.firstIndex { isDue($0, tagCommands, writes) }
    guard let index else { return nil }
    let fault = faults.remove(at: index)
    note("fault \(fault)")
    return fault
  }

  /// Faults that keep a frame from being carried out; the answer is what the chip gets instead.
  mutating func takeFaultInstead(of frame: [UInt8], _ tag: inout any SimulatedCard) -> TagAnswer? {
    if take({ fault, commands, _ in fault == .muteCommand(commands) }) != nil { return .silence }
    for fault in faults {
      switch fault {
      case .refuseCommand(tagCommands, let code):
        _ = take { other, _, _ in other == fault }
        return tag.refuse(frame, code: code, status: [0x6F, 0x00])
      case .apduStatus(tagCommands, let status):
        let word = StatusWord(value: status).bytes
        guard let answer = tag.answer(frame, withStatus: word) else { continue }
        _ = take { other, _, _ in other == fault }
        return answer
      default: continue
      }
    }
    if let places = tag.places(addressedBy: frame), takeFault(refusing: places) {
      return tag.refuseWrite(frame)
    }
    return nil
  }

  /// Whether the write just counted is torn; the tag holds then what is left of it.
  mutating func takeFaultThatTears(_ frame: [UInt8], _ tag: inout any SimulatedCard) -> Bool {
    let fault = take { fault, _, writes in
      switch fault {
      case .tearWrite(writes, _), .tearWriteAfter(writes, _): true
      default: false
      }
    }
    switch fault {
    case .tearWrite(_, let isHalf): tag.tear(frame, isHalf: isHalf)
    case .tearWriteAfter(_, let count): tag.tear(frame, storing: count)
    default: return false
    }
    return true
  }

  /// A write was confirmed: memory that forgets it, or keeps a wrong byte.
  mutating func letStoredBytesSuffer(
    _ places: Range<Int>, _ tag: inout any SimulatedCard, before: any SimulatedCard
  ) {
    if take({ fault, _, writes in fault == .forgetWrite(writes) }) != nil {
      tag.forgetWrite(memoryBefore: before.memory)
    }
    if let place = takeFault(spoiling: places) { tag.spoil(place: place) }
  }

  /// What becomes of an answer on its way to the chip.
  mutating func spoiled(_ answer: TagAnswer, by tag: any SimulatedCard) -> TagAnswer {
    let fault = take { fault, commands, _ in
      switch fault {
      case .loseAnswer(commands), .damageAnswer(commands, _), .garbleAnswer(commands, _),
        .shortAnswer(commands, _), .longAnswer(commands):
        true
      default: false
      }
    }
    guard let fault else { return answer }
    switch fault {
    case .loseAnswer: return .silence
    case .damageAnswer(_, let status): return .damaged(status: status)
    default: break
    }
    guard case .data(var bytes) = answer else { return answer }
    // The control byte of a block is not what a lying tag lies about.
    let first = min(tag.protocolByteCount, bytes.count)
    switch fault {
    case .garbleAnswer(_, let byte) where first + byte < bytes.count: bytes[first + byte] ^= 0x01
    case .shortAnswer(_, let count):
      bytes = Array(bytes.prefix(count.map { first + $0 } ?? max(first, bytes.count - 1)))
    case .longAnswer: bytes.append(0x00)
    default: break
    }
    return .data(bytes)
  }

  private mutating func takeFault(refusing places: Range<Int>) -> Bool {
    for (index, fault) in faults.enumerated() {
      guard case .refusePage(let place, let times) = fault, places.contains(place), times != 0
      else { continue }
      if let times { faults[index] = .refusePage(place, times: times - 1) }
      note("fault \(fault)")
      return true
    }
    return false
  }

  private mutating func takeFault(spoiling places: Range<Int>) -> Int? {
    for (index, fault) in faults.enumerated() {
      guard case .storeWrong(let place, let times) = fault, places.contains(place), times != 0
      else { continue }
      if let times { faults[index] = .storeWrong(page: place, times: times - 1) }
      note("fault \(fault)")
      return place
    }
    return nil
  }
}

extension Fault {
  /// Whether it takes the tag away, or lays another there, after so many commands.
  func isDueOfPresence(afterCommands count: Int) -> Bool {
    switch self {
    case .removeTag(let number), .swapTag(let number, _): count >= number
    default: false
    }
  }
}
