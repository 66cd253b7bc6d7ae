import Basics

extension Type2Tag {
  /// Identifies the tag on a channel and reads it up to the end of its NDEF message.
  ///
  /// An NTAG213, NTAG215 or NTAG216 with a short message takes two exchanges, one FAST_READ of its
  /// first pages and one of its configuration, and is told by these; an empty one is asked for
  /// its version instead.
  ///
  /// - Parameters:
  ///   - channel: An activated tag.
  ///   - includingConfiguration: Also read dynamic lock bits, AUTH0 and mirror, which may take one
  ///     exchange more; see ``readingConfiguration(over:)``.
  /// - Throws: ``TagError``: `tag-unsupported` for a tag of another kind, `tag-lost`,
  ///   `tag-changed`, `reader-failed`, `cancelled`. A Type 2 tag that is not formatted for NDEF
  ///   is no error; ``content`` says so.
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

  /// The same tag with dynamic lock bits, password start and mirror read, so that
  /// `protection(of:)`, ``isLocked`` and ``isPasswordProtected`` are complete.
  ///
  /// - Throws: ``TagError``: `tag-lost`, `tag-changed`, `reader-failed`, `cancelled`. A
  ///   configuration that cannot be read is no error: the tag is then password-protected.
  public func readingConfiguration(
    over channel: some TagChannel
  ) async throws(TagError) -> Type2Tag {
    do throws(TagChannelError) {
      return try await loadingConfiguration(over: channel)
    } catch {
      throw TagError(error, uid: uid)
    }
  }

  /// The same tag with its answer to GET_VERSION, if it has not been asked for that and the reader can
  /// ask. One that answers as another product than its pages look like is that other one; before that is
  /// believed, it is asked again.
  ///
  /// - Parameter isNeeded: Whether a reader that cannot ask is an error.
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
          .notCarried, "it passes no GET_VERSION and no PWD_AUTH on to a tag")
      }
      return try await tag.toldByVersion(over: channel)
    } catch {
      throw TagError(error, uid: uid)
    }
  }

  /// The same tag as the product that its answer to GET_VERSION names.
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

  /// The same tag with some pages read that were not; pages behind the last known one only
  /// when that is raised.
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
    tag.exchanges += reading.commands.exchanges
    tag.isAuthenticated = channel.isAuthenticated
    return tag
  }

  /// The same tag read anew from page 0 to the end of its message; its configuration is taken over,
  /// or else read anew as well.
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

  /// The pages with what protects others, and mirror: of a known product, or of another the lock
  /// bytes that its Lock Control TLV names, which usually lie right behind the data area.
  ///
  /// A TLV that names bytes far behind it was stored or read wrongly: nobody knows whether there is a page, and
  /// an ACR122U that reads where none is answers no more until the tag is lifted.
  var configurationPages: ClosedRange<Int>? {
    if let pages = layout.protectionPages { return pages }
    guard !layout.isKnownProduct, let pages = map.lockBits?.pages,
      pages.upperBound <= min(lastPage + Self.farthestLockPage, 0xFF)
    else { return nil }
    return pages
  }

  /// How many pages behind the data area lock bytes are looked for: an NTAG I2C 1K has four between.
  private static let farthestLockPage = 8

  func loadingConfiguration(
    over channel: some TagChannel
  ) async throws(TagChannelError) -> Type2Tag {
    guard let pages = configurationPages else { return self }
    return try await loading(pages, upTo: max(lastPage, pages.upperBound), over: channel)
  }

  /// Reads the configuration a second time, before it is written over or locked: what is written keeps the
  /// bits that were read, and a bit that one answer showed wrongly would become the tag's.
  ///
  /// - Returns: The tag with this exchange counted.
  /// - Throws: ``TagError``: `verify-failed` when it reads differently, and nothing was written;
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
    // A refusal says nothing about what was read before.
    guard let found, !found.starts(with: expected) else { return tag }
    throw TagError(
      .verifyFailed,
      "the configuration of \(name) \(uid.hexadecimal) reads once as \(expected.hexadecimal) and "
        + "once as \(found.prefix(expected.count).hexadecimal); nothing was written",
      hint: "hold the tag still and run the same command again", page: page, uid: uid)
  }

  private static func identify<Channel: TagChannel>(
    _ commands: Type2Commands<Channel>, _ target: TagTarget, isThorough: Bool
  ) async throws(TagChannelError) -> Type2Tag {
    var recognition = Type2Recognition(commands, target, isThorough: isThorough)
    let layout = try await recognition.product()
    return try await scanned(
      target, layout, version: recognition.version, spent: 0, &recognition.reading)
  }

  /// Scans what has been read, reading on as the scan asks for it.
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
          isToldByPages: reading.commands.isReadersLimit)
      } catch {
        try await reading.load(error.pages)
      }
    }
  }

  /// What the pages that were read say, seen as those of a product.
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
  /// A tag of a kind that is not handled, named by its SAK (ISO/IEC 14443-3, NXP AN10833).
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
      "tag \(target.uid.hexadecimal) is \(kind) (SAK \(sak)), not a Type 2 tag",
      hint: "use an NTAG213, NTAG215, NTAG216 or MIFARE Ultralight", uid: target.uid)
  }
}

