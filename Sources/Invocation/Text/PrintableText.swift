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
  /// The sentence ` Did you mean “title”?` if one of the known words is similar, otherwise empty.
  package func suggestion(among known: [String]) -> String {
    nearest(among: known).map { " Did you mean “\($0)”?" } ?? ""
  }

  /// The known word that this one was probably meant to be, ignoring case.
  package func nearest(among known: [String]) -> String? {
    known.sorted().map { ($0, lowercased().distance(to: $0.lowercased())) }
      .filter { $0.1 <= max(1, $0.0.count / 4) }
      .min { $0.1 < $1.1 }?.0
  }

  /// Whether one character was inserted, deleted or replaced, or two neighbours were exchanged.
  package func isOneEdit(from other: String) -> Bool {
    if distance(to: other) == 1 { return true }
    let pairs = Array(zip(utf8, other.utf8)).filter { $0 != $1 }
    return utf8.count == other.utf8.count && pairs.count == 2 && pairs[0].0 == pairs[1].1
      && pairs[0].1 == pairs[1].0
  }

  /// The text with repeated slashes reduced to one.
  var collapsingSlashes: String {
    var result = ""
    for character in self where character != "/" || result.last != "/" { result.append(character) }
    return result
  }

  /// The number of characters to insert, delete or replace to turn this text into another
  /// (Levenshtein). Long texts are not compared and count as far apart.
  private func distance(to other: String) -> Int {
    let from = Array(self)
    let to = Array(other)
    guard from.count <= 40, to.count <= 40 else { return .max }
    var row = Array(0...to.count)
    for (i, character) in from.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for j in to.indices {
        let above = row[j + 1]
        row[j + 1] = Swift.min(
          above + 1, row[j] + 1, diagonal + (character == to[j] ? 0 : 1))
        diagonal = above
      }
    }
    return row[to.count]
  }
}
