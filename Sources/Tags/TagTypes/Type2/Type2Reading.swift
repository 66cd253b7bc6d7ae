/// Fills a ``TagMemory`` from a tag with as few commands as possible.
struct Type2Reading<Channel: TagChannel> {
  var commands: Type2Commands<Channel>
  var memory: TagMemory
  /// A Boolean value that indicates whether FAST_READ is tried.
  private(set) var usesFastRead: Bool
  /// A Boolean value that indicates whether the tag has answered a FAST_READ.
  private var hasFastRead = false
  /// The last known page of the tag; responses about later ones are ignored.
  var lastPage: Int
  /// A Boolean value that indicates whether a READ rolled over to page 0, or was refused, before
  /// ``lastPage``.
  private(set) var endsEarly = false
  /// A Boolean value that indicates whether a READ has shown another page than page 0 after
  /// ``lastPage``.
  private(set) var goesOn = false
  /// A Boolean value that indicates whether a READ has shown page 0 directly after ``lastPage``.
  private(set) var rollsOver = false
  /// A Boolean value that indicates whether no READ extends past ``lastPage``: the tag's memory
  /// there is unknown, and a READ that begins after the last page makes some readers fail.
  var staysInside = false

  /// The number of consecutive refusals after which the rest of a range counts as closed too.
  private static var refusalsBeforeGivingUp: Int { 4 }

  init(
    _ commands: Type2Commands<Channel>, memory: TagMemory = TagMemory(), usesFastRead: Bool,
    lastPage: Int
  ) {
    self.commands = commands
    self.memory = memory
    self.usesFastRead = usesFastRead
    self.lastPage = lastPage
  }

  /// Reads the unknown pages of a range. Afterwards each page is either known or marked unreadable.
  mutating func load(_ pages: ClosedRange<Int>) async throws(TagChannelError) {
    var page = pages.lowerBound
    while page <= min(pages.upperBound, lastPage) {
      guard !memory.isSettled(page) else {
        page += 1
        continue
      }
      var last = page
      while last < min(pages.upperBound, lastPage, page + commands.pagesPerFastRead - 1),
        !memory.isSettled(last + 1)
      {
        last += 1
      }
      try await loadRun(page...last)
      page = last + 1
    }
    for page in pages where page > lastPage { memory.markUnreadable(page) }
  }

  /// Requests pages once with FAST_READ, as many of the first as the channel can carry. A tag that
  /// refuses counts as not supporting the command.
  ///
  /// - Returns: `true` if the tag answered.
  mutating func tryFastRead(_ pages: ClosedRange<Int>) async throws(TagChannelError) -> Bool {
    let last = min(pages.upperBound, pages.lowerBound + commands.pagesPerFastRead - 1)
    let asked = pages.lowerBound...last
    guard let answer = try await commands.fastRead(asked, attempts: 1) else {
      usesFastRead = hasFastRead
      return false
    }
    memory.store(answer, from: asked.lowerBound)
    hasFastRead = true
    return true
  }

  private mutating func loadRun(_ pages: ClosedRange<Int>) async throws(TagChannelError) {
    if usesFastRead {
      if let answer = try await commands.fastRead(pages) {
        memory.store(answer, from: pages.lowerBound)
        hasFastRead = true
        return
      }
      // A tag that never answered one does not support the command; otherwise a page is closed.
      usesFastRead = hasFastRead
    }
    var refusals = 0
    var page = pages.lowerBound
    while page <= pages.upperBound {
      if refusals >= Self.refusalsBeforeGivingUp {
        memory.markUnreadable(page)
        page += 1
        continue
      }
      let count = try await loadFour(from: page)
      refusals = count == 0 ? refusals + 1 : 0
      if count == 0 { memory.markUnreadable(page) }
      page += max(count, 1)
    }
  }

  /// Reads up to four pages with one READ.
  ///
  /// - Returns: The number of pages from `page` on that are now known.
  private mutating func loadFour(from page: Int) async throws(TagChannelError) -> Int {
    var first = staysInside ? min(page, max(0, lastPage - 3)) : page
    // A reader of pages only may end here, and would return too few.
    let end = Type2Commands<Channel>.ultralightPageCount
    if commands.isReadersLimit, page < end { first = min(first, end - 4) }
    var answer = try await commands.read(first)
    if answer == nil && first + 3 > lastPage && lastPage - 3 >= 0 && lastPage - 3 < first {
      // Some tags refuse a READ past the end instead of rolling over.
      first = lastPage - 3
      answer = try await commands.read(first)
    }
    let size = TagMemory.pageByteCount
    guard let answer, answer.count == 4 * size else {
      endsEarly = true
      return 0
    }
    let firstOfAll = memory[0] ?? (first == 0 ? Array(answer.prefix(size)) : nil)
    var known = 0
    for index in 0..<4 {
      let bytes = Array(answer[index * size..<(index + 1) * size])
      let isBehind = first + index > lastPage
      // Page 0 contains the UID, so its repetition means that the response rolled over.
      if first + index > 0 && bytes == firstOfAll {
        endsEarly = endsEarly || !isBehind
        rollsOver = rollsOver || first + index == lastPage + 1
        break
      }
      if isBehind {
        goesOn = true
        break
      }
      memory.store(bytes, from: first + index)
      known = first + index - page + 1
    }
    return max(known, 0)
  }
}
