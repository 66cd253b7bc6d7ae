import Foundation
package import Registry

/// A batch as a CSV file: what was asked for and what became of it, one line for each row.
///
/// It is strict RFC 4180 with a header and CRLF. The columns `url`, `label`, `place` and the file's
/// own ones come as they were, so that the report can be the file of another batch; the tag's UID
/// is in `tag` and not in `uid`, which would bind that batch to these tags.
package struct BatchReport: Sendable {
  /// The rows, in order.
  package let rows: [BatchRow]

  /// Makes a report.
  package init(_ rows: [BatchRow]) { self.rows = rows }

  private static let columns = [
    "row", "url", "label", "place", "state", "tag", "type", "sha256", "signature", "locked", "code",
    "reader", "operator", "time", "reason",
  ]

  /// The file's text.
  package var text: String {
    let captions = rows.first?.order.captions.map(\.name) ?? []
    var lines = [Self.columns + captions]
    for row in rows { lines.append(fields(of: row)) }
    return lines.map { $0.map(\.csvField).joined(separator: ",") + "\r\n" }.joined()
  }

  private func fields(of row: BatchRow) -> [String] {
    let tag = row.tag
    let facts: [String?] = [
      "\(row.number)", row.order.url, row.order.label, row.order.placeID, row.state.rawValue,
      tag?.uid, tag?.type, tag?.hash, tag?.signature, tag.map { $0.isLocked ? "yes" : "no" },
      tag?.code?.description, tag?.reader, row.who, row.changed?.registryTimestamp, row.reason,
    ]
    return facts.map { $0 ?? "" } + row.order.captions.map(\.value)
  }
}

extension String {
  /// A field of a CSV file, in quotation marks where it needs them (RFC 4180, section 2).
  var csvField: String {
    let needsQuotes = utf8.contains { byte in
      byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\n")
        || byte == UInt8(ascii: "\r")
    }
    guard needsQuotes else { return self }
    return "\"" + replacing("\"", with: "\"\"") + "\""
  }
}

extension TagBatch {
  /// Everything that is known of the batch's rows.
  package func report() throws(RegistryError) -> BatchReport {
    try registry.read { registry in
      BatchReport(try registry.batchRows(BatchRowFilter(batch: name)))
    }
  }
}
