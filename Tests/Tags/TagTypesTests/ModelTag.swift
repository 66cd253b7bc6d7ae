import CliptagBasics
@testable import TagTypes

/// A Type 2 tag in memory: pages, one-time programmable bits, locks, password, NAKs and faults,
/// as the NTAG21x and MF0ICU1 data sheets describe them.
actor ModelTag: TagChannel {
  /// The faults, and the commands at which they occur.
  struct Faults: Sendable {
    /// The number of commands and selections after which the tag is gone.
    var vanishesAfter: Int?
    /// Whether the command that finds the tag gone is still carried out.
    var lastCommandCounts = false
    /// The number of bytes of its page that this command, a write, still stores.
    var lastWriteByteCount: Int?
    /// The number of commands and selections after which another tag lies on the reader.
    var swappedAfter: Int?
    /// Pages that refuse to be written, with the number of refusals.
    var refusedWrites: [Int: Int] = [:]
    /// Pages that store another byte than the one written.
    var wrongPages: Set<Int> = []
    /// Commands (counted from 0) that stay unanswered once although the tag is there.
    var lostAnswers: Set<Int> = []
    /// Commands (counted from 0) whose answer is cut short.
    var cutAnswers: Set<Int> = []
    /// Commands (counted from 0) whose answer has the lowest bit of a byte turned over.
    var garbledAnswers: [Int: Int] = [:]
    /// Whether a READ past the end is refused instead of rolled over.
    var refusesToRollOver = false
    /// The text that the mirror shows instead of the right one; `nil` for no fault.
    var mirroredText: String?
    /// Whether lock bits, CFGLCK and AUTH0 are stored without effect, as on a counterfeit.
    var ignoresLocks = false
    /// The command at which the reader reports an error.
    var readerFailsAt: Int?
  }

  nonisolated let target: TagTarget
  private let layout: Type2Layout
  private let knowsFastRead: Bool
  private(set) var memory: [UInt8]
  var faults: Faults
  private(set) var commands: [[UInt8]] = []
  private(set) var selections = 0
  /// The NFC counter.
  var counter = 0
  private var hasCounted = false
  private var isAuthenticating = false
  /// Whether the right password was given since the last selection.
  private(set) var isPasswordGiven = false
  /// The number of passwords tried, right and wrong.
  private(set) var passwordsTried = 0
  private(set) var wrongPasswords = 0
  /// The value of CFGLCK when the field came on.
  private var isConfigurationLocked = false
  private var sent = 0

  init(
    _ layout: Type2Layout, memory: [UInt8]? = nil, uid: [UInt8] = ModelTag.uid,
    knowsFastRead: Bool? = nil, faults: Faults = Faults()
  ) {
    self.layout = layout
    self.knowsFastRead = knowsFastRead ?? (layout.version != nil)
    self.memory = memory ?? Self.factory(layout, uid: uid)
    self.faults = faults
    target = TagTarget(atqa: [0x00, 0x44], sak: 0x00, uid: uid)
  }

  static let uid: [UInt8] = [0x04, 0xE1, 0x0C, 0xDA, 0x99, 0x3C, 0x80]

  /// Returns the factory memory of a tag.
  static func factory(_ layout: Type2Layout, uid: [UInt8] = uid) -> [UInt8] {
    var memory = [UInt8](repeating: 0, count: layout.pageCount * 4)
    memory[0..<9] = [
      uid[0], uid[1], uid[2], 0x88 ^ uid[0] ^ uid[1] ^ uid[2], uid[3], uid[4], uid[5], uid[6],
      uid[3] ^ uid[4] ^ uid[5] ^ uid[6],
    ]
    memory[9] = 0x48
    if layout.isFormattedAtFactory { memory[12..<16] = layout.capabilityContainer[...] }
    memory.replaceSubrange(16..<16 + layout.factoryData.count, with: layout.factoryData)
    if let page = layout.configurationPage {
      memory.replaceSubrange(page * 4..<page * 4 + 4, with: [0x04, 0, 0, 0xFF])
      memory.replaceSubrange(page * 4 + 8..<page * 4 + 12, with: [0xFF, 0xFF, 0xFF, 0xFF])
    }
    if let page = layout.tripleDESPage { memory[page * 4] = 0x30 }
    if let page = layout.dynamicLockPage, layout.version != nil { memory[page * 4 + 3] = 0xBD }
    return memory
  }

  func setFaults(_ faults: Faults) {
    self.faults = faults
    sent = 0
    commands = []
    selections = 0
  }

  func setCounter(_ counter: Int) { self.counter = counter }

  func store(_ bytes: [UInt8], at page: Int) {
    memory.replaceSubrange(page * 4..<page * 4 + bytes.count, with: bytes)
  }

  /// The memory as a reader sees it.
  var shownMemory: [UInt8] { shown(0..<memory.count) }

  func page(_ page: Int) -> [UInt8] { Array(memory[page * 4..<page * 4 + 4]) }

  var writes: [Int] { commands.filter { $0[0] == 0xA2 }.map { Int($0[1]) } }

  func exchange(_ command: [UInt8]) async throws(TagChannelError) -> [UInt8] {
    defer { sent += 1 }
    if let failure = faults.readerFailsAt, sent >= failure {
      throw TagChannelError(.readerFailed, "unplugged")
    }
    if let limit = faults.vanishesAfter, sent >= limit {
      if faults.lastCommandCounts && sent == limit { _ = try? answer(command) }
      if let count = faults.lastWriteByteCount, sent == limit, command[0] == 0xA2 {
        // Page 3, like the lock bytes, is protected against tearing; a closed page stays.
        let page = Int(command[1])
        if page > 3, page != layout.dynamicLockPage, !isClosed(page) {
          store(Array(command[2..<2 + count]), at: page)
        }
      }
      throw TagChannelError(.tagLost, "no answer")
    }
    if let limit = faults.swappedAfter, sent >= limit {
      throw TagChannelError(.tagLost, "no answer")
    }
    if faults.lostAnswers.contains(sent) { throw TagChannelError(.tagLost, "no answer") }
    commands.append(command)
    var answer: [UInt8]
    do throws(TagChannelError) {
      answer = try self.answer(command)
    } catch {
      isPasswordGiven = false
      throw error
    }
    if let byte = faults.garbledAnswers[sent], byte < answer.count { answer[byte] ^= 0x01 }
    return faults.cutAnswers.contains(sent) ? Array(answer.dropLast()) + [0xA5, 0xA5] : answer
  }

  func reselect(fieldCycle: Bool) async throws(TagChannelError) {
    defer { sent += 1 }
    if let limit = faults.vanishesAfter, sent >= limit {
      throw TagChannelError(.tagLost, "no tag")
    }
    if let limit = faults.swappedAfter, sent >= limit {
      throw TagChannelError(.tagChanged, "another tag")
    }
    selections += 1
    hasCounted = hasCounted && !fieldCycle
    isAuthenticating = false
    isPasswordGiven = false
    if fieldCycle { isConfigurationLocked = configuration?.isLocked == true }
  }

  private func answer(_ command: [UInt8]) throws(TagChannelError) -> [UInt8] {
    let refused = TagChannelError(.refused, "NAK")
    guard !isAuthenticating else {
      isAuthenticating = false
      throw refused
    }
    switch (command[0], command.count) {
    case (0x1A, 2) where layout.tripleDESPage != nil:
      isAuthenticating = true
      return [0xAF] + Self.signature[..<8]
    case (0x1B, 5) where layout.configurationPage != nil:
      return try authenticate(Array(command[1...]))
    case (0x60, 1):
      guard let version = layout.version else { throw refused }
      return version
    case (0x30, 2):
      count()
      return try read(Int(command[1]))
    case (0x3A, 3) where knowsFastRead:
      let (first, last) = (Int(command[1]), Int(command[2]))
      guard first <= last, last < readablePageCount else { throw refused }
      count()
      return shown(first * 4..<last * 4 + 4)
    case (0x39, 2) where configuration?.counterIsEnabled == true && command[1] == 0x02:
      return [UInt8(counter & 0xFF), UInt8(counter >> 8 & 0xFF), UInt8(counter >> 16)]
    case (0x3C, 2) where layout.version != nil && command[1] == 0x00:
      return Self.signature
    case (0xA2, 6):
      try write(Array(command[2...]), to: Int(command[1]))
      return []
    default:
      throw refused
    }
  }

  private func read(_ page: Int) throws(TagChannelError) -> [UInt8] {
    let count = readablePageCount
    guard page < count, page + 3 < count || !faults.refusesToRollOver else {
      throw TagChannelError(.refused, "NAK")
    }
    let end = min((page + 4) * 4, count * 4)
    return shown(page * 4..<end) + shown(0..<(page + 4) * 4 - end)
  }

  /// The number of readable pages: all, or those before AUTH0 when PROT is set.
  private var readablePageCount: Int {
    if let page = layout.tripleDESPage {
      // The key after AUTH1 is never readable.
      return min(page + 2, memory[page * 4 + 4] & 1 == 0 ? Int(memory[page * 4]) : page + 2)
    }
    guard let page = layout.configurationPage, memory[page * 4 + 4] & 0x80 != 0,
      !isPasswordGiven, !faults.ignoresLocks
    else { return layout.pageCount }
    return min(layout.pageCount, Int(memory[page * 4 + 3]))
  }

  static let signature = [UInt8](1...32)

  private var configuration: Type2Configuration? {
    layout.configurationPage.map {
      Type2Configuration(Array(memory[$0 * 4..<$0 * 4 + 8]), on: layout)
    }
  }

  /// Increments the counter at the first read after power-up.
  private func count() {
    guard !hasCounted, configuration?.counterIsEnabled == true else { return }
    hasCounted = true
    counter += 1
  }

  /// Returns the memory, with the UID and the counter where a mirror is configured.
  private func shown(_ addresses: Range<Int>) -> [UInt8] {
    var bytes = Array(memory[addresses])
    if let page = layout.configurationPage {
      // PWD and PACK are never readable.
      for address in addresses where address / 4 >= page + 2 {
        bytes[address - addresses.lowerBound] = 0
      }
    }
    guard let mirror = configuration?.mirror else { return bytes }
    let digits = String(counter, radix: 16, uppercase: true)
    let number = String(repeating: "0", count: 6 - digits.count) + digits
    let right =
      switch mirror.kind {
      case .uid: target.uid.hexadecimal
      case .counter: number
      case .uidAndCounter: target.uid.hexadecimal + "x" + number
      }
    let text = faults.mirroredText ?? right
    for (index, digit) in text.utf8.enumerated() where addresses.contains(mirror.start + index) {
      bytes[mirror.start + index - addresses.lowerBound] = digit
    }
    return bytes
  }

  private func write(_ bytes: [UInt8], to page: Int) throws(TagChannelError) {
    let refused = TagChannelError(.refused, "NAK")
    if let times = faults.refusedWrites[page], times > 0 {
      faults.refusedWrites[page] = times - 1
      throw refused
    }
    guard !isClosed(page) else { throw refused }
    let address = page * 4
    switch page {
    case 2:
      let frozen = frozenStaticLocks
      memory[address + 2] |= bytes[2] & ~UInt8(frozen & 0xFF)
      memory[address + 3] |= bytes[3] & ~UInt8(frozen >> 8)
    case 3, layout.dynamicLockPage ?? 3:
      for index in 0..<4 { memory[address + index] |= bytes[index] }
    default:
      memory.replaceSubrange(address..<address + 4, with: bytes)
      if faults.wrongPages.contains(page) { memory[address + 1] ^= 0x10 }
    }
  }

  /// The lock bits that block-lock bits have frozen.
  private var frozenStaticLocks: Int {
    (memory[10] & 1 != 0 ? 0x0008 : 0) | (memory[10] & 2 != 0 ? 0x03F0 : 0)
      | (memory[10] & 4 != 0 ? 0xFC00 : 0)
  }

  /// Executes PWD_AUTH: acknowledges the right password, unless too many were wrong.
  private func authenticate(_ password: [UInt8]) throws(TagChannelError) -> [UInt8] {
    guard let page = layout.configurationPage, let limit = configuration?.wrongPasswordLimit else {
      throw TagChannelError(.refused, "NAK")
    }
    passwordsTried += 1
    guard limit == 0 || wrongPasswords < limit, password == self.page(page + 2) else {
      wrongPasswords += 1
      throw TagChannelError(.refused, "NAK")
    }
    wrongPasswords = 0
    isPasswordGiven = true
    return Array(self.page(page + 3)[..<2])
  }

  /// Returns whether a page refuses writes now.
  private func isClosed(_ page: Int) -> Bool {
    guard page >= 2, page < layout.pageCount else { return true }
    if faults.ignoresLocks { return false }
    let firstProtectedPage =
      layout.tripleDESPage.map { memory[$0 * 4] }
      ?? layout.configurationPage.map { memory[$0 * 4 + 3] }
    if let first = firstProtectedPage, page >= Int(first), !isPasswordGiven { return true }
    if isConfigurationLocked, let first = layout.configurationPage,
      (first...first + 1).contains(page)
    {
      return true
    }
    return isLocked(page)
  }

  private func isLocked(_ page: Int) -> Bool {
    if let key = layout.tripleDESPage, key...key + 1 ~= page {
      return memory[(key - 2) * 4 + 1] >> (page - key + 5) & 1 == 1
    }
    if page < 16 { return page > 2 && (Int(memory[10]) | Int(memory[11]) << 8) >> page & 1 == 1 }
    guard let lockPage = layout.dynamicLockPage, page < lockPage else { return false }
    guard let bit = layout.dynamicLockBits?.bit(for: page) else { return false }
    return memory[lockPage * 4 + bit / 8] >> (bit % 8) & 1 == 1
  }
}

