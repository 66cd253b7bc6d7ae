import CliptagBasics

/// Takes passwords and keys out of what passes between a program, a reader and a tag.
///
/// It follows one tag: what a command means depends on those before it. Masked bytes are zeros, so
/// that lengths stay.
package struct SessionMask: Sendable {
  /// The form in which commands to the tag pass.
  package enum Carrier: Hashable, Sendable {
    /// Bodies of a PN53x's frames.
    case chip
    /// PC/SC commands.
    case reader
    /// The tag's commands, for ISO/IEC 15693 after their flags.
    case tag
  }

  /// The command set of the tag.
  package enum Family: Hashable, Sendable {
    case type2, classic, isoDEP, vicinity
  }

  /// The command set of the tag, as far as known.
  package var family = Family.type2
  /// A Boolean value that indicates whether an originality signature was read, which proves nothing
  /// without its UID.
  package private(set) var hasSeenSignature = false
  /// The place of the message that the last command reads or writes; see ``addressed``.
  package private(set) var addressed: Address?
  /// The bytes of the tag's command in the last command.
  package private(set) var innerCommand: [UInt8] = []

  /// The part of the memory in a command or in its answer.
  package struct Address: Hashable, Sendable {
    /// The offset from the beginning of the memory that may hold a message: page 4, block 0, or the
    /// beginning of a file.
    package let offset: Int
    /// The position of the bytes in the command; `nil` if they are in the answer.
    package let inCommand: Int?
  }

  private enum AnswerRule { case none, all, afterFirst, data }

  private let carrier: Carrier
  private var rule = AnswerRule.none
  private var asksVersion = false
  private var asksSignature = false
  /// The product of a Type 2 tag, as far as known; its version shows it.
  package var layout: Type2Layout?
  private var isAuthenticating = false
  private var compatibilityPage: UInt8?
  private var isContainerSelected = false
  /// The carrier of the last command, for its answer.
  private var isChipPassThrough = false
  private var isSession = false

  /// Makes a mask for a connection without a tag.
  package init(_ carrier: Carrier) { self.carrier = carrier }

  /// Returns a command without secrets.
  package mutating func command(_ bytes: [UInt8]) -> [UInt8] {
    (rule, asksVersion, asksSignature, addressed) = (.none, false, false, nil)
    (isChipPassThrough, isSession, innerCommand) = (false, false, [])
    var masked = bytes
    if carrier == .reader, bytes.count > 5, bytes[0] == 0xFF {
      switch bytes[1] {
      case 0x82:  // the key for a MIFARE Classic
        masked.zero(5..<bytes.count)
        return masked
      case 0xD6 where bytes.count >= 5:
        addressed = Address(offset: place(Int(bytes[2]) << 8 | Int(bytes[3])), inCommand: 5)
        if family == .type2, isSecret(page: bytes[3]) { masked.zero(5..<bytes.count) }
        return masked
      default: break
      }
    }
    if carrier == .reader, bytes.count == 5, bytes[0] == 0xFF, bytes[1] == 0xB0 {
      addressed = Address(offset: place(Int(bytes[2]) << 8 | Int(bytes[3])), inCommand: nil)
      if family == .type2 { innerCommand = [0x30, bytes[3]] }
    }
    guard let start = start(of: bytes) else { return masked }
    let end = isSession ? min(bytes.count, start + Int(bytes[start - 1])) : bytes.count
    innerCommand = Array(bytes[start..<max(start, end)])
    for range in secrets(innerCommand) {
      masked.zero(range.lowerBound + start..<range.upperBound + start)
    }
    if let part = addressed, let position = part.inCommand {
      addressed = Address(offset: part.offset, inCommand: position + start)
    }
    return masked
  }

  /// Returns the answer to the last command without secrets.
  package mutating func answer(_ bytes: [UInt8]) -> [UInt8] {
    guard let range = inner(of: bytes) else { return bytes }
    let inner = Array(bytes[range])
    if asksVersion { layout = Type2Layout.all.first { $0.version == inner } ?? layout }
    if asksSignature, inner.count >= 32 { hasSeenSignature = true }
    var masked = bytes
    switch rule {
    case .none: break
    case .all: masked.zero(range)
    case .afterFirst: masked.zero(min(range.lowerBound + 1, range.upperBound)..<range.upperBound)
    case .data: masked.zero(range.lowerBound..<max(range.lowerBound, range.upperBound - 2))
    }
    return masked
  }

  /// The position of the tag's command.
  private mutating func start(of bytes: [UInt8]) -> Int? {
    switch carrier {
    case .tag: return bytes.isEmpty ? nil : 0
    case .chip: return chipStart(bytes, at: 0)
    case .reader:
      guard bytes.first == 0xFF else { return bytes.count >= 4 ? 0 : nil }
      if bytes.starts(with: [0xFF, 0x00, 0x00, 0x00]), bytes.count > 5 {
        if bytes[5] == 0xD4 {
          isChipPassThrough = true
          return chipStart(bytes, at: 5)
        }
        return 5
      }
      guard bytes.starts(with: [0xFF, 0xC2, 0x00, 0x01]) else { return nil }
      isSession = true
      return Self.value(of: 0x95, in: bytes, from: 5)?.lowerBound
    }
  }

  private func chipStart(_ bytes: [UInt8], at start: Int) -> Int? {
    guard bytes.count > start + 2, bytes[start] == 0xD4 else { return nil }
    switch bytes[start + 1] {
    case 0x40: return start + 3 < bytes.count ? start + 3 : nil
    case 0x42: return start + 2
    default: return nil
    }
  }

  /// The position of the tag's response.
  private func inner(of bytes: [UInt8]) -> Range<Int>? {
    guard !innerCommand.isEmpty || addressed != nil else { return nil }
    switch carrier {
    case .tag: return bytes.indices
    case .chip: return bytes.count >= 3 && bytes[0] == 0xD5 ? 3..<bytes.count : nil
    case .reader:
      guard bytes.count >= 2 else { return nil }
      if isSession { return Self.value(of: 0x97, in: bytes, from: 0) }
      if isChipPassThrough { return bytes.count >= 5 ? 3..<bytes.count - 2 : nil }
      return innerCommand.first == 0xFF || family != .isoDEP
        ? 0..<bytes.count - 2 : 0..<bytes.count
    }
  }

  private static func value(of tag: UInt8, in bytes: [UInt8], from start: Int) -> Range<Int>? {
    var position = start
    while position + 1 < bytes.count {
      let name = bytes[position]
      position += name & 0x1F == 0x1F ? 2 : 1
      guard position < bytes.count else { return nil }
      var count = Int(bytes[position])
      position += 1
      if count == 0x81, position < bytes.count {
        count = Int(bytes[position])
        position += 1
      }
      guard position + count <= bytes.count else { return nil }
      if name == tag { return position..<position + count }
      position += count
    }
    return nil
  }

  /// The offset of a page or block in the memory for a message.
  private func place(_ number: Int) -> Int { family == .type2 ? number * 4 - 16 : number * 4 }
}

