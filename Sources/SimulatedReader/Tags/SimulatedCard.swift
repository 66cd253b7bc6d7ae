import TagTypes

/// Something that may lie in front of a simulated reader's antenna: a tag of any kind.
///
/// The reader does to it what a field and frames do to a tag: ``fieldOn()``, then
/// ``request(wakeUp:)`` and ``select()`` by whoever speaks its ``technology``, then ``receive(_:)``
/// for each frame. It has no time and no device. ``SimulatedTag`` is the Type 2 tag among them.
///
/// The other requirements let a reader's ``Fault``s happen: which places of the memory a frame
/// writes, what a refused, torn or badly stored write leaves behind.
package protocol SimulatedCard: Sendable {
  /// The radio technology it answers to.
  var technology: SimulatedTechnology { get }
  /// What tells it from its sisters: the UID of a type A tag, NFCID2, PUPI or Jewel's four bytes. A
  /// tag that makes up a UID at every power-up gives the present one.
  var uid: [UInt8] { get }
  /// What the product is called, as in the sentence "A … has 540 bytes of memory".
  var name: String { get }
  /// Everything a memory file keeps, in the layout of the kind.
  var memory: [UInt8] { get }

  /// The same product, with its settings, holding a memory file's bytes.
  ///
  /// - Throws: `.malformedMemory`.
  func holding(_ memory: [UInt8]) throws(SimulatedReaderError) -> Self
  /// The same product, blank, with another UID, or without one given another than this one's.
  ///
  /// - Throws: `.malformedUID`.
  func sister(uid: [UInt8]?) throws(SimulatedReaderError) -> Self

  /// The field comes on: the tag starts up and waits for a request.
  mutating func fieldOn()
  /// The field goes off: the tag forgets everything but its memory.
  mutating func fieldOff()
  /// A request of the tag's own technology comes.
  ///
  /// - Parameter wakeUp: Whether halted tags are asked too.
  /// - Returns: Whether the tag answers.
  mutating func request(wakeUp: Bool) -> Bool
  /// The tag, having answered a request, is selected.
  ///
  /// - Returns: Whether it is active now.
  mutating func select() -> Bool
  /// A frame of anticollision named another tag: back to where the request found this one.
  mutating func fallBack()
  /// The reader sends the tag to sleep: HLTA, or S(DESELECT) to one that speaks ISO/IEC 14443-4.
  mutating func halt()
  /// Whether the tag is selected and will look at frames.
  var isActive: Bool { get }

  /// How a PN532 describes the tag behind the target number in the answer to InListPassiveTarget
  /// (UM0701-02, section 7.3.5), without what a later activation adds (ATS).
  ///
  /// - Parameter request: The initiator data of the command, such as FeliCa's polling request.
  /// - Returns: `nil` when the tag does not answer that request.
  func targetData(for request: [UInt8]) -> [UInt8]?

  /// A frame arrives whose CRC was right.
  ///
  /// - Parameter frame: The bytes without CRC, of any number and value.
  mutating func receive(_ frame: [UInt8]) -> TagAnswer
  /// A frame arrives whose check bytes are wrong.
  mutating func receiveDamagedFrame() -> TagAnswer
  /// The reader proves a key of MIFARE Classic, in place of the passes of its cipher.
  ///
  /// - Returns: Whether the tag took it; `nil` when it does not know the command.
  mutating func authenticate(_ request: ClassicKeyRequest) -> Bool?

  /// The places a frame writes, if the tag takes it: pages, blocks, or bytes of the NDEF file;
  /// `nil` when it is no write, or not a whole one yet.
  func places(writtenBy frame: [UInt8]) -> Range<Int>?
  /// The places a frame writes, or announces it will write.
  func places(addressedBy frame: [UInt8]) -> Range<Int>?
  /// A write comes that the memory does not take.
  mutating func refuseWrite(_ frame: [UInt8]) -> TagAnswer
  /// A write comes, and the field goes before it is done.
  ///
  /// - Parameters:
  ///   - frame: The write.
  ///   - isHalf: Whether half of it is stored; otherwise nothing is.
  mutating func tear(_ frame: [UInt8], isHalf: Bool)
  /// A write comes, and the field goes when so many bytes of it are stored.
  mutating func tear(_ frame: [UInt8], storing count: Int)
  /// The memory has not kept a write that was acknowledged.
  ///
  /// - Parameter memoryBefore: ``memory`` as it was before.
  mutating func forgetWrite(memoryBefore: [UInt8])
  /// Answers a frame that ends an APDU with a status word, without carrying it out.
  ///
  /// - Returns: `nil` when the frame ends no APDU; nothing has changed then.
  mutating func answer(_ frame: [UInt8], withStatus word: [UInt8]) -> TagAnswer?
  /// How many bytes at the beginning of an answer belong to the protocol and not to the command.
  var protocolByteCount: Int { get }
  /// Turns over the lowest bit of what is stored at a place.
  mutating func spoil(place: Int)
}

extension SimulatedCard {
  /// What a frame writes, for a tag that needs no announcement.
  package func places(addressedBy frame: [UInt8]) -> Range<Int>? { places(writtenBy: frame) }
  /// No key of MIFARE Classic is known to any other tag.
  package mutating func authenticate(_ request: ClassicKeyRequest) -> Bool? { nil }
}

