import CliptagBasics
import ArgumentParser
import CliptagPlatform
import Foundation
import TagAuthenticity

/// Reading a whole input, with the contract's failures.
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
      guard bytes.count <= limit else { throw Failure.tooLarge(path, limit) }
    }
  }
}

extension InputFile {
  /// The public key in a file.
  static func publicKey(_ path: String) throws -> Ed25519PublicKey {
    let bytes = try bytes(of: path, limit: Ed25519PrivateKey.maximumByteCount)
    guard let key = Ed25519PublicKey(pem: bytes) else {
      throw Failure(
        "unusable-key", .badSetting,
        "\(path) is not a public key for Ed25519 (SubjectPublicKeyInfo in PEM).",
        hint: "Give the file with the extension .pub.", source: path)
    }
    return key
  }

  /// The private key in a file that only its owner may read.
  static func privateKey(_ path: String) throws -> Ed25519PrivateKey {
    let bytes = try bytes(of: path, limit: Ed25519PrivateKey.maximumByteCount)
    guard let key = Ed25519PrivateKey(pem: bytes) else {
      throw Failure(
        "unusable-key", .badSetting,
        "\(path) is not an unencrypted private key for Ed25519 (PKCS #8 in PEM).",
        hint: "Make one with cliptag code checkpoint --make-key FILE.", source: path)
    }
    try refuseOpenSecret(path)
    return key
  }

  /// Refuses a file with a secret that others than its owner may read or change.
  ///
  /// Who may read a file of another user, such as a container's secret, is that user's
  /// responsibility, as in OpenSSH. Pipes and standard input pass.
  static func refuseOpenSecret(_ path: String) throws {
    var facts = stat()
    guard path != "-", stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
      facts.st_mode & (facts.st_uid == geteuid() ? S_IRWXG | S_IRWXO : S_IWGRP | S_IWOTH) != 0
    else { return }
    throw Failure(
      "open-secret", .badSetting,
      "The secret file \(path) is accessible to users other than its owner.",
      hint: "Restrict it with chmod 600 \(path); if others had access, change the secret too.",
      source: path)
  }

  /// Checks that at most one of several inputs is standard input, which can be read only once.
  ///
  /// - Parameter inputs: The named inputs, and their arguments or options.
  static func checkStandardInputIsSingle(_ inputs: [(name: String, path: String?)]) throws {
    let names = inputs.filter { $0.path == "-" }.map(\.name)
    guard names.count > 1 else { return }
    throw ValidationError(
      "\(names.joined(separator: " and ")) both use standard input: give a file for one of them.")
  }
}

extension Failure {
  /// An input with more bytes than are taken.
  static func tooLarge(_ path: String, _ limit: Int) -> Failure {
    Failure(
      "input-too-large", .malformedInput, "\(path) has more than \(limit) bytes.",
      hint: "Split it, or check that it is the right file.", source: path)
  }

  /// An input that cannot be read, by the system's error number.
  static func unreadable(_ path: String, _ number: Int32) -> Failure {
    let hint =
      switch number {
      case ENOENT: "Check the name; the current folder matters for relative names."
      case EISDIR: "Give the files in the folder instead."
      case EACCES: "Change the file's permissions, or run as a user with read permission."
      case ENOTDIR, ELOOP, ENXIO: "Check the path: it must lead through folders to a file."
      default: "Check the file and the disk it is on."
      }
    return Failure(
      "no-input", .noInput,
      "\(path == "-" ? "standard input" : path) cannot be read: "
        + "\(PlainFile.Trouble.reason(number)).",
      hint: hint, source: path)
  }
}

/// The lines of standard input, read as they come so that a pipe can be answered line by line.
struct InputLines {
  /// The longest line taken, in bytes; a longer one is cut there, which no acceptable payload
  /// survives.
  private static let longest = 1 << 20

  private var buffer: [UInt8] = []
  private var start = 0
  private var ended = false
  private var chunk = [UInt8](repeating: 0, count: 1 << 16)

  /// The next line without its line end, as bytes; `nil` at the end.
  ///
  /// - Parameters:
  ///   - beforeReading: Called when no whole line is left, before more is waited for.
  ///   - afterReading: Called when more has come.
  /// - Throws: The errors of ``StandardInput/read(into:)``, and of the two functions.
  mutating func next(
    beforeReading: () throws -> Void = {}, afterReading: () throws -> Void = {}
  ) throws -> [UInt8]? {
    while true {
      if let end = buffer[start...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        return Self.withoutReturn(buffer[start..<end])
      }
      if ended || buffer.count - start > Self.longest {
        defer { start = buffer.count }
        return start < buffer.count ? Self.withoutReturn(buffer[start...]) : nil
      }
      buffer.removeFirst(start)
      start = 0
      try beforeReading()
      let count = try StandardInput.read(into: &chunk)
      buffer += chunk[..<count]
      ended = count == 0
      try afterReading()
    }
  }

  private static func withoutReturn(_ line: ArraySlice<UInt8>) -> [UInt8] {
    Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
  }
}

/// Standard input, read so that Ctrl-C is noticed while nothing comes.
enum StandardInput {
  /// The interval at which a waiting read checks for cancellation, in milliseconds.
  private static let interval: Int32 = 50

  /// Reads what is there, at most as much as `buffer` takes.
  ///
  /// - Returns: The number of bytes; 0 at the end.
  /// - Throws: `CancellationError`, or ``Failure`` when standard input cannot be read.
  static func read(into buffer: inout [UInt8]) throws -> Int {
    while true {
      try Task.checkCancellation()
      var waiting = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, interval) != 0 else { continue }
      let count = CliptagPlatform.read(STDIN_FILENO, &buffer, buffer.count)
      if count >= 0 { return count }
      if errno != EINTR, errno != EAGAIN { throw Failure.unreadable("-", errno) }
    }
  }
}
