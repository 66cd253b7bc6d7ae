import CliptagBasics
import TagTypes

/// The field in front of the antenna: a tag, a fault's stranger in its place or beside it, or
/// nothing.
///
/// It lies between the chip and the tag, counts frames and applies the tag's faults.
package struct SimulatedField: Sendable {
  /// The tag of any technology that belongs on this reader, also while a fault keeps it away.
  package private(set) var card: (any SimulatedCard)?
  /// The number of tag commands since the start.
  package private(set) var tagCommands = 0
  /// The number of writes to the tag since the start, accepted or not.
  package private(set) var writes = 0

  /// The time of the frames in the air and of writing the tag's memory.
  private(set) var radioTime = Duration.zero

  /// The number of selections that found a tag since the start.
  private(set) var selections = 0
  /// The selection after which the host first knew a UID; `nil` before.
  private(set) var identifyingSelection: Int?
  /// The number of tag changes that a smart card service notices besides presence and absence.
  private(set) var noticedChanges = 0
  /// The tag that replaces the tag or appears beside it; by default a blank tag of the same
  /// product.
  package var strangerTemplate: (any SimulatedCard)?

  /// The recorded answers of the tag; `nil` if it plays none.
  var played: PlayedAnswers?
  /// SENS_RES and SEL_RES of the recorded tag, in place of those of the simulated one.
  var playedSelection: (atqa: [UInt8]?, sak: UInt8?)

  private var visitor: (any SimulatedCard)?
  /// The second tag in the field.
  private var neighbour: (any SimulatedCard)?
  /// A Boolean value that indicates whether the second tag was selected last.
  private var isNeighbourSelected = false
  /// A Boolean value that indicates whether the next selection picks the second tag.
  private var picksNeighbourNext = false
  private var lastStranger: (any SimulatedCard)?
  private var absence: Absence?
  var faults: [Fault]
  private(set) var isOn = false
  private var deck: SimulatedDeck?
  private var lastMemoryFile: String?
  /// The count of tag commands when the present tag arrived.
  private var commandsBefore = 0
  private var notes: [String] = []

  /// The reason why the tag that belongs here is away.
  private enum Absence: Hashable, Sendable {
    case fault
    case hand
  }

  /// Makes a field.
  ///
  /// - Parameters:
  ///   - tag: The present tag; `nil` for none.
  ///   - faults: The faults; those of the reader itself do not belong to the field.
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

  /// The Type 2 tag that belongs on this reader; `nil` if there is another tag or none.
  package var tag: SimulatedTag? { card as? SimulatedTag }

  /// Places another tag on the reader, or removes it with `nil`.
  package mutating func replaceTag(with tag: (any SimulatedCard)?) {
    card = tag
    commandsBefore = tagCommands
    putBack()
  }

  /// Puts back a tag that a fault removed, tore or swapped.
  mutating func putBackIfAway() {
    if absence == .fault || visitor != nil || neighbour != nil { putBack() }
  }

  /// The tag placed by a fault, in its current state or as it left.
  package var stranger: (any SimulatedCard)? { neighbour ?? visitor ?? lastStranger }

  /// Records that the host learns the UID of the selected tag.
  mutating func identify() { identifyingSelection = identifyingSelection ?? selections }

  /// Replaces the tag with the stranger.
  ///
  /// - Parameter isNoticed: `true` if a smart card service notices; a quick hand is faster than its
  ///   polling.
  mutating func swap(isNoticed: Bool) {
    guard let stranger = newStranger(uid: nil) else { return }
    present?.fieldOff()
    visitor = stranger
    if isOn { visitor?.fieldOn() }
    if isNoticed { noticedChanges += 1 }
  }

  /// Places the stranger beside the tag; the next selection without a UID picks it.
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

  /// The present tag.
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

  /// Decides which of two tags in the field takes part in a selection.
  ///
  /// Anticollision selects the tag with the requested UID; without a UID the first tag answers, or
  /// the second one if a fault requires it.
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
  ///   - baudRateAndType: The requested technology, as InListPassiveTarget's BrTy; 0 is type A at
  ///     106 kbit/s.
  ///   - wakeUp: `true` to request halted tags too.
  ///   - request: The data of the request, in technologies that have some.
  ///   - matching: A closure that returns `true` to select the tag with this UID.
  /// - Returns: The selected tag.
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
    guard var data = tag.targetData(for: request), matching(tag.uid), tag.select() else {
      tag.fallBack()
      return nil
    }
    if tag.technology == .typeA, data.count > 2 {
      if let atqa = playedSelection.atqa { data.replaceSubrange(0..<2, with: atqa) }
      if let sak = playedSelection.sak { data[2] = sak }
    }
    selections += 1
    picksNeighbourNext = false
    return FoundTag(uid: tag.uid, technology: tag.technology, data: data)
  }

  /// A Boolean value that indicates whether a Jewel is present, which answers REQA and then uses
  /// its own commands.
  var answersTypeARequest: Bool { present?.technology == .jewel }

  /// Sends HLTA, or S(DESELECT) to a tag of ISO/IEC 14443-4; the chip ignores any response.
  mutating func halt() {
    guard present?.isActive == true else { return }
    radioTime += ModelledTime.halt
    present?.halt()
  }

  /// Sends a frame that is still part of the selection, such as RATS; faults do not count it.
  mutating func activate(_ frame: [UInt8]) -> TagAnswer {
    guard var tag = present, tag.isActive else { return .silence }
    defer { present = tag }
    let answer = tag.receive(frame)
    radioTime += ModelledTime.exchange(frame, answer: answer)
    return answer
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
    if let answer = playedAnswer(to: frame, tag) { return answer }
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

extension SimulatedField {
  /// Prepares a mask for the next command to the tag in the field.
  func prepare(_ mask: inout SessionMask) {
    guard let card = presentCard else { return }
    mask.layout = (card as? SimulatedTag)?.layout
    mask.family =
      card.technology == .iso15693
      ? .vicinity
      : card.protocolByteCount > 0 ? .isoDEP : card is SimulatedForeignTag ? .classic : .type2
  }
}

/// The recorded answers of a tag.
extension SimulatedField {
  /// The recorded answer to a frame; `nil` if the tag itself has to answer. A block of ISO/IEC
  /// 14443-4 is left to the chip, which knows whole commands.
  private mutating func playedAnswer(to frame: [UInt8], _ tag: any SimulatedCard) -> TagAnswer? {
    guard tag.protocolByteCount == 0, let answer = played?.answer(to: frame) else { return nil }
    guard case .bytes(let bytes) = answer else { return .silence }
    if tag.technology == .iso15693 {
      guard bytes.first.map({ $0 & 0x01 == 0 }) == true else {
        return .refused(bytes.count > 1 ? bytes[1] : 0x0F)
      }
      return bytes.count == 1 ? .acknowledged : .data(Array(bytes.dropFirst()))
    }
    return bytes.count == 1 ? bytes[0] == 0x0A ? .acknowledged : .refused(bytes[0]) : .data(bytes)
  }
}

/// The changes of tags by hand and from a deck; ``SimulatedDeck`` states the rules.
extension SimulatedField {
  /// The deck with every tag in its current state.
  var deckNow: SimulatedDeck? {
    var deck = deck
    deck?.update(card)
    return deck
  }

  /// The memory file of the tag that belongs here.
  var memoryFile: String? {
    get { deck == nil ? lastMemoryFile : deck?.memoryFile }
    set { lastMemoryFile = newValue }
  }

  /// Removes and returns the notes since the last call.
  mutating func takeNotes() -> [ChipOutput] {
    defer { notes = [] }
    return notes.map { ChipOutput(event: .note($0)) }
  }

  mutating func note(_ text: String) { notes.append(text) }

  /// Handles the release of the tag by the host.
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

  /// Handles a search that has found nothing.
  ///
  /// - Returns: `true` if another search may find a tag that this one could not.
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

  /// Continues with the next tag of the deck: the present tag leaves.
  mutating func goOn() {
    if card != nil { leave() }
    absence = nil
  }

  /// Removes the present tag; it comes back only by hand.
  mutating func takeAway() {
    guard card != nil, absence != .hand else { return }
    present?.fieldOff()
    visitor = nil
    absence = .hand
  }

  /// Puts back the removed tag.
  mutating func bringBack() { putBack() }

  /// Places a tag instead of the present one, which leaves.
  mutating func place(_ card: any SimulatedCard) {
    if deck != nil, self.card != nil { leave() }
    lastMemoryFile = nil
    replaceTag(with: card)
  }

  /// Applies the faults that remove or replace the tag after a number of commands.
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

  /// Applies the faults that replace the tag just before the next selection.
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
  /// The data of InListPassiveTarget after the target number, without ATS.
  var data: [UInt8]
  /// The answer to select with its length byte, once the chip has requested it.
  var ats: [UInt8] = []

  /// A Boolean value that indicates whether a type A tag supports ISO/IEC 14443-4, according to its
  /// SAK.
  var speaksISODEP: Bool { technology == .typeA && data.count > 2 && data[2] & 0x20 != 0 }
}

/// The faults of the tag. One-time faults are removed when they happen.
extension SimulatedField {
  /// Removes the first fault that is due.
  ///
  /// - Parameter isDue: A closure that gets a fault and the counts of tag commands and writes.
  mutating func take(_ isDue: (Fault, _ commands: Int, _ writes: Int) -> Bool) -> Fault? {
    let index = faults.firstIndex { isDue($0, tagCommands, writes) }
    guard let index else { return nil }
    let fault = faults.remove(at: index)
    note("fault \(fault)")
    return fault
  }

  /// Applies faults that prevent the execution of a frame, and returns the response that the chip
  /// gets instead.
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

  /// Returns `true` if the write just counted is torn; the tag then holds the partial write.
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

  /// Applies the faults of a confirmed write: memory that forgets it, or stores a wrong byte.
  mutating func letStoredBytesSuffer(
    _ places: Range<Int>, _ tag: inout any SimulatedCard, before: any SimulatedCard
  ) {
    if take({ fault, _, writes in fault == .forgetWrite(writes) }) != nil {
      tag.forgetWrite(memoryBefore: before.memory)
    }
    if let place = takeFault(spoiling: places) { tag.spoil(place: place) }
  }

  /// Applies the faults of a response on its way to the chip.
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
    // Faults leave the control byte of a block intact.
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
  /// Returns `true` if the fault removes or replaces the tag after this many commands.
  func isDueOfPresence(afterCommands count: Int) -> Bool {
    switch self {
    case .removeTag(let number), .swapTag(let number, _): count >= number
    default: false
    }
  }
}
