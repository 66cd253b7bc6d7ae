import CliptagBasics

extension Type2Tag {
  /// Identifies the tag on a channel and reads it up to the end of its NDEF message.
  ///
  /// An NTAG213, NTAG215 or NTAG216 with a short message takes two exchanges, one FAST_READ of its
  /// first pages and one of its configuration, which identify it; an empty one is asked for its
  /// version instead.
  ///
  /// - Parameters:
  ///   - channel: An activated tag.
  ///   - includingConfiguration: Pass `true` to read dynamic lock bits, AUTH0 and mirror too, which
  ///     may take one more exchange; see ``readingConfiguration(over:)``.
  /// - Throws: ``TagError``: `tag-unsupported` for a tag of another type, `tag-lost`,
  ///   `tag-changed`, `reader-failed`, `cancelled`. A Type 2 tag that is not formatted for NDEF is
  ///   not an error; ``content`` reports it.
  public static func identify(
    over channel: some TagChannel, includingConfiguration: Bool = false
  ) async throws(TagError) -> Type2Tag {
    let target = channel.target
    guard target.technology == .typeA, target.sak == 0 else { throw TagError(unsupported: target) }
    do throws(TagChannelError) {
      var tag = try await identify(
        Type2Commands(channel), target, isThorough: includingConfiguration)
      tag.isAuthenticated = channel.isAuthenticated
      if includingConfiguration { tag = try await tag.loadingConfiguration(over: channel) }
      return tag
    } catch {
      throw TagError(error, uid: target.uid)
    }
  }

  /// Returns the same tag with dynamic lock bits, password start and mirror read, so that
  /// `protection(of:)`, ``isLocked`` and ``isPasswordProtected`` are complete.
  ///
  /// - Throws: ``TagError``: `tag-lost`, `tag-changed`, `reader-failed`, `cancelled`. An unreadable
  ///   configuration is not an error: the tag is then password-protected.
  public func readingConfiguration(
    over channel: some TagChannel
  ) async throws(TagError) -> Type2Tag {
    do throws(TagChannelError) {
      return try await loadingConfiguration(over: channel)
    } catch {
      throw TagError(error, uid: uid)
    }
  }

  /// Returns the same tag with its response to GET_VERSION, if that has not been requested and the
  /// reader supports it. A tag that answers as another product than its pages show is that other
  /// product; the command is repeated before that is accepted.
  ///
  /// - Parameter isNeeded: Pass `true` to throw if the reader does not support the command.
  /// - Throws: ``TagError``: `reader-unsupported`, `tag-lost`, `tag-changed`, `reader-failed`,
  ///   `cancelled`.
  package func readingVersion(
    isNeeded: Bool = false, over channel: some TagChannel
  ) async throws(TagError) -> Type2Tag {
    guard version == nil, layout.version != nil else { return self }
    var tag = self
    do throws(TagChannelError) {
      var commands = Type2Commands(channel)
      tag.version = try await commands.version(attempts: 2)
      if let answer = tag.version, !layout.matches(answer) {
        tag.version = try await commands.version(attempts: 2)
      }
      tag.exchanges += commands.exchanges
      if commands.isReadersLimit, isNeeded {
        throw TagChannelError(
          .notCarried, "it does not pass GET_VERSION and PWD_AUTH to a tag")
      }
      return try await tag.toldByVersion(over: channel)
    } catch {
      throw TagError(error, uid: uid)
    }
  }

  /// Returns the same tag as the product in its response to GET_VERSION.
  private func toldByVersion(over channel: some TagChannel) async throws(TagChannelError)
    -> Type2Tag
  {
    guard let version, !layout.matches(version) else { return self }
    let other = Type2Layout.named(version) ?? .unknown(capabilityContainer, version: version)
    var reading = Type2Reading(
      Type2Commands(channel), memory: memory, usesFastRead: true, lastPage: other.pageCount - 1)
    var tag = try await Self.scanned(target, other, version: version, spent: exchanges, &reading)
    tag.isAuthenticated = isAuthenticated
    return try await tag.loadingConfiguration(over: channel)
  }

