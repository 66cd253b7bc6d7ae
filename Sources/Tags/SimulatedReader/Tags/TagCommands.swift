import CliptagBasics
import TagAuthenticity
import TagTypes

/// The command set of a Type 2 tag (NTAG21x data sheet, section 10; MF0ICU1, section 7.6).
extension SimulatedTag {
  /// Receives a frame whose CRC was correct.
  ///
  /// - Parameter command: The bytes without CRC, of any number and value.
  /// - Returns: The tag's answer. After ``TagAnswer/refused(_:)``, and after silence on an unknown
  ///   command, the tag is mute until it is selected again.
  package mutating func receive(_ command: [UInt8]) -> TagAnswer {
    guard isActive else { return .silence }
    if isSelectingSector { return selectSector(command) }
    let answer = answer(to: command)
    if answer.endsSelection(of: state) { fallBack() }
    return answer
  }

  private mutating func answer(to command: [UInt8]) -> TagAnswer {
    if let page = compatibilityWritePage {
      compatibilityWritePage = nil
      return command.count == 16 ? write(Array(command[0..<4]), page: page) : .silence
    }
    if let key = challengedKey {
      challengedKey = nil
      return command.first == 0xAF ? answer(toProof: Array(command[1...]), key: key) : .silence
    }
    switch (command.first, command.count) {
    case (0x30, 2): return read(from: command[1])
    case (0xA2, 6): return write(Array(command[2...]), page: stored(command[1]))
    case (0xA0, 2):
      guard isWritable(page: stored(command[1])) else { return .refused(0) }
      compatibilityWritePage = stored(command[1])
      return .acknowledged
    case (0x50, 2):
      if command[1] == 0 { halt() }
      return .silence
    case (0x1A, 2) where layout.tripleDESPage != nil || features.keyPage != nil:
      guard let cipher = cipher(key: command[1]), let challenge = challenge(cipher) else {
        return layout.tripleDESPage == nil ? .refused(0) : .silence
      }
      challengedKey = command[1]
      return .data([0xAF] + challenge)
    case (0xC2, 2) where features.interface != nil && command[1] == 0xFF:
      isSelectingSector = true
      return .acknowledged
    default:
      // Only NTAG21x and MIFARE Ultralight EV1 support the rest; they are the products that report
      // a version.
      guard let version = version ?? layout.version else { return .silence }
      return answer(toVendorCommand: command, version: version)
    }
  }

  private mutating func answer(toVendorCommand command: [UInt8], version: [UInt8]) -> TagAnswer {
    switch (command.first, command.count) {
    case (0x60, 1): .data(version)
    case (0x3A, 3): fastRead(from: stored(command[1]), through: stored(command[2]))
    case (0x39, 2) where layout.hasCounter: command[1] == 2 ? readCounter() : .refused(0)
    case (0x39, 2) where hasOneWayCounters: readOneWayCounter(Int(command[1]))
    case (0xA5, 6) where hasOneWayCounters:
      increment(counter: Int(command[1]), by: Array(command[2..<5]))
    case (0x3E, 2) where hasOneWayCounters: command[1] < 3 ? .data([0xBD]) : .refused(0)
    case (0x3C, 2) where features.signatureByteCount > 0:
      command[1] == 0
        ? .data(signature ?? TagSignature.bytes(for: uid, count: features.signatureByteCount))
        : .refused(0)
    case (0x1B, 5) where features.hasPassword: authenticate(password: Array(command[1...]))
    default: .silence
    }
  }

  /// The cipher of a key; `nil` if the product has no key of this number.
  private func cipher(key number: UInt8) -> TagCipher? {
    if let page = layout.tripleDESPage.map({ $0 + 2 }), number == 0 {
      // Both halves with the last byte first (MF0ICU2 data sheet, section 7.5.5).
      let stored = Array(memory[page * 4..<(page + 4) * 4])
      return .tripleDES(Array(stored[..<8].reversed()) + Array(stored[8...].reversed()))
    }
    guard let page = features.keyPage.map({ $0 + 4 * Int(number) }), number < 2,
      let key = try? SecretKey(Array(memory[page * 4..<(page + 4) * 4].reversed()))
    else { return nil }
    return .aes(key)
  }

  /// The first part of AUTHENTICATE: the encrypted RndB. A constant number keeps a run repeatable.
  private func challenge(_ cipher: TagCipher) -> [UInt8]? {
    challenge ?? cipher.encrypt(Array(TagSignature.bytes(for: uid).prefix(cipher.numberByteCount)))
  }

  /// The second part of AUTHENTICATE: RndA and the rotated RndB prove the reader's key, and the
  /// rotated RndA the tag's (MF0ICU2 data sheet, section 7.5.5; a recorded MIFARE Ultralight AES).
  private mutating func answer(toProof proof: [UInt8], key: UInt8) -> TagAnswer {
    guard let cipher = cipher(key: key), proof.count == 2 * cipher.numberByteCount else {
      return .silence
    }
    let count = cipher.numberByteCount
    guard let challenge = challenge(cipher), let number = cipher.decrypt(challenge),
      let numbers = cipher.decrypt(proof, after: challenge),
      Array(numbers[count...]) == Self.rotated(number),
      let answer = cipher.encrypt(Self.rotated(Array(numbers[..<count])), after: proof)
    else { return .refused(0) }
    isAuthenticated = key == 0
    return .data([0x00] + answer)
  }

