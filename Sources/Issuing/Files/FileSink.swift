import CodeDrawing
import Foundation
import Glibc

/// A long file that appears whole or not at all: written piece by piece beside its destination,
/// then renamed. One that goes away uncommitted leaves nothing behind.
package final class FileSink: ByteSink {
  /// The file while it is written; readers may open it once it is flushed.
  package let temporaryPath: String
  private let path: String
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var isCommitted = false

  private static let bufferSize = 1 << 18

  /// Begins a file.
  ///
  /// - Parameter path: The destination.
  /// - Throws: ``IssuingError`` with code `cannot-create`.
  package init(path: String) throws(IssuingError) {
    self.path = path
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      throw .cannotCreate(path, reason: "it is no regular file")
    }
    let name = (path as NSString).lastPathComponent
    let folder = (path as NSString).deletingLastPathComponent
    let number = UInt32.random(in: .min ... .max)
    temporaryPath = (folder.isEmpty ? "." : folder) + "/.\(name).\(getpid())-\(number).tmp"
    descriptor = open(temporaryPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw .cannotCreate(path, reason: String(cString: strerror(errno)))
    }
  }

  deinit {
    close(descriptor)
    if !isCommitted { unlink(temporaryPath) }
  }

  /// Takes the next bytes.
  package func write(_ bytes: [UInt8]) throws(IssuingError) {
    buffer += bytes
    if buffer.count >= Self.bufferSize { try flush() }
  }

  /// Hands all bytes to the system, so that others can read the temporary file.
  package func flush() throws(IssuingError) {
    var rest = buffer[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        throw .cannotCreate(path, reason: String(cString: strerror(errno)))
      }
      rest = rest.dropFirst(count)
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Puts the file in place, over whatever was there.
  package func commit() throws(IssuingError) {
    try flush()
    // A file system that has nothing to flush (EINVAL) is no failure.
    guard fsync(descriptor) == 0 || errno == EINVAL,
      rename(temporaryPath, path) == 0
    else { throw .cannotCreate(path, reason: String(cString: strerror(errno))) }
    isCommitted = true
  }
}