  /// Returns the same tag with unread pages read; pages after the last known one only if that is
  /// raised.
  func loading(
    _ pages: ClosedRange<Int>, upTo lastPage: Int? = nil, over channel: some TagChannel
  ) async throws(TagChannelError) -> Type2Tag {
    var reading = Type2Reading(
      Type2Commands(channel), memory: memory, usesFastRead: mayFastRead,
      lastPage: lastPage ?? self.lastPage)
    reading.staysInside = !layout.isKnownProduct
    try await reading.load(pages)
    var tag = self
    tag.memory = reading.memory
    tag.firstUnreachedPage = reading.commands.firstUnreachedPage ?? firstUnreachedPage
    tag.exchanges += reading.commands.exchanges
    tag.isAuthenticated = channel.isAuthenticated
    return tag
  }

  /// Returns the same tag read anew from page 0 to the end of its message; its configuration is
  /// kept, or read anew as well.
  func readingAgain(
    through lastPage: Int, keepingConfiguration: Bool = true, over channel: some TagChannel
  ) async throws(TagChannelError) -> Type2Tag {
    var reading = Type2Reading(
      Type2Commands(channel), usesFastRead: mayFastRead, lastPage: self.lastPage)
    reading.staysInside = !layout.isKnownProduct
    try await reading.load(0...lastPage)
    var tag = try await Type2Tag.scanned(
      target, layout, version: version, spent: exchanges, &reading)
    guard keepingConfiguration else { return try await tag.loadingConfiguration(over: channel) }
    if let pages = configurationPages { tag.memory.take(pages, from: memory) }
    tag.isAuthenticated = channel.isAuthenticated
    return tag
  }

  /// The pages with the protection of others, and the mirror: for a known product its own,
  /// otherwise the lock bytes addressed by the Lock Control TLV, which usually lie directly after
  /// the data area.
  ///
  /// A TLV that addresses bytes far after it was stored or read wrongly: the page may not exist,
  /// and an ACR122U that reads a missing page stops answering until the tag is lifted.
  var configurationPages: ClosedRange<Int>? {
    if let pages = layout.protectionPages { return pages }
    guard !layout.isKnownProduct, let pages = map.lockBits?.pages,
      pages.upperBound <= min(lastPage + Self.farthestLockPage, 0xFF)
    else { return nil }
    return pages
  }

  /// The number of pages after the data area in which lock bytes are accepted: an NTAG I2C 1K has
  /// four between.
  private static let farthestLockPage = 8

  func loadingConfiguration(
    over channel: some TagChannel
  ) async throws(TagChannelError) -> Type2Tag {
    guard let pages = configurationPages else { return self }
    return try await loading(pages, upTo: max(lastPage, pages.upperBound), over: channel)
  }

  /// Reads the configuration a second time, before it is overwritten or locked: a write preserves
  /// the bits that were read, and a bit garbled in one response would be stored.
  ///
  /// - Returns: The tag with this exchange counted.
  /// - Throws: ``TagError``: `verify-failed` if it reads differently, and nothing was written;
  ///   `tag-lost`, `tag-changed`, `reader-failed`, `cancelled`.
  func confirmingConfiguration(over channel: some TagChannel) async throws(TagError) -> Type2Tag {
    guard let page = layout.configurationPage, let configuration else { return self }
    var tag = self
    var commands = Type2Commands(channel)
    let expected = configuration.firstPage + configuration.secondPage
    let found: [UInt8]?
    do throws(TagChannelError) {
      found = try await commands.read(page)
    } catch {
      throw TagError(error, uid: uid)
    }
    tag.exchanges += commands.exchanges
    // A refusal does not contradict the earlier reading.
    guard let found, !found.starts(with: expected) else { return tag }
    throw TagError(
      .verifyFailed,
      "the configuration of \(name) \(uid.hexadecimal) was read as \(expected.hexadecimal) and "
        + "then as \(found.prefix(expected.count).hexadecimal); nothing was written",
      hint: "hold the tag still and run the command again", page: page, uid: uid)
  }

