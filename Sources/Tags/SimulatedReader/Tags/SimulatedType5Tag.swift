import TagTypes

/// A tag of ISO/IEC 15693 in memory, as specified in the data sheets (SL2S2002 rev. 4.2, SL2S2602
/// rev. 4.1, ST25DV04K/16K/64K, ST25DVxxKC) and as recorded from tags of these products.
package struct SimulatedType5Tag: Hashable, Sendable {
  /// The properties in which the products differ.
  package struct Product: Hashable, Sendable {
    let name: String
    /// The beginning of the UID.
    let prefix: [UInt8]
    /// The number of blocks, a counter among them.
    let blockCount: Int
    /// The size of a block in bytes.
    var blockByteCount = 4
    /// A Boolean value that indicates whether LOCK BLOCK closes any block; on ST's tags only blocks
    /// 0 and 1.
    let locksEveryBlock: Bool
    /// A Boolean value that indicates whether it supports NXP's passwords, PROTECT PAGE and READ
    /// SIGNATURE.
    let hasPassword: Bool
    /// The end of the default UID: that of a recorded tag, or one with a published signature.
    var usualEnd: [UInt8] = [0x66, 0x15, 0x39, 0x80]
    /// A Boolean value that indicates whether it supports READ SIGNATURE without passwords.
    var hasSignature = false
    /// DSFID and AFI.
    var identifiers: [UInt8] = [0, 0]
    /// The IC reference; `nil` for byte 2 of the UID.
    var icReference: UInt8?
    /// A Boolean value that indicates whether the last block is a counter, which holds no data.
    var hasCounter = false
    /// A Boolean value that indicates whether WRITE SINGLE BLOCK and LOCK BLOCK are refused without
    /// the OPTION flag.
    var needsOption = false
    /// A Boolean value that indicates whether GET SYSTEM INFORMATION has neither DSFID, AFI nor the IC
    /// reference.
    var statesSizeAlone = false
    /// The answer to GET NXP SYSTEM INFORMATION of a product whose passwords are not simulated.
    var nxpInformation: [UInt8]?

    package static let sli = Product(
      name: "ICODE SLI", prefix: [0xE0, 0x04, 0x01, 0x00], blockCount: 28, locksEveryBlock: true,
      hasPassword: false)
    package static let slixL = Product(
      name: "ICODE SLIX-L", prefix: [0xE0, 0x04, 0x03, 0x50], blockCount: 8, locksEveryBlock: true,
      hasPassword: false)
    package static let slix = Product(
      name: "ICODE SLIX", prefix: [0xE0, 0x04, 0x01, 0x10], blockCount: 28, locksEveryBlock: true,
      hasPassword: false)
    /// DSFID and AFI are those of the recorded tags, which came with a printer's labels.
    package static let slix2 = Product(
      name: "ICODE SLIX2", prefix: [0xE0, 0x04, 0x01, 0x08], blockCount: 80,
      locksEveryBlock: true, hasPassword: true, usualEnd: [0x2A, 0xD2, 0x8E, 0x83],
      identifiers: [0x01, 0x3D], icReference: 0x01, hasCounter: true)
    package static let slixS = Product(
      name: "ICODE SLIX-S", prefix: [0xE0, 0x04, 0x02, 0x50], blockCount: 40,
      locksEveryBlock: true, hasPassword: false, usualEnd: [0x03, 0x00, 0x35, 0xF8])
    package static let icodeDNA = Product(
      name: "ICODE DNA", prefix: [0xE0, 0x04, 0x01, 0x18], blockCount: 63, locksEveryBlock: true,
      hasPassword: false, usualEnd: [0x00, 0x9B, 0x5F, 0xEE], hasSignature: true)
    package static let icode3 = Product(
      name: "ICODE 3", prefix: [0xE0, 0x04, 0x01, 0x20], blockCount: 76, locksEveryBlock: true,
      hasPassword: false, usualEnd: [0x01, 0x11, 0x0C, 0xDE],
      nxpInformation: [0x00, 0x00, 0x00, 0x00, 0xFF, 0xFD, 0x00, 0x00])
    /// NTAG 5 link, with 2048 bytes.
    package static let ntag5 = Product(
      name: "NTAG 5", prefix: [0xE0, 0x04, 0x01, 0x58], blockCount: 512, locksEveryBlock: true,
      hasPassword: false, usualEnd: [0x6D, 0xE0, 0x28, 0x02])
    package static let st25dv04kc = Product(
      name: "ST25DV04KC", prefix: [0xE0, 0x02, 0x50, 0x01], blockCount: 128,
      locksEveryBlock: false, hasPassword: false)
    package static let st25dv16kc = Product(
      name: "ST25DV16KC", prefix: [0xE0, 0x02, 0x51, 0x00], blockCount: 512,
      locksEveryBlock: false, hasPassword: false, usualEnd: [0x02, 0x4E, 0xBE, 0x55])
    package static let st25dv64kc = Product(
      name: "ST25DV64KC", prefix: [0xE0, 0x02, 0x51, 0x67], blockCount: 2048,
      locksEveryBlock: false, hasPassword: false, usualEnd: [0x8F, 0x05, 0x7A, 0xBB])
    package static let st25tv02k = Product(
      name: "ST25TV02K", prefix: [0xE0, 0x02, 0x23, 0x01], blockCount: 64, locksEveryBlock: false,
      hasPassword: false)
    package static let lri2k = Product(
      name: "LRi2K", prefix: [0xE0, 0x02, 0x22, 0x24], blockCount: 56, locksEveryBlock: true,
      hasPassword: false, usualEnd: [0x50, 0x00, 0x83, 0x03], identifiers: [0x02, 0x00])
    /// TI's Tag-it HF-I Plus.
    package static let tagIt = Product(
      name: "Tag-it", prefix: [0xE0, 0x07, 0x81, 0xB8], blockCount: 64, locksEveryBlock: true,
      hasPassword: false, usualEnd: [0xAF, 0x14, 0x42, 0x07], identifiers: [0x02, 0x00],
      icReference: 0x8B, needsOption: true)
    /// TI's sensor with a radio, whose information has the size alone.
    package static let rf430 = Product(
      name: "RF430FRL152H", prefix: [0xE0, 0x07, 0xA0, 0x00], blockCount: 244, blockByteCount: 8,
      locksEveryBlock: true, hasPassword: false, usualEnd: [0x01, 0x7A, 0x5F, 0xA2],
      statesSizeAlone: true)
    package static let st25dv16k = Product(
      name: "ST25DV16K", prefix: [0xE0, 0x02, 0x26, 0x00], blockCount: 512,
      locksEveryBlock: false, hasPassword: false)
    package static let st25dv04k = Product(
      name: "ST25DV04K", prefix: [0xE0, 0x02, 0x24, 0x01], blockCount: 128,
      locksEveryBlock: false, hasPassword: false)
    /// Fujitsu's product, whose blocks have eight bytes.
    package static let mb89r118 = Product(
      name: "MB89R118", prefix: [0xE0, 0x08, 0x01, 0x00], blockCount: 250, blockByteCount: 8,
      locksEveryBlock: true, hasPassword: false)
    package static let st25dv64k = Product(
      name: "ST25DV64K", prefix: [0xE0, 0x02, 0x26, 0x01], blockCount: 2048,
      locksEveryBlock: false, hasPassword: false)
  }

  let product: Product
  /// Eight bytes, `E0` first.
  package private(set) var uid: [UInt8]
  private var bytes: [UInt8]
  private var locks: [Bool]
  /// DSFID and AFI, and whether each is locked. They are not part of ``memory``.
  private var identifiers: [UInt8]
  private var identifierLocks = [false, false]
  /// The originality signature of a recorded tag; `nil` for a published one, or one that does not
  /// verify.
  package var signature: [UInt8]?
  /// The read password and the write password, four bytes each.
  private var passwords: [[UInt8]] = [[0, 0, 0, 0], [0, 0, 0, 0]]
  /// The first block of the upper part, and the protection by the passwords (SL2S2602, section
  /// 8.2.4.3).
  private var protection: [UInt8] = [0, 0]

  private var isOn = false
  private var isSelected = false
  /// The passwords given since the field was switched on.
  private var given: Set<UInt8> = []
  private var random: [UInt8]?
  /// A Boolean value that indicates whether a wrong password has silenced the tag until the field
  /// is switched off.
  private var isSilenced = false
  private var passwordAttempts: UInt16 = 0

  private var blockByteCount: Int { product.blockByteCount }

  /// Makes a blank tag.
  ///
  /// - Parameter uid: Eight bytes that begin like the product's; `nil` for a default.
  /// - Throws: `.malformedUID`.
  package init(_ product: Product, uid: [UInt8]? = nil) throws(SimulatedReaderError) {
    let uid = uid ?? product.prefix + product.usualEnd
    guard uid.count == 8, uid[0] == 0xE0 else {
      throw SimulatedReaderError(
        .malformedUID, "A UID of \(uid.count) bytes was given for an \(product.name).",
        hint: "Give eight bytes that begin with E0, for example E004010866153980.")
    }
    self.product = product
    self.uid = uid
    identifiers = product.identifiers
    bytes = [UInt8](repeating: 0, count: product.blockCount * product.blockByteCount)
    locks = [Bool](repeating: false, count: product.blockCount)
  }
}