/// Finds out which product a Type 2 tag is, with as few exchanges as that takes.
///
/// 1. FAST_READ of the pages that every Type 2 tag has. A tag that answers, holds a message or
///    an empty one, and has the capability container of one product alone, is that product when its
///    lock bytes lie where that product's do; they have to be read anyway. So a tag that is new or
///    in use takes two exchanges. Any other that answers is asked for its version, and so is one whose
///    UID does not begin with NXP's number: a twin of another maker.
/// 2. A tag that does not know FAST_READ is read with READ. It is a MIFARE Ultralight when its
///    capability container is an Ultralight's, or blank with page 0 right behind page 15; else it
///    is asked for its version, in case that it was a protected or disturbed NTAG, and for its
///    3DES authentication, which only MIFARE Ultralight C knows; one that answers neither is asked
///    for its version again, because two disturbed answers look like that too. One that stays
///    silent is an NTAG203 when its container, its Lock Control block and its size are that product's.
struct Type2Recognition<Channel: TagChannel> {
  var reading: Type2Reading<Channel>
  private(set) var version: [UInt8]?
  private let target: TagTarget
  private let isThorough: Bool

  /// How often GET_VERSION is refused before a tag counts as one that does not know it: a disturbed
  /// answer looks like a refusal, and a product that is not recognised is not locked.
  private static var versionAttempts: Int { 3 }

  /// Every Type 2 tag has at least these pages.
  private static var commonPages: ClosedRange<Int> { 0...15 }

  /// - Parameter isThorough: Whether a MIFARE Ultralight with a message is told from a small NTAG
  ///   whose password closes pages behind the message to readers, which may take one READ more.
  init(_ commands: Type2Commands<Channel>, _ target: TagTarget, isThorough: Bool) {
    self.target = target
    self.isThorough = isThorough
    reading = Type2Reading(
      commands, memory: TagMemory(), usesFastRead: true, lastPage: Self.commonPages.upperBound)
  }

  /// The product, after which ``reading`` knows the first pages at least, and its last page.
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

  /// The only product that knows FAST_READ and has this capability container, access apart.
  private var candidate: Type2Layout? {
    guard let container, container.isNDEF else { return nil }
    let all = Type2Layout.all.filter {
      $0.version != nil && $0.capabilityContainer[..<3] == container.bytes[..<3]
    }
    return all.count == 1 ? all[0] : nil
  }

  /// Whether there is a message, empty or not, be it that its end has not been read yet.
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

  /// Through a reader that asks a tag for nothing but pages: by the capability container, where the
  /// lock bytes lie where that product's do. A READ never begins behind what the container promises.
  private mutating func productByPages() async throws(TagChannelError) -> Type2Layout {
    try await reading.load(0...3)
    guard let container else { return .unknown(nil, version: nil) }
    if target.isOfNXP, let layout = candidate, let lockPage = layout.dynamicLockPage {
      reading.lastPage = layout.pageCount - 1
      try await reading.load(lockPage...lockPage)
      if reading.memory[lockPage]?.last == Type2Layout.endOfDynamicLockPage { return layout }
      reading.memory.forget(lockPage)
    }
    let ultralight = Type2Layout.ultralight
    if container.isNDEF, container.bytes[2] == ultralight.capabilityContainer[2] {
      return ultralight
    }
    return .unknown(container, version: nil)
  }

  private mutating func productWithoutFastRead() async throws(TagChannelError) -> Type2Layout {
    if reading.commands.isReadersLimit { return try await productByPages() }
    // Page 0 is known from the selection, so that the first READ gets one page more.
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
    // Neither answer came: the FAST_READ and this may both have been disturbed.
    if version == nil {
      version = try await reading.commands.version(attempts: Self.versionAttempts - 1)
    }
    if version == nil, try await isNTAG203() { return .ntag203 }
    return named ?? .unknown(container, version: version)
  }

  /// Whether a tag that answers neither GET_VERSION nor AUTHENTICATE is an NTAG203, as far as its pages show it:
  /// NXP's UID, container and Lock Control block as from the factory, and page 0 right behind page 41. A copy
  /// that shows all of that has the same map and says itself where its lock bits are.
  ///
  /// The READ begins on the last page of the data area, so that it never begins behind the end of the tag.
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
  /// What the last byte of the page with the dynamic lock bytes reads on NTAG and MIFARE Ultralight
  /// EV1 (NTAG213/215/216 data sheet, section 8.5.3: to be ignored, and BDh on every one).
  static let endOfDynamicLockPage: UInt8 = 0xBD
}

extension TagTarget {
  /// Whether the UID is one of seven bytes that NXP gave (ISO/IEC 14443-3, section 6.5.4: the first byte is
  /// the maker's number of ISO/IEC 7816-6).
  var isOfNXP: Bool { uid.count == 7 && uid[0] == 0x04 }

  /// Page 0, which a tag with a UID of seven bytes has told when it was selected: three bytes of the
  /// UID, and their check byte (ISO/IEC 14443-3, section 6.5.3).
  fileprivate var firstPage: [UInt8]? {
    guard uid.count == 7 else { return nil }
    return uid[..<3] + [0x88 ^ uid[0] ^ uid[1] ^ uid[2]]
  }
}