  private static func identify<Channel: TagChannel>(
    _ commands: Type2Commands<Channel>, _ target: TagTarget, isThorough: Bool
  ) async throws(TagChannelError) -> Type2Tag {
    var recognition = Type2Recognition(commands, target, isThorough: isThorough)
    let layout = try await recognition.product()
    return try await scanned(
      target, layout, version: recognition.version, spent: 0, &recognition.reading)
  }

  /// Scans the pages read, reading more as the scan requests it.
  private static func scanned<Channel: TagChannel>(
    _ target: TagTarget, _ layout: Type2Layout, version: [UInt8]?, spent: Int,
    _ reading: inout Type2Reading<Channel>
  ) async throws(TagChannelError) -> Type2Tag {
    while true {
      do throws(MissingPages) {
        let map = try map(of: reading.memory, layout)
        return Type2Tag(
          target: target, layout: layout, version: version, memory: reading.memory,
          mayFastRead: reading.usesFastRead || version != nil,
          exchanges: spent + reading.commands.exchanges, map: map,
          isToldByPages: reading.commands.isReadersLimit,
          firstUnreachedPage: reading.commands.firstUnreachedPage)
      } catch {
        try await reading.load(error.pages)
      }
    }
  }

  /// The TLV map of the pages read, interpreted as those of a product.
  static func map(
    of memory: TagMemory, _ layout: Type2Layout
  ) throws(MissingPages) -> TLVMap {
    let nothing = DataArea(byteCount: 0)
    guard let bytes = memory[3] else {
      return TLVMap(area: nothing, content: .unreadable(page: 3))
    }
    let container = CapabilityContainer(bytes)
    if container.isNDEF {
      return try TLVScan.run(memory, area: layout.dataArea(container))
    }
    guard layout.isKnownProduct, container.canBecome(layout.capabilityContainer) else {
      return TLVMap(area: nothing, content: .notNDEF)
    }
    let formatted = CapabilityContainer(layout.capabilityContainer)
    return try TLVScan.runUnformatted(memory, area: layout.dataArea(formatted))
  }
}

extension TagError {
  /// Makes the error for a tag of an unsupported type, named by its SAK (ISO/IEC 14443-3, NXP
  /// AN10833).
  init(unsupported target: TagTarget) {
    let kind =
      switch target.sak {
      case 0x08, 0x88, 0x28: "MIFARE Classic 1K"
      case 0x09, 0x89: "MIFARE Classic Mini"
      case 0x18, 0x38, 0x98, 0xB8: "MIFARE Classic 4K"
      case 0x10, 0x11: "MIFARE Plus"
      case 0x19: "MIFARE Classic 2K"
      case let sak where sak & 0x20 != 0: "ISO-DEP (Type 4 or a smart card)"
      case let sak where sak & 0x40 != 0: "a device in peer-to-peer mode (NFC-DEP)"
      default: "of an unknown kind"
      }
    let sak = [target.sak].hexadecimal
    self.init(
      .tagUnsupported,
      "tag \(target.uid.hexadecimal) is \(kind) (SAK \(sak)), "
        + (kind.hasPrefix("MIFARE Classic") ? "which no iPhone reads" : "not a Type 2 tag"),
      hint: "use an NTAG213, NTAG215, NTAG216 or NTAG 424 DNA", uid: target.uid)
  }
}