extension SimulatedType5Tag {
  /// The bytes of each block.
  package var blocks: [[UInt8]] {
    stride(from: 0, to: bytes.count, by: blockByteCount).map {
      Array(bytes[$0..<$0 + blockByteCount])
    }
  }

  /// The size of the memory for data in bytes.
  package var userByteCount: Int {
    (product.blockCount - (product.hasCounter ? 1 : 0)) * blockByteCount
  }

  /// Puts bytes into the memory, ignoring locks; bytes that it has no room for are dropped whole.
  package mutating func place(_ new: [UInt8], atBlock block: Int) {
    guard (0..<product.blockCount).contains(block) else { return }
    let start = block * blockByteCount
    guard start + new.count <= bytes.count else { return }
    bytes.replaceSubrange(start..<start + new.count, with: new)
  }

  /// The indices of the locked blocks.
  package var lockedBlocks: [Int] { locks.indices.filter { locks[$0] } }

  /// Activates a write password for the whole memory.
  package mutating func guardWriting(with password: [UInt8]) {
    passwords[1] = password
    protection = [0, 0x22]
  }

  /// Returns `true` if locks and passwords equal those of another tag.
  package func isGuarded(as other: SimulatedType5Tag) -> Bool {
    locks == other.locks && protection == other.protection && passwords == other.passwords
  }
}

