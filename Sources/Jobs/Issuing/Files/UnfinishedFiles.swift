import Foundation
import Synchronization

/// The temporary files and folders that are not in place yet.
///
/// Each goes away with its owner. A program that has to leave at once, because a second signal came
/// or a run did not end in time, removes them all.
package enum UnfinishedFiles {
  private static let paths = Mutex<Set<String>>([])

  /// Notes a file or folder that was begun.
  static func add(_ path: String) { paths.withLock { _ = $0.insert(path) } }

  /// Forgets one that is in place, or was removed.
  static func remove(_ path: String) { paths.withLock { _ = $0.remove(path) } }

  /// Removes all of them, for a program that ends now.
  package static func removeAll() {
    let left = paths.withLock { paths in
      defer { paths.removeAll() }
      return paths
    }
    for path in left { try? FileManager.default.removeItem(atPath: path) }
  }
}
