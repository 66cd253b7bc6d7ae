import NDEF
import SimulatedReader
import TagTypes

extension FuzzTarget {
  /// The memory of a Type 2 tag: locks, capability container, TLV blocks, configuration.
  ///
  /// The first byte chooses the product, the second what is placed where; a message is written over
  /// whatever is there.
  static let type2Memory = FuzzTarget(name: "type2-memory") { bytes in
    var source = ByteSource(bytes)
    let layout = Type2Layout.all[Int(source.byte()) % Type2Layout.all.count]
    let choices = source.byte()
    var tag = try SimulatedTag(layout)
    if choices & 0x01 != 0 { tag.place([0, 0] + source.bytes(2), atPage: 2) }
    if choices & 0x02 != 0 { tag.place(source.bytes(4), atPage: 3) }
    if choices & 0x04 != 0, let page = layout.dynamicLockPage {
      tag.place(source.bytes(3), atPage: page)
    }
    if choices & 0x08 != 0, let page = layout.configurationPage {
      tag.place(source.bytes(8), atPage: page)
    }
    tag.configurationActsAtOnce = choices & 0x10 == 0
    let message = NDEFMessage(
      uri: "https://example.com/" + String(repeating: "a", count: Int(choices >> 5) * 30))
    tag.place(source.remainder(), atPage: 4)
    let field = TagInField(tag)
    try runInline { try await writeAndReadBack(message, on: field) }
  }

  private static func writeAndReadBack(_ message: NDEFMessage, on field: TagInField) async throws {
    let before = await field.tag
    let plan: WritePlan
    do throws(TagError) {
      let tag = try await Type2Tag.identify(over: field, includingConfiguration: true)
      _ = try await tag.dump(over: field)
      plan = try await tag.planWrite(message, over: field, overwritingForeignData: true)
    } catch {
      try require(!error.message.isEmpty && !error.hint.isEmpty, "an error explains itself")
      return
    }
    let planned = await field.tag
    try require(planned.memory == before.memory, "planning changes nothing")
    do throws(TagError) {
      _ = try await plan.execute(over: field)
    } catch {
      // A mirror or a protection that only acts later may spoil it; it must not go unnoticed.
      return
    }
    let after = await field.tag
    let writable = before.layout.userPages
    for page in 0..<before.layout.pageCount where page != 3 && !writable.contains(page) {
      try require(after.page(page) == before.page(page), "page \(page) is not ours to change")
    }
    let again = try await Type2Tag.identify(over: field, includingConfiguration: true)
    // Under a mirror that nobody planned for, nothing can be told of what lies behind it.
    guard again.configuration?.mirror == nil else { return }
    let second = try await again.planWrite(message, over: field)
    try require(second.isAlreadyCorrect, "the second run finds nothing to do")
  }
}

/// A simulated tag in a field, without any reader between.
actor TagInField: TagChannel {
  nonisolated let target: TagTarget
  private(set) var tag: SimulatedTag
  private var commandCount = 0

  init(_ tag: SimulatedTag) {
    self.tag = tag
    target = TagTarget(atqa: [0x00, 0x44], sak: 0x00, uid: tag.uid)
    self.tag.fieldOn()
    _ = self.tag.request(wakeUp: false)
    _ = self.tag.select()
  }

  func exchange(_ command: [UInt8]) throws(TagChannelError) -> [UInt8] {
    commandCount += 1
    // No tag needs this many: whoever asks on is in a loop.
    guard commandCount < 5000 else { throw TagChannelError(.readerFailed, "endless") }
    switch tag.receive(command) {
    case .acknowledged: return []
    case .data(let bytes): return bytes
    case .silence, .refused, .damaged:
      try reselect(fieldCycle: false)
      throw TagChannelError(.refused, "refused")
    }
  }

  func reselect(fieldCycle: Bool) throws(TagChannelError) {
    tag.fieldOff()
    tag.fieldOn()
    guard tag.request(wakeUp: true), tag.select() else {
      throw TagChannelError(.tagLost, "gone")
    }
  }
}