  /// Returns bytes with the first one at the end.
  private static func rotated(_ bytes: [UInt8]) -> [UInt8] {
    Array(bytes.dropFirst()) + bytes.prefix(1)
  }

  /// The number of pages that READ accepts: the key of a MIFARE Ultralight C is not among them.
  private var readablePageCount: Int { layout.tripleDESPage.map { $0 + 2 } ?? layout.pageCount }

  /// READ: sixteen bytes, continuing at page 0 after the last readable page.
  private mutating func read(from address: UInt8) -> TagAnswer {
    if let interface = features.interface { return readSector(from: address, of: interface) }
    let page = Int(address)
    guard page < readablePageCount, isOpen(page: page, reading: true) else { return .refused(0) }
    countFirstRead()
    let visible = visibleMemory
    var bytes: [UInt8] = []
    var next = page
    for _ in 0..<4 {
      if next >= readablePageCount || !isOpen(page: next, reading: true) { next = 0 }
      bytes += visible[next * 4..<next * 4 + 4]
      next += 1
    }
    return .data(bytes)
  }

  private mutating func fastRead(from first: Int, through last: Int) -> TagAnswer {
    guard first <= last, last < layout.pageCount, isOpen(page: last, reading: true) else {
      return .refused(0)
    }
    countFirstRead()
    return .data(Array(visibleMemory[first * 4..<(last + 1) * 4]))
  }

  /// Counts the first READ or FAST_READ after the field was switched on in the NFC counter.
  private mutating func countFirstRead() {
    guard !hasCountedThisPowerUp, configuration?.counterIsEnabled == true else { return }
    hasCountedThisPowerUp = true
    counter = min(counter + 1, 0xFF_FFFF)
  }

  private func readCounter() -> TagAnswer {
    guard let configuration, configuration.counterIsEnabled,
      isAuthenticated || !configuration.counterNeedsPassword
    else { return .refused(0) }
    return .data([0, 8, 16].map { UInt8(truncatingIfNeeded: counter >> $0) })
  }

  private mutating func authenticate(password: [UInt8]) -> TagAnswer {
    guard let configuration, let page = layout.configurationPage else { return .silence }
    let limit = configuration.wrongPasswordLimit
    guard limit == 0 || wrongPasswords < limit else { return .refused(4) }
    guard password == self.page(page + 2) else {
      if limit > 0 { wrongPasswords += 1 }
      isAuthenticated = false
      return .refused(0)
    }
    wrongPasswords = 0
    isAuthenticated = true
    return .data(Array(self.page(page + 3)[0..<2]))
  }
}

/// Writing, and the pages with special write behaviour.
extension SimulatedTag {
  private func isWritable(page: Int) -> Bool {
    guard (2..<layout.pageCount).contains(page), isOpen(page: page, reading: false),
      !isLocked(page: page), !reservedPages.contains(page)
    else { return false }
    guard let configuration = layout.configurationPage, latched.isConfigurationLocked else {
      return true
    }
    return page != configuration && page != configuration + 1
  }

  /// Replaces a page, ignoring every rule.
  mutating func overwrite(page: Int, with bytes: [UInt8]) {
    memory.replaceSubrange(page * 4..<page * 4 + 4, with: bytes)
  }

  private mutating func write(_ bytes: [UInt8], page: Int) -> TagAnswer {
    guard isWritable(page: page) else { return .refused(0) }
    let old = self.page(page)
    switch page {
    case 2: overwrite(page: page, with: old[0..<2] + staticLocks(afterWriting: Array(bytes[2...])))
    case 3: overwrite(page: page, with: zip(old, bytes).map { $0 | $1 })
    case dynamicLocks?.page:
      overwrite(page: page, with: dynamicLocks?.bytes(afterWriting: bytes, over: old) ?? old)
    default: overwrite(page: page, with: bytes)
    }
    return .acknowledged
  }
}

/// The cipher of an authentication.
private enum TagCipher {
  /// MIFARE Ultralight C: CBC over all frames.
  case tripleDES([UInt8])
  /// MIFARE Ultralight AES: each frame begins with a vector of zeros.
  case aes(SecretKey)

  var numberByteCount: Int {
    switch self {
    case .tripleDES: 8
    case .aes: AES.blockByteCount
    }
  }

  /// - Parameter previous: The encrypted bytes before; none for the first frame.
  func encrypt(_ bytes: [UInt8], after previous: [UInt8] = []) -> [UInt8]? {
    switch self {
    case .tripleDES(let key): try? TripleDES.encrypt(bytes, key: key, vector: vector(previous))
    case .aes(let key): try? AES.encrypt(bytes, key: key)
    }
  }

