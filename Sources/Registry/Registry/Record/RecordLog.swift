import CliptagBasics
import CliptagPlatform
import Foundation

/// A source of entries: a registry, or a log.
public protocol RecordSource {
  /// Passes every entry; those of one recorder by number.
  func forEachEntry(
    _ body: (RecordEntry) throws(RegistryError) -> Void
  ) throws(RegistryError)

  /// Passes every entry, as ``forEachEntry(_:)`` does, and the last counters of copy-proof tags, in
  /// any order, if the source knows them.
  func forEachEntry(
    _ body: (RecordEntry) throws(RegistryError) -> Void,
    counter: (TagCounter) throws(RegistryError) -> Void
  ) throws(RegistryError)

  /// Returns a source of the same entries that is read without waiting: for a pipe, a private copy.
  func settled() throws(RegistryError) -> Self
}

extension RecordSource {
  /// Returns the source itself.
  public func settled() throws(RegistryError) -> Self { self }

  /// Passes every entry, for a source without counters.
  public func forEachEntry(
    _ body: (RecordEntry) throws(RegistryError) -> Void,
    counter: (TagCounter) throws(RegistryError) -> Void
  ) throws(RegistryError) {
    try forEachEntry(body)
  }
}

extension RegistryStore {
  /// Passes every entry, and every tag's last counter.
  public func forEachEntry(
    _ body: (RecordEntry) throws(RegistryError) -> Void,
    counter: (TagCounter) throws(RegistryError) -> Void
  ) throws(RegistryError) {
    try read { registry in
      try registry.forEachEntry(body)
      for one in try registry.tagCounters() { try counter(one) }
    }
  }
}

/// The record as a file: JSON Lines, one entry with its hash on each line.
///
/// Lines may have the further member `counters`: the last counters of copy-proof tags by UID, each
/// with the time in milliseconds since 1970 at which it was seen. No hash and no checkpoint covers
/// them, so a merge takes them only if everybody is trusted; entries contain the same counters.
public struct RecordLog: RecordSource {
  /// The file's name; `-` for standard input.
  package let path: String
  /// The copy of a pipe's contents.
  private let copy: Copy?

  /// A temporary file, removed with the last reference.
  private final class Copy: Sendable {
    let folder: ScratchFolder
    var path: String { folder.path + "/log" }

    init(_ folder: ScratchFolder) { self.folder = folder }
  }

  /// The number of bytes of a private copy written at once.
  private static let writtenAtOnce = 1 << 18
  /// The length of the longest readable line, in bytes.
  package static let maximumLineLength = 1 << 20

  /// Makes a log of a file, which is not read yet.
  public init(path: String) {
    self.path = path
    copy = nil
  }

  private init(_ path: String, _ copy: Copy) {
    self.path = path
    self.copy = copy
  }

  /// Returns the log itself if it is a file; otherwise a private copy, after reading the input to
  /// its end.
  ///
  /// - Throws: `RegistryError.Code.unreadableLog`, `RegistryError.Code.diskFull`.
  public func settled() throws(RegistryError) -> RecordLog {
    var facts = stat()
    let isKnown = path == "-" ? fstat(STDIN_FILENO, &facts) == 0 : stat(path, &facts) == 0
    guard copy == nil, isKnown, facts.st_mode & S_IFMT != S_IFREG else { return self }
    guard let folder = ScratchFolder() else { throw .unreadableLog(path, errno) }
    let copy = Copy(folder)
    let descriptor = open(copy.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .unreadableLog(copy.path, errno) }
    defer { close(descriptor) }
    var lines = try LogLines(path: path)
    var buffer: [UInt8] = []
    func flush() throws(RegistryError) {
      let isWritten = buffer.withUnsafeBytes {
        CliptagPlatform.write(descriptor, $0.baseAddress, $0.count) == $0.count
      }
      guard isWritten else {
        throw RegistryError(
          .diskFull, "Not enough space in \(ScratchFolder.parent) for a copy of \(path).",
          hint: "Free some space, or give a file.", path: path)
      }
      buffer.removeAll(keepingCapacity: true)
    }
    while let line = try lines.next() {
      buffer += line
      buffer.append(UInt8(ascii: "\n"))
      if buffer.count >= Self.writtenAtOnce { try flush() }
    }
    try flush()
    return RecordLog(path, copy)
  }

  /// Reads the entries, one after another.
  ///
  /// - Throws: `RegistryError.Code.malformedLog` with the line number;
  ///   `RegistryError.Code.unreadableLog`; the errors of `body`.
  public func forEachEntry(
    _ body: (RecordEntry) throws(RegistryError) -> Void
  ) throws(RegistryError) {
    try forEachEntry(body, counter: { _ in })
  }

