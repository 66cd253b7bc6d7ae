public import CliptagBasics
public import NDEF

/// The memory of an NFC Forum Type 5 tag (ISO/IEC 15693) that holds one message.
///
/// The bytes are for another writer: an encoder, an ST25R or PN5180. A PC/SC reader that reaches
/// such a tag writes it directly (``Type5Tag``). Block 0 begins with the capability container,
/// followed by the data area with the message and a terminator; the rest is zero. NFC Forum, Type 5
/// Tag 1.0 and 1.1, section 4.3.
public struct Type5Image: Hashable, Sendable {
  /// The whole memory, from block 0 on.
  public let bytes: [UInt8]
  /// The size of a block in bytes, into which a writer divides the memory.
  public let blockByteCount: Int
  /// The length of the longest message that fits into the memory, in bytes.
  public let capacity: Int

  /// Makes the memory for a message.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - byteCount: The size of the tag's user memory in bytes: 16 to 524,288, in whole blocks.
  ///   - blockByteCount: The size of a block in bytes, 1 to 32; nearly always 4.
  ///   - readsSeveralBlocks: `true` if the capability container announces READ MULTIPLE BLOCKS to
  ///     readers. Users report that iPhones then do not read it in the background.
  /// - Throws: ``Type5ImageError``: `invalid-size`, or `tag-too-small` if the message does not fit.
  public init(
    _ message: NDEFMessage, byteCount: Int, blockByteCount: Int = 4,
    readsSeveralBlocks: Bool = false
  ) throws(Type5ImageError) {
    guard (1...32).contains(blockByteCount) else {
      throw Type5ImageError(
        .invalidSize, "a block of a Type 5 tag has 1 to 32 bytes, not \(blockByteCount)",
        hint: "use the size from the tag's data sheet, usually 4")
    }
    let largest = min(65_536 * blockByteCount, Self.largestByteCount)
    guard (16...largest).contains(byteCount), byteCount.isMultiple(of: blockByteCount) else {
      throw Type5ImageError(
        .invalidSize,
        "the memory of a Type 5 tag has 16 to \(largest) bytes in whole blocks of "
          + "\(blockByteCount), not \(byteCount)",
        hint: "use the size from the tag's data sheet: 112 for an ICODE SLIX, 512 for an "
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
        "the message has \(count) bytes, and a Type 5 tag of \(byteCount) bytes holds \(capacity)",
        hint: "use a shorter URL or a larger tag")
    }
    let used = container.bytes + image.bytes
    bytes = used + [UInt8](repeating: 0, count: byteCount - used.count)
    self.blockByteCount = blockByteCount
  }

  /// The content of a memory, as a reader finds it: ``TagContent/notNDEF`` without a capability
  /// container, otherwise that of the TLV blocks of its data area.
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

  /// The maximum size in bytes: 65,535 times eight bytes of data area, and the container of eight
  /// bytes.
  private static let largestByteCount = 65_536 * 8
}

extension TagContent {
  /// The same content, for a tag that has no pages.
  var withoutPages: TagContent {
    switch self {
    case .torn: .torn(page: nil)
    case .otherData: .otherData(page: nil)
    case .unreadable: .unreadable(page: nil)
    default: self
    }
  }
}

/// The reason why a Type 5 memory could not be made.
public struct Type5ImageError: CodedError {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  /// The kind of failure.
  public struct Code: FailureCode {
    public let definition: CodeDefinition
    public var rawValue: String { definition.name }

    public init(_ definition: CodeDefinition) { self.definition = definition }

    public static let tooSmall = Self(
      "tag-too-small", .usage, "The message does not fit into the memory image.")
    public static let invalidSize = Self("invalid-size", .usage, "No Type 5 tag has this size.")

    public static let all: [Self] = [
      .tooSmall, .invalidSize,
    ]
  }

  /// The kind of failure.
  public let code: Code
  /// One sentence with the fault.
  public let message: String
  /// One sentence with the next step.
  public let hint: String

  init(_ code: Code, _ message: String, hint: String) {
    self.code = code
    self.message = message.asSentence
    self.hint = hint.asSentence
  }
}
