/// The two ways a command reaches a tag: InDataExchange, which knows tag commands and frames them,
/// and InCommunicateThru, which does not (UM0701-02, sections 7.3.8 and 7.3.9).
extension SimulatedPN532 {
  /// InDataExchange. With a tag activated for ISO/IEC 14443-4 the chip exchanges whole APDUs. To any
  /// other it sends only the commands of the
  /// MIFARE family it knows; any other ends in an error frame.
  mutating func exchangeData(_ parameters: [UInt8]) -> PN532Reply {
    guard let number = parameters.first else { return .syntaxError }
    guard number & 0x0F == 1, target != nil else { return fail(.wrongContext) }
    let command = Array(parameters[1...])
    if target?.isoDEP != nil {
      return exchangeBlocks(command, isMoreToCome: number & 0x40 != 0)
    }
    guard let code = command.first else { return .syntaxError }
    if target?.baudRateAndType != 0 {
      return wakeTarget() ? outcome(of: field.transmit(command)) : silence()
    }
    switch (code, command.count) {
    case (0x30, 2), (0xA2, 6), (0xA0, 18), (0xB0, 2): break
    case (0x60, 12), (0x61, 12), (0xC0, 2...6), (0xC1, 2...6), (0xC2, 2...6): break
    default: return .syntaxError
    }
    guard wakeTarget() else { return silence() }
    switch code {
    case 0xA0:
      let announced = field.transmit(Array(command[0..<2]))
      guard announced == .acknowledged else { return outcome(of: announced) }
      return outcome(of: field.transmit(Array(command[2...])))
    case 0x60, 0x61, 0xC0, 0xC1, 0xC2:
      if let request = ClassicKeyRequest(command), let isOpen = field.authenticate(request) {
        return isOpen ? succeed([]) : fail(.wrongKey)
      }
      // Only command and block go out first; a Type 2 tag does not know them and stays silent.
      return outcome(of: field.transmit(Array(command[0..<2])))
    default:
      return outcome(of: field.transmit(command))
    }
  }

  private mutating func outcome(of answer: TagAnswer) -> PN532Reply {
    switch answer {
    case .silence: silence()
    case .acknowledged: succeed([])
    case .refused: fail(.badFrame)
    case .data(let data): succeed(data)
    case .damaged(let status): fail(status: status)
    }
  }

  /// InCommunicateThru. With CRC checking on, the four bits of an ACK or NAK look like a damaged
  /// frame; with it off they arrive as one byte, and data arrives with its CRC.
  mutating func communicateThrough(_ parameters: [UInt8]) -> PN532Reply {
    registers.received(lastBits: 0)
    guard !parameters.isEmpty, registers.lastBitsSent == 0 else { return silence() }
    let frame = registers.addsCRC ? parameters : CRCA.stripped(parameters)
    let answer = field.transmit(frame)
    switch answer {
    case .silence: return silence()
    case .acknowledged: return fourBits(0x0A)
    case .refused(let code): return fourBits(code)
    case .damaged(let status): return fail(status: status)
    case .data(let data):
      let received = registers.checksCRC ? data : data + CRCA.checksum(data)
      return received.count <= PN532Frame.longestBody - 3
        ? succeed(received) : fail(.bufferTooSmall)
    }
  }

  private mutating func fourBits(_ bits: UInt8) -> PN532Reply {
    registers.received(lastBits: 4)
    return registers.checksCRC ? fail(.badCRC) : succeed([bits])
  }

  mutating func succeed(_ data: [UInt8]) -> PN532Reply {
    lastError = PN532Status.ok.rawValue
    return .data([PN532Status.ok.rawValue] + data)
  }

  mutating func fail(_ status: PN532Status) -> PN532Reply { fail(status: status.rawValue) }

  /// Any status of section 7.1, also one that only a fault brings.
  mutating func fail(status: UInt8) -> PN532Reply {
    lastError = status
    return .data([status])
  }
}
