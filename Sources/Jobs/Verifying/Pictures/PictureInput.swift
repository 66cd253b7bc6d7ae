import CliptagPlatform
import Foundation
package import Pictures

/// A picture or document to be read.
public struct PictureInput: Hashable, Sendable {
  /// Its path, or `-` for standard input.
  public let path: String
  /// Whether it was found in a folder instead of being named. Such a file need not be a picture.
  public let isFromFolder: Bool
  /// Its name in observations and messages; its path by default.
  public let name: String

  /// Makes an input.
  public init(path: String, isFromFolder: Bool = false, name: String? = nil) {
    self.path = path
    self.isFromFolder = isFromFolder
    self.name = name ?? path
  }

  /// Whether a file that was found in a folder must be left out: neither its content nor its name
  /// is that of a picture. A file named `wall.jpg` with other content is an error.
  package func isNoPicture() -> Bool {
    guard isFromFolder, !PictureFormat.fileExtensions.contains(fileExtension) else { return false }
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? file.close() }
    let head = (try? file.read(upToCount: 1024)) ?? Data()
    return PictureFormat.recognise(Array(head)) == nil
  }

  private var fileExtension: String {
    (path as NSString).pathExtension.lowercased()
  }
}

/// The files below a folder.
package enum PictureFolder {
  /// Whether a path leads to a folder, following links.
  package static func isFolder(_ path: String) -> Bool { kind(of: path, stat) == S_IFDIR }

  /// Finds the files in a folder and its subfolders.
  ///
  /// Names that begin with a dot are left out, and so is everything that is neither a file nor a
  /// link to one. Links to folders are not followed, which rules out loops.
  ///
  /// - Parameter path: The folder; it may itself be a link.
  /// - Returns: The files, each folder's entries in the byte order of their names; and the errors
  ///   of the folders that could not be read.
  package static func files(
    below path: String
  ) -> (inputs: [PictureInput], unreadable: [PictureError]) {
    var inputs: [PictureInput] = []
    var unreadable: [PictureError] = []
    var waiting = [path]
    while let next = waiting.popLast() {
      guard next == path || kind(of: next, lstat) == S_IFDIR else {
        inputs.append(PictureInput(path: next, isFromFolder: true))
        continue
      }
      do {
        let names = try FileManager.default.contentsOfDirectory(atPath: next)
          .filter { !$0.hasPrefix(".") }
          .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let folder = next.hasSuffix("/") ? next : next + "/"
        // The last entry on the stack is taken first.
        waiting += names.reversed().map { folder + $0 }.filter(isWorthALook)
      } catch {
        unreadable.append(
          PictureError(
            .unreadable, source: next, message: "The folder \(next) cannot be read.",
            hint: "Check its permissions, or give its readable files."))
      }
    }
    return (inputs, unreadable)
  }

  private static func isWorthALook(_ path: String) -> Bool {
    switch kind(of: path, lstat) {
    case S_IFDIR, S_IFREG: true
    case S_IFLNK: kind(of: path, stat) == S_IFREG
    default: false
    }
  }

  private static func kind(
    of path: String, _ look: (UnsafePointer<CChar>, UnsafeMutablePointer<stat>) -> Int32
  ) -> mode_t {
    var facts = stat()
    return look(path, &facts) == 0 ? facts.st_mode & S_IFMT : 0
  }
}
