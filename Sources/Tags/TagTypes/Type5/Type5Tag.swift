import CliptagBasics

/// An NFC Forum Type 5 tag (ISO/IEC 15693) that has been identified and read.
///
/// This is a value: it describes the tag at the time of the reading, and communicates with the tag
/// only in the functions that take a channel. Its memory consists of blocks, nearly always of four
/// bytes, of which the first contain the capability container; TLV blocks follow, as on a Type 2
/// tag. NFC Forum, Type 5 Tag 1.1.
public struct Type5Tag: Hashable, Sendable {
  /// The tag's description from its selection.
  public let target: TagTarget
  /// The capability container; `nil` if the tag has none.
  public private(set) var capabilityContainer: Type5CapabilityContainer?
  /// The size of a block in bytes.
  public private(set) var blockByteCount = 4
  /// The number of user blocks; `nil` if neither the tag nor, through a reader that does not pass
  /// on the query, the product gives it.
  public private(set) var blockCount: Int?
  /// The size that the tag states; `nil` if it was not asked or states none.
  private var statedSize: Type5Size?
  /// The permanent locks of the first blocks; `nil` if they were not read or are unreadable. For a
  /// product that locks its memory by areas, not all are queried.
  package internal(set) var lockedBlocks: [Bool]?
  /// The protection by a password; `nil` if it was not read or is unreadable.
  var protection: Type5Protection?
  /// A Boolean value that indicates whether the reader does not pass on the query for the size of
  /// the memory.
  var isSizeUnasked = false
  var hasReadConfiguration = false
  /// The blocks read so far, in pieces of four bytes.
  var memory = TagMemory()
  var map: TLVMap
  let product: Type5Product
  var readsSeveralBlocks = true
  /// A Boolean value that indicates whether the tag has shown that it writes and locks blocks only
  /// with the OPTION flag.
  var needsOption = false
  /// The number of commands and selections used so far.
  package internal(set) var exchanges = 0
  var isAuthenticated: Bool

  /// The UID, eight bytes, `E0` first.
  public var uid: [UInt8] { target.uid }
  /// The product's name, for example `ICODE SLIX2`, or `Type 5`.
  public var name: String { product.name(blockCount: blockCount) }
  /// The content of the tag.
  public var content: TagContent { map.content.withoutPages }
  /// The length of the longest message that fits, in bytes; 0 if the tag is not formatted and
  /// cannot be.
  public var capacity: Int { map.content == .notNDEF ? 0 : map.capacity }

  /// A Boolean value that indicates whether the message can never be changed again: its blocks and
  /// those of the container are locked.
  ///
  /// A container that says read-only can be written like any other memory, so it counts only as
  /// long as the locks are unknown: the tag was identified without its configuration, or the reader
  /// does not report them.
  public var isLocked: Bool {
    guard let lockedBlocks else { return capabilityContainer?.writeAccess == 3 }
    guard case .message = content else { return isLockedWhole }
    return messageBlocks.allSatisfy { lockedBlocks.indices.contains($0) && lockedBlocks[$0] }
  }

  /// A Boolean value that indicates whether the container says read-only and is not locked itself,
  /// so that any writer could open it again; `false` while the locks are unknown.
  package var isClosedOnlyByContainer: Bool {
    capabilityContainer?.writeAccess == 3 && lockedBlocks?.first == false
  }

  /// A Boolean value that indicates whether a password protects the message or part of it; `nil` if
  /// that was not read or the tag does not report it.
  public var isPasswordProtected: Bool? {
    if case .unreadable = map.content { return true }
    if capabilityContainer?.writeAccess == 2 { return true }
    guard product.passwords != nil else { return false }
    guard let protection else { return nil }
    return messageBlocks.contains(where: protection.guardsWriting)
  }

  /// A Boolean value that indicates whether a password protects the message against reading, so
  /// that no phone finds it.
  package var hidesMessage: Bool {
    guard let protection else { return false }
    return messageBlocks.contains(where: protection.guardsReading)
  }

  /// The blocks from the first to the last that the capability container and the message cover.
  var messageBlocks: ClosedRange<Int> {
    guard case .message(let bytes) = map.content, map.area.count > 0 else { return 0...0 }
    let end = map.start + (bytes.count < 0xFF ? 2 : 4) + bytes.count - 1
    return 0...block(ofPage: map.area.page(of: min(end, map.area.count - 1)))
  }

  /// The blocks of the NDEF memory according to the capability container.
  var areaBlocks: ClosedRange<Int> {
    let end = ((capabilityContainer ?? formatted)?.bytes.count ?? 0) + map.area.count
    return 0...max(0, (end - 1) / blockByteCount)
  }

