import Registry

extension FuzzTarget {
  /// A log of the record, line by line, and a checkpoint without its signature.
  static let record = FuzzTarget(name: "record") { bytes in
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard let entry = RecordEntry(line: line) else { continue }
      let written = entry.line
      try require(!written.contains(UInt8(ascii: "\n")), "an entry is one line")
      try require(RecordEntry(line: written) == entry, "what is written reads back")
      _ = try entry.computedHash()
    }
    guard let checkpoint = try? Checkpoint(statement: text(bytes), name: "it") else { return }
    let again = try Checkpoint(statement: checkpoint.statement, name: "it")
    try require(again == checkpoint, "a checkpoint's own words are read back")
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
