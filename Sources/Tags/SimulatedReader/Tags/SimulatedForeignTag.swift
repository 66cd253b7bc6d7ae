import CliptagBasics
import TagTypes

/// A tag that a PN532 finds and this toolkit does not read. It only answers its technology's
/// request, so that it can be reported.
package struct SimulatedForeignTag: Hashable, Sendable {
  /// The kinds of tag.
  package enum Kind: Hashable, Sendable {
    /// Sony FeliCa Lite-S with NDEF, NFC Forum Type 3 (JIS X 6319-4).
    case feliCa
    /// A card of ISO/IEC 14443 type B, such as an identity card.
    case typeB
    /// NXP MIFARE Classic with one kilobyte.
    case classic1k
    /// NXP MIFARE Classic with four kilobytes.
    case classic4k

    var name: String {
      switch self {
      case .feliCa: "FeliCa Lite-S"
      case .typeB: "ISO/IEC 14443 type B card"
      case .classic1k: "MIFARE Classic 1K"
      case .classic4k: "MIFARE Classic 4K"
      }
    }
    var identifierByteCount: Int { self == .feliCa ? 8 : 4 }
  }

  /// The kind of the tag.
  package let kind: Kind
  /// For FeliCa, IDm, PMm and the system code, 18 bytes; for type B, PUPI, application data and
  /// protocol information, 11 bytes; for MIFARE Classic, the UID.
  package internal(set) var memory: [UInt8]

  private var isOn = false
  private var isHalted = false
  /// A Boolean value that indicates whether the tag has been selected.
  package private(set) var isActive = false

  /// Makes a tag.
  ///
  /// - Parameters:
  ///   - kind: Its kind.
  ///   - uid: IDm, eight bytes, or PUPI or UID, four; `nil` for a default.
  /// - Throws: `.malformedUID`.
  package init(_ kind: Kind, uid: [UInt8]? = nil) throws(SimulatedReaderError) {
    let usual: [UInt8] = [0x01, 0x2E, 0x4C, 0xD1, 0x8B, 0x20, 0x41, 0x57]
    let uid = uid ?? Array(usual.suffix(kind.identifierByteCount))
    guard uid.count == kind.identifierByteCount else {
      throw SimulatedReaderError(
        .malformedUID,
        "An identifier of \(uid.count) bytes was given for a \(kind.name).",
        hint: "Give \(kind.identifierByteCount) bytes, for example \(usual.hexadecimal).")
    }
    self.kind = kind
    switch kind {
    // PMm of a Lite-S, and the system code of NDEF.
    case .feliCa:
      memory = uid + [0x00, 0xF1, 0x00, 0x00, 0x00, 0x01, 0x43, 0x00, 0x12, 0xFC]
    // No application; 106 kbit/s, frames of 256 bytes, ISO/IEC 14443-4, 77 ms to answer.
    case .typeB: memory = uid + [0x00, 0x00, 0x00, 0x00, 0x00, 0x81, 0x81]
    case .classic1k, .classic4k: memory = uid
    }
  }
}

/// The tag on a simulated reader, which finds it; all frames stay unanswered.
extension SimulatedForeignTag: SimulatedCard {
  /// FeliCa, type B, or type A for MIFARE Classic.
  package var technology: SimulatedTechnology {
    switch kind {
    case .feliCa: .feliCa
    case .typeB: .typeB
    case .classic1k, .classic4k: .typeA
    }
  }
  /// The product's name.
  package var name: String { kind.name }
  /// IDm, PUPI or UID.
  package var uid: [UInt8] { Array(memory.prefix(kind.identifierByteCount)) }

  /// The polling response of FeliCa, if the request matches the tag's system code; ATQB and an
  /// empty response to ATTRIB for a type B card; ATQA, SAK and UID for a MIFARE Classic (MF1S50yyX
  /// and MF1S70yyX data sheets, section 9).
  package func targetData(for request: [UInt8]) -> [UInt8]? {
    switch kind {
    case .feliCa: break
    case .typeB: return [0x50] + memory + [0x01, 0x00]
    case .classic1k: return [0x00, 0x04, 0x08, 0x04] + memory
    case .classic4k: return [0x00, 0x02, 0x18, 0x04] + memory
    }
    let systemCode = Array(memory.suffix(2))
    if request.count >= 3 {
      let isAsked = zip(request[1...2], systemCode).allSatisfy { $0 == 0xFF || $0 == $1 }
      guard isAsked else { return nil }
    }
    // Request code 1 requests the system code too.
    let tellsSystemCode = request.count >= 4 && request[3] == 0x01
    let response = [0x01] + memory.prefix(16) + (tellsSystemCode ? systemCode : [])
    return [UInt8(response.count + 1)] + response
  }

  /// Returns the same tag with the identifiers of a memory file.
  package func holding(_ memory: [UInt8]) throws(SimulatedReaderError) -> SimulatedForeignTag {
    guard memory.count == self.memory.count else {
      throw SimulatedReaderError(
        .malformedMemory,
        "A \(name) has \(self.memory.count) bytes of memory, but \(memory.count) were found.",
        hint: "Use a memory file of the same kind of tag, or give another kind.")
    }
    var tag = try SimulatedForeignTag(kind)
    tag.memory = memory
    return tag
  }

  /// Returns a tag of the same technology with another identifier.
  package func sister(uid: [UInt8]?) throws(SimulatedReaderError) -> SimulatedForeignTag {
    try SimulatedForeignTag(kind, uid: uid ?? self.uid.dropLast() + [(self.uid.last ?? 0) ^ 0x01])
  }

  /// Switches the field on.
  package mutating func fieldOn() { isOn = true }

  /// Switches the field off.
  package mutating func fieldOff() {
    isOn = false
    isActive = false
    isHalted = false
  }

  /// Receives a request. FeliCa has no halt state and answers each; WUPA wakes a MIFARE Classic.
  package mutating func request(wakeUp: Bool) -> Bool {
    isActive = false
    if wakeUp, technology == .typeA { isHalted = false }
    return isOn && !isHalted
  }

  /// Selects the tag.
  package mutating func select() -> Bool {
    isActive = isOn
    return isActive
  }

  /// Deselects the tag, because another one was selected.
  package mutating func fallBack() { isActive = false }

  /// Halts a tag other than FeliCa until the field is switched on anew.
  package mutating func halt() {
    isActive = false
    isHalted = kind != .feliCa
  }

  /// Gives no answer.
  package mutating func receive(_ frame: [UInt8]) -> TagAnswer { .silence }
  /// Gives no answer.
  package mutating func receiveDamagedFrame() -> TagAnswer { .silence }
  /// Returns `nil`: the tag has no writes.
  package func places(writtenBy frame: [UInt8]) -> Range<Int>? { nil }
  /// Gives no answer.
  package mutating func refuseWrite(_ frame: [UInt8]) -> TagAnswer { .silence }
  /// Has no effect.
  package mutating func tear(_ frame: [UInt8], isHalf: Bool) {}
  /// Has no effect.
  package mutating func spoil(place: Int) {}
}
