import CliptagBasics
import Invocation
import Jobs

/// The records of a tag's message, one by one, for people.
struct TagRecords {
  let records: [TagRecordResult]
  let message: [UInt8]
  let showsHexadecimal: Bool

  /// A line for each record when there are several, and the bytes where they were asked for.
  var lines: [String] {
    var lines: [String] = []
    if records.count > 1 || showsHexadecimal {
      for (number, record) in records.enumerated() {
        let meaning = record.holds?.printable ?? "\(record.bytes) bytes"
        lines.append("  record \("\(number + 1)".padding(to: 2)) \(record.type): \(meaning)")
        if let payload = record.payload { lines += dump([UInt8](hexadecimal: payload.utf8) ?? []) }
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
}
