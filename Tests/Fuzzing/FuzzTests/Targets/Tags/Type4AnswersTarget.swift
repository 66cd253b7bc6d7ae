import NDEF
import TagTypes

extension FuzzTarget {
  /// A card of ISO/IEC 14443-4, or a reader, that answers every APDU with what the input says.
  static let type4Answers = FuzzTarget(name: "type4-answers") { bytes in
    let channel = APDUChannel(bytes)
    try runInline {
      do throws(TagError) {
        let tag = try await Tag.identify(over: channel, includingConfiguration: true)
        _ = try await tag.type4?.readSignature(over: channel)
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

/// A channel to a card whose answers to APDUs are an input's bytes.
///
/// An answer is a kind and what the kind asks for: a failure of the channel, bytes with the status
/// word among them, or as many bytes as the command wants with a status word that is chosen by one
/// byte, so that an input need guess neither. A file remembers what is written to it.
actor APDUChannel: TagChannel {
  nonisolated let target = TagTarget(
    atqa: [0x03, 0x44], sak: 0x20, uid: [4, 1, 2, 3, 4, 5, 6], ats: [0x77, 0x77, 0x71, 0x02, 0x80])
  private var source: ByteSource
  private var file: [Int: UInt8] = [:]
  private(set) var commandCount = 0

  /// Status words that lead somewhere.
  private static let statusWords: [[UInt8]] = [
    [0x90, 0x00], [0x62, 0x82], [0x69, 0x82], [0x6A, 0x82], [0x65, 0x81], [0x6F, 0x00],
    [0x91, 0xAF], [0x91, 0x9D], [0x67, 0x00],
  ]

  init(_ bytes: [UInt8]) { source = ByteSource(bytes) }

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
    case 0xF8...0xFC: throw TagChannelError(.refused, "refused")
    case 0xE8...0xF7: return answer(from: [:], to: command) + done(command)
    case 0xD0...0xE7: return answer(from: file, to: command) + done(command)
    case 0x80...0xCF:
      let word = Self.statusWords[Int(kind) % Self.statusWords.count]
      return source.bytes(wantedByteCount(command)) + word
    default: return source.bytes(Int(kind))
    }
  }

  func reselect(fieldCycle: Bool) throws(TagChannelError) {
    commandCount += 1
    if source.byte() == 0xFF { throw TagChannelError(.tagLost, "gone") }
  }

  /// What a card that does what it is told answers: bytes of a file, or of the input elsewhere.
  private func answer(from file: [Int: UInt8], to command: [UInt8]) -> [UInt8] {
    let count = wantedByteCount(command)
    let isBinary = command.count >= 5 && command[0] == 0x00
    guard isBinary else { return source.bytes(count) }
    let offset = Int(command[2]) << 8 | Int(command[3])
    if command[1] == 0xD6 {
      for (index, byte) in command.dropFirst(5).enumerated() { self.file[offset + index] = byte }
    }
    let bytes = file.isEmpty ? source.bytes(count) : []
    return (0..<count).map { bytes.indices.contains($0) ? bytes[$0] : file[offset + $0] ?? 0 }
  }

  private func wantedByteCount(_ command: [UInt8]) -> Int {
    switch (command.first, command.dropFirst().first) {
    case (0x00, 0xB0), (0x00, 0xB1): Int(command.last ?? 0)
    case (0x90, 0x60), (0x90, 0xAF): 7
    case (0x90, 0x3C): 56
    case (0x90, 0xF5): 32
    default: 0
    }
  }

  /// The status word of success: that of the standard, or those of wrapped native commands.
  private func done(_ command: [UInt8]) -> [UInt8] {
    switch (command.first, command.dropFirst().first) {
    case (0x90, 0x3C): [0x91, 0x90]
    case (0x90, 0x60): [0x91, 0xAF]
    case (0x90, 0xAF): source.byte() & 1 == 0 ? [0x91, 0xAF] : [0x91, 0x00]
    case (0x90, _): [0x91, 0x00]
    default: [0x90, 0x00]
    }
  }
}
