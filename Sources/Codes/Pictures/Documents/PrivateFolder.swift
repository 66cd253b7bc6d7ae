import CliptagBasics

import CliptagPlatform

/// A folder that only this user may enter, with one file in it; removed with its contents when the
/// last reference is released.
///
/// A child process reads the document from it: renderers need to seek, which a pipe does not
/// support. It is also the child's home, where a killed child leaves its scratch files.
package final class PrivateFolder: Sendable {
  /// The folder's path.
  var path: String { folder.path }
  /// The path of the file.
  package let file: String
  private let folder: ScratchFolder

  /// Creates the folder in `$TMPDIR`, else `/tmp`, and writes the file.
  package init(holding bytes: [UInt8], fileName: String, source: String) throws(PictureError) {
    guard let folder = ScratchFolder() else { throw Self.failure(source, errno) }
    self.folder = folder
    file = "\(folder.path)/\(fileName)"
    let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure(source, errno) }
    let number = Self.write(bytes, to: descriptor)
    close(descriptor)
    guard number == 0 else { throw Self.failure(source, number) }
  }

  /// Writes all bytes; returns `errno`, or 0.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    bytes.withUnsafeBytes { buffer in
      var rest = UnsafeRawBufferPointer(buffer)
      while let start = rest.baseAddress, !rest.isEmpty {
        let count = rest.count
        let done = Retry.interrupted {
          CliptagPlatform.write(descriptor, start, count)
        }
        if done < 0 { return errno }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(done))
      }
      return 0
    }
  }

  private static func failure(_ source: String, _ number: Int32) -> PictureError {
    PictureError(
      .rendererFailed, source: source,
      message: "\(source) cannot be rendered: no temporary file in \(ScratchFolder.parent) "
        + "(\(String(cString: strerror(number)))).",
      hint: "Free space there, or set TMPDIR to another folder.")
  }
}
