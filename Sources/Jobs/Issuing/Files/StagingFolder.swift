import CFileSystem
import CliptagBasics
import CliptagPlatform
import Foundation

/// A folder in which files are made before all of them are put in place; gone with its owner.
final class StagingFolder: Sendable {
  let path: String

  /// Makes a folder beside another.
  ///
  /// - Throws: ``IssuingError`` with code `cannot-create`.
  init(beside folder: String) throws(IssuingError) {
    path = "\(folder).\(getpid())-\(UInt32.random(in: .min ... .max)).tmp"
    if mkdir(path, 0o700) != 0 {
      guard errno == ENOENT else { throw .cannotCreate(path, errno) }
      // The folders above are as the user has them.
      try Self.make((folder as NSString).deletingLastPathComponent)
      guard mkdir(path, 0o700) == 0 else { throw .cannotCreate(path, errno) }
    }
    UnfinishedFiles.add(path)
  }

  deinit { discard() }

  /// Removes the folder with everything in it. A finished task may still hold this value when an
  /// error is thrown.
  func discard() {
    try? FileManager.default.removeItem(atPath: path)
    UnfinishedFiles.remove(path)
  }

  /// Makes a folder and those above it, where they are missing.
  static func make(_ folder: String) throws(IssuingError) {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw IssuingError(
        .cannotCreate, "The folder \(folder) cannot be created.",
        hint: "Check the path, its permissions and the free disk space.", underlying: error)
    }
  }

  /// Writes a file that no other process sees yet.
  static func write(_ bytes: [UInt8], to path: String) throws(IssuingError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .cannotCreate(path, errno) }
    var failure = AtomicFile.write(bytes, to: descriptor)
    if close(descriptor) != 0, failure == 0 { failure = errno }
    guard failure == 0 else { throw .cannotCreate(path, failure) }
  }

  /// Hands everything to the disk at once, which costs less than file by file.
  func synchronize() throws(IssuingError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .cannotCreate(path, errno) }
    defer { close(descriptor) }
    guard cfilesystem_synchronize(descriptor) == 0 else { throw .cannotCreate(path, errno) }
  }

  /// Puts files in place.
  func move(_ names: [String], to folder: String) throws(IssuingError) {
    for name in names where rename("\(path)/\(name)", "\(folder)/\(name)") != 0 {
      throw IssuingError(
        .cannotCreate,
        "\(folder)/\(name) cannot be moved into place: \(String(cString: strerror(errno))).",
        hint: "Check the folder's permissions, and run the command again.")
    }
    AtomicFile.synchronize(folder: folder)
  }
}