/// The tag's commands (ISO/IEC 15693-3, section 10).
extension SimulatedType5Tag {
  /// The command and parameters of a frame, if it is for this tag.
  private func request(_ frame: [UInt8]) -> [UInt8]? {
    guard let flags = frame.first, frame.count >= 2, flags & 0x04 == 0 else { return nil }
    let command = frame[1]
    var rest = Array(frame.dropFirst(2))
    var maker: [UInt8] = []
    if command >= 0xA0 {
      guard let code = rest.first, code == uid[1] else { return nil }
      maker = [code]
      rest.removeFirst()
    }
    // Addressed: the UID follows, lowest byte first.
    if flags & 0x20 != 0 {
      guard rest.count >= 8, Array(rest.prefix(8)) == uid.reversed() else { return nil }
      rest.removeFirst(8)
    }
    return [command] + maker + rest
  }

  /// The block that a command addresses, and the bytes after it.
  private func block(_ request: [UInt8]) -> (number: Int, rest: [UInt8])? {
    let isLong = request[0] & 0xF0 == 0x30
    guard request.count >= (isLong ? 3 : 2) else { return nil }
    let number = Int(request[1]) | (isLong ? Int(request[2]) << 8 : 0)
    return (number, Array(request.dropFirst(isLong ? 3 : 2)))
  }

