import CliptagBasics
import CliptagPlatform

/// Reads whole files up to a limit, so that an endless device or a pipe cannot fill the memory.
package enum FileReader {
  package static func read(
    path: String, name: String, limits: PictureLimits
  ) throws(PictureError) -> [UInt8] {
    let descriptor = Retry.interrupted { open(path, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw cannotOpen(name, errno) }
    defer { close(descriptor) }
    return try read(descriptor: descriptor, name: name, limits: limits)
  }

  /// Reads a file that another file names, such as a cell of a table: a plain one only, because the
  /// other file may come from anywhere, and a pipe or device may wait for ever or act.
  package static func readPlain(
    path: String, name: String, limits: PictureLimits
  ) throws(PictureError) -> [UInt8] {
    let bytes: [UInt8]?
    do {
      bytes = try PlainFile.bytes(of: path, limit: limits.fileBytes)
    } catch {
      throw cannotOpen(name, error.number)
    }
    guard let bytes else { throw cannotOpen(name, ENOENT) }
    try limits.check(bytes: bytes.count, atLeast: true, of: name)
    return bytes
  }

  package static func read(
    descriptor: Int32, name: String, limits: PictureLimits
  ) throws(PictureError) -> [UInt8] {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw cannotOpen(name, errno) }
    if status.st_mode & S_IFMT == S_IFDIR { throw cannotOpen(name, EISDIR) }
    let isFile = status.st_mode & S_IFMT == S_IFREG
    if isFile { try limits.check(bytes: Int(status.st_size), of: name) }
    // One byte above the limit distinguishes "exactly at it" from "beyond".
    let most = limits.fileBytes == .max ? .max : limits.fileBytes + 1
    var bytes: [UInt8] = []
    if isFile { bytes.reserveCapacity(Int(status.st_size) + 1) }
    let chunk = 1 << 18
    while bytes.count < most {
      var failure: Int32 = 0
      let wanted = min(chunk, most - bytes.count)
      let part = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
        let got = Retry.interrupted {
          CliptagPlatform.read(descriptor, buffer.baseAddress, wanted)
        }
        if got < 0 { failure = errno }
        count = max(0, got)
      }
      if failure != 0 { throw cannotOpen(name, failure) }
      if part.isEmpty { break }
      bytes += part
    }
    try limits.check(bytes: bytes.count, atLeast: true, of: name)
    return bytes
  }

  private static func cannotOpen(_ name: String, _ number: Int32) -> PictureError {
    switch number {
    case ENOENT, ENOTDIR:
      PictureError(
        .notFound, source: name, message: "\(name) does not exist.",
        hint: "Check the path; a name with spaces needs quotes.")
    case EISDIR:
      PictureError(
        .isDirectory, source: name, message: "\(name) is a directory, not a picture.",
        hint: "Give the files in it, for example \(name.last == "/" ? name : name + "/")*.png.")
    default:
      PictureError(
        .unreadable, source: name,
        message: "\(name) cannot be read: \(PlainFile.Trouble.reason(number)).",
        hint: "Check the file's permissions, or copy it to a readable folder.")
    }
  }
}

/// Repeats a system call that a signal interrupted.
enum Retry {
  static func interrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
      let result = call()
      if result != -1 || errno != EINTR { return result }
    }
  }
}
