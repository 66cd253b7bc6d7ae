import Foundation
import Glibc

/// A file that appears whole or not at all: written beside its destination, then renamed.
///
/// Write it, do whatever else must succeed first, then ``commit()``. A value that goes away
/// uncommitted leaves nothing behind. A symbolic link stays, and what it names is replaced; a file
/// that is replaced keeps its permissions. A device or a pipe cannot be replaced: it is written
/// to when the file is committed.
package struct AtomicFile: ~Copyable {
  /// Where the bytes are going.
  private enum Target {
    /// A complete file beside its destination.
    case file(temporary: String, destination: String)
    /// Something that is no regular file, and what it will be given.
    case special(destination: String, bytes: [UInt8])
  }

  /// The destination as it was named, for messages.
  private let path: String
  private let target: Target
  private var committed = false

  /// Writes bytes to a temporary file in the destination's folder and flushes them to the disk.
  ///
  /// - Parameters:
  ///   - path: The destination.
  ///   - bytes: What it will hold.
  /// - Throws: ``IssuingError`` with code `cannot-create`; nothing is left behind then.
  package init(path: String, bytes: [UInt8]) throws(IssuingError) {
    target = try Self.prepare(path, bytes)
    self.path = path
  }

  /// Checks that a file could be created there now, and leaves nothing behind.
  ///
  /// - Throws: ``IssuingError`` with code `cannot-create`.
  package static func checkPlace(_ path: String) throws(IssuingError) {
    _ = try AtomicFile(path: path, bytes: [])
  }

  /// Puts the file in place, over whatever was there.
  ///
  /// - Throws: ``IssuingError`` with code `cannot-create`.
  package consuming func commit() throws(IssuingError) {
    let failure =
      switch target {
      case .file(let temporary, let destination): Self.rename(temporary, to: destination)
      case .special(let destination, let bytes): Self.write(bytes, to: destination)
      }
    guard failure == 0 else { throw .cannotCreate(path, failure) }
    committed = true
  }

  deinit {
    if !committed, case .file(let temporary, _) = target { unlink(temporary) }
  }

  private static func prepare(
    _ path: String, _ bytes: [UInt8]
  ) throws(IssuingError) -> Target {
    let destination = resolved(path)
    var status = stat()
    var mode: mode_t?
    if stat(destination, &status) == 0 {
      switch status.st_mode & S_IFMT {
      case S_IFDIR: throw .cannotCreate(path, EISDIR)
      case S_IFREG: mode = status.st_mode & 0o7777
      default: return .special(destination: destination, bytes: bytes)
      }
    }
    let number = UInt32.random(in: .min ... .max)
    let name = (destination as NSString).lastPathComponent
    let temporary = folder(of: destination) + "/.\(name).\(getpid())-\(number).tmp"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .cannotCreate(path, errno) }
    var failure = write(bytes, to: descriptor)
    if failure == 0, let mode, fchmod(descriptor, mode) != 0 { failure = errno }
    if failure == 0 { failure = flush(descriptor) }
    if close(descriptor) != 0, failure == 0 { failure = errno }
    guard failure == 0 else {
      unlink(temporary)
      throw .cannotCreate(path, failure)
    }
    return .file(temporary: temporary, destination: destination)
  }

  /// What a path names when its links are followed; the path itself where nothing is there yet.
  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  private static func folder(of path: String) -> String {
    let folder = (path as NSString).deletingLastPathComponent
    return folder.isEmpty ? "." : folder
  }

  /// Renames, and flushes the folder so that the new name survives a power cut.
  private static func rename(_ temporary: String, to destination: String) -> Int32 {
    guard Glibc.rename(temporary, destination) == 0 else { return errno }
    let descriptor = open(folder(of: destination), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor >= 0 {
      // The file is in place; a folder that cannot be flushed is no reason to deny it.
      _ = fsync(descriptor)
      close(descriptor)
    }
    return 0
  }

  private static func write(_ bytes: [UInt8], to destination: String) -> Int32 {
    let descriptor = open(destination, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return errno }
    let failure = write(bytes, to: descriptor)
    return close(descriptor) != 0 && failure == 0 ? errno : failure
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        return errno
      }
      rest = rest.dropFirst(count)
    }
    return 0
  }

  /// Flushes to the disk; a file system that has nothing to flush (`EINVAL`) is no failure.
  private static func flush(_ descriptor: Int32) -> Int32 {
    fsync(descriptor) == 0 || errno == EINVAL ? 0 : errno
  }
}

extension IssuingError {
  fileprivate static func cannotCreate(_ path: String, _ number: Int32) -> IssuingError {
    .cannotCreate(path, reason: String(cString: strerror(number)))
  }
}