  /// Receives a frame whose CRC was correct. The error flag of the response is left to the reader:
  /// a successful write is acknowledged, and an error is a refusal with its code.
  package mutating func receive(_ frame: [UInt8]) -> TagAnswer {
    guard isActive, let request = request(frame) else { return .silence }
    let hasOption = frame[0] & 0x40 != 0
    if product.needsOption, !hasOption, places(writtenBy: frame) != nil {
      return .refused(0x01)
    }
    switch request[0] {
    case 0x20, 0x30: return read(request, several: false, withLocks: hasOption)
    case 0x23, 0x33: return read(request, several: true, withLocks: hasOption)
    case 0x21, 0x31: return write(request)
    case 0x22, 0x32: return lock(request)
    case 0x2B where request.count == 1:
      let size: [UInt8] =
        product.blockCount <= 256
        ? [UInt8(product.blockCount - 1), UInt8(blockByteCount - 1)] : []
      if product.statesSizeAlone { return .data([0x04] + uid.reversed() + size) }
      return .data(
        [size.isEmpty ? 0x0B : 0x0F] + uid.reversed() + identifiers + size + [
          product.icReference ?? uid[2]
        ])
    case 0x3B where request.count == 2 && product.blockCount > 256:
      let count = product.blockCount - 1
      return .data(
        [0x04] + uid.reversed()
          + [UInt8(count & 0xFF), UInt8(count >> 8), UInt8(blockByteCount - 1)])
    case 0x2C, 0x3C: return security(request)
    case 0xAB where request.count == 2 && product.nxpInformation != nil:
      return .data(product.nxpInformation ?? [])
    case 0x27...0x2A: return identify(request)
    case 0xBD where product.hasSignature && request.count == 2:
      return .data(signature ?? TagSignature.bytesOfICODE(for: uid))
    case 0xA0...0xDF where product.hasPassword: return guarded(request)
    default: return .silence
    }
  }

