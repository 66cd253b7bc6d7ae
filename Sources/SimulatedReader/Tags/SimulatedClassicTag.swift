import CliptagBasics
import TagTypes

/// A MIFARE Classic in memory, as seen by a reader's chip: sectors protected by keys.
///
/// The cipher between chip and tag (Crypto1) is omitted. ``authenticate(_:)`` takes the place of
/// the three passes that prove a key, and frames are in clear. Keys, access conditions and memory
/// are those of the data sheets MF1S50yyX/V1 (rev. 3.2, sections 8.6 and 8.7) and MF1S70yyX/V1.
package struct SimulatedClassicTag: Hashable, Sendable {
  /// The size of the tag's memory.
  package enum Size: Hashable, Sendable {
    /// 16 sectors of four blocks.
    case oneKilobyte
    /// 32 sectors of four blocks and eight of sixteen.
    case fourKilobytes

    var blockCount: Int { self == .oneKilobyte ? 64 : 256 }
    var sectorCount: Int { self == .oneKilobyte ? 16 : 40 }
    var name: String { self == .oneKilobyte ? "MIFARE Classic 1K" : "MIFARE Classic 4K" }
  }

  /// The initial content of the tag.
  package enum Format: Hashable, Sendable {
    /// The factory state: zeros, and the transport key FFFFFFFFFFFF for everything.
    case transport
    /// The NDEF format with NXP's public keys and an empty message (AN1304 and AN10787).
    case ndef
  }

  /// The default UID.
  package static let defaultUID: [UInt8] = [0x9C, 0x3A, 0xDA, 0x0E]
  /// The size of a block in bytes.
  package static let blockByteCount = 16

  /// The size of the memory.
  package let size: Size
  /// Every block in order, keys in clear.
  package internal(set) var memory: [UInt8]

  var state = TypeAState()
  var session: Session?
  var announcedBlock: Int?

  /// The sector that a key has opened, and which key it was.
  struct Session: Hashable, Sendable {
    let sector: Int
    let isKeyB: Bool
  }

  /// Makes a tag in its factory state, or formatted.
  ///
  /// - Parameters:
  ///   - size: The size of its memory.
  ///   - format: Its content.
  ///   - uid: Four bytes.
  /// - Throws: `.malformedUID`.
  package init(
    _ size: Size, format: Format = .ndef, uid: [UInt8] = SimulatedClassicTag.defaultUID
  ) throws(SimulatedReaderError) {
    guard uid.count == 4 else {
      throw SimulatedReaderError(
        .malformedUID, "A UID of \(uid.count) bytes was given for a \(size.name).",
        hint: "Give four bytes, for example 9C3ADA0E.")
    }
    self.size = size
    memory = [UInt8](repeating: 0, count: size.blockCount * Self.blockByteCount)
    let description: [UInt8] = size == .oneKilobyte ? [0x08, 0x04, 0x00] : [0x18, 0x02, 0x00]
    let maker: [UInt8] = [0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69]
    store(uid + [uid.reduce(0, ^)] + description + maker, in: 0)
    for sector in 0..<size.sectorCount {
      switch format {
      case .transport: storeTrailer(of: sector, key: 0xFFFF_FFFF_FFFF, access: 0xFF07_8069)
      case .ndef: formatSector(sector)
      }
    }
  }

  /// The sector of a block.
  static func sector(ofBlock block: Int) -> Int {
    block < 128 ? block / 4 : 32 + (block - 128) / 16
  }

  /// The blocks of a sector; the last is its trailer.
  static func blocks(ofSector sector: Int) -> Range<Int> {
    let first = sector < 32 ? sector * 4 : 128 + (sector - 32) * 16
    return first..<first + (sector < 32 ? 4 : 16)
  }

  /// The sixteen bytes stored in a block; empty if there is no such block.
  package func block(_ block: Int) -> [UInt8] {
    guard (0..<size.blockCount).contains(block) else { return [] }
    return Array(memory[block * Self.blockByteCount..<(block + 1) * Self.blockByteCount])
  }

  /// Puts bytes into a block directly, without any checks; the first block does not change.
  package mutating func place(_ bytes: [UInt8], inBlock block: Int) {
    guard (1..<size.blockCount).contains(block) else { return }
    store(Array((bytes + self.block(block).dropFirst(bytes.count)).prefix(16)), in: block)
  }

  mutating func store(_ bytes: [UInt8], in block: Int) {
    let start = block * Self.blockByteCount
    memory.replaceSubrange(start..<start + bytes.count, with: bytes)
  }

  /// Writes a trailer: key A, access conditions with the general purpose byte, key B FFFFFFFFFFFF.
  private mutating func storeTrailer(of sector: Int, key: UInt64, access: UInt32) {
    let keyA = (0..<6).map { UInt8(truncatingIfNeeded: key >> (40 - 8 * $0)) }
    let conditions = (0..<4).map { UInt8(truncatingIfNeeded: access >> (24 - 8 * $0)) }
    store(
      keyA + conditions + [UInt8](repeating: 0xFF, count: 6),
      in: Self.blocks(ofSector: sector).upperBound - 1)
  }

  /// Formats one sector for NDEF: an application directory in sector 0 (and 16), otherwise data
  /// that begins with an empty message in sector 1.
  private mutating func formatSector(_ sector: Int) {
    let publicDirectoryKey: UInt64 = 0xA0A1_A2A3_A4A5
    switch sector {
    case 0:
      let version: UInt32 = size == .oneKilobyte ? 0x7877_88C1 : 0x7877_88C2
      storeTrailer(of: 0, key: publicDirectoryKey, access: version)
      storeDirectory(entries: 15, in: 1..<3)
    case 16 where size == .fourKilobytes:
      storeTrailer(of: 16, key: publicDirectoryKey, access: 0x7877_88C2)
      storeDirectory(entries: 23, in: 64..<67)
    default:
      storeTrailer(of: sector, key: 0xD3F7_D3F7_D3F7, access: 0x7F07_8840)
      if sector == 1 { store([0x03, 0x00, 0xFE], in: 4) }
    }
  }

  /// Stores an application directory that assigns every sector to NDEF, its CRC first (AN10787).
  private mutating func storeDirectory(entries: Int, in blocks: Range<Int>) {
    var content: [UInt8] = [0x00]
    for _ in 0..<entries { content += [0x03, 0xE1] }
    let bytes = [Self.directoryCheck(content)] + content
    for (index, block) in blocks.enumerated() {
      store(Array(bytes[index * 16..<(index + 1) * 16]), in: block)
    }
  }

  /// CRC-8 with the polynomial 1D and the preset C7.
  static func directoryCheck(_ bytes: [UInt8]) -> UInt8 {
    bytes.reduce(0xC7) { check, byte in
      (0..<8).reduce(check ^ byte) { value, _ in
        value & 0x80 != 0 ? value << 1 ^ 0x1D : value << 1
      }
    }
  }
}

