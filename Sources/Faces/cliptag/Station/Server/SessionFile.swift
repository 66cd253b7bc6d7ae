import CliptagBasics
import CliptagPlatform
import Foundation
import Invocation
import TagAuthenticity

/// The sessions of a station from one of its runs to the next.
///
/// Only this user can read the file, and it holds hashes, so that a copy of it gives no access.
/// Each registry, address and port has a separate file: a cookie and the storage of a page have the
/// port, and a session for one registry is not valid for another.
struct SessionFile: Sendable {
  /// A browser or program that was let in. Secrets have 192 bits, so that their hashes need no
  /// salt.
  struct Session: Codable, Sendable {
    enum Kind: String, Codable {
      /// A program, which sends its key as `Authorization: Bearer`.
      case program
      /// A browser, whose key is the cookie's value and whose pages send secrets beside it.
      case browser
      /// A browser without JavaScript, which sends its cookie alone and reads the pages' tables.
      case reader
    }

    let kind: Kind
    /// The hash of its key.
    let key: String
    /// The hash of what a browser's pages send.
    let page: String?
    /// The hash of the secret in addresses.
    let view: String?
    /// The end of the session, unless it is used before.
    var end: Date
  }

  /// The reason that sessions are not kept, in a sentence.
  struct Trouble: Error, CustomStringConvertible {
    let description: String
  }

  private struct Content: Codable {
    var version = 1
    var sessions: [Session]
  }

  /// The lifetime of an unused session, in seconds: a week.
  static let lifetime = 604_800.0
  private static let mostBytes = 1 << 20

  private let folder: String
  private let path: String

  /// The file of a station.
  ///
  /// - Parameters:
  ///   - folder: The folder of such files, which is made when it is missing.
  ///   - registry: The registry's name.
  ///   - address: The address that the station listens on, with its port.
  init(in folder: String, registry: String, address: String) throws {
    self.folder = folder
    path = "\(folder)/\(try Self.hash("\(registry)\n\(address)").prefix(32)).json"
  }

  /// The folder of such files: `$XDG_STATE_HOME`, else `~/.local/state`, and there
  /// `cliptag/stations`.
  static var usualFolder: String { UserFolders().state + "/cliptag/stations" }

  /// Returns the hash that represents a secret.
  static func hash(_ secret: String) throws -> String {
    try SHA256.digest(of: Array(secret.utf8)).hexadecimal
  }

  /// Reads the sessions that have not ended, in the order in which they began.
  ///
  /// - Throws: ``Trouble`` for a file that is not to be relied on.
  func read() throws(Trouble) -> [Session] {
    sweep()
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return [] }
      throw unusable(String(cString: strerror(errno)))
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
      facts.st_uid == geteuid(), facts.st_mode & (S_IRWXG | S_IRWXO) == 0
    else { throw unusable("it is accessible to other users") }
    guard let bytes = try? handle.read(upToCount: Self.mostBytes),
      let content = try? JSONDecoder().decode(Content.self, from: bytes), content.version == 1
    else { throw unusable("it is damaged") }
    return content.sessions.filter { $0.end > .now }
  }

  /// Replaces the file, which is whole at every moment.
  func write(_ sessions: [Session]) throws(Trouble) {
    let part = "\(path).\(getpid())"
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let bytes = try JSONEncoder().encode(Content(sessions: sessions))
      unlink(part)
      let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
      let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      try handle.write(contentsOf: bytes)
      try handle.synchronize()
      guard rename(part, path) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    } catch {
      unlink(part)
      throw Trouble(
        description:
          "\(path.printable) cannot be written: browsers need a new link after a "
          + "restart. Make the folder writable, and free some space.")
    }
  }

  private func unusable(_ reason: String) -> Trouble {
    Trouble(
      description:
        "\(path.printable) is ignored: \(reason). Previous browsers need a new link.")
  }

  /// Removes files of stations whose sessions have all ended.
  private func sweep() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      var facts = stat()
      guard lstat("\(folder)/\(name)", &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
        time(nil) - facts.st_mtim.tv_sec > Int(bounded: Self.lifetime)
      else { continue }
      unlink("\(folder)/\(name)")
    }
  }
}