  /// The number of blocks after the first one's address, in one byte or in two, one less than the
  /// number; `nil` for any other length.
  private func blockCount(_ bytes: [UInt8], isLong: Bool) -> Int? {
    guard bytes.count == 1 || isLong && bytes.count == 2 else { return nil }
    return 1 + bytes.enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) }
  }

  /// - Parameter withLocks: `true` to put each block's security status before it, as the OPTION flag
  ///   requests.
  private func read(_ request: [UInt8], several: Bool, withLocks: Bool) -> TagAnswer {
    guard let (first, rest) = block(request),
      let count = several ? blockCount(rest, isLong: request[0] == 0x33) : 1
    else { return .silence }
    let numbers = first..<first + count
    guard numbers.upperBound <= product.blockCount else { return .refused(0x10) }
    if !given.contains(1), numbers.contains(where: { isGuarded($0, mask: 0x01) }) {
      return .refused(0x0F)
    }
    let size = blockByteCount
    return .data(
      numbers.flatMap { number in
        (withLocks ? [locks[number] ? 1 : 0] : []) + bytes[number * size..<(number + 1) * size]
      })
  }

  private func isGuarded(_ block: Int, mask: UInt8) -> Bool {
    protection[1] & (block < Int(protection[0]) ? mask : mask << 4) != 0
  }

  private mutating func write(_ request: [UInt8]) -> TagAnswer {
    guard let (number, bytes) = block(request), bytes.count == blockByteCount else {
      return .silence
    }
    guard number < product.blockCount else { return .refused(0x10) }
    guard !locks[number] else { return .refused(0x12) }
    guard given.contains(2) || !isGuarded(number, mask: 0x03) else { return .refused(0x0F) }
    let place = number * blockByteCount..<(number + 1) * blockByteCount
    // 01 00 counts; other bytes preset the counter.
    let counts = isCounter(number) && bytes[0] == 0x01 && bytes[1] == 0x00
    let count =
      counts ? Int(self.bytes[place.lowerBound]) | Int(self.bytes[place.lowerBound + 1]) << 8 : 0
    let stored =
      counts
      ? [UInt8((count + 1) & 0xFF), UInt8((count + 1) >> 8 & 0xFF)]
        + self.bytes[place.lowerBound + 2..<place.upperBound] : bytes
    self.bytes.replaceSubrange(place, with: stored)
    return .acknowledged
  }

  private func isCounter(_ block: Int) -> Bool {
    product.hasCounter && block == product.blockCount - 1
  }

  private mutating func lock(_ request: [UInt8]) -> TagAnswer {
    guard let (number, rest) = block(request), rest.isEmpty else { return .silence }
    guard number < product.blockCount else { return .refused(0x10) }
    guard product.locksEveryBlock || number < 2 else { return .refused(0x10) }
    guard !locks[number] else { return .refused(0x11) }
    guard given.contains(2) || !isGuarded(number, mask: 0x03), !isCounter(number) else {
      return .refused(0x0F)
    }
    locks[number] = true
    return .acknowledged
  }

  /// WRITE AFI, LOCK AFI, WRITE DSFID and LOCK DSFID (ISO/IEC 15693-3, sections 10.4.8 to 10.4.11).
  private mutating func identify(_ request: [UInt8]) -> TagAnswer {
    let index = request[0] < 0x29 ? 1 : 0
    let isWrite = request[0] & 0x01 == 1
    guard request.count == (isWrite ? 2 : 1) else { return .silence }
    guard !identifierLocks[index] else { return .refused(isWrite ? 0x12 : 0x11) }
    if isWrite { identifiers[index] = request[1] } else { identifierLocks[index] = true }
    return .acknowledged
  }

  /// DSFID, the byte before the UID in the answer to INVENTORY.
  package var storageFormat: UInt8 {
    get { identifiers[0] }
    set { identifiers[0] = newValue }
  }

  private func security(_ request: [UInt8]) -> TagAnswer {
    guard let (first, rest) = block(request),
      let count = blockCount(rest, isLong: request[0] == 0x3C)
    else { return .silence }
    guard first + count <= product.blockCount else { return .refused(0x10) }
    return .data(locks[first..<first + count].map { $0 ? 1 : 0 })
  }

  /// NXP's custom commands: random number, passwords, PROTECT PAGE, system information.
  private mutating func guarded(_ request: [UInt8]) -> TagAnswer {
    let parameters = Array(request.dropFirst(2))
    switch request[0] {
    case 0xAB: return .data(protection + [0, 0x7F, 0x35, 0, 0])
    case 0xBD where parameters.isEmpty:
      return .data(signature ?? TagSignature.bytesOfICODE(for: uid))
    case 0xB2 where parameters.isEmpty:
      // A counter is sufficiently random for the client that answers it.
      passwordAttempts &+= 0x3A5D
      random = [UInt8(passwordAttempts >> 8), UInt8(passwordAttempts & 0xFF)]
      return .data(random ?? [])
    case 0xB3 where parameters.count == 5 && (1...2).contains(parameters[0]):
      guard let random else { return .refused(0x0F) }
      let shown = zip(parameters[1...], random + random).map { $0 ^ $1 }
      guard shown == passwords[Int(parameters[0]) - 1] else {
        isSilenced = true
        return .silence
      }
      given.insert(parameters[0])
      return .acknowledged
    case 0xB4 where parameters.count == 5 && (1...2).contains(parameters[0]):
      guard given.contains(parameters[0]) else { return .refused(0x0F) }
      passwords[Int(parameters[0]) - 1] = Array(parameters[1...])
      return .acknowledged
    case 0xB6 where parameters.count == 2:
      guard given == [1, 2] else { return .refused(0x0F) }
      protection = parameters
      return .acknowledged
    default: return .refused(0x0F)
    }
  }
}

/// A Type 5 tag on a simulated reader; its places are blocks.
extension SimulatedType5Tag: SimulatedCard {
  /// ISO/IEC 15693.
  package var technology: SimulatedTechnology { .iso15693 }
  /// The product's name.
  package var name: String { product.name }
  /// `T5`, the UID, the read and the write password, their protection, a byte for each block's
  /// lock, then the blocks.
  package var memory: [UInt8] {
    Array("T5".utf8) + uid + passwords.flatMap(\.self) + protection + locks.map { $0 ? 1 : 0 }
      + bytes
  }