/// The access permitted by a sector's trailer (MF1S50yyX/V1, section 8.7): three bits for each of
/// four areas.
struct ClassicAccess: Hashable, Sendable {
  private enum Keys {
    case none
    case a
    case b
    case either

    func include(keyB: Bool) -> Bool {
      switch self {
      case .none: false
      case .a: !keyB
      case .b: keyB
      case .either: true
      }
    }
  }

  /// C1, C2 and C3 of each area; the fourth is the trailer.
  private let bits: [UInt8]
  private let isKeyB: Bool

  /// Reads a trailer's conditions for one key.
  ///
  /// - Returns: `nil` if the bits and their complements disagree, which closes the sector
  ///   permanently, or if key B is used although it is readable and so serves as data, not as a
  ///   key.
  init?(trailer: [UInt8], isKeyB: Bool) {
    guard trailer.count == 16 else { return nil }
    let c1 = trailer[7] >> 4
    let c2 = trailer[8] & 0x0F
    let c3 = trailer[8] >> 4
    guard trailer[6] & 0x0F == c1 ^ 0x0F, trailer[6] >> 4 == c2 ^ 0x0F,
      trailer[7] & 0x0F == c3 ^ 0x0F
    else { return nil }
    bits = (0..<4).map { area in
      (c1 >> area & 1) << 2 | (c2 >> area & 1) << 1 | c3 >> area & 1
    }
    self.isKeyB = isKeyB
    if isKeyB, readsKeyB(with: .a) { return nil }
  }

