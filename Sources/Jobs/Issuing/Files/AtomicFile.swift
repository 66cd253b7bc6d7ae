import CliptagBasics
import CliptagPlatform
import CodeDrawing
import Foundation
import Synchronization

/// The destination of a finished file.
public enum FileDestination: Sendable {
  /// A file. A symbolic link stays, and what it names is replaced; a file that is replaced keeps
  /// its permissions; a device or a pipe is written to. In a folder where everybody may write, such
  /// as `/tmp`, links and pipes of other users are refused.
  case file(String)
  /// A stream such as standard output: its name in messages and the record, and the receiver of its
  /// bytes, part after part, once everything before has succeeded.
  case stream(named: String, @Sendable ([UInt8]) throws -> Void)

  /// The name for messages and the record.
  public var name: String {
    switch self {
    case .file(let path): path
    case .stream(let name, _): name
    }
  }
}

/// A file that appears whole or not at all: written beside its destination, then renamed.
///
/// Write it, complete everything that must succeed first, then call ``commit()``. An uncommitted
/// file leaves no trace: ``discard()`` removes it, at the latest when it is deinitialised. If the
/// destination cannot be renamed to (a device, a pipe, a stream), the file is complete in a
/// temporary file before its first byte is sent there.
package final class AtomicFile: ByteSink, Sendable {
  private enum Target: Sendable {
    case rename(to: String)
    case copy(to: String)
    case hand(@Sendable ([UInt8]) throws -> Void)
  }

  /// The path of the file while it is written; only this user can access it until it is committed.
  package let temporaryPath: String
  /// The destination as it was named, for messages.
  private let path: String
  private let target: Target
  private let descriptor: Int32
  /// The permissions that the file has in the end.
  private let mode: mode_t
  private let buffer = Mutex<[UInt8]>([])
  private let isCommitted = Mutex(false)

  private static let bufferSize = 1 << 18

  /// Begins a file.
  ///
  /// - Parameter destination: The destination.
  /// - Throws: ``IssuingError`` with code `cannot-create`.
  package init(_ destination: FileDestination) throws(IssuingError) {
    path = destination.name
    var mode: mode_t?
    switch destination {
    case .stream(_, let write): target = .hand(write)
    case .file(let path):
      if let stranger = StrangersEntry(on: path) { throw stranger.refused(path) }
      let real = Self.resolved(path)
      var status = stat()
      if stat(real, &status) == 0 {
        switch status.st_mode & S_IFMT {
        case S_IFDIR: throw .cannotCreate(path, EISDIR)
        case S_IFREG:
          mode = status.st_mode & 0o7777
          target = .rename(to: real)
        default: target = .copy(to: real)
        }
      } else {
        target = .rename(to: real)
      }
    }
    let place: (folder: String, name: String) =
      if case .rename(let real) = target {
        (Self.folder(of: real), (real as NSString).lastPathComponent)
      } else {
        (NSTemporaryDirectory(), "cliptag")
      }
    let number = UInt32.random(in: .min ... .max)
    temporaryPath = "\(place.folder)/.\(place.name).\(getpid())-\(number).tmp"
    self.mode = mode ?? 0o666 & ~FileCreationMask.value
    descriptor = open(temporaryPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .cannotCreate(path, errno) }
    UnfinishedFiles.add(temporaryPath)
  }

  /// Creates a file that holds these bytes, flushed to the disk.
  package convenience init(
    _ destination: FileDestination, holding bytes: [UInt8]
  ) throws(IssuingError) {
    try self.init(destination)
    try write(bytes)
    try synchronize()
  }

  /// Creates a file at a path that holds these bytes, flushed to the disk.
  package convenience init(path: String, bytes: [UInt8]) throws(IssuingError) {
    try self.init(.file(path), holding: bytes)
  }

  /// Checks that a file could be created there now, and leaves nothing behind.
  ///
  /// - Throws: ``IssuingError`` with code `cannot-create`.
  package static func checkPlace(_ path: String) throws(IssuingError) {
    _ = try AtomicFile(.file(path))
  }

  deinit {
    close(descriptor)
    discard()
  }

  /// Removes the temporary file; a committed file stays. Where the file is captured by a closure, a
  /// finished task may still hold it when an error is thrown.
  package func discard() {
    isCommitted.withLock { isCommitted in
      if !isCommitted { unlink(temporaryPath) }
    }
    UnfinishedFiles.remove(temporaryPath)
  }

  /// Takes the next bytes.
  package func write(_ bytes: [UInt8]) throws(IssuingError) {
    let isFull = buffer.withLock { buffer in
      buffer += bytes
      return buffer.count >= Self.bufferSize
    }
    if isFull { try flush() }
  }

  /// Hands all bytes to the system, so that others can read the temporary file.
  package func flush() throws(IssuingError) {
    let failure = buffer.withLock { buffer in
      defer { buffer.removeAll(keepingCapacity: true) }
      return Self.write(buffer, to: descriptor)
    }
    guard failure == 0 else { throw .cannotCreate(path, failure) }
  }

  /// Hands all bytes to the disk, so that only a name is left to change.
  package func synchronize() throws(IssuingError) {
    try flush()
    // A file system that has nothing to flush (EINVAL) is no failure.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw .cannotCreate(path, errno) }
  }

  /// Puts the file in place, over whatever was there.
  ///
  /// - Throws: ``IssuingError`` with code `cannot-create`.
  package func commit() throws(IssuingError) {
    switch target {
    case .rename(let destination):
      guard fchmod(descriptor, mode) == 0 else { throw .cannotCreate(path, errno) }
      try synchronize()
      guard rename(temporaryPath, destination) == 0 else { throw .cannotCreate(path, errno) }
      isCommitted.withLock { $0 = true }
      // The file is in place; a folder that cannot be flushed is no reason to deny it.
      Self.synchronize(folder: Self.folder(of: destination))
    case .copy(let destination):
      let output = open(destination, O_WRONLY | O_CLOEXEC)
      guard output >= 0 else { throw .cannotCreate(path, errno) }
      defer { close(output) }
      try forEachPart { part throws(IssuingError) in
        let failure = Self.write(part, to: output)
        guard failure == 0 else { throw .cannotCreate(path, failure) }
      }
    case .hand(let take):
      try forEachPart { part throws(IssuingError) in
        do {
          try take(part)
        } catch {
          throw IssuingError(
            .cannotCreate, "\(path) cannot be written: \(error).",
            hint: "Check the program that reads the output, and try again.", underlying: error)
        }
      }
    }
  }

  /// Flushes a folder, so that the names in it survive a power cut.
  static func synchronize(folder: String) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = fsync(descriptor)
    close(descriptor)
  }

  /// Passes on the written bytes, part after part.
  private func forEachPart(_ body: ([UInt8]) throws(IssuingError) -> Void) throws(IssuingError) {
    try flush()
    var part = [UInt8](repeating: 0, count: Self.bufferSize)
    var offset: off_t = 0
    while true {
      let count = part.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress, $0.count, offset)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .cannotCreate(path, errno) }
      guard count > 0 else { return }
      try body(Array(part[..<count]))
      offset += off_t(count)
    }
  }

  /// Returns the target of a path with its links followed; the path itself if nothing exists there
  /// yet.
  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  private static func folder(of path: String) -> String {
    let folder = (path as NSString).deletingLastPathComponent
    return folder.isEmpty ? "." : folder
  }

  /// Writes everything; answers `errno`, or 0.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        CliptagPlatform.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0 {
        if errno == EINTR { continue }
        return errno
      }
      rest = rest.dropFirst(count)
    }
    return 0
  }
}

