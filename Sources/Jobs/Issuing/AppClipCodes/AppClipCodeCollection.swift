import CliptagBasics
import AppClipCodeFiles
import AppClipCodes
import CArchive
import Foundation

/// Files of App Clip Codes as they come from Apple's tools: single files, folders, and ZIP files
/// with a mapping in their root. They are read one after another and not kept.
public struct AppClipCodeCollection: Sendable {
  /// Files, folders and ZIP files, in the order in which they were named.
  public let paths: [String]

  /// The largest number of App Clip Codes in one collection: as many as App Store Connect makes at
  /// once.
  public static let mostFiles = 10_000
  /// The largest mapping that is read, in bytes.
  public static let mostMappingBytes = 16_777_216

  /// Creates a collection of files.
  ///
  /// - Parameter paths: SVG files, folders and ZIP files.
  public init(_ paths: [String]) { self.paths = paths }

  /// A Boolean value that indicates whether the files include a folder or ZIP file, which must
  /// contain all that its mapping lists.
  var isWhole: Bool {
    paths.contains { path in
      var isFolder: ObjCBool = false
      return path.lowercased().hasSuffix(".zip")
        || FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
          && isFolder.boolValue
    }
  }

  /// A file of the collection.
  enum Member {
    /// An SVG file.
    case drawing
    /// A CSV file in the root of a folder or ZIP file.
    case mapping
  }

  /// Reads every file.
  ///
  /// - Parameter take: Receives each file: its kind, its name, its path for messages, and its
  ///   bytes.
  /// - Throws: ``IssuingError`` with code `unusable-collection`, an error of `take`, or
  ///   `CancellationError`.
  func forEach(_ take: (Member, String, String, [UInt8]) throws -> Void) throws {
    var count = 0
    func counted(_ member: Member, _ name: String, _ path: String, _ bytes: [UInt8]) throws {
      try Task.checkCancellation()
      if member == .drawing {
        count += 1
        guard count <= Self.mostFiles else {
          throw IssuingError.unusable(
            path, "it is file number \(count); the limit for one import is \(Self.mostFiles)",
            "Import them in parts.")
        }
      }
      try take(member, name, path, bytes)
    }
    for path in paths {
      var isFolder: ObjCBool = false
      if path != "-", FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
        isFolder.boolValue
      {
        try Self.folder(path, counted)
      } else if path.lowercased().hasSuffix(".zip") {
        try Self.archive(path, counted)
      } else {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        try counted(.drawing, name, path, Self.bytes(of: path, limit: AppClipCode.mostBytes))
      }
    }
    guard count > 0 else {
      throw IssuingError.unusable(
        paths.joined(separator: ", "), "it contains no SVG file",
        "Give the files from App Store Connect or Apple's generator, or their folder.")
    }
  }

  /// Returns the kind of a file by its name; `nil` for a file that is passed over.
  private static func member(_ name: some StringProtocol, inRoot: Bool) -> Member? {
    let lowercase = name.lowercased()
    if lowercase.hasSuffix(".svg") { return .drawing }
    return inRoot && lowercase.hasSuffix(".csv") ? .mapping : nil
  }

  private static func limit(_ member: Member) -> Int {
    member == .drawing ? AppClipCode.mostBytes : mostMappingBytes
  }

  private static func folder(
    _ path: String, _ take: (Member, String, String, [UInt8]) throws -> Void
  ) throws {
    guard let found = FileManager.default.enumerator(atPath: path) else {
      throw IssuingError.unusable(path, "it cannot be read", "Check its permissions.")
    }
    // Sorted, so that reports have the same order on every machine.
    let names = found.compactMap { $0 as? String }.sorted {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
    for inner in names where !inner.split(separator: "/").contains(where: { $0.hasPrefix(".") }) {
      guard let member = member(inner, inRoot: !inner.contains("/")) else { continue }
      let full = path.hasSuffix("/") ? path + inner : "\(path)/\(inner)"
      let name = inner.split(separator: "/").last.map(String.init) ?? inner
      let bytes: [UInt8]?
      do {
        bytes = try PlainFile.bytes(of: full, limit: limit(member))
      } catch {
        throw IssuingError.unusable(full, error.reason, "Check the name and the permissions.")
      }
      if let bytes { try take(member, name, full, bytes) }
    }
  }

  /// Returns the bytes of a file, at most one more than the limit, so that its reader reports that
  /// it is too large.
  private static func bytes(of path: String, limit: Int) throws -> [UInt8] {
    do {
      let file = try FileHandle(forReadingFrom: URL(filePath: path))
      defer { try? file.close() }
      return [UInt8](try file.read(upToCount: limit + 1) ?? Data())
    } catch {
      throw IssuingError.unusable(
        path, (error as NSError).localizedDescription, "Check the name and the permissions.")
    }
  }

  private static func archive(
    _ path: String, _ take: (Member, String, String, [UInt8]) throws -> Void
  ) throws {
    if let reason = carchive_load() {
      throw IssuingError.unusable(
        path, "libarchive, which reads ZIP files, cannot be used: \(String(cString: reason))",
        "Install libarchive13, or unpack the file and give its folder.")
    }
    // Reports a missing file as such, because libarchive gives little detail.
    _ = try bytes(of: path, limit: 0)
    guard let archive = carchive_open(path) else {
      throw IssuingError.unusable(path, "not enough memory", "Close other programs.")
    }
    defer { carchive_close(archive) }
    func broken() -> IssuingError {
      .unusable(
        path, "the ZIP file is broken: \(String(cString: carchive_trouble(archive)))",
        "Download it again, or unpack it and give its folder.")
    }
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    var entries = 0
    while true {
      var name: UnsafePointer<CChar>?
      switch carchive_next(archive, &name) {
      case CARCHIVE_END: return
      case CARCHIVE_ENTRY: break
      default: throw broken()
      }
      entries += 1
      guard entries <= 4 * mostFiles else {
        throw IssuingError.unusable(
          path, "it has more than \(4 * mostFiles) entries",
          "Check that it is the ZIP file of App Store Connect.")
      }
      guard let name, case let inner = String(cString: name),
        !inner.split(separator: "/").contains(where: { $0.hasPrefix(".") || $0 == "__MACOSX" }),
        let member = member(inner, inRoot: !inner.contains("/"))
      else { continue }
      let limit = limit(member)
      var bytes: [UInt8] = []
      while bytes.count <= limit {
        let count = carchive_read(archive, &chunk, chunk.count)
        if count == 0 { break }
        guard count > 0 else { throw broken() }
        bytes += chunk[..<count]
      }
      let last = inner.split(separator: "/").last.map(String.init) ?? inner
      try take(member, last, "\(path)/\(inner)", bytes)
    }
  }
}

extension IssuingError {
  /// A collection that cannot be taken in.
  static func unusable(_ path: String, _ reason: String, _ hint: Hint) -> IssuingError {
    IssuingError(.unusableCollection, "\(path) cannot be imported: \(reason).", hint: hint)
  }
}
