import CliptagBasics
import Invocation
import NDEF
import TagTypes

/// The records of a tag's message, one by one.
struct TagRecords {
  private let records: [NDEFRecord]
  private let message: [UInt8]
  private let showsHexadecimal: Bool

  /// Takes the message of a tag; one that is malformed has no records.
  init(_ tag: Tag, withHexadecimal: Bool) {
    if case .message(let bytes) = tag.content { message = bytes } else { message = [] }
    records = (try? NDEFReading(message, options: .lenient))?.message.records ?? []
    showsHexadecimal = withHexadecimal
  }

  /// One object a record; the bytes are `null` unless they were asked for.
  var json: JSONValue {
    .array(
      records.map { record in
        .object([
          ("tnf", .integer(Int(record.typeNameFormat.rawValue))),
          ("type", .string(typeName(record))), ("holds", JSONValue(meaning(record))),
          ("id", JSONValue(record.identifier?.hexadecimal)),
          ("bytes", .integer(record.payload.count)),
          ("payload", JSONValue(showsHexadecimal ? record.payload.hexadecimal : nil)),
        ])
      })
  }

  /// A line for each record when there are several, and the bytes where they were asked for.
  var lines: [String] {
    var lines: [String] = []
    if records.count > 1 || showsHexadecimal {
      for (number, record) in records.enumerated() {
        let meaning = meaning(record)?.printable ?? "\(record.payload.count) bytes"
        lines.append("  record \("\(number + 1)".padding(to: 2)) \(typeName(record)): \(meaning)")
        if showsHexadecimal { lines += dump(record.payload) }
      }
    }
    if showsHexadecimal, !message.isEmpty {
      lines.append("  message   \(message.count) bytes")
      lines += dump(message)
    }
    return lines
  }

  /// Sixteen bytes a line, with their offset and what of them is ASCII.
  private func dump(_ bytes: [UInt8]) -> [String] {
    stride(from: 0, to: bytes.count, by: 16).map { start in
      let row = bytes[start..<min(start + 16, bytes.count)]
      let digits = row.map { [$0].hexadecimal }.joined(separator: " ")
      let text = String(
        decoding: row.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: ".") }, as: UTF8.self)
      let offset = [UInt8(start >> 8), UInt8(start & 0xFF)].hexadecimal
      return "            \(offset)  \(digits.padding(to: 47))  \(text)"
    }
  }

  /// The type as people name it: `U` alone for a well-known one, else with what kind of name it is.
  private func typeName(_ record: NDEFRecord) -> String {
    let name = String(decoding: record.type, as: UTF8.self).printable
    return switch record.typeNameFormat {
    case .wellKnown:
      name == "U" ? "URI" : name == "T" ? "text" : name == "Sp" ? "Smart Poster" : name
    case .empty: "empty"
    case .media, .external: name
    case .absoluteURI: "absolute URI"
    case .unknown, .unchanged, .reserved: "unknown"
    }
  }

  /// Returns the meaning of a record, if its type is known.
  private func meaning(_ record: NDEFRecord) -> String? {
    if let uri = try? URIRecord(record, options: .lenient) { return uri.uri }
    if let text = try? TextRecord(record, options: .lenient) { return text.text }
    if let poster = try? SmartPosterRecord(record, options: .lenient) { return poster.uri.uri }
    if let application = AndroidApplicationRecord(record) { return application.packageName }
    return record.typeNameFormat == .absoluteURI
      ? String(decoding: record.type, as: UTF8.self) : nil
  }
}
