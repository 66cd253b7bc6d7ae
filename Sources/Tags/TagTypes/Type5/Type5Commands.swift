/// The commands of a Type 5 tag over a channel, with retries and a count (ISO/IEC 15693-3, section
/// 10).
///
/// Reading is tried twice, writing three times. Blocks above 255 are addressed with two bytes,
/// lowest first.
struct Type5Commands<Channel: TagChannel> {
  private var commands: RepeatedCommands<Channel>
  var channel: Channel { commands.channel }
  /// The number of commands and selections so far.
  var exchanges: Int { commands.exchanges }
  /// A Boolean value that indicates whether the reader has reported that it passes on only reading
  /// and writing commands.
  var isReadersLimit: Bool { commands.isReadersLimit }
  /// A Boolean value that indicates whether several blocks are requested at once.
  private(set) var readsSeveralBlocks: Bool
  /// A Boolean value that indicates whether the tag writes and locks blocks only with the OPTION
  /// flag.
  private(set) var needsOption: Bool
  /// A Boolean value that indicates whether a write or lock was refused as not supported, and the
  /// reader does not carry that flag.
  private(set) var lacksOption = false
  private let blockByteCount: Int
  private let takesOption: Bool
  /// The error of a command that is not supported in this form.
  private static var notSupported: UInt8 { 0x01 }

  /// - Parameters:
  ///   - takesOption: `true` for a product that is known to need the OPTION flag.
  ///   - needsOption: `true` if the tag has shown that it does.
  init(
    _ channel: Channel, blockByteCount: Int, readsSeveralBlocks: Bool, takesOption: Bool = false,
    needsOption: Bool = false
  ) {
    // READ MULTIPLE BLOCKS, GET SYSTEM INFORMATION, GET MULTIPLE BLOCK SECURITY STATUS and custom
    // commands.
    commands = RepeatedCommands(
      channel, whichMayBeMissing: [0x23, 0x33, 0x2B, 0x3B, 0x2C, 0x3C, 0xAB, 0xBD])
    self.readsSeveralBlocks = readsSeveralBlocks
    (self.takesOption, self.needsOption) = (takesOption, needsOption)
    self.blockByteCount = blockByteCount
  }

  private func address(_ short: UInt8, _ block: Int) -> [UInt8] {
    block <= 0xFF
      ? [short, UInt8(block)] : [short + 0x10, UInt8(block & 0xFF), UInt8(block >> 8)]
  }

  /// READ SINGLE BLOCK, or for a tag with larger blocks READ MULTIPLE BLOCKS of one, because PC/SC
  /// readers are asked for blocks of four bytes; `nil` if refused.
  mutating func read(_ block: Int) async throws(TagChannelError) -> [UInt8]? {
    if blockByteCount != TagMemory.pageByteCount {
      let command = address(0x23, block) + (block <= 0xFF ? [0] : [0, 0])
      return try await commands.send(command, attempts: 2) { [blockByteCount] in
        $0.count == blockByteCount
      }
    }
    return try await commands.send(address(0x20, block), attempts: 2) { [blockByteCount] in
      $0.count == blockByteCount
    }
  }

  /// Reads consecutive blocks, with as few commands as reader and tag allow.
  ///
  /// - Returns: The bytes up to the first block that was refused.
  mutating func read(_ blocks: ClosedRange<Int>) async throws(TagChannelError) -> [UInt8] {
    var bytes: [UInt8] = []
    var block = blocks.lowerBound
    let most = max(1, channel.maximumAnswerByteCount / blockByteCount)
    while block <= blocks.upperBound {
      let limit = block <= 0xFF ? 0x100 - block : most
      let count = min(most, blocks.upperBound - block + 1, limit)
      if readsSeveralBlocks, count > 1 {
        let tail: [UInt8] = block <= 0xFF ? [UInt8(count - 1)] : [UInt8(count - 1), 0]
        let answer = try await commands.send(address(0x23, block) + tail, attempts: 1) {
          [blockByteCount] in $0.count == count * blockByteCount
        }
        if let answer {
          bytes += answer
          block += count
          continue
        }
        // One by one: the tag may not support the command, or one of the blocks is closed.
        readsSeveralBlocks = false
      }
      guard let answer = try await read(block) else { return bytes }
      bytes += answer
      block += 1
    }
    return bytes
  }

