/// The commands of a Type 2 tag over a channel, with retries and a count: READ, FAST_READ and
/// refused commands are tried twice, a WRITE three times.
struct Type2Commands<Channel: TagChannel> {
  private var commands: RepeatedCommands<Channel>
  var channel: Channel { commands.channel }
  /// The number of commands and selections so far.
  var exchanges: Int { commands.exchanges }
  /// A Boolean value that indicates whether the reader has reported that it does not pass on
  /// GET_VERSION, FAST_READ and similar commands.
  var isReadersLimit: Bool { commands.isReadersLimit }

  /// GET_VERSION, FAST_READ and the beginning of AUTHENTICATE are optional for identifying a tag.
  init(_ channel: Channel) {
    commands = RepeatedCommands(channel, whichMayBeMissing: [0x60, 0x3A, 0x1A])
  }

  /// GET_VERSION (NTAG21x data sheet, section 10.1); `nil` if the tag does not support it.
  mutating func version(attempts: Int) async throws(TagChannelError) -> [UInt8]? {
    try await commands.send([0x60], attempts: attempts) { $0.count == 8 }
  }

  /// Returns `true` if the tag begins an AUTHENTICATE (MF0ICU2 data sheet, section 9.5). It is not
  /// completed: the tag is selected again.
  mutating func knowsTripleDES() async throws(TagChannelError) -> Bool {
    let answer = try await commands.send([0x1A, 0x00], attempts: 1) {
      $0.count == 9 && $0[0] == 0xAF
    }
    if answer != nil { try await restart() }
    return answer != nil
  }

  /// READ_CNT (section 10.6) of the NFC counter: three bytes, lowest first; `nil` if refused.
  mutating func counter() async throws(TagChannelError) -> [UInt8]? {
    try await commands.send([0x39, 0x02], attempts: 2) { $0.count == 3 }
  }

  /// READ_SIG (section 10.8): bytes of the product's number; `nil` if refused.
  mutating func signature(of byteCount: Int) async throws(TagChannelError) -> [UInt8]? {
    // Some readers pass on the CRC.
    try await commands.send([0x3C, 0x00], attempts: 2) {
      $0.count == byteCount || $0.count == byteCount + 2
    }.map { Array($0.prefix(byteCount)) }
  }

  /// The first page that the reader does not address, although the tag may have it; `nil` if none
  /// is known. Such readers have a MIFARE Ultralight's 16 pages in mind.
  private(set) var firstUnreachedPage: Int?

  /// READ (section 10.2): four pages; `nil` if refused, or if the reader does not reach the page.
  ///
  /// After the last page, or the last page that is open to all, the response continues with page 0.
  mutating func read(_ page: Int) async throws(TagChannelError) -> [UInt8]? {
    if let first = firstUnreachedPage, page >= first { return nil }
    do throws(TagChannelError) {
      return try await commands.send([0x30, UInt8(page)], attempts: 2) { $0.count == 16 }
    } catch {
      guard error.code == .notCarried, page >= Self.ultralightPageCount else { throw error }
      firstUnreachedPage = Self.ultralightPageCount
      return nil
    }
  }

  /// The number of pages of a MIFARE Ultralight.
  static var ultralightPageCount: Int { 16 }

  /// Returns the present content of one page, by a READ that does not extend past the last known
  /// page of the tag.
  ///
  /// - Returns: `nil` if refused, or if the response continued with page 0 before that page.
  mutating func read(_ page: Int, of tag: Type2Tag) async throws(TagChannelError) -> [UInt8]? {
    let size = TagMemory.pageByteCount
    // Lock bits addressed by a Lock Control block lie after the data area, which ends a tag of
    // unknown product.
    let last = max(tag.lastPage, tag.configurationPages?.upperBound ?? 0)
    let first = min(page, max(0, last - 3))
    let start = (page - first) * size
    guard let answer = try await read(first), start + size <= answer.count else { return nil }
    let bytes = Array(answer[start..<start + size])
    return page > 0 && bytes == tag.memory[0] ? nil : bytes
  }

  /// The number of pages that the channel can carry in one response; at least 4.
  var pagesPerFastRead: Int {
    max(4, channel.maximumAnswerByteCount / TagMemory.pageByteCount)
  }

  /// FAST_READ (section 10.3) of at most ``pagesPerFastRead`` pages; `nil` if refused.
  mutating func fastRead(
    _ pages: ClosedRange<Int>, attempts: Int = 2
  ) async throws(TagChannelError) -> [UInt8]? {
    let command = [0x3A, UInt8(pages.lowerBound), UInt8(pages.upperBound)]
    return try await commands.send(command, attempts: attempts) {
      $0.count == pages.count * TagMemory.pageByteCount
    }
  }

  /// WRITE (section 10.4).
  ///
  /// - Parameter attempts: The maximum number of attempts until it is acknowledged.
  /// - Returns: `true` if the tag acknowledged it.
  mutating func write(
    _ bytes: [UInt8], to page: Int, attempts: Int = 3
  ) async throws(TagChannelError) -> Bool {
    let answer = try await commands.send([0xA2, UInt8(page)] + bytes, attempts: attempts) {
      $0.isEmpty || $0 == [0x0A]
    }
    return answer != nil
  }

  /// Selects the tag again after a field cycle.
  mutating func restart() async throws(TagChannelError) { try await commands.restart() }
}
