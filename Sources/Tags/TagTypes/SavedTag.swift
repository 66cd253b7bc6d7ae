import CliptagBasics

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A tag saved as a file: the pages of a Type 2 tag, or the files or blocks of a Type 4 or Type 5
/// tag.
///
/// ```swift
/// let tag = try await SavedTag(reading: bytes).identify()
/// ```
public enum SavedTag: Sendable {
  /// The pages of a Type 2 tag.
  case pages(TagDumpFile)
  /// The files of a Type 4 tag, or the blocks of a Type 5 tag.
  case files(TagFileDump)

  /// Reads a dump: our own, or one of another tool that ``TagDumpFile`` or ``TagFileDump``
  /// supports.
  ///
  /// - Throws: ``TagDumpError``, with the fault, or the actual type of the dump.
  public init(reading bytes: [UInt8]) throws(TagDumpError) {
    if let dump = try TagFileDump(reading: bytes) {
      self = .files(dump)
    } else {
      self = .pages(try TagDumpFile(reading: bytes))
    }
  }

  /// Identifies the tag and reads its message, like a tag on a reader.
  ///
  /// The name is that of the file, unless the content shows another.
  ///
  /// - Throws: ``TagDumpError``, also if the dump lacks a part of the message; ``TagError`` as
  ///   ``Tag/identify(over:includingConfiguration:)``.
  public func identify() async throws -> Tag {
    let tag: Tag
    switch self {
    case .pages(let file):
      let dump = try file.dump()
      let found = try await Tag.identify(over: DumpChannel(dump), includingConfiguration: true)
      tag = file.tagType == nil ? found : found.named(dump.name)
    case .files(let dump): tag = try await dump.identify()
    }
    if case .unreadable(let page) = tag.content {
      throw TagDumpError(
        (page.map { "page \($0)" } ?? "a part of the message")
          + " is not in it: it was not read, or the file is cut off")
    }
    return tag
  }
}

extension Tag {
  /// Returns the same tag with the name from a file, unless the content shows another.
  ///
  /// - Parameter name: The text in a file, which is used only if it may be a product's name.
  fileprivate func named(_ name: String) -> Tag {
    guard (1...40).contains(name.utf8.count), name.utf8.allSatisfy({ (0x20..<0x7F).contains($0) })
    else { return self }
    switch self {
    case .type2(var tag):
      tag.savedName = name
      return .type2(tag)
    case .type4(var tag):
      tag.savedName = name
      return .type4(tag)
    case .type5: return self
    }
  }
}

extension TagFileDump {
  /// Identifies the tag and reads its message, like a tag on a reader; see ``SavedTag/identify()``.
  func identify() async throws(TagError) -> Tag {
    try await Tag.identify(over: FileDumpChannel(self), includingConfiguration: true).named(name)
  }

  /// A Boolean value that indicates whether it is a dump of a Type 5 tag.
  var isOfBlocks: Bool { parts.first?.name == Self.blocksName }
  static let blocksName = "blocks"
  private static let format = "cliptag-tag-files"

  /// The fields of the text that are used here.
  private struct Document: Decodable {
    var format: String
    var version: Int
    var tagType: String
    var uid: String
    var lockedBlocks: [Int]?
    var blockSize: Int?
    var mirrored: [[Int]]?
    var files: [File]

    struct File: Decodable {
      var file: String
      var size: Int
      var bytes: String
    }
  }

  /// The field that identifies this file format.
  private struct Beginning: Decodable { var format: String }