/// Identifies the product of a Type 2 tag, with as few exchanges as possible.
///
/// 1. FAST_READ of the pages that every Type 2 tag has. A tag that answers, holds a message or an
///    empty one, and has the capability container of exactly one product, is that product if its
///    lock bytes are in that product's place, which must be read anyway. A tag that is new or in
///    use therefore takes two exchanges. Any other tag that answers is asked for its version, and
///    so is one whose UID does not begin with NXP's number: a twin of another maker.
/// 2. A tag without FAST_READ is read with READ. It is a MIFARE Ultralight if its capability
///    container is an Ultralight's, or blank with page 0 directly after page 15; otherwise it is
///    asked for its version, since it may be a protected or disturbed NTAG, and for its 3DES
///    authentication, which only MIFARE Ultralight C supports; a tag that answers neither is asked
///    for its version again, because two disturbed responses have the same symptom. A tag that
///    stays silent is an NTAG203 if its container, its Lock Control block and its size are that
///    product's.
struct Type2Recognition<Channel: TagChannel> {
  var reading: Type2Reading<Channel>
  private(set) var version: [UInt8]?
  private let target: TagTarget
  private let isThorough: Bool

  /// The number of refusals of GET_VERSION after which a tag counts as not supporting it: a
  /// disturbed response looks like a refusal, and an unrecognised product is not locked.
  private static var versionAttempts: Int { 3 }

  /// The pages that every Type 2 tag has.
  private static var commonPages: ClosedRange<Int> { 0...15 }

  /// - Parameter isThorough: Pass `true` to distinguish a MIFARE Ultralight with a message from a
  ///   small NTAG whose password closes pages after the message to readers, which may take one more
  ///   READ.
  init(_ commands: Type2Commands<Channel>, _ target: TagTarget, isThorough: Bool) {
    self.target = target
    self.isThorough = isThorough
    reading = Type2Reading(
      commands, memory: TagMemory(), usesFastRead: true, lastPage: Self.commonPages.upperBound)
  }

  /// The product, after which ``reading`` has at least the first pages, and its last page.
  mutating func product() async throws(TagChannelError) -> Type2Layout {
    let layout =
      try await reading.tryFastRead(Self.commonPages)
      ? try await productWithFastRead() : try await productWithoutFastRead()
    reading.lastPage = layout.pageCount - 1
    return layout
  }

  private var container: CapabilityContainer? { reading.memory[3].map(CapabilityContainer.init) }

  private mutating func productWithFastRead() async throws(TagChannelError) -> Type2Layout {
    if target.isOfNXP, let layout = candidate, holdsMessage(on: layout),
      let pages = layout.protectionPages,
      let lockPage = layout.dynamicLockPage
    {
      reading.lastPage = layout.pageCount - 1
      if try await reading.tryFastRead(pages),
        reading.memory[lockPage]?.last == Type2Layout.endOfDynamicLockPage
      {
        return layout
      }
      for page in pages { reading.memory.forget(page) }
    }
    version = try await reading.commands.version(attempts: Self.versionAttempts)
    return named ?? .unknown(container, version: version)
  }

  /// The only product that supports FAST_READ and has this capability container, disregarding
  /// access.
  private var candidate: Type2Layout? {
    guard let container, container.isNDEF else { return nil }
    let all = Type2Layout.all.filter {
      $0.version != nil && $0.capabilityContainer[..<3] == container.bytes[..<3]
    }
    return all.count == 1 ? all[0] : nil
  }

  /// Returns `true` if there is a message, empty or not, even if its end has not been read yet.
  private func holdsMessage(on layout: Type2Layout) -> Bool {
    do throws(MissingPages) {
      switch try Type2Tag.map(of: reading.memory, layout).content {
      case .message, .empty: return true
      default: return false
      }
    } catch {
      return true
    }
  }

  /// Identifies the product through a reader that only reads pages: by the capability container, if
  /// the lock bytes are in that product's place. A READ never begins after the container's stated
  /// end.
  private mutating func productByPages() async throws(TagChannelError) -> Type2Layout {
    try await reading.load(0...3)
    guard let container else { return .unknown(nil, version: nil) }
    if target.isOfNXP, let layout = candidate, let lockPage = layout.dynamicLockPage {
      reading.lastPage = layout.pageCount - 1
      try await reading.load(lockPage...lockPage)
      if reading.memory[lockPage]?.last == Type2Layout.endOfDynamicLockPage { return layout }
      reading.memory.forget(lockPage)
      // The tag has these pages, so it is no MIFARE Ultralight.
      if reading.commands.firstUnreachedPage != nil {
        return .unknown(container, version: nil)
      }
    }
    let ultralight = Type2Layout.ultralight
    if container.isNDEF, container.bytes[2] == ultralight.capabilityContainer[2] {
      return ultralight
    }
    return .unknown(container, version: nil)
  }

