import TagTypes

/// A tag of any technology in front of a simulated reader's antenna.
///
/// The reader applies a field and frames to it: ``fieldOn()``, then ``request(wakeUp:)`` and
/// ``select()`` by a client of its ``technology``, then ``receive(_:)`` for each frame. It has no
/// time and no device. ``SimulatedTag`` is the Type 2 tag among them.
///
/// The other requirements implement a reader's ``Fault``s: the places of the memory that a frame
/// writes, and the result of a refused, torn or badly stored write.
package protocol SimulatedCard: Sendable {
  /// The radio technology of the tag.
  var technology: SimulatedTechnology { get }
  /// The identifier: the UID of a type A tag, NFCID2, PUPI or Jewel's four bytes. A tag that
  /// generates a UID at every power-up returns the present one.
  var uid: [UInt8] { get }
  /// The product's name, as in the sentence "A … has 540 bytes of memory".
  var name: String { get }
  /// The content of a memory file, in the layout of the kind.
  var memory: [UInt8] { get }

  /// Returns the same product, with its settings, and the bytes of a memory file.
  ///
  /// - Throws: `.malformedMemory`.
  func holding(_ memory: [UInt8]) throws(SimulatedReaderError) -> Self
  /// Returns the same product, blank, with the given UID, or by default with another than this
  /// one's.
  ///
  /// - Throws: `.malformedUID`.
  func sister(uid: [UInt8]?) throws(SimulatedReaderError) -> Self

  /// Switches the field on: the tag starts up and waits for a request.
  mutating func fieldOn()
  /// Switches the field off: the tag loses all state but its memory.
  mutating func fieldOff()
  /// Receives a request of the tag's technology.
  ///
  /// - Parameter wakeUp: `true` if halted tags are requested too.
  /// - Returns: `true` if the tag answers.
  mutating func request(wakeUp: Bool) -> Bool
  /// Selects the tag after it has answered a request.
  ///
  /// - Returns: `true` if it is active now.
  mutating func select() -> Bool
  /// Returns to the state before the request, because an anticollision frame selected another tag.
  mutating func fallBack()
  /// Halts the tag: HLTA, or S(DESELECT) for a tag of ISO/IEC 14443-4.
  mutating func halt()
  /// A Boolean value that indicates whether the tag is selected and processes frames.
  var isActive: Bool { get }

  /// The tag's description after the target number in a PN532's response to InListPassiveTarget
  /// (UM0701-02, section 7.3.5), without the ATS of a later activation.
  ///
  /// - Parameter request: The initiator data of the command, such as FeliCa's polling request.
  /// - Returns: `nil` if the tag does not answer that request.
  func targetData(for request: [UInt8]) -> [UInt8]?

  /// Receives a frame whose CRC was correct.
  ///
  /// - Parameter frame: The bytes without CRC, of any number and value.
  mutating func receive(_ frame: [UInt8]) -> TagAnswer
  /// Receives a frame whose check bytes are wrong.
  mutating func receiveDamagedFrame() -> TagAnswer

  /// The places that a frame writes if the tag accepts it: pages, blocks, or bytes of the NDEF
  /// file; `nil` if it is not a write, or not a complete one yet.
  func places(writtenBy frame: [UInt8]) -> Range<Int>?
  /// The places that a frame writes, or announces to write.
  func places(addressedBy frame: [UInt8]) -> Range<Int>?
  /// Refuses a write, as memory that cannot store it.
  mutating func refuseWrite(_ frame: [UInt8]) -> TagAnswer
  /// Interrupts a write by the loss of the field.
  ///
  /// - Parameters:
  ///   - frame: The write.
  ///   - isHalf: `true` if half of it is stored, otherwise nothing.
  mutating func tear(_ frame: [UInt8], isHalf: Bool)
  /// Interrupts a write by the loss of the field after `count` bytes are stored.
  mutating func tear(_ frame: [UInt8], storing count: Int)
  /// Reverts a write that was acknowledged.
  ///
  /// - Parameter memoryBefore: ``memory`` before the write.
  mutating func forgetWrite(memoryBefore: [UInt8])
  /// Answers a frame that ends an APDU with a status word, without executing it.
  ///
  /// - Returns: `nil` if the frame does not end an APDU; the tag is then unchanged.
  mutating func answer(_ frame: [UInt8], withStatus word: [UInt8]) -> TagAnswer?
  /// The number of bytes at the beginning of a response that belong to the protocol and not to the
  /// command.
  var protocolByteCount: Int { get }
  /// Inverts the lowest bit stored at a place.
  mutating func spoil(place: Int)
}

extension SimulatedCard {
  /// The places that a frame writes, for a tag without announcements.
  package func places(addressedBy frame: [UInt8]) -> Range<Int>? { places(writtenBy: frame) }
}

