import Foundation

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

  /// The value on one line, without a line end.
  var line: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .number(let value): text += Self.text(of: (value * 1000).rounded() / 1000)
    case .exact(let value): text += Self.text(of: value)
    case .string(let value): Self.write(value, to: &text)
    case .array(let values):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += "," }
        value.write(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        Self.write(member.0, to: &text)
        text += ":"
        member.1.write(to: &text)
      }
      text += "}"
    }
  }

  /// JSON has no infinity; whole numbers print without a fraction.
  private static func text(of value: Double) -> String {
    guard value.isFinite else { return "null" }
    if value == value.rounded(), abs(value) < 1e15 { return String(Int64(value)) }
    return String(value)
  }

  private static func write(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case let control where control.value < 0x20 || control.value == 0x7F:
        let hex = String(control.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}

extension JSONValue: ExpressibleByStringLiteral {
  init(stringLiteral value: String) { self = .string(value) }
}
