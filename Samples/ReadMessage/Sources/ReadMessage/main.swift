import Foundation
import NDEF

/// The bytes that hexadecimal digits stand for; blanks and colons between them are skipped.
func bytes(hexadecimal text: String) -> [UInt8]? {
  let digits = text.filter { !$0.isWhitespace && $0 != ":" }.map(\.hexDigitValue)
  guard digits.count.isMultiple(of: 2) else { return nil }
  var bytes: [UInt8] = []
  for index in stride(from: 0, to: digits.count, by: 2) {
    guard let high = digits[index], let low = digits[index + 1] else { return nil }
    bytes.append(UInt8(high << 4 | low))
  }
  return bytes
}

/// What a record holds, in words.
func sentence(about record: NDEFRecord) -> String {
  if let uri = try? URIRecord(record) { return "URI \(uri.uri)" }
  if let text = try? TextRecord(record) { return "text (\(text.language)) \(text.text)" }
  if let poster = try? SmartPosterRecord(record) {
    return "Smart Poster \(poster.uri.uri) \(poster.titles.map(\.text))"
  }
  let type = String(decoding: record.type, as: UTF8.self)
  return "\(record.typeNameFormat) \(type), \(record.payload.count) bytes"
}

let arguments = CommandLine.arguments.dropFirst().joined()
let input = arguments.isEmpty ? AnyIterator { readLine() }.joined() : arguments
guard let bytes = bytes(hexadecimal: input) else {
  print("This is not hexadecimal: give pairs of digits, for example D1 01 0C 55 04 …")
  exit(65)
}

do {
  // Read what other writers leave behind, and say what was forgiven.
  var options = NDEFOptions.strict
  options.allowsTrailingBytes = true
  let reading = try NDEFReading(bytes, options: options)
  for (number, record) in reading.message.records.enumerated() {
    print("record \(number + 1): \(sentence(about: record))")
  }
  for fault in reading.forgiven { print("forgiven: \(fault)") }
  print("a phone opens: \(reading.message.firstURI(options: options)?.uri ?? "nothing")")
} catch {
  print("This is no NDEF message: \(error)")
  exit(65)
}
