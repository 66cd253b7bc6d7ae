import CliptagBasics
import CliptagPlatform
import Foundation
import TagAuthenticity

/// A JSON value whose object keys keep the order they were given in, so that a line reads the way
/// the contract prints it.
enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  /// Printed with at most three decimals: millimetres, metres and pixels need no more.
  case number(Double)
  /// Printed with every digit: degrees.
  case exact(Double)
  case string(String)
  case array([JSONValue])
  case object([(String, JSONValue)])

  /// A string, or `null` for `nil`.
  init(_ text: String?) { self = text.map(JSONValue.string) ?? .null }
  /// A whole number, or `null` for `nil`.
  init(_ integer: Int?) { self = integer.map(JSONValue.integer) ?? .null }
  /// A number, or `null` for `nil`.
  init(_ number: Double?) { self = number.map(JSONValue.number) ?? .null }
  /// A truth value, or `null` for `nil`.
  init(_ bool: Bool?) { self = bool.map(JSONValue.bool) ?? .null }

  /// The members of an object; none of any other value.
  var members: [(String, JSONValue)] {
    if case .object(let members) = self { members } else { [] }
  }

  /// The value on one line, without a line end.
  var line: String {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the value on one line, without a line end.
  func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .integer(let value): bytes += String(value).utf8
    case .number(let value): bytes += Self.text(of: (value * 1000).rounded() / 1000).utf8
    case .exact(let value): bytes += Self.text(of: value).utf8
    case .string(let value): Self.write(value, to: &bytes)
    case .array(let values):
      bytes.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes.append(jsonText: member.0, .small)
        bytes.append(UInt8(ascii: ":"))
        member.1.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// A text with the second set of control characters (U+0080 to U+009F) as escapes, too: JSON
  /// allows them, and some terminals obey them.
  private static func write(_ value: String, to bytes: inout [UInt8]) {
    let start = bytes.count
    bytes.append(jsonText: value, .small)
    guard value.utf8.contains(0xC2) else { return }
    var escaped: [UInt8] = []
    var rest = bytes[start...]
    while let byte = rest.popFirst() {
      if byte == 0xC2, let control = rest.first, control < 0xA0 {
        rest.removeFirst()
        escaped += "\\u00".utf8
        escaped.append(hexadecimalOf: control, .small)
      } else {
        escaped.append(byte)
      }
    }
    bytes.replaceSubrange(start..., with: escaped)
  }

  /// JSON has no infinity; whole numbers print without a fraction.
  private static func text(of value: Double) -> String {
    guard value.isFinite else { return "null" }
    if value == value.rounded(), abs(value) < 1e15 {
      return String(Int64(clamping: Int(bounded: value)))
    }
    return String(value)
  }
}

extension JSONValue: ExpressibleByStringLiteral {
  init(stringLiteral value: String) { self = .string(value) }
}

/// Flushes standard output to its reader, before a long operation begins.
func flushStandardOutput() {
  // `fflush(nil)` flushes every stream: `stdout` itself is a global that Swift 6 does not let in.
  fflush(nil)
}
