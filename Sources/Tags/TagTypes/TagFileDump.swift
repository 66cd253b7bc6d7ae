import CliptagBasics

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The memory of a Type 4 or Type 5 tag, as read, for inspection, verification and storage. Only
/// the message can be restored: parts that a Type 4 tag's keys protect cannot be written back.
public struct TagFileDump: Hashable, Sendable {
  /// One part of the memory.
  public struct Part: Hashable, Sendable {
    /// A file's identifier, `E104`, or `blocks`.
    public let name: String
    /// The readable bytes, from its beginning on.
    public let bytes: [UInt8]
    /// The total size in bytes.
    public let byteCount: Int
  }

  /// The tag's UID.
  public let uid: [UInt8]
  /// The product's name.
  public let name: String
  /// A Type 4 tag's capability container and NDEF file; a Type 5 tag's blocks.
  public let parts: [Part]
  /// The indices of the locked blocks of a Type 5 tag; `nil` if unknown.
  public let lockedBlocks: [Int]?
  /// The size of a block of a Type 5 tag in bytes, nearly always 4.
  public let blockByteCount: Int
  /// The ranges in which a Type 4 tag mirrored its UID, counter and MAC into the NDEF file (Secure
  /// Dynamic Messaging), as offsets from the file's beginning. There the dump contains the text of
  /// one reading. `nil` if the tag did not report them.
  public let mirrored: [Range<Int>]?

  /// Makes a dump of the bytes read.
  init(
    uid: [UInt8], name: String, parts: [Part], lockedBlocks: [Int]? = nil, blockByteCount: Int = 4,
    mirrored: [Range<Int>]? = nil
  ) {
    (self.uid, self.name, self.parts) = (uid, name, parts)
    (self.lockedBlocks, self.blockByteCount, self.mirrored) = (
      lockedBlocks, blockByteCount, mirrored
    )
  }

  /// The part in a bare file: the NDEF file, or all blocks. Unreadable bytes are zero.
  public var bare: [UInt8] {
    guard let part = parts.last else { return [] }
    return part.bytes + [UInt8](repeating: 0, count: part.byteCount - part.bytes.count)
  }

  /// The number of unreadable bytes.
  public var unreadableByteCount: Int { parts.reduce(0) { $0 + $1.byteCount - $1.bytes.count } }

  /// The dump as text: JSON with `format`, `version`, `tagType`, `uid`, `time`, `lockedBlocks` (or
  /// `null`), `blockSize`, `mirrored` (pairs of first offset and number of bytes, or `null`) and
  /// `files`, each with its name, its size and its bytes as upper-case hexadecimal.
  ///
  /// - Parameter time: The time at which it was made.
  public func text(time: Date) -> [UInt8] {
    let files = parts.map { part in
      "    {\"file\": \"\(part.name)\", \"size\": \(part.byteCount), \"bytes\": "
        + "\"\(part.bytes.hexadecimal)\"}"
    }
    let locked = lockedBlocks.map { "[\($0.map(String.init).joined(separator: ", "))]" }
    let mirrored = mirrored.map { ranges in
      "[\(ranges.map { "[\($0.lowerBound), \($0.count)]" }.joined(separator: ", "))]"
    }
    let text = """
      {
        "format": "cliptag-tag-files",
        "version": 1,
        "tagType": "\(name)",
        "uid": "\(uid.hexadecimal)",
        "time": "\(time.ISO8601Format())",
        "lockedBlocks": \(locked ?? "null"),
        "blockSize": \(blockByteCount),
        "mirrored": \(mirrored ?? "null"),
        "files": [
      \(files.joined(separator: ",\n"))
        ]
      }

      """
    return Array(text.utf8)
  }
}

extension Type4Tag {
  /// Reads the capability container and the whole NDEF file.
  ///
  /// - Throws: ``TagError``: `not-ndef` for a tag without them, `tag-lost`, `tag-changed`, `reader-failed`,
  ///   `cancelled`.
  public func dump(over channel: some TagChannel) async throws(TagError) -> TagFileDump {
    guard let container = capabilityContainer else {
      throw TagError(
        .notNDEF, "\(name) \(uid.hexadecimal) has no NDEF file: \(problem)",
        hint: "read it with a tool that supports this product", uid: uid)
    }
    let tag: Type4Tag
    do throws(TagChannelError) {
      tag = try await loading(upTo: container.fileByteCount, over: channel)
        .loadingSettings(over: channel)
    } catch {
      throw TagError(error, uid: uid)
    }
    let id = [UInt8(container.fileID >> 8), UInt8(container.fileID & 0xFF)].hexadecimal
    return TagFileDump(
      uid: uid, name: name,
      parts: [
        TagFileDump.Part(
          name: "E103", bytes: container.bytes, byteCount: container.bytes.count),
        TagFileDump.Part(name: id, bytes: tag.file, byteCount: container.fileByteCount),
      ], mirrored: tag.settings?.mirrored)
  }
}

extension Type5Tag {
  /// Reads every block.
  ///
  /// - Throws: ``TagError``: `tag-unsupported` if the number of blocks is unknown, `tag-lost`,
  ///   `tag-changed`, `reader-failed`, `cancelled`.
  public func dump(over channel: some TagChannel) async throws(TagError) -> TagFileDump {
    let count = blockCount ?? (map.area.count > 0 ? areaBlocks.count : 0)
    guard count > 0 else {
      throw TagError(
        .tagUnsupported,
        "the number of blocks of \(name) \(uid.hexadecimal) is not readable with this reader",
        hint: "use an ACR1552U or another reader that passes ISO/IEC 15693 commands", uid: uid
      )
    }
    var commands = commands(over: channel)
    do throws(TagChannelError) {
      let bytes = try await commands.read(0...count - 1)
      return TagFileDump(
        uid: uid, name: name,
        parts: [
          TagFileDump.Part(
            name: TagFileDump.blocksName, bytes: bytes, byteCount: count * blockByteCount)
        ], lockedBlocks: lockedBlocks.map { locks in locks.indices.filter { locks[$0] } },
        blockByteCount: blockByteCount)
    } catch {
      throw TagError(error, uid: uid)
    }
  }
}
