import NDEF

extension FuzzTarget {
  /// NDEF messages: strict and lenient reading, and every view on every record.
  static let ndef = FuzzTarget(name: "ndef") { bytes in
    let strict = try? NDEFReading(bytes)
    let lenient = try? NDEFReading(bytes, options: .lenient)
    if let strict {
      try require(strict.forgiven.isEmpty, "a strict reading forgives nothing")
      try require(lenient?.message == strict.message, "lenient reads what strict reads")
      // Chunks are joined, so only what is written has to be stable.
      let written = strict.message.bytes
      try require(
        (try? NDEFReading(written))?.message == strict.message, "what is written reads back")
      if written.count == bytes.count { try require(written == bytes, "bytes round-trip") }
    }
    for record in lenient?.message.records ?? [] { try feedViews(of: record) }
  }

  private static func feedViews(of record: NDEFRecord) throws {
    for options in [NDEFOptions.strict, .lenient] {
      if let uri = try? URIRecord(record, options: options) {
        try require(NDEFMessage(uri: uri.uri).firstURI()?.uri == uri.uri, "a URI round-trips")
      }
      _ = try? TextRecord(record, options: options)
      _ = try? SmartPosterRecord(record, options: options)
    }
  }
}