/// The commands with secrets.
extension SessionMask {
  /// The positions of secrets in a command of the tag.
  private mutating func secrets(_ command: [UInt8]) -> [Range<Int>] {
    guard let code = command.first else { return [] }
    if isAPDU(command) { return secretsOfAPDU(command) }
    switch family {
    case .vicinity: return secretsOfVicinity(command)
    case .classic: return secretsOfClassic(command)
    case .type2, .isoDEP: break
    }
    if let page = compatibilityPage {
      compatibilityPage = nil
      return isSecret(page: page) ? [0..<command.count] : []
    }
    switch (code, command.count) {
    case (0x1B, 2...):  // PWD_AUTH; the answer is PACK
      rule = .all
      return [1..<command.count]
    case (0xA2, 6), (0xA0, 18):
      addressed = Address(offset: place(Int(command[1])), inCommand: 2)
      return isSecret(page: command[1]) ? [2..<command.count] : []
    case (0xA0, 2): compatibilityPage = command[1]
    case (0x30, 2), (0x3A, 3):
      addressed = Address(offset: place(Int(command[1])), inCommand: nil)
    case (0x60, 1): asksVersion = true
    case (0x3C, 2): asksSignature = true
    case (0x1A, 2):  // AUTHENTICATE of Ultralight C and AES
      rule = .afterFirst
    case (0xAF, 9...):
      rule = .afterFirst
      return [1..<command.count]
    default: break
    }
    return []
  }

  /// Returns `true` for a page that holds a password or a key: of a product that is not known, a
  /// page that does so on any product.
  private func isSecret(page: UInt8) -> Bool {
    let layouts = layout.map { [$0] } ?? Type2Layout.all
    // The keys of an Ultralight AES, and of an NTAG I2C plus.
    if layout == nil, (0x30...0x37).contains(page) || page == 0xE5 || page == 0xE6 { return true }
    return layouts.contains { layout in
      if let first = layout.configurationPage, Int(page) == first + 2 || Int(page) == first + 3 {
        return true
      }
      guard let first = layout.tripleDESPage else { return false }
      return (first + 2..<first + 6).contains(Int(page))
    }
  }

  private mutating func secretsOfClassic(_ command: [UInt8]) -> [Range<Int>] {
    switch (command[0], command.count) {
    case (0x60, 8...), (0x61, 8...): return [2..<8]
    case (0xA0, 18) where command[1] & 0x03 == 3: return [2..<8, 12..<18]
    default: return []
    }
  }

