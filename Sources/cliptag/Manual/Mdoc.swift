/// A man page in the making, in the language mdoc (mdoc(7)).
///
/// Everything that is not ASCII, or that a formatter would take for something else, is escaped:
/// a page looks the same in groff and mandoc, and what is copied from it works.
struct Mdoc {
  private var lines: [String] = []

  /// The page's text.
  var text: String { lines.joined(separator: "\n") + "\n" }

  /// A line that is made of macros; arguments have to be escaped.
  mutating func macro(_ line: String) { lines.append("." + line) }

  /// Sentences, each on lines of its own, as the language wants it.
  mutating func prose(_ text: String) {
    for sentence in Self.sentences(of: text) {
      var line = ""
      for word in sentence.split(separator: " ") {
        let escaped = Self.word(String(word))
        if !line.isEmpty, line.utf8.count + 1 + escaped.utf8.count > 78 {
          lines.append(Self.begun(line))
          line = ""
        }
        line += (line.isEmpty ? "" : " ") + escaped
      }
      if !line.isEmpty { lines.append(Self.begun(line)) }
    }
  }

  /// Lines that are shown as they are.
  mutating func literal(_ shown: [String]) {
    macro("Bd -literal")
    lines += shown.map { Self.begun(Self.exact($0)) }
    macro("Ed")
  }

  /// An argument of a macro: one word for the macro, shown as it is.
  static func argument(_ text: String) -> String {
    let escaped = exact(text).replacing("\"", with: "\\(dq")
    // Two or three letters may be a macro's name, and a lone sign a delimiter.
    let begun = text.count <= 3 && !text.hasPrefix("-") ? "\\&" + escaped : escaped
    return text.isEmpty || text.contains(" ") ? "\"\(escaped)\"" : begun
  }

  /// The words of a macro that takes text, such as `Nd`.
  static func words(_ text: String) -> String {
    text.split(separator: " ").map { word in
      let escaped = Self.word(String(word)).replacing("\"", with: "\\(dq")
      return word.count <= 3 ? "\\&" + escaped : escaped
    }.joined(separator: " ")
  }

  /// Text whose every sign is shown as it is, so that it can be copied.
  static func exact(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\\": "\\e"
      case "-": "\\-"
      case "'": "\\(aq"
      case "`": "\\(ga"
      case "^": "\\(ha"
      case "~": "\\(ti"
      case _ where scalar.isASCII: String(scalar)
      default:
        "\\[u\(String(repeating: "0", count: max(0, 4 - String(scalar.value, radix: 16).count)))"
          + "\(String(scalar.value, radix: 16, uppercase: true))]"
      }
    }.joined()
  }

  /// A line of text that no formatter takes for a macro.
  private static func begun(_ line: String) -> String {
    line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
  }

  /// A word of a sentence. Apostrophes and the hyphens of words stay what they are; those of
  /// options, names and paths must be typed as they stand.
  private static func word(_ word: String) -> String {
    let core = word.drop { "(“".contains($0) }.reversed().drop { ".,;:)”?!".contains($0) }
    let isName = core.last == "-" || core.contains { "./:,_=$*{<".contains($0) }
    var isOpen = false
    // A name that is cut at the end of a line could not be copied.
    return (isName ? "\\%" : "")
      + word.map { sign in
        switch sign {
        case "-" where !isName: "-"
        case "'" where !isName: "'"
        case "`":
          {
            isOpen.toggle()
            return isOpen ? "\\(oq" : "\\(cq"
          }()
        default: exact(String(sign))
        }
      }.joined()
  }

  /// Cuts a text after each full stop that a capital letter or a sign follows.
  private static func sentences(of text: String) -> [String] {
    var sentences: [String] = [""]
    for word in text.split(separator: " ") {
      let last = sentences[sentences.count - 1]
      if let end = last.last(where: { !")”\"".contains($0) }), ".?!:".contains(end) {
        sentences.append(String(word))
      } else {
        sentences[sentences.count - 1] += (last.isEmpty ? "" : " ") + word
      }
    }
    return sentences
  }
}
