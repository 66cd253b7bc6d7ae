/// The part of a tag's memory that has been read so far, in pieces of four bytes: the pages of a
/// Type 2 tag, the blocks of nearly every Type 5 tag.
package struct TagMemory: Hashable, Sendable {
  /// The size of a page in bytes.
  package static let pageByteCount = 4

  private var pages: [Int: [UInt8]] = [:]
  private var refused: Set<Int> = []

  /// Makes an empty memory.
  init() {}

  /// The four bytes of a page; `nil` if it has not been read or is unreadable.
  package subscript(page: Int) -> [UInt8]? { pages[page] }

  /// Returns `true` if the tag refused to show a page.
  package func isUnreadable(_ page: Int) -> Bool { refused.contains(page) }

  /// Returns `true` if a page has been requested, with any result.
  func isSettled(_ page: Int) -> Bool { pages[page] != nil || refused.contains(page) }

  /// Stores consecutive pages from a response of the tag, whose length is a multiple of four.
  mutating func store(_ bytes: some Sequence<UInt8>, from page: Int) {
    var page = page
    var current: [UInt8] = []
    for byte in bytes {
      current.append(byte)
      if current.count == Self.pageByteCount {
        pages[page] = current
        refused.remove(page)
        current = []
        page += 1
      }
    }
  }

  /// Copies pages from another reading that are unknown here.
  mutating func take(_ pages: ClosedRange<Int>, from other: TagMemory) {
    for page in pages where !isSettled(page) {
      if let bytes = other[page] { store(bytes, from: page) }
      if other.isUnreadable(page) { markUnreadable(page) }
    }
  }

  mutating func markUnreadable(_ page: Int) {
    pages[page] = nil
    refused.insert(page)
  }

  /// Forgets a page, so that it is read again.
  mutating func forget(_ page: Int) {
    pages[page] = nil
    refused.remove(page)
  }
}
