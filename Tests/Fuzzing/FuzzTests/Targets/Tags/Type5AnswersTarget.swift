import NDEF
import TagTypes

extension FuzzTarget {
  /// A tag of ISO/IEC 15693, or a reader, that answers every command with what the input says.
  static let type5Answers = FuzzTarget(name: "type5-answers") { bytes in
    let channel = VicinityChannel(bytes)
    try runInline {
      do throws(TagError) {
        let tag = try await Tag.identify(over: channel, includingConfiguration: true)
        _ = try await tag.type5?.dump(over: channel)
        let plan = try await tag.planWrite(
          NDEFMessage(uri: "https://example.com/a"), over: channel, overwritingForeignData: true)
        _ = try await plan.execute(over: channel)
        let lock = try await tag.planLock(of: plan.message, over: channel)
        _ = try await lock.execute(over: channel)
      } catch {
        try require(!error.message.isEmpty && !error.hint.isEmpty, "an error explains itself")
      }
      let count = await channel.commandCount
      try require(count < ScriptedChannel.limit, "no answers lead into a loop")
    }
  }
}

/// A channel to a vicinity card whose answers are an input's bytes.
///
/// The first two bytes choose the product and the size of a block. An answer is a kind and what the kind
/// asks for: a failure of the channel, any bytes, or as many as the command wants. A memory remembers what
/// is written to it.
actor VicinityChannel: TagChannel {
  nonisolated let target: TagTarget
  private var source: ByteSource
  private var memory: [Int: [UInt8]] = [:]
  private let blockByteCount: Int
  private(set) var commandCount = 0

  init(_ bytes: [UInt8]) {
    var source = ByteSource(bytes)
    let products: [[UInt8]] = [
      [4, 1, 0x10], [4, 1, 0x08], [2, 0x24, 0], [2, 0x26, 0], [8, 1, 0],
    ]
    let kind = Int(source.byte())
    target = TagTarget(vicinityUID: [0xE0] + products[kind % products.count] + [1, 2, 3, 4])
    blockByteCount = [4, 4, 8, 32, 3][Int(source.byte()) % 5]
    self.source = source
  }

  func exchange(_ command: [UInt8]) throws(TagChannelError) -> [UInt8] {
    commandCount += 1
    guard commandCount < ScriptedChannel.limit else {
      throw TagChannelError(.readerFailed, "endless")
    }
    let kind = source.byte()
    switch kind {
    case 0xFF: throw TagChannelError(.tagLost, "gone")
    case 0xFE: throw TagChannelError(.tagChanged, "changed")
    case 0xFD: throw TagChannelError(.readerFailed, "failed")
    case 0xFC: throw TagChannelError(.notCarried, "not carried")
    case 0xF8...0xFB: throw TagChannelError(.refused, "refused")
    case 0xF0...0xF7: return source.bytes(Int(source.byte()))
    default: return answer(command)
    }
  }

  func reselect(fieldCycle: Bool) throws(TagChannelError) {
    commandCount += 1
    if source.byte() == 0xFF { throw TagChannelError(.tagLost, "gone") }
  }

  /// What a tag that does what it is told answers: blocks as they were written, else of the input.
  private func answer(_ command: [UInt8]) -> [UInt8] {
    let isLong = command[0] & 0xF0 == 0x30
    let address = command.dropFirst().prefix(isLong ? 2 : 1)
    let block = address.reversed().reduce(0) { $0 << 8 | Int($1) }
    let rest = Array(command.dropFirst(isLong ? 3 : 2))
    let count = 1 + Int(rest.first ?? 0)
    switch command[0] & 0x0F {
    case 0x00 where command.count > 1: return bytes(of: block)
    case 0x03 where command.count > 2: return (block..<block + count).flatMap(bytes)
    case 0x01:
      memory[block] = rest
      return []
    case 0x02: return []
    case 0x0C: return source.bytes(count).map { $0 & 1 }
    case 0x0B where command.count == 1:
      return [0x0F] + target.uid.reversed() + [0, 0, source.byte(), UInt8(blockByteCount - 1), 0]
    case 0x0B where isLong:
      return [0x04] + target.uid.reversed() + source.bytes(2) + [UInt8(blockByteCount - 1)]
    default: return source.bytes(7)
    }
  }

  private func bytes(of block: Int) -> [UInt8] {
    memory[block]
      ?? (block == 0 && source.byte() & 1 == 0
        ? [0xE1, 0x40, source.byte(), 0x01] + source.bytes(max(0, blockByteCount - 4))
        : source.bytes(blockByteCount))
  }
}
