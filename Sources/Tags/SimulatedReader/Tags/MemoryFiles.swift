import CliptagBasics
import CliptagPlatform
import TagTypes

/// A tag's memory as a file that contains only the pages, in order, PWD and PACK in clear.
///
/// Its format is that of other tools' dumps. A change replaces the whole file by renaming a
/// finished one over it, so that a reader of the file, even after the process was killed, finds the
/// memory before or after a write and never between.
struct TagMemoryFile: Sendable {
  /// The path as given.
  let path: String

  /// Reads the file, but never more than 64 KiB: no tag is larger.
  ///
  /// - Returns: Its bytes; `nil` if there is no such file.
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

  /// The same product with the content of the file; the tag itself if there is no file, or an empty
  /// one as `mktemp` makes it.
  func loaded(for card: any SimulatedCard) throws(SimulatedReaderError) -> any SimulatedCard {
    guard let memory = try load(), !memory.isEmpty else { return card }
    do {
      return try card.holding(memory)
    } catch {
      throw SimulatedReaderError(
        error.code, "\(path): \(error.message)", hint: error.hint, path: path)
    }
  }

  /// Replaces the file, keeping its permissions, or creates it with access for its owner only: it
  /// may contain a password.
  func save(_ memory: [UInt8]) throws(SimulatedReaderError) {
    let target = resolvedPath
    var status = stat()
    let permissions = stat(target, &status) == 0 ? status.st_mode & 0o777 : 0o600
    // A unique name, and never a file or link that exists already.
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

  /// The target of a symbolic link, so that the link survives the rename.
  private var resolvedPath: String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private func unreadable(_ error: Int32) -> SimulatedReaderError {
    SimulatedReaderError(
      .memoryUnreadable, "\(path) cannot be read: \(systemMessage(error)).",
      hint: "Give a readable file, or one that does not exist yet.",
      path: path, systemError: error)
  }

  private func unwritable(_ error: Int32) -> SimulatedReaderError {
    SimulatedReaderError(
      .memoryUnwritable, "\(path) cannot be written: \(systemMessage(error)).",
      hint: "Give a file in a writable folder with free space.",
      path: path, systemError: error)
  }
}

/// The system's description of an error number.
func systemMessage(_ error: Int32) -> String {
  String(cString: strerror(error))
}

/// The memory file of a Type 4 tag: the letters `T4`, the UID (seven bytes), then every file in
/// order: identifier (two bytes), size (four bytes, high byte first), content; then, if a reader has
/// changed them, the letters `KS` with keys and settings.
extension SimulatedType4Tag {
  /// The tag's memory in the format of its memory file.
  package var memory: [UInt8] {
    let end = secrets == initialSecrets ? [] : Array("KS".utf8) + secrets.bytes
    return files.reduce(Array("T4".utf8) + chipUID) { bytes, file in
      let size = file.bytes.count
      let header = [
        UInt8(file.identifier >> 8), UInt8(truncatingIfNeeded: file.identifier),
        UInt8(truncatingIfNeeded: size >> 24), UInt8(truncatingIfNeeded: size >> 16),
        UInt8(truncatingIfNeeded: size >> 8), UInt8(truncatingIfNeeded: size),
      ]
      return bytes + header + file.bytes
    } + end
  }

  /// Returns the same product with the UID and the files of a memory file.
  ///
  /// - Throws: `.malformedMemory` if the bytes are not a memory file of a Type 4 tag, or its files
  ///   are not those of the product, each with its size.
  package func holding(_ memory: [UInt8]) throws(SimulatedReaderError) -> SimulatedType4Tag {
    guard memory.count >= 9, memory.starts(with: "T4".utf8) else {
      throw malformed("It does not begin with T4 and a UID.")
    }
    var tag = try SimulatedType4Tag(product, uid: Array(memory[2..<9]))
    var position = 9
    for index in tag.files.indices {
      let expected = tag.files[index]
      guard position + 6 <= memory.count else {
        throw malformed("It ends at byte \(position), where file \(expected.name) should begin.")
      }
      let header = memory[position..<position + 6].map(Int.init)
      let identifier = header[0] << 8 | header[1]
      let size = header[2...].reduce(0) { $0 << 8 | $1 }
      guard identifier == Int(expected.identifier), size == expected.bytes.count,
        position + 6 + size <= memory.count
      else {
        throw malformed(
          "At byte \(position) a whole file \(expected.name) of \(expected.bytes.count) bytes "
            + "should begin.")
      }
      tag.files[index].bytes = Array(memory[position + 6..<position + 6 + size])
      position += 6 + size
    }
    let rest = memory[position...]
    guard !rest.isEmpty else { return tag.taking(nil, of: self) }
    guard rest.starts(with: "KS".utf8), let secrets = SimulatedSecrets(rest.dropFirst(2)) else {
      throw malformed("It continues after the last file, at byte \(position).")
    }
    return tag.taking(secrets, of: self)
  }

  private func malformed(_ problem: String) -> SimulatedReaderError {
    SimulatedReaderError(
      .malformedMemory, "This is not the memory of a \(product.name). \(problem)",
      hint: "Use a memory file of the same kind of tag, or give another kind.")
  }
}

extension SimulatedType4Product.File {
  /// The identifier as printed in documents.
  fileprivate var name: String {
    [UInt8(identifier >> 8), UInt8(truncatingIfNeeded: identifier)].hexadecimal
  }
}
