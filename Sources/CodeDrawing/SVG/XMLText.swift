/// Text for the content of an element or an attribute in double quotes, in XML and in HTML: markup
/// escaped, and control characters that either forbids replaced.
package func xmlEscaped(_ text: String) -> String {
  var escaped = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    switch scalar {
    case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
    case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
    case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
    case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
    // A bare carriage return would be read back as a line feed.
    case "\r": escaped.append(contentsOf: "&#13;".unicodeScalars)
    case "\t", "\n": escaped.append(scalar)
    case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": escaped.append("\u{FFFD}")
    default: escaped.append(scalar)
    }
  }
  return String(escaped)
}
