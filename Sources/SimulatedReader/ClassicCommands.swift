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
