import Foundation

/// A man page.
struct ManualPage {
  /// Its name, for example `cliptag-tag-write`.
  let name: String
  /// The section of the manual: 1 for commands, 7 for the rest.
  let section: Int
  /// Its text in mdoc.
  let text: String

  /// Where it lies below the folder of a manual.
  var path: String { "man\(section)/\(name).\(section)" }

  /// Every page: one for each command, and the list of codes.
  static func all(of tree: CommandTree, date: String, version: String) -> [ManualPage] {
    let common = tree.commonOptions
    return tree.all().map { path, command in
      var page = CommandPage(command, path, common: common)
      return ManualPage(
        name: page.name, section: 1,
        text: head(page.name, 1, date: date, version: version) + page.text)
    } + [
      ManualPage(
        name: CodesPage.name, section: 7,
        text: head(CodesPage.name, 7, date: date, version: version) + CodesPage.text)
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
