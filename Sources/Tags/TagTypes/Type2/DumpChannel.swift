/// A channel over a saved dump, which answers like the tag, so that all code that reads a tag also
/// reads a dump.
///
/// It answers READ, FAST_READ and GET_VERSION like the product of the dump (NTAG213/215/216 data
/// sheet, sections 10.1 to 10.3), and refuses all other commands: nothing is ever written.
///
/// ```swift
/// let tag = try await Tag.identify(over: DumpChannel(dump), includingConfiguration: true)
/// ```
public struct DumpChannel: TagChannel {
  /// The dump.
  public let dump: Type2Dump
  private let layout: Type2Layout?

  /// Makes a channel over a dump.
  public init(_ dump: Type2Dump) {
    self.dump = dump
    layout = Type2Layout.all.first { $0.name == dump.name }
  }

  /// A Type 2 tag with the dump's UID.
  public var target: TagTarget { TagTarget(atqa: [0x00, 0x44], sak: 0x00, uid: dump.uid) }

  /// Answers a command from the dump's pages.
  ///
  /// - Throws: ``TagChannelError`` with code `refused` for unreadable pages, and for any command
  ///   that does not read.
  public func exchange(_ command: [UInt8]) async throws(TagChannelError) -> [UInt8] {
    switch (command.first, command.count) {
    case (0x30, 2): return try read(Int(command[1]))
    case (0x3A, 3) where layout?.version != nil && command[1] <= command[2]:
      return try pages(Int(command[1])...Int(command[2])).flatMap { $0 }
    case (0x60, 1):
      if let version = layout?.version { return version }
    case (0x1A, 2) where layout?.tripleDESPage != nil:
      // The tag would continue with an encrypted number; a dump only shows that it supports the
      // command.
      return [0xAF] + [UInt8](repeating: 0, count: 8)
    default: break
    }
    throw TagChannelError(.refused, "a dump cannot execute this command")
  }

  /// Has no effect: the dump does not change.
  public func reselect(fieldCycle: Bool) async throws(TagChannelError) {}

  /// Returns four pages; after the last page, or the last readable one, the response continues with
  /// page 0.
  private func read(_ page: Int) throws(TagChannelError) -> [UInt8] {
    var bytes = try pages(page...page)[0]
    var next = page + 1
    while bytes.count < 16 {
      if next >= dump.pages.count || dump.pages[next] == nil { next = 0 }
      bytes += try pages(next...next)[0]
      next += 1
    }
    return bytes
  }

  private func pages(_ range: ClosedRange<Int>) throws(TagChannelError) -> [[UInt8]] {
    var pages: [[UInt8]] = []
    for page in range {
      guard page < dump.pages.count, let bytes = dump.pages[page] else {
        throw TagChannelError(.refused, "page \(page) is not in the dump")
      }
      pages.append(bytes)
    }
    return pages
  }
}
