import Issuing

/// The `table-text` object of the interface: a file of rows that was sent, as text.
package struct TableTextResult: Encodable {
  /// The type of the object.
  let type = "table-text"
  /// The text; the letters of a damaged file are replaced.
  let text: String
  /// The encoding that was recognised, in a sentence; `nil` for UTF-8.
  let note: String?

  /// Reads a file as the command does.
  package init(_ bytes: [UInt8]) {
    let read = try? TableText(bytes)
    text = String(decoding: read?.bytes ?? bytes, as: UTF8.self)
    note = read?.note?.sentence
  }
}
