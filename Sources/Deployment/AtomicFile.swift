import Foundation
import Glibc

/// A file that appears whole or not at all: written beside its destination, then renamed.
///
/// Write it, do whatever else must succeed first, then ``commit()``. A value that goes away
/// uncommitted leaves nothing behind.
package struct AtomicFile: ~Copyable {
  private let path: String
  private let temporary: String
  private var committed = false

  /// Writes bytes to a temporary file in the destination's folder and flushes them to the disk.
  ///
  /// - Parameters:
  ///   - path: The destination.
  ///   - bytes: What it will hold.
  /// - Throws: ``DeploymentError`` with code `cannot-create`; nothing is left behind then.
  package init(path: String, bytes: [UInt8]) throws(DeploymentError) {
    temporary = try Self.writeTemporary(for: path, bytes)
    self.path = path
  }

  private static func writeTemporary(
    for path: String, _ bytes: [UInt8]
  ) throws(DeploymentError) -> String {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw .cannotCreate(path, reason: "it is a folder")
    }
    let folder = (path as NSString).deletingLastPathComponent
    let name = (path as NSString).lastPathComponent
    let number = UInt32.random(in: .min ... .max)
    let temporary = (folder.isEmpty ? "" : folder + "/") + ".\(name).\(getpid())-\(number).tmp"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw .cannotCreate(path, reason: String(cString: strerror(errno)))
    }
    var failure = write(bytes, to: descriptor)
    if failure == 0, fsync(descriptor) != 0, errno != EINVAL, errno != EROFS { failure = errno }
    if close(descriptor) != 0, failure == 0 { failure = errno }
    guard failure == 0 else {
      unlink(temporary)
      throw .cannotCreate(path, reason: String(cString: strerror(failure)))
    }
    return temporary
  }

  /// Puts the file in place, over whatever was there.
  ///
  /// - Throws: ``DeploymentError`` with code `cannot-create`.
  package consuming func commit() throws(DeploymentError) {
    guard rename(temporary, path) == 0 else {
      throw .cannotCreate(path, reason: String(cString: strerror(errno)))
    }
    committed = true
  }

  deinit {
    if !committed { unlink(temporary) }
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
}
