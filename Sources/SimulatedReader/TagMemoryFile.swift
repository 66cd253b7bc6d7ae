import Glibc

/// A tag's memory as a file: every page in order and nothing else, PWD and PACK in clear.
///
/// It has the shape of the dumps other tools write. A change replaces the whole file by renaming a
/// finished one over it, so that whoever looks, even after the process was killed, finds the memory
/// before or after a write and never between.
struct TagMemoryFile: Sendable {
  /// The path as given.
  let path: String

  /// Reads the file, but never more than 64 KiB: no tag is larger.
  ///
  /// - Returns: Its bytes; `nil` when there is no such file.
  func load() throws(SimulatedReaderError) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT { return nil }
    guard descriptor >= 0 else { throw unreadable(errno) }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes { buffer in
        read(descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled)
      }
      guard count >= 0 else { throw unreadable(errno) }
      if count == 0 { break }
      filled += count
    }
    return Array(bytes[0..<filled])
  }

  /// The same product with what the file holds; the tag itself when there is no file, or an empty one
  /// as `mktemp` makes it.
  func loaded(for card: any SimulatedCard) throws(SimulatedReaderError) -> any SimulatedCard {
    guard let memory = try load(), !memory.isEmpty else { return card }
    do {
      return try card.holding(memory)
    } catch {
      throw SimulatedReaderError(
        error.code, "\(path): \(error.message)", hint: error.hint, path: path)
    }
  }

  /// Replaces the file, keeping its permissions, or creates it for its owner alone: it may hold a
  /// password.
  func save(_ memory: [UInt8]) throws(SimulatedReaderError) {
    let target = resolvedPath
    var status = stat()
    let permissions = stat(target, &status) == 0 ? status.st_mode & 0o777 : 0o600
    // A name of its own, and never a file or link that is there already.
    let temporary = target + ".\(getpid())-\(UInt32.random(in: .min ... .max)).tmp"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw unwritable(errno) }
    var failure = fchmod(descriptor, permissions) == 0 ? 0 : errno
    if failure == 0 {
      let written = memory.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      failure = written == memory.count ? 0 : written < 0 ? errno : ENOSPC
    }
    close(descriptor)
    if failure == 0, rename(temporary, target) != 0 { failure = errno }
    guard failure == 0 else {
      unlink(temporary)
      throw unwritable(failure)
    }
  }

  /// Where a symbolic link leads, so that the link survives the rename.
  private var resolvedPath: String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private func unreadable(_ error: Int32) -> SimulatedReaderError {
    SimulatedReaderError(
      .memoryUnreadable, "\(path) cannot be read: \(systemMessage(error)).",
      hint: "Name a readable file, or one that does not exist yet.",
      path: path, systemError: error)
  }

  private func unwritable(_ error: Int32) -> SimulatedReaderError {
    SimulatedReaderError(
      .memoryUnwritable, "\(path) cannot be written: \(systemMessage(error)).",
      hint: "Name a file in a folder where you may write and that has room.",
      path: path, systemError: error)
  }
}

/// The system's words for an error number.
func systemMessage(_ error: Int32) -> String {
  String(cString: strerror(error))
}
