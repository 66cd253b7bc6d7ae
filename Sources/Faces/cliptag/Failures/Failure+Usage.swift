import CliptagBasics

extension Failure {
  /// Wrong usage, as the parser of arguments words it.
  ///
  /// - Parameters:
  ///   - message: The mistake.
  ///   - text: The parser's whole text: the mistake, the help of the argument, the usage, and the
  ///     command whose help has more.
  init(usage message: String, in text: String) {
    let lines = text.split(separator: "\n")
    let help = lines.first { $0.hasPrefix("Help:") }?.dropFirst(5)
      .split(separator: "  ", maxSplits: 1, omittingEmptySubsequences: true)
      .map { $0.drop { $0 == " " } }
    let command = text.firstMatch(of: /See '([^']+)' for more information/)?.1 ?? "cliptag --help"
    let argument = help.map { parts in
      "Give \(parts.first ?? "")" + parts.dropFirst().map { ": \($0.inSentence)" }.joined()
    }
    let sentence = message.split(whereSeparator: \.isNewline).joined(separator: " ")
    self.init(
      "usage", .usage, sentence.last.map(".?!".contains) ?? false ? sentence : sentence + ".",
      hint: [argument, "See \(command)."].compactMap(\.self).joined(separator: " "))
  }
}

extension Substring {
  /// A sentence without the capital letter of its beginning.
  fileprivate var inSentence: Substring {
    guard let first, dropFirst().first?.isLowercase == true else { return self }
    return first.lowercased() + dropFirst()
  }
}