  /// ISO/IEC 15693, flags first: passwords of NXP and ST, and keys (CHALLENGE, AUTHENTICATE).
  private mutating func secretsOfVicinity(_ command: [UInt8]) -> [Range<Int>] {
    guard command.count >= 2 else { return [] }
    let start = (command[1] >= 0xA0 ? 3 : 2) + (command[0] & 0x24 == 0x20 ? 8 : 0)
    switch command[1] {
    case 0xB1, 0xB3, 0xB4: return start + 1 < command.count ? [start + 1..<command.count] : []
    case 0x35, 0x39, 0x3A:
      rule = .afterFirst
      return start < command.count ? [start..<command.count] : []
    case 0xBD: asksSignature = true
    case 0x20, 0x23, 0x30, 0x33:
      if start < command.count {
        let high = command[1] & 0x10 != 0 && start + 1 < command.count ? Int(command[start + 1]) : 0
        addressed = Address(offset: (Int(command[start]) | high << 8) * 4, inCommand: nil)
      }
    case 0x21 where start + 1 < command.count:
      addressed = Address(offset: Int(command[start]) * 4, inCommand: start + 1)
    case 0x31 where start + 2 < command.count:
      addressed = Address(
        offset: (Int(command[start]) | Int(command[start + 1]) << 8) * 4, inCommand: start + 2)
    default: break
    }
    return []
  }

  private func isAPDU(_ command: [UInt8]) -> Bool {
    family == .isoDEP
      || carrier == .reader && innerCommand.count >= 4 && !isSession
        && [0x00, 0x80, 0x90].contains(command[0]) && family != .vicinity
  }

  /// APDUs: VERIFY and the authentications of ISO/IEC 7816-4, and those of DESFire and NTAG 4xx
  /// with ChangeKey.
  private mutating func secretsOfAPDU(_ command: [UInt8]) -> [Range<Int>] {
    guard command.count >= 4 else { return [] }
    let data = command.count > 5 ? 5..<min(command.count, 5 + Int(command[4])) : 5..<5
    let continues = isAuthenticating
    isAuthenticating = false
    switch (command[0], command[1]) {
    case (0x90, 0x0A), (0x90, 0x1A), (0x90, 0xAA), (0x90, 0x71), (0x90, 0x77):
      (isAuthenticating, rule) = (true, .data)
      // The number of the key and capabilities, which are not secret.
      return []
    case (0x90, 0xAF) where continues && !data.isEmpty:
      rule = .data
      return [data]
    case (0x90, 0xC4):
      return data.isEmpty
        ? [] : [data.dropFirst(1).isEmpty ? data : data.lowerBound + 1..<data.upperBound]
    case (0x90, 0x3C): asksSignature = true
    case (0x00, 0x20), (0x80, 0x20): return data.isEmpty ? [] : [data]
    case (0x00, 0x82), (0x00, 0x86), (0x00, 0x88):
      rule = .data
      return data.isEmpty ? [] : [data]
    case (0x00, 0xA4):
      isContainerSelected = command.count > 6 && command[5] == 0xE1 && command[6] == 0x03
    case (0x00, 0xB0) where !isContainerSelected:
      addressed = Address(offset: Int(command[2]) << 8 | Int(command[3]), inCommand: nil)
    case (0x00, 0xD6) where !isContainerSelected && command.count > 5:
      addressed = Address(offset: Int(command[2]) << 8 | Int(command[3]), inCommand: 5)
    default: break
    }
    return []
  }
}

/// The message on a tag.
extension SessionMask {
  /// The bytes at the beginning of the memory that stay: headers, whose lengths a reader needs.
  private var headerByteCount: Int { family == .isoDEP ? 7 : 12 }

  /// Returns the last command with `x` in place of the letters and digits of the message that it
  /// writes.
  package func commandWithoutMessage(_ bytes: [UInt8]) -> [UInt8] {
    guard let addressed, let position = addressed.inCommand else { return bytes }
    return withoutText(bytes, position..<bytes.count, addressed.offset)
  }

  /// Returns the answer to the last command with `x` in place of the letters and digits of the
  /// message.
  package func answerWithoutMessage(_ bytes: [UInt8]) -> [UInt8] {
    guard let addressed, addressed.inCommand == nil, var range = inner(of: bytes) else {
      return bytes
    }
    // The flags of a response of ISO/IEC 15693 precede the block, except in that of FF B0.
    if family == .vicinity, innerCommand.count > 1, !range.isEmpty {
      range = range.lowerBound + 1..<range.upperBound
    }
    if family == .isoDEP { range = range.lowerBound..<max(range.lowerBound, range.upperBound - 2) }
    return withoutText(bytes, range, addressed.offset)
  }

  private func withoutText(_ bytes: [UInt8], _ range: Range<Int>, _ offset: Int) -> [UInt8] {
    var bytes = bytes
    // Pages in front of the memory and settings behind it hold no text.
    guard offset >= 0 else {
      guard range.count > -offset else { return bytes }
      return withoutText(bytes, range.lowerBound - offset..<range.upperBound, 0)
    }
    for position in range where position - range.lowerBound + offset >= headerByteCount {
      switch bytes[position] {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: bytes[position] = 0x78
      default: break
      }
    }
    return bytes
  }
}

extension [UInt8] {
  fileprivate mutating func zero(_ range: Range<Int>) {
    for position in range where indices.contains(position) { self[position] = 0 }
  }
}