/// The radio technology of a reader and a tag.
package enum SimulatedTechnology: Hashable, Sendable {
  /// ISO/IEC 14443 type A at 106 kbit/s, described by ATQA and SAK.
  case typeA
  /// FeliCa at 212 or 424 kbit/s.
  case feliCa
  /// ISO/IEC 14443 type B at 106 kbit/s.
  case typeB
  /// Innovision Jewel and Topaz: type A's modulation with different commands (NFC Forum Type 1).
  case jewel
  /// ISO/IEC 15693 (NFC Forum Type 5), which no PN532 reaches.
  case iso15693

  /// The request for ISO/IEC 15693, in place of a PN532's BrTy.
  static let inventory: UInt8 = 0x80

  /// Returns `true` if a PN532 finds it with this value of InListPassiveTarget's BrTy.
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

/// Default implementations.
extension SimulatedCard {
  /// Zero: responses contain only data.
  package var protocolByteCount: Int { 0 }
  /// Returns `nil`: the tag has no status words.
  package mutating func answer(_ frame: [UInt8], withStatus word: [UInt8]) -> TagAnswer? { nil }
  /// Stores half of the write, or nothing.
  package mutating func tear(_ frame: [UInt8], storing count: Int) {
    tear(frame, isHalf: count > 0)
  }

  /// Has no effect on a tag without memory.
  package mutating func forgetWrite(memoryBefore: [UInt8]) {}

  /// Refuses a frame without executing it: with NAK, or with a status for a frame that ends an
  /// APDU.
  mutating func refuse(_ frame: [UInt8], code: UInt8, status: [UInt8]) -> TagAnswer {
    if let answer = answer(frame, withStatus: status) { return answer }
    // A block that ends no APDU is lost instead: in ISO/IEC 14443-4, tags send no NAK.
    guard protocolByteCount == 0 else { return .silence }
    fallBack()
    return .refused(code)
  }
}

extension SimulatedTag {
  /// Stores at most the first bytes of a page. Locks and OTP, which the data sheet protects against
  /// tearing, are stored whole.
  package mutating func tear(_ command: [UInt8], storing count: Int) {
    guard count > 0, let page = places(writtenBy: command)?.first,
      page != 2, page != 3, page != layout.dynamicLockPage
    else { return }
    let old = self.page(page)
    guard receive(command) == .acknowledged else { return }
    let kept = min(count, old.count)
    overwrite(page: page, with: Array(self.page(page)[..<kept] + old[kept...]))
  }

  /// Restores every page.
  package mutating func forgetWrite(memoryBefore: [UInt8]) { memory = memoryBefore }
}

extension SimulatedType4Tag {
  /// One: the control byte of a block.
  package var protocolByteCount: Int { 1 }

  /// Stores the first bytes of the write, unless the product stores so few bytes atomically.
  package mutating func tear(_ frame: [UInt8], storing count: Int) {
    if count > 0, transponder.command(completedBy: frame).flatMap(place(changedBy:)) != nil {
      _ = receive(frame)
    }
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

  /// Restores every file.
  package mutating func forgetWrite(memoryBefore: [UInt8]) {
    // The bytes come from a tag of the same product, so they always fit.
    if let before = try? holding(memoryBefore) {
      (files, secrets) = (before.files, before.secrets)
    }
  }
}

extension SimulatedJewelTag {
  /// Restores every byte.
  package mutating func forgetWrite(memoryBefore: [UInt8]) { memory = memoryBefore }
}

/// The states of a type A tag between field and selection (ISO/IEC 14443-3, section 6.3).
struct TypeAState: Hashable, Sendable {
  private enum Phase: Hashable, Sendable {
    case off
    case idle
    case halted
    /// The tag has answered a request; `fromHalt` gives the state to which it falls back.
    case ready(fromHalt: Bool)
    case active(fromHalt: Bool)
  }

  private var phase = Phase.off

  /// A Boolean value that indicates whether there is no field.
  var isOff: Bool { phase == .off }
  /// A Boolean value that indicates whether the tag is selected and processes commands.
  var isActive: Bool { if case .active = phase { true } else { false } }
  /// A Boolean value that indicates whether only WUPA reaches the tag.
  var isHalted: Bool { phase == .halted }

  mutating func fieldOn() { phase = .idle }
  mutating func fieldOff() { phase = .off }
  mutating func halt() { phase = .halted }

  /// Receives a request.
  ///
  /// - Parameter wakeUp: `true` for WUPA, which also reaches halted tags; otherwise REQA.
  /// - Returns: `true` if the tag answers with its ATQA. A tag that was selected already does not:
  ///   it falls back to its earlier state.
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

  /// Selects the tag after it has answered a request.
  ///
  /// - Returns: `true` if it is active now.
  mutating func select() -> Bool {
    guard case .ready(let fromHalt) = phase else { return false }
    phase = .active(fromHalt: fromHalt)
    return true
  }

  /// Returns to IDLE or HALT.
  mutating func fallBack() {
    switch phase {
    case .ready(fromHalt: true), .active(fromHalt: true): phase = .halted
    case .ready, .active: phase = .idle
    case .off, .idle, .halted: break
    }
  }
}

/// CRC_A, the check that ISO/IEC 14443-3 (annex B) appends to every type A frame.
enum CRCA {
  /// The two check bytes of `bytes`, low byte first, as sent over the air.
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

  /// The frame without its check bytes, or `nil` if they are missing or wrong.
  static func stripped(_ frame: [UInt8]) -> [UInt8]? {
    guard frame.count >= 3 else { return nil }
    let body = Array(frame.dropLast(2))
    return checksum(body) == Array(frame.suffix(2)) ? body : nil
  }
}
