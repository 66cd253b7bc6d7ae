import TagTypes

/// An Innovision Topaz 96 (NFC Forum Type 1) in memory: 120 bytes, of which 96 are the user's.
///
/// The chip only needs to detect it; reading and writing cost little and allow comparison with
/// other software.
package struct SimulatedJewelTag: Hashable, Sendable {
  /// Blocks of eight bytes: the UID, twelve for data, a reserved one, lock and OTP.
  package internal(set) var memory: [UInt8]

  private var isOn = false
  /// A Boolean value that indicates whether the tag has been selected.
  package private(set) var isActive = false
  /// HR0 and HR1: NDEF in a static memory, product 48.
  static let header: [UInt8] = [0x11, 0x48]

  /// Makes a tag formatted for NDEF with an empty message.
  ///
  /// - Parameter uid: The first four of the tag's seven bytes; `nil` for a default.
  /// - Throws: `.malformedUID`.
  package init(uid: [UInt8]? = nil) throws(SimulatedReaderError) {
    let uid = uid ?? [0x57, 0x41, 0x20, 0x8B]
    guard uid.count == 4 else {
      throw SimulatedReaderError(
        .malformedUID, "A UID of \(uid.count) bytes was given for a Topaz 96.",
        hint: "Give the first four bytes, for example 5741208B.")
    }
    memory = [UInt8](repeating: 0, count: 120)
    memory.replaceSubrange(0..<8, with: uid + [0x01, 0x00, 0x25, 0x00])
    memory.replaceSubrange(8..<15, with: [0xE1, 0x10, 0x0E, 0x00, 0x03, 0x00, 0xFE])
  }
}

/// The commands of a Type 1 tag (NFC Forum Type 1 Tag, section 5).
extension SimulatedJewelTag {
  /// Receives a frame whose CRC was correct; every one but RID contains the UID.
  package mutating func receive(_ frame: [UInt8]) -> TagAnswer {
    guard isActive, frame.count == 7 else { return .silence }
    if frame[0] == 0x78 { return .data(Self.header + uid) }
    guard Array(frame.suffix(4)) == uid else { return .silence }
    let address = Int(frame[1])
    switch frame[0] {
    case 0x00: return .data(Self.header + memory)
    case 0x01 where address < memory.count: return .data([frame[1], memory[address]])
    case 0x53 where isWritable(address): memory[address] = frame[2]
    case 0x1A where isWritable(address): memory[address] |= frame[2]
    default: return .silence
    }
    return .data([frame[1], memory[address]])
  }

  /// Returns `true` if a byte is writable: blocks 1 to 12 unless locked by a lock bit, lock and
  /// OTP.
  private func isWritable(_ address: Int) -> Bool {
    switch address {
    case 8..<104: memory[112 + address / 8 / 8] & 1 << (address / 8 % 8) == 0
    case 112..<120: true
    default: false
    }
  }
}

/// A Jewel on a simulated reader; its places are bytes.
extension SimulatedJewelTag: SimulatedCard {
  /// The Jewel technology.
  package var technology: SimulatedTechnology { .jewel }
  /// The product's name.
  package var name: String { "Topaz 96" }
  /// The first four bytes of the UID, which the tag reports.
  package var uid: [UInt8] { Array(memory[0..<4]) }

  /// SENS_RES 0C00 and the four bytes.
  package func targetData(for request: [UInt8]) -> [UInt8]? { [0x0C, 0x00] + uid }

  /// Returns the same product with all its 120 bytes.
  package func holding(_ memory: [UInt8]) throws(SimulatedReaderError) -> SimulatedJewelTag {
    guard memory.count == self.memory.count else {
      throw SimulatedReaderError(
        .malformedMemory,
        "A \(name) has \(self.memory.count) bytes of memory, but \(memory.count) were found.",
        hint: "Use a memory file of the same kind of tag, or give another kind.")
    }
    var tag = try SimulatedJewelTag()
    tag.memory = memory
    return tag
  }

  /// Returns the same product, blank, with another UID.
  package func sister(uid: [UInt8]?) throws(SimulatedReaderError) -> SimulatedJewelTag {
    try SimulatedJewelTag(uid: uid ?? self.uid.dropLast() + [(self.uid.last ?? 0) ^ 0x01])
  }

  /// Switches the field on.
  package mutating func fieldOn() { isOn = true }

  /// Switches the field off.
  package mutating func fieldOff() {
    isOn = false
    isActive = false
  }

  /// Receives a request; the tag has no halt state and answers each.
  package mutating func request(wakeUp: Bool) -> Bool { isOn }

  /// Selects the tag by its identifier.
  package mutating func select() -> Bool {
    isActive = isOn
    return isActive
  }

  /// Deselects the tag, because another one was selected.
  package mutating func fallBack() { isActive = false }
  /// Deselects the tag.
  package mutating func halt() { isActive = false }
  /// Gives no answer.
  package mutating func receiveDamagedFrame() -> TagAnswer { .silence }

  /// The byte that a write changes.
  package func places(writtenBy frame: [UInt8]) -> Range<Int>? {
    guard isActive, frame.count == 7, frame[0] == 0x53 || frame[0] == 0x1A else { return nil }
    return Int(frame[1])..<Int(frame[1]) + 1
  }

  /// Gives no answer.
  package mutating func refuseWrite(_ frame: [UInt8]) -> TagAnswer { .silence }
  /// Has no effect: one byte is never written by half.
  package mutating func tear(_ frame: [UInt8], isHalf: Bool) {}

  /// Inverts the lowest bit of a byte.
  package mutating func spoil(place: Int) {
    if memory.indices.contains(place) { memory[place] ^= 0x01 }
  }
}