/// Returns the NDEF message in a memory, found by an independent minimal reader: `nil` without a
/// message TLV, empty for length 0.
func messageByAnotherReader(_ memory: [UInt8]) -> [UInt8]? {
  guard memory[12] == 0xE1 else { return nil }
  let end = 16 + Int(memory[14]) * 8
  var position = 16
  while position + 1 < end {
    let kind = memory[position]
    if kind == 0x00 {
      position += 1
      continue
    }
    if kind == 0xFE { return nil }
    var length = Int(memory[position + 1])
    var value = position + 2
    if length == 0xFF {
      length = Int(memory[position + 2]) << 8 | Int(memory[position + 3])
      value = position + 4
    }
    guard value + length <= end else { return nil }
    if kind == 0x03 { return Array(memory[value..<value + length]) }
    position = value + length
  }
  return nil
}

extension Type2Layout {
  /// Returns a product unknown to this package, described by its container only.
  static func other(
    pageCount: Int, container: [UInt8],
    version: [UInt8]? = [0x00, 0x53, 0x03, 0x01, 0x01, 0x00, 0x0E, 0x03]
  ) -> Type2Layout {
    Type2Layout(
      name: "other", pageCount: pageCount, userPages: 4...pageCount - 1,
      capabilityContainer: container, factoryData: [0x03, 0x00, 0xFE, 0x00],
      version: version)
  }
}