  /// Returns the same product with the bytes of a memory file. A file may lack a counter.
  package func holding(_ memory: [UInt8]) throws(SimulatedReaderError) -> SimulatedType5Tag {
    let count = product.blockCount
    let isWhole = memory.count == self.memory.count
    let lacksCounter =
      product.hasCounter && memory.count == self.memory.count - blockByteCount - 1
    guard isWhole || lacksCounter, memory.starts(with: "T5".utf8) else {
      throw SimulatedReaderError(
        .malformedMemory,
        "The memory file of an \(name) has \(self.memory.count) bytes and begins with T5, but "
          + "\(memory.count) were found.",
        hint: "Use a memory file of the same kind of tag, or give another kind.")
    }
    var tag = try SimulatedType5Tag(product, uid: Array(memory[2..<10]))
    tag.passwords = [Array(memory[10..<14]), Array(memory[14..<18])]
    tag.protection = Array(memory[18..<20])
    let present = isWhole ? count : count - 1
    tag.locks.replaceSubrange(0..<present, with: memory[20..<20 + present].map { $0 != 0 })
    tag.bytes.replaceSubrange(0..<present * blockByteCount, with: memory[(20 + present)...])
    return tag
  }

  /// Returns the same product, blank, with another UID.
  package func sister(uid: [UInt8]?) throws(SimulatedReaderError) -> SimulatedType5Tag {
    try SimulatedType5Tag(product, uid: uid ?? self.uid.dropLast() + [(self.uid.last ?? 0) ^ 0x01])
  }

  /// Switches the field on.
  package mutating func fieldOn() { isOn = true }

  /// Switches the field off: the tag loses all state but its memory.
  package mutating func fieldOff() {
    (isOn, isSelected, isSilenced) = (false, false, false)
    given = []
    random = nil
  }

  /// Receives an inventory request.
  package mutating func request(wakeUp: Bool) -> Bool { isOn && !isSilenced }
  /// Selects the tag by its known UID, so that it takes commands.
  package mutating func select() -> Bool {
    isSelected = isOn
    return isSelected
  }
  /// A Boolean value that indicates whether the tag processes frames.
  package var isActive: Bool { isSelected && !isSilenced }
  /// Has no effect: the tag stays ready after an error.
  package mutating func fallBack() {}
  /// STAY QUIET: only a new power-up or its own UID wakes the tag.
  package mutating func halt() { isSelected = false }
  /// Returns empty data: no PN532 finds such a tag.
  package func targetData(for request: [UInt8]) -> [UInt8]? { [] }
  /// Gives no answer to a frame with a wrong CRC.
  package mutating func receiveDamagedFrame() -> TagAnswer { .silence }

  /// The block that a write or lock changes.
  package func places(writtenBy frame: [UInt8]) -> Range<Int>? {
    guard isActive, let request = request(frame),
      [0x21, 0x31, 0x22, 0x32].contains(request[0]), let (number, _) = block(request)
    else { return nil }
    return number..<number + 1
  }

  /// Answers that the block was not programmed (error 13).
  package mutating func refuseWrite(_ frame: [UInt8]) -> TagAnswer { .refused(0x13) }

  /// Stores at most the first half of a block; a lock is set or not.
  package mutating func tear(_ frame: [UInt8], isHalf: Bool) {
    tear(frame, storing: isHalf ? blockByteCount / 2 : 0)
  }

  /// Stores the first bytes of a block.
  package mutating func tear(_ frame: [UInt8], storing count: Int) {
    guard count > 0, let number = places(writtenBy: frame)?.first, number < product.blockCount
    else { return }
    let range = number * blockByteCount..<(number + 1) * blockByteCount
    let old = Array(bytes[range])
    guard receive(frame) == .acknowledged else { return }
    let new = bytes[range].prefix(min(count, old.count)) + old.dropFirst(count)
    bytes.replaceSubrange(range, with: new)
  }

  /// Inverts the lowest bit of a block's first byte.
  package mutating func spoil(place number: Int) {
    if locks.indices.contains(number) { bytes[number * blockByteCount] ^= 0x01 }
  }

  /// Restores every block.
  package mutating func forgetWrite(memoryBefore: [UInt8]) {
    // The bytes come from a tag of the same product, so they always fit.
    if let before = try? holding(memoryBefore) {
      (bytes, locks, protection, passwords) =
        (before.bytes, before.locks, before.protection, before.passwords)
    }
  }
}
