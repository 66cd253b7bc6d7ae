#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A folder for temporary files that only this user may enter; gone with the last reference, with
/// whatever is in it by then.
///
/// A process that is killed cannot remove its folders. So each is locked while it is in use, and the
/// first of every process removes those that nobody holds any more.
package final class ScratchFolder: Sendable {
  /// The folder's path.
  package let path: String
  private let descriptor: Int32

  private static let prefix = "cliptag-scratch-"
  /// How long a folder is left alone although nobody holds it, in seconds: it may have been made
  /// just now.
  private static let grace = 60

  /// Where such folders are made: `$TMPDIR`, else `/tmp`.
  package static var parent: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }

  /// Makes a folder.
  ///
  /// - Returns: `nil`, with `errno` set, when that cannot be.
  package init?() {
    _ = Self.sweptOnce
    var template = Array("\(Self.parent)/\(Self.prefix)XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    // Where a file system knows no locks, nothing is swept either.
    if descriptor >= 0 { _ = flock(descriptor, LOCK_SH | LOCK_NB) }
  }

  deinit {
    // Links are removed and not followed. Nobody is left to be told of a failure.
    try? FileManager.default.removeItem(atPath: path)
    if descriptor >= 0 { close(descriptor) }
  }

  private static let sweptOnce: Void = sweep(parent)

  /// Removes this user's folders that nobody holds.
  package static func sweep(_ parent: String, olderThan seconds: Int = grace) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let path = "\(parent)/\(name)"
      let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      var facts = stat()
      guard fstat(descriptor, &facts) == 0, facts.st_uid == geteuid(),
        time(nil) - facts.modified >= seconds, flock(descriptor, LOCK_EX | LOCK_NB) == 0
      else { continue }
      try? FileManager.default.removeItem(atPath: path)
    }
  }
}

extension stat {
  /// When what it is about was last changed, in seconds since 1970.
  fileprivate var modified: Int {
    #if canImport(Darwin)
      st_mtimespec.tv_sec
    #else
      st_mtim.tv_sec
    #endif
  }
}
