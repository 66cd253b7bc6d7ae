/// Authentication, READ and WRITE (MF1S50yyX/V1, section 10).
extension SimulatedClassicTag {
  /// The reader proves a key for a sector.
  ///
  /// - Returns: Whether the sector is open. If not, the tag is mute until it is selected again.
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

  /// A frame arrives whose CRC was right. After a NAK, and after silence on a command it does not
  /// know, the tag is mute until it is selected again.
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
    // Value blocks are not simulated: the tag is as one whose sectors hold none.
    case (0xC0, 2), (0xC1, 2), (0xC2, 2), (0xB0, 2): return .refused(4)
    default: return .silence
    }
  }

  private func trailer(ofSector sector: Int) -> [UInt8] {
    block(Self.blocks(ofSector: sector).upperBound - 1)
  }

  /// What the open sector permits; `nil` when the block is in another, or the sector is closed.
  private func access(to block: Int) -> ClassicAccess? {
    guard let session, session.sector == Self.sector(ofBlock: block) else { return nil }
    return ClassicAccess(trailer: trailer(ofSector: session.sector), isKeyB: session.isKeyB)
  }

  /// Which of the four areas a block belongs to: in a sector of sixteen blocks five share one.
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
    // Block 0 is the maker's.
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

/// What a sector's trailer permits (MF1S50yyX/V1, section 8.7): three bits for each of four areas.
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
  /// - Returns: `nil` when the bits and their complements disagree, which closes the sector for
  ///   good, or when key B asks though it can be read and so serves as data, not as a key.
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

  /// Whether a data block may be read.
  func reads(area: Int) -> Bool {
    let keys: Keys =
      switch bits[area] {
      case 0b111: .none
      case 0b011, 0b101: .b
      default: .either
      }
    return keys.include(keyB: isKeyB)
  }

  /// Whether a data block may be written.
  func writes(area: Int) -> Bool {
    let keys: Keys =
      switch bits[area] {
      case 0b000: .either
      case 0b100, 0b110, 0b011: .b
      default: .none
      }
    return keys.include(keyB: isKeyB)
  }

  /// Whether the trailer's conditions are shown; key A never is.
  var readsConditions: Bool {
    switch bits[3] {
    case 0b000, 0b010, 0b001: !isKeyB
    default: true
    }
  }

  /// Whether key B is shown.
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
