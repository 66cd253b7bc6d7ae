import CliptagBasics
import NDEF
import TagAuthenticity
public import TagTypes

/// The memory of a tag as the bytes of a file for another writer, proven: the file was decoded
/// again before this value came to be.
public struct TagImage: Sendable {
  /// The file format of a memory.
  public enum Format: Hashable, Sendable {
    /// The bytes as they are.
    case binary
    /// Upper-case hexadecimal, one block a line.
    case hexadecimal

    /// The format for a file name: hexadecimal for `.txt` and `.hex`, else binary.
    public init(fileName: String) {
      let name = fileName.lowercased()
      self = name.hasSuffix(".txt") || name.hasSuffix(".hex") ? .hexadecimal : .binary
    }
  }

  /// The memory.
  public let memory: Type5Image
  /// Bytes of the message in it.
  public let messageByteCount: Int
  /// The file.
  public let bytes: [UInt8]

  /// Lays a URL out in a memory and reads it back.
  ///
  /// - Parameters:
  ///   - payload: The URL.
  ///   - byteCount: Bytes of the tag's memory.
  ///   - blockByteCount: Bytes in one of its blocks.
  ///   - readsSeveralBlocks: Whether the tag supports READ MULTIPLE BLOCKS.
  ///   - format: The file format.
  /// - Throws: `Type5ImageError`, or ``IssuingError`` with code
  ///   `unreadable-rendering`.
  public init(
    _ payload: String, byteCount: Int, blockByteCount: Int, readsSeveralBlocks: Bool,
    as format: Format
  ) throws {
    let message = NDEFMessage(uri: payload)
    memory = try Type5Image(
      message, byteCount: byteCount, blockByteCount: blockByteCount,
      readsSeveralBlocks: readsSeveralBlocks)
    messageByteCount = message.bytes.count
    switch format {
    case .binary: bytes = memory.bytes
    case .hexadecimal:
      let blocks = stride(from: 0, to: byteCount, by: blockByteCount).map { [memory] start in
        memory.bytes[start..<start + blockByteCount].hexadecimal + "\n"
      }
      bytes = Array(blocks.joined().utf8)
    }
    let found = try Self.payload(in: bytes, as: format)
    guard let found, found.utf8.elementsEqual(payload.utf8) else {
      throw IssuingError(
        .unreadableRendering, "The memory does not decode to \(payload).",
        hint: "Report this with the URL.")
    }
  }

  /// The URL that the bytes of a file hold.
  private static func payload(in file: [UInt8], as format: Format) throws -> String? {
    var memory = file
    if format == .hexadecimal {
      memory = [UInt8](hexadecimal: file.filter { $0 != UInt8(ascii: "\n") }) ?? []
    }
    guard case .message(let bytes) = Type5Image.content(of: memory) else { return nil }
    return try NDEFMessage(decoding: bytes).firstURI()?.uri
  }
}