  /// Reads the entries and the counters, one after another.
  ///
  /// - Throws: As ``forEachEntry(_:)``; the errors of `counter`.
  public func forEachEntry(
    _ body: (RecordEntry) throws(RegistryError) -> Void,
    counter: (TagCounter) throws(RegistryError) -> Void
  ) throws(RegistryError) {
    var lines = try LogLines(path: copy?.path ?? path)
    var number = 0
    while let line = try lines.next() {
      number += 1
      if line.isEmpty { continue }
      guard let object = FlatJSON.object(line), let counters = TagCounter.list(object["counters"])
      else { throw notAnEntry(number) }
      if object["type"] != .text("counters") {
        guard let entry = RecordEntry(object) else { throw notAnEntry(number) }
        try body(entry)
      }
      for one in counters { try counter(one) }
    }
  }

  private func notAnEntry(_ line: Int) -> RegistryError {
    RegistryError(
      .malformedLog, "\(path), line \(line): this is not an entry of a record.",
      hint: .sentence("\(.takeExported(.log))"), path: path)
  }
}

/// Writing.
extension RegistryStore {
  /// Passes the lines of a ``RecordLog`` of this registry, each with its line feed.
  ///
  /// The log ends with the last entries that the chains had at the beginning. It is read in pieces,
  /// and no transaction is open while `body` runs: a slow reader of the lines delays neither
  /// writers nor the removal of old row versions.
  ///
  /// Counters are on the lines of the first entries, where older versions ignore them; if there are
  /// too few entries, lines without an entry follow.
  ///
  /// - Parameters:
  ///   - count: The largest number of entries in a piece.
  ///   - body: Receives each line.
  /// - Returns: The number of entries.
  @discardableResult
  public func forEachLogLine(
    inPiecesOf count: Int = RecordLog.entriesPerPiece,
    _ body: ([UInt8]) throws(RegistryError) -> Void
  ) throws(RegistryError) -> Int {
    let (heads, all) = try read { registry throws(RegistryError) in
      (try registry.chainHeads(), try registry.tagCounters())
    }
    var counters = all[...]
    var written = 0
    func next() -> ArraySlice<TagCounter> {
      defer { counters = counters.dropFirst(RecordLog.countersPerLine) }
      return counters.prefix(RecordLog.countersPerLine)
    }
    for head in heads {
      var last = 0
      while last < head.number {
        let piece = try read { [last] registry throws(RegistryError) in
          try registry.entries(upTo: head, after: last, atMost: count, RecordLog.bytesPerPiece)
        }
        guard let end = piece.last else { break }
        last = end.number
        for entry in piece {
          var line = entry.line
          if !counters.isEmpty {
            line.removeLast()
            TagCounter.write(next(), to: &line)
          }
          line.append(UInt8(ascii: "\n"))
          try body(line)
        }
        written += piece.count
      }
    }
    while !counters.isEmpty {
      var line = Array("{\"type\":\"counters\"".utf8)
      TagCounter.write(next(), to: &line)
      line.append(UInt8(ascii: "\n"))
      try body(line)
    }
    return written
  }
}

extension RecordLog {
  /// The largest number of entries read in one transaction, and their approximate size in bytes.
  public static let entriesPerPiece = 5_000
  fileprivate static let bytesPerPiece = 8 << 20

  /// The number of counters on a line: about half of the longest line.
  fileprivate static let countersPerLine = 10_000
}

extension TagCounter {
  /// Appends the last member of a line, and the line feed.
  fileprivate static func write(_ counters: some Sequence<TagCounter>, to line: inout [UInt8]) {
    line += ",\"counters\":".utf8
    let texts = counters.map { ($0.uid, "\($0.counter) \($0.seen.millisecondsSince1970)") }
    FlatJSON.write(Dictionary(texts) { first, _ in first }, to: &line)
    line.append(UInt8(ascii: "}"))
  }

  /// Reads the member of a line; empty for a line without it, `nil` for contents that no version
  /// writes.
  fileprivate static func list(_ member: FlatJSON.Value?) -> [TagCounter]? {
    guard let member else { return [] }
    guard case .texts(let texts) = member else { return nil }
    var counters: [TagCounter] = []
    counters.reserveCapacity(texts.count)
    for (uid, text) in texts {
      let numbers = text.split(separator: " ", omittingEmptySubsequences: false)
      guard isUID(uid), numbers.count == 2, let counter = Int(numbers[0]),
        range.contains(counter), let seen = Int64(numbers[1])
      else { return nil }
      counters.append(
        TagCounter(uid: uid, counter: counter, seen: Date(millisecondsSince1970: seen)))
    }
    return counters
  }
}

/// The lines of a file, read on demand.
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

  /// Returns the next line without its line feed; `nil` after the last.
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
          .malformedLog, "\(path) has a line of more than \(RecordLog.maximumLineLength) bytes.",
          hint: .sentence("\(.takeExported(.log))"), path: path)
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