/// The permission bits that the user withholds from new files (umask(2)).
///
/// It is read from the kernel without being changed, because another thread would notice a change.
enum FileCreationMask {
  static let value: mode_t = {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("Umask:") }
    return line.flatMap { mode_t($0.dropFirst(6).trimmingCharacters(in: .whitespaces), radix: 8) }
      ?? 0o022
  }()
}

/// A link or a pipe that another user put into a world-writable folder.
///
/// A process that follows it writes to a location of the other user's choice. The kernel has the
/// same rule (`fs.protected_symlinks`, `fs.protected_fifos`), but applies it only when the link
/// itself is opened.
private struct StrangersEntry {
  /// The path of the entry.
  let path: String

  /// Finds the first entry on the way to a file, with links and their targets followed.
  init?(on path: String) {
    var left = Array(path.split(separator: "/").map(String.init).reversed())
    var folder = path.hasPrefix("/") ? "/" : "."
    // As many links as the kernel follows (ELOOP).
    var links = 40
    while let name = left.popLast() {
      let entry = folder == "/" ? "/" + name : "\(folder)/\(name)"
      var facts = stat()
      guard lstat(entry, &facts) == 0 else { return nil }
      let kind = facts.st_mode & S_IFMT
      if kind == S_IFLNK || kind == S_IFIFO {
        var around = stat()
        guard stat(folder, &around) == 0 else { return nil }
        let isTrusted = facts.st_uid == geteuid() || facts.st_uid == around.st_uid
        if around.st_mode & S_IWOTH != 0, !isTrusted {
          self.path = entry
          return
        }
      }
      guard kind == S_IFLNK else {
        folder = entry
        continue
      }
      links -= 1
      guard links > 0,
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: entry)
      else { return nil }
      if target.hasPrefix("/") { folder = "/" }
      left += target.split(separator: "/").map(String.init).reversed()
    }
    return nil
  }

  func refused(_ output: String) -> IssuingError {
    IssuingError(
      .cannotCreate,
      "\(output) is not written: another user put \(path) into a folder writable by everyone.",
      hint: "Use a file in your own folder, or remove the existing one.")
  }
}

extension IssuingError {
  static func cannotCreate(_ path: String, _ number: Int32) -> IssuingError {
    .cannotCreate(path, reason: String(cString: strerror(number)))
  }
}