  func decrypt(_ bytes: [UInt8], after previous: [UInt8] = []) -> [UInt8]? {
    switch self {
    case .tripleDES(let key): try? TripleDES.decrypt(bytes, key: key, vector: vector(previous))
    case .aes(let key): try? AES.decrypt(bytes, key: key)
    }
  }

  private func vector(_ previous: [UInt8]) -> [UInt8] {
    previous.isEmpty ? [UInt8](repeating: 0, count: 8) : Array(previous.suffix(8))
  }
}

/// Originality signatures (READ_SIG, READ SIGNATURE; NXP AN11350 and AN12196). NXP's private keys
/// are secret, so a simulated tag is genuine only for a UID whose signature was published.
enum TagSignature {
  /// A UID and NXP's signature of it.
  private struct Published {
    let uid: String
    let signature: String
  }

  /// The signatures for NTAG21x, then for MIFARE Ultralight EV1.
  private static let type2 = [
    Published(
      uid: "04E10CDA993C80",
      signature: "8B76052EE42F5567BEB53238B3E3F9950707C0DCC956B5C5EFCFDB709B2D82B3"),
    Published(
      uid: "04DB0BDA993C80",
      signature: "6048EFD9417CD10F6B7F1818D471A7FE5B46868D2EABDC6307A1E0AAE139D8D0"),
    Published(
      uid: "04C1285A373080",
      signature: "CEA2EB0B3C95D0844A95B824A7553703B3702378033BF0987899DB70151A19E7"),
    Published(
      uid: "04C2285A373080",
      signature: "A561506723D422D29ED9F93E60D20B9ED1E05CC1BF81DA19FE500CA0B81CC0ED"),
  ]

  /// The signatures for MIFARE Ultralight AES and NTAG 223 DNA, of 48 bytes.
  private static let type2With48Bytes = [
    Published(
      uid: "045E4CC2451390",
      signature: "C9BBDA1B99EB6634CDFD8E3251AC5C4742EA5FA507B8A8A8"
        + "B39B19AB7340D173331589C54C56C49F0CCA6DDBAC1E492A"),
    Published(
      uid: "043302218D3D00",
      signature: "6A5D5E034F4FC823CACAB56C1A77A409B8DB345F89BD3FD5"
        + "9ED1F9C0093518609BE62D0A20764D2011E47EFA187F29AA"),
  ]

  /// The signatures for ICODE SLIX2 and ICODE DNA.
  private static let icode = [
    Published(
      uid: "E00401082AD28E83",
      signature: "CAE8183CB4823C765AFDEB78C9D66C959990FD52A5820E76E1D6E025D76EAD79"),
    Published(
      uid: "E0040118009B5FEE",
      signature: "32D9E7579CD77E6F1FA11419231E874826984C5F189FDE1421684563A9663377"),
    Published(
      uid: "E00401086FC2621F",
      signature: "9F47BF33D9ED62A62AFEF5685BC4006CFB290C344EAD5C5B49BF976804A9EE62"),
    Published(
      uid: "E004010849D0DC81",
      signature: "A62554037424C43836F48970761A722754D9E73D38CB4C1B3EFD0EDF8AF67E3D"),
  ]

  /// The signatures for NTAG 424 DNA.
  private static let ntag424 = [
    Published(
      uid: "0463474AA26A80",
      signature: "27E9A50E6CA4BA9037C02F7D20A80D0284D0C1D83C67F5A5AC1D8A4E"
        + "F86C9508417E4E9C6F85AA7920F0ABDED984CAF20467D66EA54BBF08"),
    Published(
      uid: "04C46C222A6380",
      signature: "344A806EBF704C05C19215D2F840529CE365AAD2D08A469A95896D75"
        + "D477D9FAB02A0C827E9F215BD8EB0E56A3A9A008FB75D706AABBD4DA"),
  ]

  /// The published signature of `uid` of this size, or bytes of the right size that do not verify.
  static func bytes(for uid: [UInt8], count: Int = 32) -> [UInt8] {
    bytes(for: uid, in: count == 48 ? type2With48Bytes : type2, count: count)
  }

  /// 32 bytes for an ICODE.
  static func bytesOfICODE(for uid: [UInt8]) -> [UInt8] { bytes(for: uid, in: icode, count: 32) }

  /// 56 bytes for an NTAG 424 DNA.
  static func bytesOfNTAG424(for uid: [UInt8]) -> [UInt8] {
    bytes(for: uid, in: ntag424, count: 56)
  }

  private static func bytes(for uid: [UInt8], in published: [Published], count: Int) -> [UInt8] {
    let digits = uid.hexadecimal
    let known = published.first { $0.uid == digits }
      .flatMap { [UInt8](hexadecimal: $0.signature.utf8) }
    return known ?? (0..<count).map { uid[$0 % uid.count] ^ UInt8(truncatingIfNeeded: $0 * 37) }
  }
}