  /// Reads a dump of a Type 4 or Type 5 tag: our own text, or Flipper's of an ISO/IEC 15693 tag.
  ///
  /// - Returns: `nil` for a file of another format.
  /// - Throws: ``TagDumpError`` for a damaged file of this format.
  public init?(reading bytes: [UInt8]) throws(TagDumpError) {
    if let flipper = FlipperFile(bytes) {
      guard let dump = try TagFileDump(flipper) else { return nil }
      self = dump
      return
    }
    let data = Data(bytes)
    guard let beginning = try? JSONDecoder().decode(Beginning.self, from: data),
      beginning.format == Self.format
    else { return nil }
    guard let document = try? JSONDecoder().decode(Document.self, from: data) else {
      throw TagDumpError("it is not a dump of files, or is truncated")
    }
    guard document.version == 1 else {
      throw TagDumpError(
        "it has version \(document.version); this cliptag supports version 1")
    }
    guard let uid = [UInt8](hexadecimal: document.uid.utf8), [4, 7, 8, 10].contains(uid.count)
    else { throw TagDumpError("\"uid\" is not a UID of 4, 7, 8 or 10 bytes") }
    var parts: [Part] = []
    for file in document.files {
      guard let content = [UInt8](hexadecimal: file.bytes.utf8), content.count <= file.size,
        file.size <= TagDumpFile.maximumSize
      else {
        throw TagDumpError("file “\(file.file.prefix(20))” is not hexadecimal, or of wrong length")
      }
      parts.append(Part(name: file.file, bytes: content, byteCount: file.size))
    }
    let blockSize = document.blockSize ?? 4
    guard let first = parts.first, (first.name == Self.blocksName) == (uid.count == 8) else {
      throw TagDumpError("it has no files, or blocks with a UID that is not an ISO/IEC 15693 UID")
    }
    if first.name == Self.blocksName {
      guard (1...32).contains(blockSize), !first.bytes.isEmpty,
        first.byteCount.isMultiple(of: blockSize)
      else {
        throw TagDumpError("its blocks do not have the stated size: the file is truncated")
      }
    } else if parts.count < 2 {
      throw TagDumpError("it has no NDEF file: the file is truncated")
    }
    let mirrored = try document.mirrored?.map { pair throws(TagDumpError) in
      guard pair.count == 2, pair.allSatisfy((0...TagDumpFile.maximumSize).contains) else {
        throw TagDumpError("\"mirrored\" is not a list of offsets and lengths")
      }
      return pair[0]..<pair[0] + pair[1]
    }
    self.init(
      uid: uid, name: document.tagType, parts: parts, lockedBlocks: document.lockedBlocks,
      blockByteCount: blockSize, mirrored: mirrored)
  }

  /// Flipper's ISO15693-3 and SLIX: `Block Count`, `Block Size`, `Data Content`, `Security Status`.
  private init?(_ file: FlipperFile) throws(TagDumpError) {
    guard let type = file["Device type"], ["ISO15693-3", "ISO15693", "SLIX"].contains(type) else {
      return nil
    }
    guard let uid = file.bytes("UID"), uid.count == 8, let content = file.bytes("Data Content"),
      !content.isEmpty
    else { throw TagDumpError("it has no UID of eight bytes, or no “Data Content”") }
    let size = file["Block Size"].flatMap { Int($0, radix: 16) ?? Int($0) } ?? 4
    guard (1...32).contains(size), content.count.isMultiple(of: size),
      file["Block Count"].map({ Int($0) == content.count / size }) ?? true
    else {
      throw TagDumpError(
        "“Data Content” has \(content.count) bytes, contrary to “Block Count” and “Block Size”"
      )
    }
    let locks = file.bytes("Security Status").map { status in
      // Older versions have the locks of DSFID and AFI before those of the blocks.
      let blocks = status.dropFirst(status.count > content.count / size ? 1 : 0)
      return blocks.enumerated().filter { $0.element != 0 }.map(\.offset)
    }
    let ordered = uid[0] == 0xE0 ? uid : uid.reversed()
    self.init(
      uid: ordered, name: Type5Product(uid: ordered).name,
      parts: [Part(name: Self.blocksName, bytes: content, byteCount: content.count)],
      lockedBlocks: locks, blockByteCount: size)
  }
}

/// The lines of a Flipper file: `Key: value`, comments after `#`, blank lines between.
struct FlipperFile {
  private var values: [String: String] = [:]
  /// The keys and values in the file's order.
  private(set) var lines: [(key: String, value: String)] = []

  /// - Returns: `nil` for a file that is not marked as one of Flipper's NFC devices.
  init?(_ bytes: [UInt8]) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = String(
      decoding: bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes[...], as: UTF8.self)
    for line in text.split(whereSeparator: \.isNewline) {
      let line = line.trimming()
      guard !line.isEmpty, !line.hasPrefix("#") else { continue }
      guard let colon = line.firstIndex(of: ":") else { continue }
      let key = String(line[..<colon].trimming())
      let value = String(line[line.index(after: colon)...].trimming())
      if lines.isEmpty, key != "Filetype" || value != "Flipper NFC device" { return nil }
      lines.append((key, value))
      values[key] = values[key] ?? value
    }
    guard !lines.isEmpty else { return nil }
  }

  subscript(_ key: String) -> String? { values[key] }

  /// A value of hexadecimal pairs.
  func bytes(_ key: String) -> [UInt8]? {
    values[key].flatMap { [UInt8](separatedHexadecimal: $0.filter { $0 != " " && $0 != "\t" }) }
  }
}

extension Substring {
  fileprivate func trimming() -> Substring {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return self[first...last]
  }
}
