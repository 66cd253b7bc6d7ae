extension String {
  /// The text with control characters, marks that turn the direction of writing and breaks of lines
  /// made visible, so that a payload can steer neither a terminal nor a drawing.
  package var printable: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