  /// WRITE SINGLE BLOCK.
  ///
  /// - Returns: `true` if the tag accepted it.
  mutating func write(
    _ bytes: [UInt8], to block: Int, attempts: Int = 3
  ) async throws(TagChannelError) -> Bool {
    try await change(address(0x21, block) + bytes, attempts: attempts)
  }

  /// LOCK BLOCK.
  mutating func lock(_ block: Int) async throws(TagChannelError) -> Bool {
    try await change(address(0x22, block), attempts: 2)
  }

  /// Sends a command that changes a block.
  ///
  /// Tags of TI refuse it without the OPTION flag, with error 01 or with silence. A refusal of
  /// either kind, or one whose code the reader hides, is followed by one attempt with the flag, which
  /// the following commands keep if it succeeds.
  private mutating func change(
    _ command: [UInt8], attempts: Int
  ) async throws(TagChannelError) -> Bool {
    if !needsOption {
      if try await commands.send(command, attempts: attempts, accepts: \.isEmpty) != nil {
        return true
      }
    }
    let refusal = needsOption ? Self.notSupported : commands.refusal
    guard refusal ?? Self.notSupported == Self.notSupported else { return false }
    let count = needsOption ? attempts : 1
    if try await commands.send(command, attempts: count, hasOption: true, accepts: \.isEmpty) != nil
    {
      needsOption = true
      return true
    }
    lacksOption = commands.lacksOption && (refusal != nil || takesOption)
    return false
  }

  /// GET SYSTEM INFORMATION, then the extended form if that does not give the size of the memory;
  /// `nil` if the tag or the reader does not report it.
  mutating func size(of uid: [UInt8]) async throws(TagChannelError) -> Type5Size? {
    if let answer = try await commands.send(
      [0x2B], attempts: 2, accepts: { Type5SystemInformation($0, of: uid) != nil }),
      let size = Type5SystemInformation(answer, of: uid)?.size
    {
      return size
    }
    // Requested for the size only.
    let answer = try await commands.send([0x3B, 0x04], attempts: 2) {
      Type5SystemInformation($0, of: uid, isExtended: true)?.size != nil
    }
    return answer.flatMap { Type5SystemInformation($0, of: uid, isExtended: true)?.size }
  }

  /// GET MULTIPLE BLOCK SECURITY STATUS: the locks of the blocks; `nil` if the tag or the reader
  /// does not report them.
  mutating func locks(of blocks: ClosedRange<Int>) async throws(TagChannelError) -> [Bool]? {
    var locks: [Bool] = []
    while locks.count < blocks.count {
      let first = blocks.lowerBound + locks.count
      let limit = first <= 0xFF ? 0x100 - first : 64
      let count = min(channel.maximumAnswerByteCount, 64, blocks.count - locks.count, limit)
      let tail: [UInt8] = first <= 0xFF ? [UInt8(count - 1)] : [UInt8(count - 1), 0]
      // Above block 255, the command with two bytes, which is 3C.
      let command = address(0x2C, first) + tail
      guard
        let answer = try await commands.send(command, attempts: 2, accepts: { $0.count == count })
      else { return nil }
      locks += answer.map { $0 & 0x01 != 0 }
    }
    return locks
  }

  /// GET NXP SYSTEM INFORMATION of an ICODE SLIX2 (SL2S2602 data sheet, section 8.5.3.18): the part
  /// of the memory that the password protects.
  mutating func protection() async throws(TagChannelError) -> Type5Protection? {
    let answer = try await commands.send([0xAB, 0x04], attempts: 2) { $0.count == 7 }
    return answer.map { Type5Protection(pointer: Int($0[0]), condition: $0[1], locks: $0[2]) }
  }

  /// READ SIGNATURE of an ICODE SLIX2 or DNA (SL2S2602 data sheet): 32 bytes; `nil` if refused.
  mutating func signature() async throws(TagChannelError) -> [UInt8]? {
    try await commands.send([0xBD, 0x04], attempts: 2) { $0.count == 32 }
  }

  /// PROTECT PAGE (section 8.5.3.13).
  mutating func protect(_ protection: Type5Protection) async throws(TagChannelError) -> Bool {
    let command: [UInt8] = [0xB6, 0x04, UInt8(protection.pointer), protection.condition]
    return try await commands.send(command, attempts: 1, accepts: \.isEmpty) != nil
  }

  /// WRITE PASSWORD (section 8.5.3.11), after the present one was given.
  mutating func setPassword(
    _ kind: VicinityPassword, _ password: [UInt8]
  ) async throws(TagChannelError) -> Bool {
    let command = [0xB4, 0x04, kind.rawValue] + password
    return try await commands.send(command, attempts: 1, accepts: \.isEmpty) != nil
  }

