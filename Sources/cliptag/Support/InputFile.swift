import ArgumentParser
import Foundation
import Glibc

/// Reading a whole input, with the contract's answers to what can be wrong with it.
enum InputFile {
  /// The bytes of a file, or of standard input for `-`.
  ///
  /// - Parameter limit: The most bytes taken.
  /// - Throws: ``Failure``, or `CancellationError` while standard input is silent.
  static func bytes(of path: String, limit: Int) throws -> [UInt8] {
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure.unreadable(path, errno) }
    defer { if path != "-" { close(descriptor) } }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count =
        path == "-"
        ? try StandardInput.read(into: &chunk) : read(descriptor, &chunk, chunk.count)
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw Failure.unreadable(path, errno)
      }
      bytes += chunk[..<count]
      guard bytes.count <= limit else {
        throw Failure(
          "input-too-large", .malformedInput, "\(path) has more than \(limit) bytes.",
          hint: "Split it, or check that it is the right file.", source: path)
      }
    }
  }
}

extension InputFile {
  /// Checks that at most one of several inputs is standard input, which can be read only once.
  ///
  /// - Parameter inputs: What was named, and by which argument or option.
  static func checkStandardInputIsSingle(_ inputs: [(name: String, path: String?)]) throws {
    let names = inputs.filter { $0.path == "-" }.map(\.name)
    guard names.count > 1 else { return }
    throw ValidationError(
      "\(names.joined(separator: " and ")) both want standard input: name a file for one of them.")
  }
}

extension Failure {
  /// An input that cannot be read, by the system's error number.
  static func unreadable(_ path: String, _ number: Int32) -> Failure {
    let hint =
      switch number {
      case ENOENT: "Check the name; the current folder matters for relative names."
      case EISDIR: "Name the files in the folder instead."
      case EACCES: "Change the file's permissions, or run as a user who may read it."
      default: "Check the file and the disk it is on."
      }
    return Failure(
      "no-input", .noInput,
      "\(path == "-" ? "standard input" : path) cannot be read: "
        + "\(String(cString: strerror(number))).",
      hint: hint, source: path)
  }
}
