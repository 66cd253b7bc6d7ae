import Basics

extension String {
  /// The text as JSON has it, in double quotes (RFC 8259, section 7).
  package var jsonQuoted: String {
    quoted { scalar in
      String(scalar).utf16.map { "\\u" + $0.hexadecimal(digits: 4) }.joined()
    }
  }

  /// The text in double quotes.
  ///
  /// - Parameter escape: How a scalar that cannot be seen is written.
  package func quoted(_ escape: (Unicode.Scalar) -> String) -> String {
    var text = "\""
    for scalar in unicodeScalars {
      if scalar == "\"" || scalar == "\\" { text += "\\" }
      if scalar.needsEscape {
        text += escape(scalar)
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}

extension Unicode.Scalar {
  /// Whether the scalar cannot be seen or would break a line: written as an escape.
  package var needsEscape: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned,
      .surrogate:
      true
    case .spaceSeparator: self != " "
    default: false
    }
  }
}