  /// Returns `true` if a data block is readable.
  func reads(area: Int) -> Bool {
    let keys: Keys =
      switch bits[area] {
      case 0b111: .none
      case 0b011, 0b101: .b
      default: .either
      }
    return keys.include(keyB: isKeyB)
  }

  /// Returns `true` if a data block is writable.
  func writes(area: Int) -> Bool {
    let keys: Keys =
      switch bits[area] {
      case 0b000: .either
      case 0b100, 0b110, 0b011: .b
      default: .none
      }
    return keys.include(keyB: isKeyB)
  }

  /// A Boolean value that indicates whether the trailer's conditions are readable; key A never is.
  var readsConditions: Bool {
    switch bits[3] {
    case 0b000, 0b010, 0b001: !isKeyB
    default: true
    }
  }

  /// A Boolean value that indicates whether key B is readable.
  var readsKeyB: Bool { readsKeyB(with: isKeyB ? .b : .a) }

  private func readsKeyB(with key: Keys) -> Bool {
    [0b000, 0b010, 0b001].contains(bits[3]) && key == .a
  }

  var writesKeys: Bool {
    let keys: Keys =
      switch bits[3] {
      case 0b000, 0b001: .a
      case 0b100, 0b011: .b
      default: .none
      }
    return keys.include(keyB: isKeyB)
  }

  var writesConditions: Bool {
    let keys: Keys =
      switch bits[3] {
      case 0b001: .a
      case 0b011, 0b101: .b
      default: .none
      }
    return keys.include(keyB: isKeyB)
  }
}

/// Authentication, READ and WRITE (MF1S50yyX/V1, section 10).
extension SimulatedClassicTag {
  /// Authenticates with a key for a sector.
  ///
  /// - Returns: `true` if the sector is open. Otherwise the tag is mute until it is selected again.
  package mutating func authenticate(_ request: ClassicKeyRequest) -> Bool? {
    guard isActive else { return false }
    session = nil
    let sector = Self.sector(ofBlock: request.block)
    let trailer = trailer(ofSector: sector)
    guard request.block < size.blockCount, request.uid == uid,
      request.key == Array(request.isKeyB ? trailer.suffix(6) : trailer.prefix(6))
    else {
      fallBack()
      return false
    }
    session = Session(sector: sector, isKeyB: request.isKeyB)
    return true
  }

  /// Receives a frame whose CRC was correct. After a NAK, and after silence on an unknown command,
  /// the tag is mute until it is selected again.
  package mutating func receive(_ command: [UInt8]) -> TagAnswer {
    guard isActive else { return .silence }
    let answer = answer(to: command)
    if answer.endsSelection(of: state) { fallBack() }
    return answer
  }

  private mutating func answer(to command: [UInt8]) -> TagAnswer {
    if let block = announcedBlock {
      announcedBlock = nil
      return command.count == 16 ? write(command, to: block) : .silence
    }
    switch (command.first, command.count) {
    case (0x30, 2): return read(Int(command[1]))
    case (0xA0, 2):
      guard access(to: Int(command[1])) != nil else { return .refused(4) }
      announcedBlock = Int(command[1])
      return .acknowledged
    case (0x50, 2):
      if command[1] == 0 { halt() }
      return .silence
    // Value blocks are not simulated: the tag behaves as if its sectors hold none.
    case (0xC0, 2), (0xC1, 2), (0xC2, 2), (0xB0, 2): return .refused(4)
    default: return .silence
    }
  }

  private func trailer(ofSector sector: Int) -> [UInt8] {
    block(Self.blocks(ofSector: sector).upperBound - 1)
  }

