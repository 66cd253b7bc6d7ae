import Foundation
import Glibc

/// Where entries come from, one after another: a registry, or a log.
public protocol RecordSource {
  /// Every entry; those of one recorder by number.
  func forEachEntry(
    _ body: (RecordEntry) throws(RegistryError) -> Void
  ) throws(RegistryError)
}

/// The record as a file: JSON Lines, an entry a line, with its hash.
public struct RecordLog: RecordSource {
  /// The file's name; `-` for standard input.
  package let path: String

  /// The longest line that is read, in bytes.
  package static let maximumLineLength = 1 << 20

  /// Names a file.
  public init(path: String) { self.path = path }

  /// Reads the entries, one after another.
  ///
  /// - Throws: ``RegistryError/Code/malformedLog`` with the line;
  ///   ``RegistryError/Code/unreadableLog``; what `body` throws.
  public func forEachEntry(
    _ body: (RecordEntry) throws(RegistryError) -> Void
  ) throws(RegistryError) {
    var lines = try LogLines(path: path)
    var number = 0
    while let line = try lines.next() {
      number += 1
      if line.isEmpty { continue }
      guard let entry = RecordEntry(line: line) else {
        throw RegistryError(
          .malformedLog, "\(path), line \(number): this is no entry of a record.",
          hint: "Take a file that was exported as a log.", path: path)
      }
      try body(entry)
    }
  }
}

/// The lines of a file, read as they are wanted.
private struct LogLines: ~Copyable {
  private let path: String
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var start = 0
  private var hasEnded = false
  private var chunk = [UInt8](repeating: 0, count: 1 << 17)

  init(path: String) throws(RegistryError) {
    self.path = path
    descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadableLog(path, errno) }
  }

  deinit { if descriptor > STDIN_FILENO { close(descriptor) } }

  /// The next line without its end; `nil` behind the last.
  mutating func next() throws(RegistryError) -> ArraySlice<UInt8>? {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        return buffer[start..<end]
      }
      if hasEnded {
        defer { start = buffer.count }
        return start < buffer.count ? buffer[start...] : nil
      }
      guard buffer.count - start <= RecordLog.maximumLineLength else {
        throw RegistryError(
          .malformedLog, "\(path) holds a line of more than \(RecordLog.maximumLineLength) bytes.",
          hint: "Take a file that was exported as a log.", path: path)
      }
      buffer.removeFirst(start)
      searched = buffer.count
      start = 0
      try fill()
    }
  }

  private mutating func fill() throws(RegistryError) {
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw .unreadableLog(path, errno)
      }
      buffer += chunk[..<count]
      hasEnded = count == 0
      return
    }
  }
}

extension RegistryError {
  fileprivate static func unreadableLog(_ path: String, _ number: Int32) -> RegistryError {
    RegistryError(
      .unreadableLog,
      "\(path == "-" ? "standard input" : path) cannot be read: "
        + "\(String(cString: strerror(number))).",
      hint: "Check the name and the file's permissions.", path: path)
  }
}
