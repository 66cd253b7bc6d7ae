import CliptagPlatform
import Foundation

/// A new name in a folder, taken for a file that is still to be made.
///
/// The name is held by an empty file, so that neither another task nor another process chooses it,
/// and given back if the file is still empty when the owner goes away.
package final class ReservedFile: Sendable {
  /// The path of the file.
  package let path: String
  private let isReserved: Bool

  /// The most names that are tried.
  private static let mostNames = 10_000

  /// Takes the first free name: `stem.ending`, `stem-2.ending`, and so on.
  ///
  /// - Throws: ``IssuingError`` with code `cannot-create`.
  package init(in folder: String, named stem: String, ending: String) throws(IssuingError) {
    for number in 1...Self.mostNames {
      let path = "\(folder)/\(stem)\(number > 1 ? "-\(number)" : "").\(ending)"
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor >= 0 {
        close(descriptor)
        self.path = path
        isReserved = true
        UnfinishedFiles.add(path)
        return
      }
      guard errno == EEXIST else { throw .cannotCreate(path, errno) }
    }
    throw .cannotCreate("\(folder)/\(stem).\(ending)", EEXIST)
  }

  /// Creates a name that is not reserved by a file, for a rehearsal.
  package init(unreserved path: String) {
    self.path = path
    isReserved = false
  }

  deinit {
    guard isReserved else { return }
    UnfinishedFiles.remove(path)
    var facts = stat()
    if stat(path, &facts) == 0, facts.st_size == 0 { unlink(path) }
  }
}