  /// The blocks whose locks are queried. If a product locks its memory by areas, only the first
  /// ones can be locked one by one; they, and those of a short message, take one command.
  private var lockableBlocks: ClosedRange<Int> {
    product.locking == .firstBlocks
      ? 0...min(areaBlocks.upperBound, max(63, messageBlocks.upperBound)) : areaBlocks
  }

  /// The block that contains a piece of four bytes.
  func block(ofPage page: Int) -> Int { page * TagMemory.pageByteCount / blockByteCount }
  /// The pieces of four bytes in a block.
  func pages(of block: Int) -> Range<Int> {
    let count = blockByteCount / TagMemory.pageByteCount
    return block * count..<(block + 1) * count
  }
  /// The bytes of a block; `nil` if one of them was not read.
  func bytes(of block: Int) -> [UInt8]? {
    let parts = pages(of: block).compactMap { memory[$0] }
    return parts.count == pages(of: block).count ? Array(parts.joined()) : nil
  }

  private init(target: TagTarget, isAuthenticated: Bool) {
    self.target = target
    self.isAuthenticated = isAuthenticated
    product = Type5Product(uid: target.uid)
    map = TLVMap(area: DataArea(byteCount: 0), content: .notNDEF)
  }

  /// A Boolean value that indicates whether the tag is blank, as far as it was read, and of unknown
  /// size, so that it cannot be formatted.
  package var isBlankOfUnknownSize: Bool {
    guard capabilityContainer == nil, formatted == nil, memory[0] != nil else { return false }
    return (0...lastPage).prefix(16).allSatisfy { page in
      memory[page]?.allSatisfy { $0 == 0 } ?? true
    }
  }

  /// A Boolean value that indicates whether the reader reads no block of the tag, which has no
  /// password: a reader that passes no commands on reads only blocks of four bytes.
  package var isUnreadByReader: Bool { isSizeUnasked && blockCount == nil && memory[0] == nil }

  /// The reason why the tag is not writable, as a clause; `nil` if none is known.
  var sizeProblem: String? {
    if isUnreadByReader { return "this reader does not read its blocks" }
    guard isBlankOfUnknownSize else { return nil }
    return "it is blank, and "
      + (isSizeUnasked
        ? "this reader cannot query its size"
        : "it does not report its size")
  }

  /// A Boolean value that indicates whether its password is of a supported type.
  package var takesPassword: Bool { product.passwords != nil }

  func commands<Channel: TagChannel>(over channel: Channel) -> Type5Commands<Channel> {
    Type5Commands(
      channel, blockByteCount: blockByteCount, readsSeveralBlocks: readsSeveralBlocks,
      takesOption: product.takesOption, needsOption: needsOption)
  }
}

extension Type5Tag {
  /// Reads the originality signature that NXP stored when the tag was made (READ SIGNATURE of ICODE
  /// SLIX2 and ICODE DNA).
  ///
  /// - Returns: 32 bytes, r before s; `nil` if the tag returns none.
  /// - Throws: ``TagError``: `reader-unsupported`, `tag-lost`, `tag-changed`, `reader-failed`,
  ///   `cancelled`.
  package func readSignature(over channel: some TagChannel) async throws(TagError) -> [UInt8]? {
    var commands = commands(over: channel)
    do throws(TagChannelError) {
      let signature = try await commands.signature()
      if signature == nil, commands.isReadersLimit {
        throw TagChannelError(.notCarried, "it does not pass READ SIGNATURE to a tag")
      }
      return signature
    } catch {
      throw TagError(error, uid: uid)
    }
  }

  /// Identifies the tag on a channel and reads it up to the end of its NDEF message.
  ///
  /// - Parameters:
  ///   - channel: An activated tag of ISO/IEC 15693.
  ///   - includingConfiguration: Pass `true` to read the locks of the blocks and the protection by
  ///     a password too.
  /// - Throws: ``TagError``: `tag-lost`, `tag-changed`, `reader-failed`, `cancelled`.
  static func identify(
    over channel: some TagChannel, includingConfiguration: Bool = false
  ) async throws(TagError) -> Type5Tag {
    var tag = Type5Tag(target: channel.target, isAuthenticated: channel.isAuthenticated)
    do throws(TagChannelError) {
      tag = try await tag.askingSize(over: channel)
      tag = try await tag.readingMessage(over: channel)
      // One response may have been garbled: a size in doubt counts if it is stated twice.
      for _ in 0..<2 where tag.isSizeInDoubt {
        let again = try await tag.askingSize(over: channel)
        tag.exchanges = again.exchanges
        guard again.statedSize != tag.statedSize else { break }
        tag = try await again.forgettingMemory().readingMessage(over: channel)
      }
      if includingConfiguration { tag = try await tag.loadingConfiguration(over: channel) }
    } catch {
      throw TagError(error, uid: channel.target.uid)
    }
    return tag
  }

