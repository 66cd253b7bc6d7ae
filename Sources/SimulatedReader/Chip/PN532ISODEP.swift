/// The reader's half of ISO/IEC 14443-4, which the chip runs by itself for a tag that it activated
/// with RATS (UM0701-02, section 7.3.8).
extension SimulatedPN532 {
  /// Sends RATS when the tag says it speaks ISO/IEC 14443-4 and SetParameters did not forbid it.
  ///
  /// - Returns: The target, and its ATS with the length byte, empty for a tag that was not asked;
  ///   `nil` when it was asked and said nothing.
  mutating func activated(_ found: FoundTag) -> (target: PN532Target, ats: [UInt8])? {
    var target = PN532Target(uid: found.uid, isSelected: true)
    guard found.speaksISODEP, parameterFlags & PN532Flags.automaticRATS != 0 else {
      return (target, [])
    }
    guard case .data(let ats) = field.activate([0xE0, 0x50]), let length = ats.first,
      Int(length) == ats.count
    else { return nil }
    target.isoDEP = ISODEPState(frameByteCount: ISODEPState.frameByteCount(ats: ats))
    return (target, ats)
  }

  /// InDataExchange with an activated tag: a command goes out in blocks, a response comes back.
  ///
  /// - Parameters:
  ///   - data: The command, or its next piece.
  ///   - isMoreToCome: The MI bit: the host has more of this command.
  mutating func exchangeBlocks(_ data: [UInt8], isMoreToCome: Bool) -> PN532Reply {
    guard !data.isEmpty else { return .syntaxError }
    guard wakeTarget(), var protocolState = target?.isoDEP else { return silence() }
    protocolState.unsent += data
    defer { target?.isoDEP = protocolState }
    if isMoreToCome { return succeed([]) }
    let command = protocolState.unsent
    protocolState.unsent = []
    let room = protocolState.frameByteCount - 3
    var answer = TagAnswer.silence
    for start in stride(from: 0, to: command.count, by: room) {
      let piece = command[start..<min(start + room, command.count)]
      let isLast = piece.endIndex == command.count
      answer = field.transmit([(isLast ? 0x02 : 0x12) | protocolState.blockNumber] + piece)
      guard case .data(let block) = answer else { return noBlock(answer) }
      if isLast { break }
      guard block == [0xA2 | protocolState.blockNumber] else { return fail(.protocolError) }
      protocolState.blockNumber ^= 1
    }
    return collect(answer, &protocolState)
  }

  /// Takes the blocks of a response, asking for each that is still to come.
  private mutating func collect(
    _ first: TagAnswer, _ protocolState: inout ISODEPState
  ) -> PN532Reply {
    var response: [UInt8] = []
    var answer = first
    while true {
      guard case .data(let block) = answer else { return noBlock(answer) }
      guard let control = block.first, control & 0xEF == 0x02 | protocolState.blockNumber else {
        return fail(.protocolError)
      }
      protocolState.blockNumber ^= 1
      response += block.dropFirst()
      guard response.count <= PN532Frame.longestBody - 3 else { return fail(.bufferTooSmall) }
      guard control & 0x10 != 0 else { return succeed(response) }
      answer = field.transmit([0xA2 | protocolState.blockNumber])
    }
  }

  private mutating func noBlock(_ answer: TagAnswer) -> PN532Reply {
    if case .damaged(let status) = answer { fail(status: status) } else { silence() }
  }

  /// Diagnose 06: R(NAK), which a tag of ISO/IEC 14443-4 answers.
  mutating func isISODEPTargetPresent() -> PN532Reply {
    guard let target else { return .status(.wrongContext) }
    guard target.isSelected, let protocolState = target.isoDEP,
      case .data = field.transmit([0xB2 | protocolState.blockNumber])
    else { return .status(.timeout) }
    return .status(.ok)
  }
}

/// Where the chip is in the block protocol with its target.
struct ISODEPState: Hashable, Sendable {
  /// The longest frame between chip and tag, PCB and CRC included.
  let frameByteCount: Int
  var blockNumber: UInt8 = 0
  /// What the host has sent of a command with the MI bit.
  var unsent: [UInt8] = []

  init(frameByteCount: Int) { self.frameByteCount = frameByteCount }

  /// What a tag takes by its ATS (ISO/IEC 14443-4, section 5.2.3), and the chip at most: 64 bytes.
  static func frameByteCount(ats: [UInt8]) -> Int {
    let sizes = [16, 24, 32, 40, 48, 64]
    return ats.count > 1 ? sizes[min(Int(ats[1] & 0x0F), 5)] : 32
  }
}

/// Bits of SetParameters (UM0701-02, section 7.2.9).
enum PN532Flags {
  static let automaticRATS: UInt8 = 0x10
  /// What the chip starts with: automatic ATR_RES and RATS.
  static let powerUp: UInt8 = 0x14
}