  /// The access permitted in the open sector; `nil` if the block is in another, or the sector is
  /// closed.
  private func access(to block: Int) -> ClassicAccess? {
    guard let session, session.sector == Self.sector(ofBlock: block) else { return nil }
    return ClassicAccess(trailer: trailer(ofSector: session.sector), isKeyB: session.isKeyB)
  }

  /// The area, of four, to which a block belongs: in a sector of sixteen blocks five share one.
  private func area(of block: Int) -> Int {
    let blocks = Self.blocks(ofSector: Self.sector(ofBlock: block))
    let index = block - blocks.lowerBound
    return blocks.count == 4 ? index : min(index / 5, 3)
  }

  private func read(_ number: Int) -> TagAnswer {
    guard let access = access(to: number) else { return .refused(4) }
    let stored = block(number)
    guard area(of: number) == 3 else {
      return access.reads(area: area(of: number)) ? .data(stored) : .refused(4)
    }
    let zeros = [UInt8](repeating: 0, count: 6)
    return .data(
      zeros + (access.readsConditions ? stored[6..<10] : [0, 0, 0, 0])
        + (access.readsKeyB ? stored[10...] : zeros[...]))
  }

  private mutating func write(_ bytes: [UInt8], to number: Int) -> TagAnswer {
    // Block 0 belongs to the maker.
    guard number > 0, let access = access(to: number) else { return .refused(4) }
    guard area(of: number) == 3 else {
      guard access.writes(area: area(of: number)) else { return .refused(4) }
      store(bytes, in: number)
      return .acknowledged
    }
    guard access.writesKeys || access.writesConditions else { return .refused(4) }
    let old = block(number)
    store(
      Array(
        (access.writesKeys ? bytes : old)[..<6] + (access.writesConditions ? bytes : old)[6..<10]
          + (access.writesKeys ? bytes : old)[10...]), in: number)
    return .acknowledged
  }
}

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

  /// Returns the same product with every block in order, keys in clear.
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

  /// Returns the same product formatted for NDEF.
  package func sister(uid: [UInt8]?) throws(SimulatedReaderError) -> SimulatedClassicTag {
    let other: [UInt8] = [0x9C, 0x3A, 0xDB, 0x0E]
    return try SimulatedClassicTag(
      size, uid: uid ?? (self.uid == other ? Self.defaultUID : other))
  }

  /// Switches the field on.
  package mutating func fieldOn() {
    if state.isOff { state.fieldOn() }
  }

  /// Switches the field off and closes the open sector.
  package mutating func fieldOff() {
    closeSector()
    state.fieldOff()
  }

  /// Receives a request.
  package mutating func request(wakeUp: Bool) -> Bool {
    closeSector()
    return state.request(wakeUp: wakeUp)
  }

  /// Selects the tag.
  package mutating func select() -> Bool { state.select() }

  /// Returns to the state before the request, with every sector closed.
  package mutating func fallBack() {
    closeSector()
    state.fallBack()
  }

  /// Halts the tag (HLTA).
  package mutating func halt() {
    closeSector()
    state.halt()
  }

  /// A Boolean value that indicates whether the tag is selected.
  package var isActive: Bool { state.isActive }

  /// Answers NAK 5, and the tag falls back.
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

  /// Answers NAK 4.
  package mutating func refuseWrite(_ command: [UInt8]) -> TagAnswer {
    fallBack()
    return .refused(4)
  }

  /// Stores at most the first eight bytes of a block.
  package mutating func tear(_ command: [UInt8], isHalf: Bool) {
    guard isHalf, let number = places(writtenBy: command)?.first else { return }
    let old = block(number)
    guard receive(command) == .acknowledged else { return }
    store(Array(block(number)[..<8] + old[8...]), in: number)
  }

  /// Inverts the lowest bit of a block's first byte.
  package mutating func spoil(place number: Int) {
    guard let first = block(number).first else { return }
    store([first ^ 0x01], in: number)
  }

  private mutating func closeSector() {
    session = nil
    announcedBlock = nil
  }
}
