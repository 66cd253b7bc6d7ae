extension PathTemplateError.Code {
  /// Every code with what it means, in one sentence, in the order of the documentation.
  package static let meanings: [(code: Self, text: String)] = [
    (.noLeadingSlash, "The path template does not begin with a slash."),
    (.emptySegment, "In the path template two slashes stand together, or one at the end."),
    (.unbalancedBraces, "In the path template a brace opens or closes alone."),
    (
      .badVariableName,
      "A variable of the path template has no name, or one of more than letters, digits and `_`."
    ),
    (.severalVariables, "A segment of the path template holds two variables."),
    (.repeatedVariable, "A variable stands in the path template twice."),
    (.illegalCharacter, "The path template holds a character that a path cannot hold."),
  ]
}
