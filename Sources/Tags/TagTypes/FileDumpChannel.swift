import CliptagBasics

/// A channel over a saved dump of a Type 4 or Type 5 tag, which answers like the tag, so that all
/// code that reads a tag also reads a dump.
///
/// It answers commands that read files and blocks and refuses all others: nothing is ever written.
struct FileDumpChannel: TagChannel {
  private let dump: TagFileDump
  let target: TagTarget

  /// Makes a channel over a dump.
  init(_ dump: TagFileDump) {
    self.dump = dump
    // ATQA and SAK are not saved; those of an NTAG 424 DNA are used.
    target =
      dump.isOfBlocks
      ? TagTarget(vicinityUID: dump.uid)
      : TagTarget(atqa: [0x03, 0x44], sak: 0x20, uid: dump.uid)
    files = FileSelection()
  }

  /// The name of the selected file.
  private actor FileSelection {
    var name: String?
    func select(_ name: String?) { self.name = name }
  }
  private let files: FileSelection

  /// Answers a command from the dump.
  ///
  /// - Throws: ``TagChannelError`` with code `refused` for any command to a Type 5 tag that does
  ///   not read, or that reads beyond the dump.
  func exchange(_ command: [UInt8]) async throws(TagChannelError) -> [UInt8] {
    if dump.isOfBlocks { return try block(command) }
    return await file(command).bytes
  }

  /// Clears the file selection: the dump does not change.
  func reselect(fieldCycle: Bool) async throws(TagChannelError) { await files.select(nil) }

  // MARK: Files

  /// SELECT and READ BINARY (ISO/IEC 7816-4, 11.2.2 and 11.3.3), as required for a Type 4 tag.
  private func file(_ command: [UInt8]) async -> StatusAnswer {
    guard command.count >= 5, command[0] == 0x00 else { return .unknownInstruction }
    switch command[1] {
    case 0xA4 where command[2] == 0x04:
      let application: [UInt8] = [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01]
      return command.dropFirst(5).starts(with: application) ? .done([]) : .notFound
    case 0xA4 where command.count >= 7:
      let name = command[5..<7].hexadecimal
      guard dump.parts.contains(where: { $0.name == name }) else { return .notFound }
      await files.select(name)
      return .done([])
    case 0xB0:
      guard let name = await files.name, let part = dump.parts.first(where: { $0.name == name })
      else { return .notFound }
      let offset = Int(command[2]) << 8 | Int(command[3])
      let count = command[4] == 0 ? 256 : Int(command[4])
      guard offset < part.bytes.count else { return .endOfFile }
      return .done(Array(part.bytes[offset..<min(offset + count, part.bytes.count)]))
    default: return .unknownInstruction
    }
  }

  private enum StatusAnswer {
    case done([UInt8])
    case notFound, endOfFile, unknownInstruction

    /// The response with its status word.
    var bytes: [UInt8] {
      switch self {
      case .done(let bytes): bytes + [0x90, 0x00]
      case .notFound: [0x6A, 0x82]
      case .endOfFile: [0x6B, 0x00]
      case .unknownInstruction: [0x6D, 0x00]
      }
    }
  }

  // MARK: Blocks

  /// The reading commands of ISO/IEC 15693-3, section 10, with addresses of one byte and of two.
  private func block(_ command: [UInt8]) throws(TagChannelError) -> [UInt8] {
    let bytes = dump.parts.first?.bytes ?? []
    let size = dump.blockByteCount
    let count = (dump.parts.first?.byteCount ?? 0) / size
    let isLong = (command.first ?? 0) & 0xF0 == 0x30
    let numbers = command.dropFirst().map(Int.init)
    func number(at place: Int) -> Int? {
      guard isLong else { return numbers.indices.contains(place) ? numbers[place] : nil }
      guard numbers.indices.contains(2 * place + 1) else { return nil }
      return numbers[2 * place] | numbers[2 * place + 1] << 8
    }
    func blocks(_ first: Int?, _ number: Int?) -> [UInt8]? {
      guard let first, let number else { return nil }
      let range = first * size..<(first + number) * size
      return range.upperBound <= bytes.count ? Array(bytes[range]) : nil
    }
    let answer: [UInt8]? =
      switch command.first {
      case 0x20, 0x30: blocks(number(at: 0), 1)
      case 0x23, 0x33: blocks(number(at: 0), number(at: 1).map { $0 + 1 })
      case 0x2B where (1...256).contains(count):
        [0x04] + dump.uid.reversed() + [UInt8(count - 1), UInt8(size - 1)]
      case 0x3B where (257...65_536).contains(count):
        [0x04] + dump.uid.reversed() + [
          UInt8((count - 1) & 0xFF), UInt8((count - 1) >> 8), UInt8(size - 1),
        ]
      case 0x2C, 0x3C: locks(number(at: 0), number(at: 1).map { $0 + 1 }, of: count)
      default: nil
      }
    guard let answer else { throw TagChannelError(.refused, "a dump cannot execute this command") }
    return answer
  }

  /// GET MULTIPLE BLOCK SECURITY STATUS.
  private func locks(_ first: Int?, _ number: Int?, of count: Int) -> [UInt8]? {
    guard let locked = dump.lockedBlocks, let first, let number, first + number <= count else {
      return nil
    }
    return (first..<first + number).map { locked.contains($0) ? 1 : 0 }
  }
}
