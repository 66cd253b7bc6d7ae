public import Basics
public import NDEF

/// The memory of an NFC Forum Type 5 tag (ISO/IEC 15693) that holds one message.
///
/// The bytes for another writer: an encoder, an ST25R or PN5180. A PC/SC reader that reaches such a tag
/// writes it itself (``Type5Tag``). Block 0 begins with the capability container, behind which lies the data
/// area with the message and a terminator; what follows is zero. NFC Forum, Type 5 Tag 1.0 and 1.1, section 4.3.
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
  ///   - readsSeveralBlocks: Whether the capability container tells readers that the tag knows READ
  ///     MULTIPLE BLOCKS. Users report that iPhones then do not read it in the background.
  /// - Throws: ``Type5ImageError``: `invalid-size`, or `tag-too-small` when the message does not
  ///   fit.
  public init(
    _ message: NDEFMessage, byteCount: Int, blockByteCount: Int = 4,
    readsSeveralBlocks: Bool = false
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
    let container = Type5CapabilityContainer(
      byteCount: byteCount, blockByteCount: blockByteCount, readsSeveralBlocks: readsSeveralBlocks)
    var map = TLVMap(area: container.area, content: .noMessage)
    map.needsTerminator = true
    capacity = map.capacity
    let count = message.bytes.count
    guard count <= capacity, let image = TLVImage(map, message.bytes) else {
      throw Type5ImageError(
        .tooSmall,
        "the message has \(count) bytes, and a Type 5 tag of \(byteCount) bytes takes \(capacity)",
        hint: "use a shorter URL or a larger tag")
    }
    let used = container.bytes + image.bytes
    bytes = used + [UInt8](repeating: 0, count: byteCount - used.count)
    self.blockByteCount = blockByteCount
  }

  /// What a memory holds, as a reader finds it: ``TagContent/notNDEF`` without a capability
  /// container, otherwise as the TLV blocks of its data area say.
  public static func content(of memory: [UInt8]) -> TagContent {
    guard let container = Type5CapabilityContainer(memory) else { return .notNDEF }
    let area = memory.dropFirst(container.bytes.count).prefix(container.areaByteCount)
    var pages = TagMemory()
    pages.store(memory.prefix(container.bytes.count) + area + [0, 0, 0], from: 0)
    do throws(MissingPages) {
      let found = DataArea(byteCount: area.count, from: container.bytes.count)
      return try TLVScan.run(pages, area: found).content.withoutPages
    } catch {
      // Every page was given, so none can be missing.
      return .unreadable(page: nil)
    }
  }

  /// 65,535 times eight bytes of data area, and what a container of eight bytes adds to that.
  private static let largestByteCount = 65_536 * 8
}

extension TagContent {
  /// The same, for a tag that has no pages.
  var withoutPages: TagContent {
    switch self {
    case .torn: .torn(page: nil)
    case .otherData: .otherData(page: nil)
    case .unreadable: .unreadable(page: nil)
    default: self
    }
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