/// What InDataExchange takes to open a sector of a MIFARE Classic (UM0701-02, section 7.3.8).
package struct ClassicKeyRequest: Hashable, Sendable {
  /// Any block of the sector.
  package let block: Int
  /// Six bytes.
  package let key: [UInt8]
  /// Whether the key is the sector's second.
  package let isKeyB: Bool
  /// Four bytes of the UID.
  package let uid: [UInt8]

  /// Reads `60` or `61`, block, key and UID; `nil` for any other command.
  init?(_ command: [UInt8]) {
    guard command.count == 12, command[0] == 0x60 || command[0] == 0x61 else { return nil }
    block = Int(command[1])
    key = Array(command[2..<8])
    isKeyB = command[0] == 0x61
    uid = Array(command[8..<12])
  }
}

/// How a reader and a tag talk.
package enum SimulatedTechnology: Hashable, Sendable {
  /// ISO/IEC 14443 type A at 106 kbit/s, told by ATQA and SAK.
  case typeA
  /// FeliCa at 212 or 424 kbit/s.
  case feliCa
  /// ISO/IEC 14443 type B at 106 kbit/s.
  case typeB
  /// Innovision Jewel and Topaz: type A's modulation with commands of its own (NFC Forum Type 1).
  case jewel
  /// ISO/IEC 15693 (NFC Forum Type 5), which no PN532 reaches.
  case iso15693

  /// What asks for ISO/IEC 15693 where a PN532 has its BrTy.
  static let inventory: UInt8 = 0x80

  /// Whether a PN532 finds it with this value of InListPassiveTarget's BrTy.
  func isFound(byBaudRateAndType value: UInt8) -> Bool {
    switch self {
    case .typeA: value == 0
    case .feliCa: value == 1 || value == 2
    case .typeB: value == 3
    case .jewel: value == 4
    case .iso15693: value == Self.inventory
    }
  }
}

/// What a tag needs say nothing of unless its kind differs.
extension SimulatedCard {
  /// Answers carry nothing but data.
  package var protocolByteCount: Int { 0 }
  /// The tag knows no status words.
  package mutating func answer(_ frame: [UInt8], withStatus word: [UInt8]) -> TagAnswer? { nil }
  /// Half of the write, or nothing.
  package mutating func tear(_ frame: [UInt8], storing count: Int) {
    tear(frame, isHalf: count > 0)
  }

  /// A tag without memory has nothing to forget.
  package mutating func forgetWrite(memoryBefore: [UInt8]) {}

  /// Refuses a frame without carrying it out: NAK, or a status to one that ends an APDU.
  mutating func refuse(_ frame: [UInt8], code: UInt8, status: [UInt8]) -> TagAnswer {
    if let answer = answer(frame, withStatus: status) { return answer }
    // A block that ends no APDU is lost instead: ISO/IEC 14443-4 knows no NAK of a tag.
    guard protocolByteCount == 0 else { return .silence }
    fallBack()
    return .refused(code)
  }
}

extension SimulatedTag {
  /// Stores the first bytes of a page at most. Locks and OTP, which the data sheet guards against
  /// tearing, stay whole.
  package mutating func tear(_ command: [UInt8], storing count: Int) {
    guard count > 0, let page = places(writtenBy: command)?.first,
      page != 2, page != 3, page != layout.dynamicLockPage
    else { return }
    let old = self.page(page)
    guard receive(command) == .acknowledged else { return }
    let kept = min(count, old.count)
    overwrite(page: page, with: Array(self.page(page)[..<kept] + old[kept...]))
  }

  /// Every page is what it was.
  package mutating func forgetWrite(memoryBefore: [UInt8]) { memory = memoryBefore }
}

extension SimulatedType4Tag {
  /// The control byte of a block.
  package var protocolByteCount: Int { 1 }

  /// Stores the first bytes of what is written, unless the product writes so few of them whole.
  package mutating func tear(_ frame: [UInt8], storing count: Int) {
    guard count > 0, let command = transponder.command(completedBy: frame),
      let (file, range) = range(writtenBy: command), range.count > product.atomicWriteByteCount
    else { return }
    let before = files[file].bytes
    _ = receive(frame)
    let kept = min(range.lowerBound + count, range.upperBound)
    for offset in kept..<max(kept, min(range.upperBound, before.count)) {
      files[file].bytes[offset] = before[offset]
    }
  }

  /// Every file is what it was.
  package mutating func forgetWrite(memoryBefore: [UInt8]) {
    // The bytes come from a tag of the same product, so that they always fit.
    if let before = try? holding(memoryBefore) { files = before.files }
  }
}

extension SimulatedClassicTag {
  /// Every block is what it was.
  package mutating func forgetWrite(memoryBefore: [UInt8]) { memory = memoryBefore }
}

extension SimulatedJewelTag {
  /// Every byte is what it was.
  package mutating func forgetWrite(memoryBefore: [UInt8]) { memory = memoryBefore }
}

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

/// CRC_A, the check that ISO/IEC 14443-3 (annex B) puts behind every type A frame.
enum CRCA {
  /// The two check bytes of `bytes`, low byte first, as they go over the air.
  static func checksum(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var crc: UInt16 = 0x6363
    for byte in bytes {
      var mixed = byte ^ UInt8(truncatingIfNeeded: crc)
      mixed ^= mixed << 4
      let wide = UInt16(mixed)
      crc = (crc >> 8) ^ (wide << 8) ^ (wide << 3) ^ (wide >> 4)
    }
    return [UInt8(truncatingIfNeeded: crc), UInt8(truncatingIfNeeded: crc >> 8)]
  }

  /// The frame without its check bytes, or `nil` when they are missing or wrong.
  static func stripped(_ frame: [UInt8]) -> [UInt8]? {
    guard frame.count >= 3 else { return nil }
    let body = Array(frame.dropLast(2))
    return checksum(body) == Array(frame.suffix(2)) ? body : nil
  }
}
