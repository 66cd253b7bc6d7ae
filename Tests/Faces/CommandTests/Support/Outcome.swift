import Foundation
import Subprocess

/// The outcome of a command: status, standard output, standard error.
struct Outcome: Sendable {
  /// The exit status; 128 and the signal's number for one that a signal ended.
  let status: Int32
  let outputBytes: [UInt8]
  let errors: String

  init(_ termination: TerminationStatus, output: [UInt8], errors: [UInt8]) {
    status =
      switch termination {
      case .exited(let code): code
      case .signaled(let signal): 128 + signal
      }
    outputBytes = output
    self.errors = String(decoding: errors, as: UTF8.self)
  }

  /// Returns the same outcome with the standard output that was read while the command ran.
  func printing(_ text: String) -> Outcome { Outcome(self, output: Array(text.utf8)) }

  private init(_ outcome: Outcome, output: [UInt8]) {
    (status, errors) = (outcome.status, outcome.errors)
    outputBytes = output
  }

  /// Standard output as text.
  var output: String { String(decoding: outputBytes, as: UTF8.self) }

  /// Standard output as JSON Lines; every line must be one object.
  var lines: [JSON] {
    get throws {
      try output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
        try JSON(parsing: String($0))
      }
    }
  }

  /// The objects of one type.
  func lines(_ type: String) throws -> [JSON] { try lines.filter { $0["type"] == .string(type) } }

  /// The codes of the errors reported as JSON.
  var errorCodes: [String] {
    get throws { try lines("error").compactMap { $0["code"].text } }
  }
}

/// A JSON value for the tests.
enum JSON: Decodable, Equatable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])
  /// The value of a key that is absent.
  case absent

  init(parsing text: String) throws {
    self = try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
  }

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let string = try? value.decode(String.self) {
      self = .string(string)
    } else if let array = try? value.decode([JSON].self) {
      self = .array(array)
    } else {
      self = .object(try value.decode([String: JSON].self))
    }
  }

  subscript(key: String) -> JSON {
    if case .object(let members) = self { members[key] ?? .absent } else { .absent }
  }

  subscript(index: Int) -> JSON { elements.indices.contains(index) ? elements[index] : .absent }

  /// The keys of an object, in alphabetical order.
  var keys: [String] { if case .object(let members) = self { members.keys.sorted() } else { [] } }
  /// The elements of an array.
  var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }
  /// The text of a string.
  var text: String? { if case .string(let text) = self { text } else { nil } }
  /// The value of a number.
  var number: Double? { if case .number(let number) = self { number } else { nil } }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral
{
  init(stringLiteral value: String) { self = .string(value) }
  init(integerLiteral value: Int) { self = .number(Double(value)) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
}