  /// Returns the same tag with the size that it states. The size of the product counts if the
  /// reader does not pass on the query.
  private func askingSize(
    over channel: some TagChannel
  ) async throws(TagChannelError) -> Type5Tag {
    var tag = self
    var commands = tag.commands(over: channel)
    let size = try await commands.size(of: uid)
    tag.exchanges += commands.exchanges
    tag.isSizeUnasked = size == nil && commands.isReadersLimit
    // NDEF tags do not have smaller blocks, or blocks that are not a whole number of words.
    tag.statedSize = size.flatMap {
      $0.blockByteCount.isMultiple(of: TagMemory.pageByteCount) ? $0 : nil
    }
    if let size = tag.statedSize {
      let most = Self.largestByteCount / size.blockByteCount
      tag.blockCount = min(product.userBlockCount(stated: size.blockCount), most)
      tag.blockByteCount = size.blockByteCount
    } else {
      tag.blockCount = tag.isSizeUnasked ? product.usualBlockCount : nil
    }
    return tag
  }

  /// A Boolean value that indicates whether the stated size matters and nothing confirms it: it is
  /// not the product's, and the tag is not formatted for at most so much, or is unreadable with
  /// blocks of that size.
  private var isSizeInDoubt: Bool {
    guard let byteCount, statedSize != nil, blockCount != product.usualBlockCount else {
      return false
    }
    guard let container = capabilityContainer else { return true }
    return container.bytes.count + container.areaByteCount > byteCount
  }

  private func forgettingMemory() -> Type5Tag {
    var tag = self
    tag.memory = TagMemory()
    return tag
  }

  /// Reads up to the end of the message, and classifies the content.
  private func readingMessage(
    over channel: some TagChannel
  ) async throws(TagChannelError) -> Type5Tag {
    var tag = self
    // As many as a usual URL needs.
    tag = try await tag.loading(pages: 0...min(15, tag.lastPage), over: channel)
    let start = [0, 1].compactMap { tag.memory[$0] }.flatMap(\.self)
    guard tag.memory[0] != nil else {
      tag.map.content = .unreadable(page: nil)
      return tag
    }
    tag.capabilityContainer = tag.container(start)
    while true {
      do throws(MissingPages) {
        tag.map = try tag.scanned()
        return tag
      } catch {
        let before = tag.memory
        tag = try await tag.loading(pages: error.pages, over: channel)
        // A channel that gives neither bytes nor refusal cannot be read any further.
        if tag.memory == before {
          tag.map.content = .unreadable(page: nil)
          return tag
        }
      }
    }
  }

  /// Returns the same tag with its memory scanned anew.
  ///
  /// - Parameter message: The content to assume if the memory read is insufficient.
  func rescanned(_ message: [UInt8]) -> Type5Tag {
    var tag = self
    tag.capabilityContainer = tag.container([0, 1].compactMap { memory[$0] }.flatMap(\.self))
    do throws(MissingPages) {
      tag.map = try tag.scanned()
    } catch {
      tag.map.content = message.isEmpty ? .empty : .message(message)
    }
    return tag
  }

  private func scanned() throws(MissingPages) -> TLVMap {
    var map = try scannedArea()
    // Users report that an iPhone does not read a message that fills the area to its last byte.
    map.needsTerminator = true
    return map
  }

  private func scannedArea() throws(MissingPages) -> TLVMap {
    if let container = capabilityContainer {
      // Bytes after the end of the memory cannot be part of the area.
      func area(upTo byteCount: Int?) -> DataArea {
        let size = min(byteCount ?? .max, Self.largestByteCount)
        let room = max(0, size - container.bytes.count)
        return DataArea(
          byteCount: min(room, container.areaByteCount), from: container.bytes.count)
      }
      let map = try TLVScan.run(memory, area: area(upTo: byteCount))
      guard case .torn = map.content, let stated = statedSize?.blockCount, stated != blockCount
      else { return map }
      // The message of another writer may reach into the counter of an ICODE SLIX2.
      var whole = try TLVScan.run(memory, area: area(upTo: stated * blockByteCount))
      guard case .message = whole.content else { return map }
      whole.area = map.area
      return whole
    }
    guard let wanted = formatted else {
      return TLVMap(area: DataArea(byteCount: 0), content: .notNDEF)
    }
    let isLarge = wanted.area.count > Self.smallByteCount
    var map = try TLVScan.runUnformatted(
      memory, area: wanted.area, lookingAt: isLarge ? Self.lookedAtByteCount : nil)
    if !isBegun(wanted), case .unformatted = map.content {
      map.content = .unformatted(holdsData: true)
    }
    return map
  }

