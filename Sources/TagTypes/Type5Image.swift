public import Basics
public import NDEF

/// The memory of an NFC Forum Type 5 tag (ISO/IEC 15693) that holds one message.
///
/// No reader with a PN53x can write such a tag, so its bytes are made here for another writer: an
/// ST25R or PN5180, or a PC/SC reader such as the ACR1552. Block 0 begins with the capability
/// container, behind which lies the data area with the message and a terminator; what follows is
/// zero. NFC Forum, Type 5 Tag 1.0 and 1.1, section 4.3.
public struct Type5Image: Hashable, Sendable {
  /// The whole memory, from block 0 on.
  public let bytes: [UInt8]
  /// Bytes in one block, by which a writer divides the memory.
  public let blockByteCount: Int
  /// Bytes of the longest message that the memory takes.
  public let capacity: Int

  /// Lays a message out.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - byteCount: Bytes of the tag's user memory: 16 to 524,288, in whole blocks.
  ///   - blockByteCount: Bytes in one block, 1 to 32; nearly all tags have 4.
  ///   - readsSeveralBlocks: Whether the tag knows READ MULTIPLE BLOCKS, as nearly all do; phones
  ///     then use it.
  /// - Throws: ``Type5ImageError``: `invalid-size`, or `tag-too-small` when the message does not
  ///   fit.
  public init(
    _ message: NDEFMessage, byteCount: Int, blockByteCount: Int = 4,
    readsSeveralBlocks: Bool = true
  ) throws(Type5ImageError) {
    guard (1...32).contains(blockByteCount) else {
      throw Type5ImageError(
        .invalidSize, "a block of a Type 5 tag has 1 to 32 bytes, not \(blockByteCount)",
        hint: "take the size from the tag's data sheet; nearly all have 4")
    }
    let largest = min(65_536 * blockByteCount, Self.largestByteCount)
    guard (16...largest).contains(byteCount), byteCount.isMultiple(of: blockByteCount) else {
      throw Type5ImageError(
        .invalidSize,
        "the memory of a Type 5 tag has 16 to \(largest) bytes in whole blocks of "
          + "\(blockByteCount), not \(byteCount)",
        hint: "take the size from the tag's data sheet: 112 for an ICODE SLIX, 512 for an "
          + "ST25DV04K")
    }
    let container = Self.container(byteCount, blockByteCount, readsSeveralBlocks)
    let area = container.area
    capacity = area - 4 > 254 ? min(area - 4, 0xFFFE) : min(254, area - 2)
    let count = message.bytes.count
    guard count <= capacity else {
      throw Type5ImageError(
        .tooSmall,
        "the message has \(count) bytes, and a Type 5 tag of \(byteCount) bytes takes \(capacity)",
        hint: "use a shorter URL or a larger tag")
    }
    // NDEF Message TLV: one byte of length up to 254, else FF and two.
    let length = count < 0xFF ? [UInt8(count)] : [0xFF, UInt8(count >> 8), UInt8(count & 0xFF)]
    var used = container.bytes + [0x03] + length + message.bytes
    if used.count < container.bytes.count + area { used.append(0xFE) }
    bytes = used + [UInt8](repeating: 0, count: byteCount - used.count)
    self.blockByteCount = blockByteCount
  }

  /// What a memory holds, as a reader finds it: ``TagContent/notNDEF`` without a capability
  /// container, otherwise as the TLV blocks of its data area say.
  public static func content(of memory: [UInt8]) -> TagContent {
    guard memory.count >= 8, memory[0] == 0xE1 || memory[0] == 0xE2, memory[1] >> 6 == 1 else {
      return .notNDEF
    }
    let isLong = memory[2] == 0
    let length = isLong ? Int(memory[6]) << 8 | Int(memory[7]) : Int(memory[2])
    let area = Array(memory[(isLong ? 8 : 4)...].prefix(length * 8))
    // The TLV blocks are those of a Type 2 tag, whose data area begins at page 4.
    var pages = Type2Memory()
    pages.store(area + [UInt8](repeating: 0, count: 3), from: 4)
    do throws(MissingPages) {
      let map = try TLVScan.run(pages, area: DataArea(byteCount: area.count))
      return switch map.content {
      case .torn: .torn(page: nil)
      case .otherData: .otherData(page: nil)
      default: map.content
      }
    } catch {
      // Every page was given, so none can be missing.
      return .unreadable(page: nil)
    }
  }

  /// 65,535 times eight bytes of data area, and what a container of eight bytes adds to that.
  private static let largestByteCount = 65_536 * 8

  /// The capability container, and how many bytes behind it are the data area.
  ///
  /// E2 tells readers to name blocks with two bytes. The area is counted in eight bytes; the count
  /// is in byte 2, or behind it when it does not fit there.
  private static func container(
    _ byteCount: Int, _ blockByteCount: Int, _ readsSeveralBlocks: Bool
  ) -> (bytes: [UInt8], area: Int) {
    let start: [UInt8] = [byteCount / blockByteCount > 256 ? 0xE2 : 0xE1, 0x40]
    let features: UInt8 = readsSeveralBlocks ? 0x01 : 0x00
    let short = (byteCount - 4) / 8
    if short <= 0xFF { return (start + [UInt8(short), features], short * 8) }
    let long = (byteCount - 8) / 8
    return (start + [0, features, 0, 0, UInt8(long >> 8), UInt8(long & 0xFF)], long * 8)
  }
}

/// Why a Type 5 memory could not be made.
public struct Type5ImageError: CodedError {
  /// The kind of failure.
  public struct Code: ErrorCode {
    /// The name, for logs and machine-readable output.
    public let rawValue: String
    /// Makes a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The message does not fit into the memory image.
    public static let tooSmall = Code(rawValue: "tag-too-small")
    /// No Type 5 tag has such a memory.
    public static let invalidSize = Code(rawValue: "invalid-size")
  }

  /// The kind of failure.
  public let code: Code
  /// One sentence: what was wrong.
  public let message: String
  /// One sentence: what to do next.
  public let hint: String

  init(_ code: Code, _ message: String, hint: String) {
    self.code = code
    self.message = message.asSentence
    self.hint = hint.asSentence
  }
}