  /// Selects the tag again after a field cycle.
  mutating func restart() async throws(TagChannelError) { try await commands.restart() }
}

/// The size of a tag's memory.
struct Type5Size: Hashable, Sendable {
  /// The number of blocks.
  let blockCount: Int
  /// The size of a block in bytes.
  let blockByteCount: Int
}

/// The response to GET SYSTEM INFORMATION or EXTENDED GET SYSTEM INFORMATION (ISO/IEC 15693-3,
/// sections 10.4.12 and 10.4.19).
struct Type5SystemInformation: Hashable, Sendable {
  /// The size of the memory; `nil` if the response does not contain it.
  let size: Type5Size?

  /// Parses a response: information flags, UID, then the fields that the flags announce, in the
  /// order of the flags.
  ///
  /// - Parameters:
  ///   - answer: The response without its flags.
  ///   - uid: The tag's UID, `E0` first.
  ///   - isExtended: `true` for the extended form, in which the number of blocks has two bytes.
  /// - Returns: `nil` if it is of another tag, or shorter than it announces.
  init?(_ answer: [UInt8], of uid: [UInt8], isExtended: Bool = false) {
    guard let flags = answer.first, answer.dropFirst().starts(with: uid.reversed()) else {
      return nil
    }
    func has(_ flag: UInt8) -> Bool { flags & flag != 0 }
    // DSFID and AFI.
    let place = 1 + uid.count + (has(0x01) ? 1 : 0) + (has(0x02) ? 1 : 0)
    let sizeByteCount = has(0x04) ? (isExtended ? 3 : 2) : 0
    // The IC reference, and in the extended form the list of commands.
    let rest = (has(0x08) ? 1 : 0) + (isExtended && has(0x20) ? 4 : 0)
    guard answer.count >= place + sizeByteCount + rest else { return nil }
    let field = answer[place..<place + sizeByteCount].map(Int.init)
    size = field.last.map { last in
      Type5Size(
        blockCount: field[0] + (isExtended ? field[1] << 8 : 0) + 1,
        blockByteCount: last & 0x1F + 1)
    }
  }
}

/// The protection by the passwords of an ICODE SLIX2 (SL2S2602 data sheet, section 8.2.4.3).
struct Type5Protection: Hashable, Sendable {
  /// The first block of the upper part of the memory; 0 if it is all upper part.
  let pointer: Int
  /// Bits 0 and 1 for reading and writing the lower part, bits 4 and 5 for the upper.
  let condition: UInt8
  /// The passwords and settings that are locked permanently.
  let locks: UInt8

  init(pointer: Int, condition: UInt8, locks: UInt8 = 0) {
    (self.pointer, self.condition, self.locks) = (pointer, condition, locks)
  }

  /// Makes the protection for a rule; none without one.
  init(_ rule: PasswordRule?) {
    guard let rule else {
      self.init(pointer: 0, condition: 0)
      return
    }
    let upper: UInt8 = rule.protectsReading ? 0x30 : 0x20
    // With the pointer at 0 there is no lower part; both halves are then equal.
    self.init(
      pointer: rule.firstPage, condition: rule.firstPage == 0 ? upper | upper >> 4 : upper)
  }

  /// The rule that is in force; `nil` if nothing is protected.
  var rule: PasswordRule? {
    guard !isNone else { return nil }
    return PasswordRule(
      firstPage: condition & 0x03 != 0 ? 0 : pointer, protectsReading: condition & 0x11 != 0)
  }

  /// The passwords that open everything.
  var kinds: [VicinityPassword] { condition & 0x11 != 0 ? [.write, .read] : [.write] }

  /// Returns `true` if another one protects the same.
  func guardsTheSame(as other: Type5Protection) -> Bool {
    isNone && other.isNone || pointer == other.pointer && condition & 0x33 == other.condition & 0x33
  }

  /// A Boolean value that indicates whether nothing is protected, wherever the upper part would
  /// begin.
  var isNone: Bool { condition & 0x33 == 0 }

  func guardsReading(_ block: Int) -> Bool { condition & (block < pointer ? 0x01 : 0x10) != 0 }
  func guardsWriting(_ block: Int) -> Bool {
    // Without read access there is no write access.
    condition & (block < pointer ? 0x03 : 0x30) != 0
  }
}
