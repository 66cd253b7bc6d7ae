import Invocation

/// Text for people: the program's words, with foreign values made harmless.
///
/// Line feeds and colours are the program's. They come from literals and from ``Style``; whatever
/// is interpolated or given as a `String` (names of files, payloads, what a registry holds,
/// sentences of libraries that quote them) stays on its line, with everything that could steer a
/// terminal written as an escape. A foreign name therefore cannot imitate a line of the program.
struct ConsoleText: Sendable {
  /// The text as it goes to the terminal.
  private(set) var rendered: String

  /// Creates a text from a foreign value, on one line.
  init(_ value: some StringProtocol) { rendered = value.printableLine }

  /// Creates a text of the program, taken literally.
  private init(own text: String) { rendered = text }

  /// The halves of a drawing that this program made: its escapes are the drawing's colours.
  static func drawing(_ text: String) -> ConsoleText { ConsoleText(own: text) }

  /// The text between the escape codes of a colour.
  func wrapped(in code: String) -> ConsoleText {
    ConsoleText(own: "\u{1B}[\(code)m\(rendered)\u{1B}[0m")
  }

  static func + (left: ConsoleText, right: ConsoleText) -> ConsoleText {
    ConsoleText(own: left.rendered + right.rendered)
  }

  static func += (left: inout ConsoleText, right: ConsoleText) { left.rendered += right.rendered }
}

extension ConsoleText: ExpressibleByStringInterpolation, CustomStringConvertible {
  var description: String { rendered }

  init(stringLiteral text: String) { rendered = text }
  init(stringInterpolation parts: Parts) { rendered = parts.text }

  /// The literals as they are, the values made harmless.
  struct Parts: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + interpolationCount * 16)
    }

    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ words: ConsoleText) { text += words.rendered }
    mutating func appendInterpolation(_ value: some StringProtocol) { text += value.printableLine }
    mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      text += value.description.printableLine
    }
    @_disfavoredOverload
    mutating func appendInterpolation<Value>(_ value: Value) {
      text += String(describing: value).printableLine
    }
  }
}

extension Sequence<ConsoleText> {
  /// The texts after one another.
  func joined(separator: ConsoleText = "") -> ConsoleText {
    var joined: ConsoleText = ""
    for (index, text) in enumerated() { joined += index == 0 ? text : separator + text }
    return joined
  }
}

extension Sequence<String> {
  /// The texts, each on a separate line.
  var asLines: ConsoleText { map { ConsoleText($0) }.joined(separator: "\n") }
}

extension StringProtocol {
  /// The text with everything that could steer a terminal written as an escape. Joiners stay, which
  /// many scripts and pictures of one character need.
  fileprivate var printableLine: String {
    // Most text is plain.
    if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return String(self) }
    var text = ""
    for scalar in unicodeScalars {
      let isJoiner = scalar == "\u{200C}" || scalar == "\u{200D}"
      if isJoiner || scalar.isASCII && scalar.value >= 0x20 && scalar.value < 0x7F {
        text.unicodeScalars.append(scalar)
      } else {
        text += String(scalar).printable
      }
    }
    return text
  }
}