  private mutating func productWithoutFastRead() async throws(TagChannelError) -> Type2Layout {
    if reading.commands.isReadersLimit { return try await productByPages() }
    // Page 0 is known from the selection, so that the first READ gets one more page.
    if let page = target.firstPage { reading.memory.store(page, from: 0) }
    try await reading.load(0...3)
    let ultralight = Type2Layout.ultralight
    var mayBeUltralight = !reading.endsEarly
    if container?.isNDEF == true {
      mayBeUltralight =
        mayBeUltralight && container?.bytes[2] == ultralight.capabilityContainer[2]
      if mayBeUltralight && isThorough { try await reading.load(13...15) }
    } else if mayBeUltralight {
      try await reading.load(Self.commonPages)
    }
    if mayBeUltralight && !reading.endsEarly && !reading.goesOn { return ultralight }
    version = try await reading.commands.version(attempts: 1)
    if version == nil, try await reading.commands.knowsTripleDES() { return .ultralightC }
    // Neither answered: the FAST_READ and this may both have been disturbed.
    if version == nil {
      version = try await reading.commands.version(attempts: Self.versionAttempts - 1)
    }
    if version == nil, try await isNTAG203() { return .ntag203 }
    return named ?? .unknown(container, version: version)
  }

  /// Returns `true` if a tag that answers neither GET_VERSION nor AUTHENTICATE is an NTAG203,
  /// according to its pages: NXP's UID, container and Lock Control block as from the factory, and
  /// page 0 directly after page 41. A copy with all of these has the same map and states the place
  /// of its lock bits.
  ///
  /// The READ begins on the last page of the data area, so that it never begins after the end of
  /// the tag.
  private mutating func isNTAG203() async throws(TagChannelError) -> Bool {
    let layout = Type2Layout.ntag203
    guard !reading.commands.isReadersLimit, target.uid.count == 7, target.uid.first == 0x04,
      let container, container.isNDEF,
      container.bytes[..<3] == layout.capabilityContainer[..<3]
    else { return false }
    reading.lastPage = layout.pageCount - 1
    try await reading.load(4...5)
    let blocks = (reading.memory[4] ?? []) + (reading.memory[5] ?? [])
    guard blocks.starts(with: layout.factoryData[..<5]) else { return false }
    let last = layout.userPages.upperBound
    try await reading.load(last...layout.pageCount - 1)
    if reading.rollsOver, reading.memory[layout.pageCount - 1] != nil { return true }
    for page in last + 1..<layout.pageCount { reading.memory.forget(page) }
    return false
  }

  private var named: Type2Layout? {
    version.flatMap(Type2Layout.named)
  }
}

extension Type2Layout {
  /// The last byte of the page with the dynamic lock bytes on NTAG and MIFARE Ultralight EV1
  /// (NTAG213/215/216 data sheet, section 8.5.3: it must be ignored, and is BDh on every one).
  static let endOfDynamicLockPage: UInt8 = 0xBD
}

extension TagTarget {
  /// A Boolean value that indicates whether the UID is one of seven bytes assigned by NXP (ISO/IEC
  /// 14443-3, section 6.5.4: the first byte is the maker's number of ISO/IEC 7816-6).
  var isOfNXP: Bool { uid.count == 7 && uid[0] == 0x04 }

  /// Page 0, which is known from the selection of a tag with a UID of seven bytes: three bytes of
  /// the UID, and their check byte (ISO/IEC 14443-3, section 6.5.3).
  fileprivate var firstPage: [UInt8]? {
    guard uid.count == 7 else { return nil }
    return uid[..<3] + [0x88 ^ uid[0] ^ uid[1] ^ uid[2]]
  }
}
