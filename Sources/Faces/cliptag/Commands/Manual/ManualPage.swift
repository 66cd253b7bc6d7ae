import CliptagBasics
import Foundation

/// A man page.
struct ManualPage {
  /// Its name, for example `cliptag-tag-write`.
  let name: String
  /// The section of the manual: 1 for commands, 5 for files, 7 for the rest.
  let section: Int
  /// Its text in mdoc.
  let text: String

  /// The path below the folder of a manual.
  var path: String { "man\(section)/\(name).\(section)" }

  /// Every page: one for each command, the format of registry files, and the list of codes.
  static func all(of tree: CommandTree, date: String, version: String) -> [ManualPage] {
    let common = tree.commonOptions
    return tree.all().map { path, command in
      var page = CommandPage(command, path, common: common)
      return ManualPage(
        name: page.name, section: 1,
        text: head(page.name, 1, date: date, version: version) + page.text)
    } + [
      ManualPage(
        name: KeysPage.name, section: 5,
        text: head(KeysPage.name, 5, date: date, version: version) + KeysPage.text),
      ManualPage(
        name: CodesPage.name, section: 7,
        text: head(CodesPage.name, 7, date: date, version: version) + CodesPage.text),
    ]
  }

  private static func head(_ name: String, _ section: Int, date: String, version: String) -> String
  {
    var page = Mdoc()
    page.macro("Dd \(date)")
    page.macro("Dt \(Mdoc.argument(name.uppercased())) \(section)")
    page.macro("Os cliptag \(version)")
    return page.text
  }

  /// A day as man pages write it, in Coordinated Universal Time: `November 22, 2026`.
  static func date(_ seconds: Int) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let day = calendar.dateComponents(
      [.year, .month, .day], from: Date(timeIntervalSince1970: Double(seconds)))
    let months = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September",
      "October", "November", "December",
    ]
    guard let year = day.year, let month = day.month, let number = day.day else { return "" }
    return "\(months[month - 1]) \(number), \(year)"
  }
}

extension Mdoc {
  /// A macro for each of several words: `a, b and c.`
  mutating func macros(_ name: String, _ words: [String], and: String = "and", end: String = " .") {
    for (index, word) in words.enumerated() {
      switch words.count - index {
      case 1: macro("\(name) \(word)\(end)")
      case 2 where and != ",":
        macro("\(name) \(word)")
        prose(and)
      default: macro("\(name) \(word) ,")
      }
    }
  }

  /// A list of names with what each means.
  mutating func list(_ items: [(head: String, text: String)]) {
    macro("Bl -tag -width Ds")
    for item in items {
      macro("It " + item.head)
      prose(item.text)
    }
    macro("El")
  }
}

/// A man page in the making, in the language mdoc (mdoc(7)).
///
/// Everything that is not ASCII, or that a formatter would take for something else, is escaped: a
/// page looks the same in groff and mandoc, and text copied from it works.
struct Mdoc {
  private var lines: [String] = []

  /// The page's text.
  var text: String { lines.joined(separator: "\n") + "\n" }

  /// A line that is made of macros; arguments have to be escaped.
  mutating func macro(_ line: String) { lines.append("." + line) }

  /// Writes sentences, each on separate lines, as the language requires.
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

  /// Returns an argument of a macro: one word for the macro, shown literally.
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

  /// Returns text whose characters are all shown literally, so that it can be copied.
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
      default: "\\[u\(scalar.value.hexadecimal(digits: 4))]"
      }
    }.joined()
  }

  /// A line of text that no formatter takes for a macro.
  private static func begun(_ line: String) -> String {
    line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
  }

  /// Returns a word of a sentence. Apostrophes and the hyphens of words remain; those of options,
  /// names and paths must be typed literally.
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
