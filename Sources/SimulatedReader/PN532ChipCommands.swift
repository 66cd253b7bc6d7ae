/// Commands to the chip itself (UM0701-02, sections 7.2 and 7.3.1).
extension SimulatedPN532 {
  mutating func run(code: UInt8, parameters: [UInt8]) -> PN532Reply {
    switch code {
    case 0x00: diagnose(parameters)
    case 0x02: .data([0x32, 0x01, 0x06, 0x07])
    case 0x04: .data(generalStatus)
    case 0x06: readRegisters(parameters)
    case 0x08: writeRegisters(parameters)
    case 0x0C: .data([0xFF, 0xFF, 0x00])
    case 0x0E: parameters.count == 2 ? .data([]) : .syntaxError
    case 0x10: setBaudRate(parameters)
    case 0x12: setParameters(parameters)
    case 0x14: configureSAM(parameters)
    case 0x16: powerDown(parameters)
    case 0x32: configureRF(parameters)
    // RFRegulationTest and TgInitAsTarget end when the host says so, never by themselves.
    case 0x58, 0x8C: .later(PendingReply(response: [], delay: nil))
    // The other target commands need an initiator, and there is none.
    case 0x86, 0x88, 0x8A, 0x8E, 0x90, 0x92, 0x94: .status(.wrongContext)
    default: runInitiator(code: code, parameters: parameters)
    }
  }

  private mutating func diagnose(_ parameters: [UInt8]) -> PN532Reply {
    switch parameters.first {
    case 0x00: .data(parameters)
    case 0x01, 0x02, 0x07: .status(.ok)
    // Polling for FeliCa: 0x80 counts as all polls failed.
    case 0x04: .data([0x80])
    case 0x06: isISODEPTargetPresent()
    case 0x05: .later(PendingReply(response: [], delay: nil))
    default: .syntaxError
    }
  }

  private var generalStatus: [UInt8] {
    let targets = target.map { [1, 1] + $0.speedsAndModulation } ?? [0]
    return [lastError, field.isOn ? 1 : 0] + targets + [0]
  }

  private func readRegisters(_ parameters: [UInt8]) -> PN532Reply {
    guard !parameters.isEmpty, parameters.count.isMultiple(of: 2) else { return .syntaxError }
    return .data(
      stride(from: 0, to: parameters.count, by: 2).map { offset in
        registers[UInt16(parameters[offset]) << 8 | UInt16(parameters[offset + 1])]
      })
  }

  private mutating func writeRegisters(_ parameters: [UInt8]) -> PN532Reply {
    guard !parameters.isEmpty, parameters.count.isMultiple(of: 3) else { return .syntaxError }
    for offset in stride(from: 0, to: parameters.count, by: 3) {
      let address = UInt16(parameters[offset]) << 8 | UInt16(parameters[offset + 1])
      registers[address] = parameters[offset + 2]
    }
    return .data([])
  }

  private mutating func setParameters(_ parameters: [UInt8]) -> PN532Reply {
    guard parameters.count == 1 else { return .syntaxError }
    parameterFlags = parameters[0]
    return .data([])
  }

  private func configureSAM(_ parameters: [UInt8]) -> PN532Reply {
    guard let mode = parameters.first, (1...4).contains(mode), parameters.count <= 3 else {
      return .syntaxError
    }
    return .data([])
  }

  /// The pseudo-terminal has no speed; the new one counts for times alone.
  private mutating func setBaudRate(_ parameters: [UInt8]) -> PN532Reply {
    guard parameters.count == 1, let rate = PN532Timing.baudRate(code: parameters[0]) else {
      return .syntaxError
    }
    changeBaudRate(to: rate)
    return .data([])
  }

  private mutating func powerDown(_ parameters: [UInt8]) -> PN532Reply {
    guard (1...2).contains(parameters.count) else { return .syntaxError }
    target = nil
    sleep()
    return .status(.ok)
  }

  private mutating func configureRF(_ parameters: [UInt8]) -> PN532Reply {
    switch (parameters.first, parameters.count) {
    case (0x01, 2): switchField(on: parameters[1] & 0x01 != 0)
    case (0x02, 4): timing.setAnswer(code: parameters[3])
    case (0x05, 4): timing.activationRetries = Int(parameters[3])
    // Retries of exchanges and analogue settings are taken and change nothing here.
    case (0x04, 2), (0x0A, 12), (0x0B, 9), (0x0C, 4), (0x0D, 10): break
    default: return .syntaxError
    }
    return .data([])
  }

  mutating func switchField(on: Bool) {
    if on { field.switchOn() } else { field.switchOff() }
    registers.fieldSwitched(on: on)
  }
}
