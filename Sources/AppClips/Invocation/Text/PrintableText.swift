import CliptagBasics

extension String {
  /// The text with control characters, marks of writing direction and line breaks made visible, so
  /// that a payload can manipulate neither a terminal nor a drawing.
  package var printable: String {
    var text = ""
    for scalar in unicodeScalars {
      if scalar.isSteering {
        text += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// The text in quotation marks for a message: short, and without characters that could move a
  /// terminal's cursor.
  var quotedForMessage: String {
    var shown = ""
    for scalar in unicodeScalars.prefix(60) {
      if scalar.isSteering {
        shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return "“" + shown + (unicodeScalars.count > 60 ? "…" : "") + "”"
  }

  /// The text as JSON, in double quotes (RFC 8259, section 7).
  package var jsonQuoted: String {
    quoted { scalar in
      String(scalar).utf16.map { "\\u" + $0.hexadecimal(digits: 4) }.joined()
    }
  }

  /// The text in double quotes.
  ///
  /// - Parameter escape: Returns the escape of an invisible scalar.
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
  /// Whether the scalar could move a terminal's cursor, change the writing direction or break a
  /// line.
  fileprivate var isSteering: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  /// Whether the scalar is invisible or would break a line, and is written as an escape.
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

extension String {
  /// The text with repeated slashes reduced to one.
  var collapsingSlashes: String {
    var result = ""
    for character in self where character != "/" || result.last != "/" { result.append(character) }
    return result
  }
}
