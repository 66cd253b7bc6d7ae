import CliptagBasics
import Foundation
import Synchronization
import Verifying

/// Files for the clients that requested them: previews, drawings, and prints. Pictures of results
/// are kept in memory, and the oldest are removed when there are many; printed files remain in
/// place.
final class KeptFiles: Sendable {
  private struct Kept {
    let type: String
    let bytes: [UInt8]?
    let path: String?
  }

  private struct State {
    var files: [String: Kept] = [:]
    var order: [String] = []
    var size = 0
  }

  private let state = Mutex(State())
  private static let mostBytes = 128 << 20
  private static let mostFiles = 500

  /// Keeps bytes.
  ///
  /// - Returns: The path under which the station serves them.
  func keep(_ bytes: [UInt8], named name: String) -> String {
    keep(Kept(type: Self.type(of: name), bytes: bytes, path: nil), name)
  }

  /// Serves a file that is on the disk.
  func keep(fileAt path: String) -> String {
    let name = (path as NSString).lastPathComponent
    return keep(Kept(type: Self.type(of: name), bytes: nil, path: path), name)
  }

  private func keep(_ kept: Kept, _ name: String) -> String {
    let key = StationAccess.secret()
    state.withLock { state in
      state.files[key] = kept
      state.order.append(key)
      state.size += kept.bytes?.count ?? 0
      while state.size > Self.mostBytes || state.order.count > Self.mostFiles {
        let oldest = state.order.removeFirst()
        guard oldest != key else { break }
        state.size -= state.files.removeValue(forKey: oldest)?.bytes?.count ?? 0
      }
    }
    let escaped = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "file"
    return "/files/\(key)/\(escaped.replacing("%2E", with: ".").replacing("%2D", with: "-"))"
  }

  /// The file of a key.
  func response(for key: String, named name: String) throws -> StationResponse {
    guard let kept = state.withLock({ $0.files[key] }) else {
      throw Failure.notFound("file", name, see: "the page that made it")
    }
    if let bytes = kept.bytes { return StationResponse(Data(bytes), type: kept.type) }
    let bytes = try InputFile.bytes(of: kept.path ?? "", limit: 1 << 30)
    return .download(bytes, type: kept.type, named: name)
  }

  /// The type of a file by its name's ending.
  static func type(of name: String) -> String {
    switch (name as NSString).pathExtension.lowercased() {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "json": "application/json"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    case "jpg", "jpeg": "image/jpeg"
    case "pdf": "application/pdf"
    case "csv": "text/csv; charset=utf-8"
    default: "application/octet-stream"
    }
  }
}

/// A file that was sent, for as long as the value lives: commands read files.
final class SentFile: Sendable {
  let path: String
  /// The original name.
  let name: String
  private let folder: ScratchFolder

  /// Writes bytes to a file that only this user can read.
  ///
  /// - Parameter name: The original name; only its last part counts.
  init(_ bytes: Data, named name: String) throws {
    guard let folder = ScratchFolder() else { throw Self.noRoom }
    self.folder = folder
    self.name = Self.plain(name)
    path = folder.path + "/" + self.name
    guard
      FileManager.default.createFile(
        atPath: path, contents: bytes, attributes: [.posixPermissions: 0o600])
    else { throw Self.noRoom }
  }

  private static var noRoom: Failure {
    Failure(
      "cannot-create", .cannotCreate, "The upload could not be stored in \(ScratchFolder.parent).",
      hint: "Free some space, and send it again.")
  }

  /// The longest name that is kept, in bytes of UTF-8: with its folder it fits every file system.
  private static let longestName = 120

  /// Returns the last part of a name, its end if it is long, without control characters. The cut
  /// part is never examined: names are untrusted and may be as long as a body.
  static func plain(_ name: String) -> String {
    let end = String(decoding: name.utf8.suffix(4 * longestName), as: UTF8.self)
    let last = end.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
    var plain = String.UnicodeScalarView(
      last.unicodeScalars.filter { $0.value > 31 && $0.value != 127 })
    while String(plain).utf8.count > longestName { plain.removeFirst() }
    let short = String(plain)
    return short.isEmpty || short.hasPrefix(".") ? "file" + short : short
  }

  /// The file as a picture that is read.
  var input: PictureInput { PictureInput(path: path, name: name) }

  /// A path beside the file.
  func beside(_ name: String) -> String { folder.path + "/" + name }
}
