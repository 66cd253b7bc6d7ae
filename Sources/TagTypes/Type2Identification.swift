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
    guard target.sak == 0 else { throw TagError(unsupported: target) }
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

  /// The same tag with its answer to GET_VERSION, if it has not been asked for that.
  ///
  /// - Throws: ``TagError``: `tag-lost`, `tag-changed`, `reader-failed`, `cancelled`.
  package func readingVersion(over channel: some TagChannel) async throws(TagError) -> Type2Tag {
    guard version == nil, layout.version != nil else { return self }
    var tag = self
    do throws(TagChannelError) {
      var commands = Type2Commands(channel)
      tag.version = try await commands.version(attempts: 2)
      tag.exchanges += commands.exchanges
    } catch {
      throw TagError(error, uid: uid)
    }
    return tag
  }

  /// The same tag with some pages read that were not; pages behind the last known one only
  /// when that is raised.
  func loading(
    _ pages: ClosedRange<Int>, upTo lastPage: Int? = nil, over channel: some TagChannel
  ) async throws(TagChannelError) -> Type2Tag {
    var reading = Type2Reading(
      Type2Commands(channel), memory: memory, usesFastRead: mayFastRead,
      lastPage: lastPage ?? self.lastPage)
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
  var configurationPages: ClosedRange<Int>? {
    if let pages = layout.protectionPages { return pages }
    guard !layout.isKnownProduct, let pages = map.lockBits?.pages, pages.upperBound <= 0xFF
    else { return nil }
    return pages
  }

  func loadingConfiguration(
    over channel: some TagChannel
  ) async throws(TagChannelError) -> Type2Tag {
    guard let pages = configurationPages else { return self }
    return try await loading(pages, upTo: max(lastPage, pages.upperBound), over: channel)
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
          exchanges: spent + reading.commands.exchanges, map: map)
      } catch {
        try await reading.load(error.pages)
      }
    }
  }

  /// What the pages that were read say, seen as those of a product.
  static func map(
    of memory: Type2Memory, _ layout: Type2Layout
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
