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

/// A folder that only this user may enter, with one file in it; gone with the last reference, with
/// whatever else is in it by then.
///
/// A child process reads the document from here: renderers want to seek, which a pipe cannot. It is
/// also the child's home, where one that was killed leaves its scratch files.
package final class PrivateFolder: Sendable {
  /// The folder's path.
  let path: String
  /// The path of the one file.
  package let file: String

  /// Makes the folder under `$TMPDIR`, else `/tmp`, and writes the file.
  package init(holding bytes: [UInt8], fileName: String, source: String) throws(PictureError) {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/cliptag-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Self.failure(parent, source, errno) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    file = "\(path)/\(fileName)"
    let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let number = errno
      rmdir(path)
      throw Self.failure(parent, source, number)
    }
    let number = Self.write(bytes, to: descriptor)
    close(descriptor)
    guard number == 0 else {
      unlink(file)
      rmdir(path)
      throw Self.failure(parent, source, number)
    }
  }

  deinit {
    // Links are removed and not followed. Nobody is left to be told of a failure.
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Writes everything; answers `errno`, or 0.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    bytes.withUnsafeBytes { buffer in
      var rest = UnsafeRawBufferPointer(buffer)
      while let start = rest.baseAddress, !rest.isEmpty {
        let count = rest.count
        let done = Retry.interrupted {
          #if canImport(Darwin)
            Darwin.write(descriptor, start, count)
          #else
            Glibc.write(descriptor, start, count)
          #endif
        }
        if done < 0 { return errno }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(done))
      }
      return 0
    }
  }

  private static func failure(_ parent: String, _ source: String, _ number: Int32) -> PictureError {
    PictureError(
      .rendererFailed, source: source,
      message: "\(source) cannot be rendered: no temporary file in \(parent) "
        + "(\(String(cString: strerror(number)))).",
      hint: "Free space there, or set TMPDIR to another folder.")
  }
}
