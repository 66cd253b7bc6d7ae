import TagTypes

/// What a tag sends back for one frame.
package enum TagAnswer: Hashable, Sendable {
  /// Nothing: the tag is not selected, or does not know the command or its length.
  case silence
  /// The four bits of an ACK (`A`).
  case acknowledged
  /// The four bits of a NAK: 0 for an argument or a closed page, 1 for a damaged frame, 4 for too
  /// many wrong passwords, 5 for memory that did not take the write.
  case refused(UInt8)
  /// Whole bytes, without CRC.
  case data([UInt8])
  /// Something that did not survive the way; the chip gives this status (UM0701-02, section 7.1).
  case damaged(status: UInt8)

  /// Whether a tag that gave it is mute until it is selected again: after a NAK, and after silence,
  /// unless it was sent to sleep.
  func endsSelection(of state: TypeAState) -> Bool {
    switch self {
    case .refused: true
    case .silence: !state.isHalted
    case .acknowledged, .data, .damaged: false
    }
  }

  /// Whether it says that a write succeeded: an ACK, or status 9000.
  var confirmsWrite: Bool {
    switch self {
    case .acknowledged: true
    case .data(let bytes): bytes.suffix(2) == [0x90, 0x00]
    case .silence, .refused, .damaged: false
    }
  }
}

/// The states of ISO/IEC 14443-3: field, request, selection, halt.
extension SimulatedTag {
  /// The field comes on: the tag starts up and waits for a request.
  package mutating func fieldOn() {
    guard state.isOff else { return }
    state.fieldOn()
    hasCountedThisPowerUp = false
    latched.isConfigurationLocked = storedConfiguration?.isLocked ?? false
  }

  /// The field goes off: the tag forgets everything but its memory.
  package mutating func fieldOff() {
    leaveActiveState()
    state.fieldOff()
  }

  /// A request comes.
  ///
  /// - Parameter wakeUp: WUPA, which also reaches halted tags; otherwise REQA.
  /// - Returns: Whether the tag answers with its ATQA. A tag that was selected already does not:
  ///   it falls back to where it came from.
  package mutating func request(wakeUp: Bool) -> Bool {
    leaveActiveState()
    guard state.request(wakeUp: wakeUp) else { return false }
    latched.staticLocks = Array(memory[10..<12])
    return true
  }

  /// The tag, having answered a request, is selected.
  ///
  /// - Returns: Whether it is active now.
  package mutating func select() -> Bool {
    guard state.select() else { return false }
    latched.configuration = storedConfiguration
    return true
  }

  /// Whether the tag is selected and will look at commands.
  package var isActive: Bool { state.isActive }

  /// A frame arrives whose check bytes are wrong.
  package mutating func receiveDamagedFrame() -> TagAnswer {
    guard isActive else { return .silence }
    fallBack()
    return .refused(1)
  }

  /// Back to IDLE or HALT, as after every NAK and every command the tag does not know: it is mute
  /// until it is selected again.
  package mutating func fallBack() {
    state.fallBack()
    leaveActiveState()
  }

  /// HLTA: only WUPA reaches the tag now.
  package mutating func halt() {
    state.halt()
    leaveActiveState()
  }

  private mutating func leaveActiveState() {
    isAuthenticated = false
    compatibilityWritePage = nil
    isChallenging = false
  }
}

/// Tag commands in words: Type 2 (NTAG21x and MIFARE Ultralight data sheets), MIFARE Classic, and
/// APDUs (ISO/IEC 7816-4, and the wrapped native commands of DESFire).
enum TagWording {
  /// A frame to a tag, without CRC.
  static func command(_ frame: [UInt8]) -> String {
    guard let code = frame.first else { return "nothing" }
    if isAPDU(frame) { return apdu(frame) }
    switch (code, frame.count) {
    case (0x30, 2): return "READ page \(frame[1])"
    case (0xA2, 6): return "WRITE page \(frame[1]): \(Array(frame[2...]).hexadecimal)"
    case (0xA0, 2): return "COMPATIBILITY_WRITE page \(frame[1])"
    case (0xA0, 18):
      return "COMPATIBILITY_WRITE page \(frame[1]): \(Array(frame[2..<6]).hexadecimal)"
    case (0x3A, 3): return "FAST_READ pages \(frame[1]) to \(frame[2])"
    case (0x60, 1): return "GET_VERSION"
    case (0x39, 2): return "READ_CNT \(frame[1])"
    case (0xA5, 6): return "INCR_CNT \(frame[1])"
    case (0x3C, 2): return "READ_SIG"
    case (0x3E, 2): return "CHECK_TEARING_EVENT \(frame[1])"
    case (0x1B, 5): return "PWD_AUTH"
    case (0x1A, 2): return "AUTHENTICATE"
    case (0xAF, _): return "AUTHENTICATE, second part"
    case (0x50, 2): return "HLTA"
    case (0x60, 12): return "AUTHENTICATE block \(frame[1]) with key A"
    case (0x61, 12): return "AUTHENTICATE block \(frame[1]) with key B"
    case (0xB0, 2): return "TRANSFER block \(frame[1])"
    case (0xC0, 2...6): return "DECREMENT block \(frame[1])"
    case (0xC1, 2...6): return "INCREMENT block \(frame[1])"
    case (0xC2, 2...6): return "RESTORE block \(frame[1])"
    default: return "frame \(frame.hexadecimal)"
    }
  }

  /// Whether a frame has the shape of a command APDU of the classes that tags know.
  static func isAPDU(_ frame: [UInt8]) -> Bool {
    frame.count >= 4 && (frame[0] == 0x00 || frame[0] == 0x90)
  }

  private static func apdu(_ frame: [UInt8]) -> String {
    guard frame[0] == 0x00 else { return "native command \(PN532Wording.hexadecimal(frame[1]))" }
    let offset = Int(frame[2]) << 8 | Int(frame[3])
    switch frame[1] {
    case 0xA4:
      let data = frame.count > 5 ? Array(frame[5...].prefix(Int(frame[4]))) : []
      switch (frame[2], data) {
      case (0x04, [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01]): return "SELECT NDEF application"
      case (0x04, _): return "SELECT application \(data.hexadecimal)"
      default: return "SELECT file \(data.hexadecimal)"
      }
    case 0xB0:
      let length = frame.count > 4 ? Int(frame[4]) : 0
      return "READ BINARY offset \(offset), \(PN532Wording.bytesCount(length == 0 ? 256 : length))"
    case 0xD6:
      let length = frame.count > 4 ? Int(frame[4]) : 0
      return "UPDATE BINARY offset \(offset), \(PN532Wording.bytesCount(length))"
    default: return "APDU \(PN532Wording.hexadecimal(frame[1]))"
    }
  }
}
