#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

import CliptagPlatform

/// A folder for temporary files that only this user may enter; removed with its contents when the
/// last reference is released.
///
/// A process that is killed cannot remove its folders. Therefore each folder is locked while in
/// use, and the first folder of every process removes those without a lock.
package final class ScratchFolder: Sendable {
  /// The folder's path.
  package let path: String
  private let descriptor: Int32

  private static let prefix = "cliptag-scratch-"
  /// The age in seconds below which a folder without a lock is kept: it may have just been created.
  private static let grace = 60

  /// The folder that contains the scratch folders: `$TMPDIR`, else `/tmp`.
  package static var parent: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }

  /// Creates a folder.
  ///
  /// - Returns: `nil`, with `errno` set, on failure.
  package init?() {
    _ = Self.sweptOnce
    var template = Array("\(Self.parent)/\(Self.prefix)XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    // On a file system without locks, no folders are swept either.
    if descriptor >= 0 { _ = flock(descriptor, LOCK_SH | LOCK_NB) }
  }

  deinit {
    // Links are removed, not followed. A failure cannot be reported here.
    try? FileManager.default.removeItem(atPath: path)
    if descriptor >= 0 { close(descriptor) }
  }

  private static let sweptOnce: Void = sweep(parent)

  /// Removes this user's folders that hold no lock.
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
  /// The time of the last change, in seconds since 1970.
  fileprivate var modified: Int {
    #if canImport(Darwin)
      st_mtimespec.tv_sec
    #else
      st_mtim.tv_sec
    #endif
  }
}