  /// The container at the beginning of the memory. A small tag has none of eight bytes, and one that
  /// takes four has none of eight that exceeds it: an apparent one is a container that was written
  /// by half.
  private func container(_ start: [UInt8]) -> Type5CapabilityContainer? {
    guard let found = Type5CapabilityContainer(start) else { return nil }
    guard found.bytes.count > 4, let byteCount, formatted?.bytes.count == 4 || byteCount < 16 else {
      return found
    }
    let isSmall = byteCount <= 4 + 0xFF * 8
    return isSmall || found.bytes.count + found.areaByteCount > byteCount ? nil : found
  }

  /// The container that formats the tag; `nil` if its size is unknown.
  var formatted: Type5CapabilityContainer? {
    guard let byteCount, byteCount >= 16 else { return nil }
    return Type5CapabilityContainer(
      byteCount: byteCount, blockByteCount: blockByteCount, readsSeveralBlocks: false)
  }

  /// A Boolean value that indicates whether the message reaches to the last byte of the area, so
  /// that no terminator follows it.
  package var fillsArea: Bool {
    guard case .message(let bytes) = map.content, map.start + 1 < map.area.count else {
      return false
    }
    let length = map.start + 1
    let isLong = memory[map.area.page(of: length)]?[map.area.indexInPage(of: length)] == 0xFF
    let end = map.start + (isLong ? 4 : 2) + bytes.count + map.trailing.count
    return end >= map.area.count
  }

  /// Returns `true` if the place of the container is blank, or contains the beginning of the
  /// container, as left by an interrupted writer.
  private func isBegun(_ wanted: Type5CapabilityContainer) -> Bool {
    let pages = (wanted.bytes.count + 3) / TagMemory.pageByteCount
    let held = (0..<pages).flatMap { memory[$0] ?? [] }
    return zip(held, wanted.bytes).allSatisfy { $0 == 0 || $0 == $1 }
  }

  private var byteCount: Int? { blockCount.map { $0 * blockByteCount } }

  /// The maximum number of bytes of memory that are read. No tag has more than 8 KiB; one that
  /// claims more would keep its reader busy for hours.
  private static let largestByteCount = 0x8000

  /// The size in bytes up to which the whole memory of a tag without container is checked for
  /// blankness.
  private static let smallByteCount = 512
  /// The number of bytes checked on a larger memory: 8 KiB take 64 commands. After them a message
  /// is only written over zeros, which ``planWrite(_:over:overwritingForeignData:)`` checks.
  private static let lookedAtByteCount = 240

  private var lastPage: Int {
    let stated = statedSize.map { $0.blockCount * $0.blockByteCount }
    return max(
      0, min(stated ?? byteCount ?? .max, Self.largestByteCount) / TagMemory.pageByteCount - 1)
  }

  /// Returns the same tag with pieces of four bytes read, as far as they are readable.
  func loading(
    pages: ClosedRange<Int>, over channel: some TagChannel
  ) async throws(TagChannelError) -> Type5Tag {
    let end = min(pages.upperBound, lastPage)
    guard pages.lowerBound <= end else { return self }
    let missing = (pages.lowerBound...end).filter { !memory.isSettled($0) }
    guard let first = missing.first, let last = missing.last else { return self }
    var tag = self
    var commands = tag.commands(over: channel)
    let blocks = block(ofPage: first)...block(ofPage: last)
    let bytes = try await commands.read(blocks)
    let start = self.pages(of: blocks.lowerBound).lowerBound
    tag.memory.store(bytes, from: start)
    let read = start + bytes.count / TagMemory.pageByteCount
    for page in read..<max(read, self.pages(of: blocks.upperBound).upperBound) {
      tag.memory.markUnreadable(page)
    }
    tag.readsSeveralBlocks = commands.readsSeveralBlocks
    tag.exchanges += commands.exchanges
    return tag
  }

  /// Returns the same tag with the locks of its blocks and the protection by a password, if it
  /// reports them.
  func loadingConfiguration(
    over channel: some TagChannel
  ) async throws(TagChannelError) -> Type5Tag {
    guard !hasReadConfiguration else { return self }
    var tag = self
    var commands = tag.commands(over: channel)
    if map.area.count > 0 { tag.lockedBlocks = try await commands.locks(of: lockableBlocks) }
    if product.passwords == .slix2 { tag.protection = try await commands.protection() }
    tag.hasReadConfiguration = true
    tag.exchanges += commands.exchanges
    return tag
  }
}
