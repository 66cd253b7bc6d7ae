package import CliptagPlatform

/// A plain file, open for reading: neither a folder nor a pipe, socket or device.
package struct PlainFile: ~Copyable {
  /// The reason that a path leads to no plain file.
  package struct Trouble: Error, Hashable {
    /// The path.
    package let path: String
    /// The system's error number; `ENXIO` for something else than a plain file.
    package let number: Int32

    /// The reason as a clause.
    package var reason: String { Self.reason(number) }

    /// Returns the reason that an error number stands for.
    package static func reason(_ number: Int32) -> String {
      number == ENXIO ? "it is not a plain file" : String(cString: strerror(number))
    }
  }

  private let path: String
  private let descriptor: Int32
  /// A Boolean value that indicates whether only this user and root can change the file.
  package let isProtected: Bool

  private init(_ path: String, _ descriptor: Int32, _ facts: stat) {
    (self.path, self.descriptor) = (path, descriptor)
    isProtected =
      (facts.st_uid == geteuid() || facts.st_uid == 0) && facts.st_mode & (S_IWGRP | S_IWOTH) == 0
  }

  deinit { close(descriptor) }

  /// Returns what the system says about the end of a path, following links; `nil` if nothing has
  /// that name.
  ///
  /// - Throws: ``Trouble``. A folder that may not be entered, a file in the place of a folder and a
  ///   loop of links are trouble: only absence is absence.
  package static func facts(at path: String) throws(Trouble) -> stat? {
    var facts = stat()
    guard stat(path, &facts) != 0 else { return facts }
    guard errno == ENOENT else { throw Trouble(path: path, number: errno) }
    return nil
  }

  /// Opens a file without waiting; `nil` if there is none.
  package static func open(_ path: String) throws(Trouble) -> PlainFile? {
    // Some devices act when they are opened.
    guard let found = try facts(at: path) else { return nil }
    let other = Trouble(path: path, number: ENXIO)
    guard found.st_mode & S_IFMT == S_IFREG else { throw other }
    let descriptor = CliptagPlatform.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Trouble(path: path, number: errno) }
    // Another thing may have taken its place.
    var facts = stat()
    let isPlain = fstat(descriptor, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
    let file = PlainFile(path, descriptor, facts)
    guard isPlain else { throw other }
    return file
  }

  /// Reads the file up to a limit, and one byte more from a longer one.
  package func bytes(limit: Int) throws(Trouble) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= limit {
      let count = read(descriptor, &chunk, min(chunk.count - 1, limit - bytes.count) + 1)
      if count == 0 { break }
      if count < 0 {
        if errno == EINTR { continue }
        throw Trouble(path: path, number: errno)
      }
      bytes += chunk[..<count]
    }
    return bytes
  }

  /// Reads a file up to a limit, and one byte more from a longer one; `nil` if there is none.
  package static func bytes(of path: String, limit: Int) throws(Trouble) -> [UInt8]? {
    try open(path)?.bytes(limit: limit)
  }
}
