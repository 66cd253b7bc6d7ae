import NDEF
import TagTypes

extension FuzzTarget {
  /// A tag, or a reader, that answers every command with what the input says.
  static let type2Answers = FuzzTarget(name: "type2-answers") { bytes in
    let channel = ScriptedChannel(
      bytes, target: TagTarget(atqa: [0x00, 0x44], sak: 0x00, uid: [4, 1, 2, 3, 4, 5, 6]))
    try runInline {
      do throws(TagError) {
        let tag = try await Type2Tag.identify(over: channel, includingConfiguration: true)
        _ = try await tag.dump(over: channel)
        let plan = try await tag.planWrite(
          NDEFMessage(uri: "https://example.com/a"), over: channel, overwritingForeignData: true)
        _ = try await plan.execute(over: channel)
        let erasure = try await tag.planErase(over: channel)
        _ = try await erasure.execute(over: channel)
      } catch {
        try require(!error.message.isEmpty && !error.hint.isEmpty, "an error explains itself")
      }
      let count = await channel.commandCount
      try require(count < ScriptedChannel.limit, "no answers lead into a loop")
    }
  }
}

/// A channel whose answers are an input's bytes: a length, then that many bytes; or a failure.
actor ScriptedChannel: TagChannel {
  static let limit = 20_000
  nonisolated let target: TagTarget
  private var source: ByteSource
  private(set) var commandCount = 0

  init(_ bytes: [UInt8], target: TagTarget) {
    source = ByteSource(bytes)
    self.target = target
  }

  func exchange(_ command: [UInt8]) throws(TagChannelError) -> [UInt8] {
    commandCount += 1
    guard commandCount < Self.limit else { throw TagChannelError(.readerFailed, "endless") }
    let kind = source.byte()
    switch kind {
    case 0xFF: throw TagChannelError(.tagLost, "gone")
    case 0xFE: throw TagChannelError(.tagChanged, "changed")
    case 0xFD: throw TagChannelError(.readerFailed, "failed")
    case 0xF0...0xFC: throw TagChannelError(.refused, "refused")
    // The length the command asks for, so that an input need not guess it.
    case 0x80...0xEF: return padded(source.bytes(expectedByteCount(command)), command)
    default: return source.bytes(Int(kind))
    }
  }

  func reselect(fieldCycle: Bool) throws(TagChannelError) {
    commandCount += 1
    if source.byte() == 0xFF { throw TagChannelError(.tagLost, "gone") }
  }

  private func expectedByteCount(_ command: [UInt8]) -> Int {
    switch (command.first, command.count) {
    case (0x30, 2): 16
    case (0x60, 1): 8
    case (0x3A, 3): max(0, Int(command[2]) - Int(command[1]) + 1) * 4
    default: 0
    }
  }

  private func padded(_ bytes: [UInt8], _ command: [UInt8]) -> [UInt8] {
    bytes + [UInt8](repeating: 0, count: expectedByteCount(command) - bytes.count)
  }
}
