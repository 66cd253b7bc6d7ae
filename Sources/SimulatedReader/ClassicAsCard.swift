import TagTypes

/// A MIFARE Classic on a simulated reader; its places are blocks.
extension SimulatedClassicTag: SimulatedCard {
  /// Type A at 106 kbit/s.
  package var technology: SimulatedTechnology { .typeA }
  /// The product's name.
  package var name: String { size.name }
  /// The four bytes of the UID.
  package var uid: [UInt8] { Array(memory[0..<4]) }

  /// ATQA 0004 and SAK 08 with one kilobyte, 0002 and 18 with four.
  package func targetData(for request: [UInt8]) -> [UInt8]? {
    (size == .oneKilobyte ? [0x00, 0x04, 0x08] : [0x00, 0x02, 0x18]) + [UInt8(uid.count)] + uid
  }

  /// The same product holding every block in order, keys in clear.
  package func holding(_ memory: [UInt8]) throws(SimulatedReaderError) -> SimulatedClassicTag {
    guard memory.count == self.memory.count else {
      throw SimulatedReaderError(
        .malformedMemory,
        "A \(name) has \(self.memory.count) bytes of memory (\(size.blockCount) blocks), "
          + "but \(memory.count) were found.",
        hint: "Take a dump of the same product, or name another kind of tag.")
    }
    let check = memory[0..<4].reduce(0, ^)
    guard memory[4] == check else {
      throw SimulatedReaderError(
        .malformedMemory,
        "Byte 4 checks the UID and must be 0x\([check].hexadecimal), "
          + "but 0x\([memory[4]].hexadecimal) was found.",
        hint: "Take a complete dump that begins with block 0.")
    }
    var tag = try SimulatedClassicTag(size)
    tag.memory = memory
    return tag
  }

  /// The same product formatted for NDEF.
  package func sister(uid: [UInt8]?) throws(SimulatedReaderError) -> SimulatedClassicTag {
    let other: [UInt8] = [0x9C, 0x3A, 0xDB, 0x0E]
    return try SimulatedClassicTag(
      size, uid: uid ?? (self.uid == other ? Self.defaultUID : other))
  }

  /// The field comes on.
  package mutating func fieldOn() {
    if state.isOff { state.fieldOn() }
  }

  /// The field goes off, and with it what a key has opened.
  package mutating func fieldOff() {
    closeSector()
    state.fieldOff()
  }

  /// A request comes.
  package mutating func request(wakeUp: Bool) -> Bool {
    closeSector()
    return state.request(wakeUp: wakeUp)
  }

  /// The tag is selected.
  package mutating func select() -> Bool { state.select() }

  /// Back to where a request found it, every sector closed.
  package mutating func fallBack() {
    closeSector()
    state.fallBack()
  }

  /// HLTA.
  package mutating func halt() {
    closeSector()
    state.halt()
  }

  /// Whether the tag is selected.
  package var isActive: Bool { state.isActive }

  /// NAK 5, and the tag falls back.
  package mutating func receiveDamagedFrame() -> TagAnswer {
    guard isActive else { return .silence }
    fallBack()
    return .refused(5)
  }

  /// The block that the second half of a WRITE changes.
  package func places(writtenBy command: [UInt8]) -> Range<Int>? {
    guard isActive, command.count == 16 else { return nil }
    return announcedBlock.map { $0..<$0 + 1 }
  }

  /// The block that a WRITE announces or changes.
  package func places(addressedBy command: [UInt8]) -> Range<Int>? {
    if let places = places(writtenBy: command) { return places }
    guard isActive, command.count == 2, command[0] == 0xA0 else { return nil }
    return Int(command[1])..<Int(command[1]) + 1
  }

  /// NAK 4.
  package mutating func refuseWrite(_ command: [UInt8]) -> TagAnswer {
    fallBack()
    return .refused(4)
  }

  /// Stores the first eight bytes of a block at most.
  package mutating func tear(_ command: [UInt8], isHalf: Bool) {
    guard isHalf, let number = places(writtenBy: command)?.first else { return }
    let old = block(number)
    guard receive(command) == .acknowledged else { return }
    store(Array(block(number)[..<8] + old[8...]), in: number)
  }

  /// Turns over the lowest bit of a block's first byte.
  package mutating func spoil(place number: Int) {
    guard let first = block(number).first else { return }
    store([first ^ 0x01], in: number)
  }

  private mutating func closeSector() {
    session = nil
    announcedBlock = nil
  }
}
