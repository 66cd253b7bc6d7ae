import CliptagBasics
import Foundation

/// The known label stocks: a built-in table, and the glabels templates of the system.
///
/// Templates are read on demand, and only the files that may contain the name. The folders are
/// those of glabels: `libglabels-3.0/templates` under the XDG data directories, and the user's own
/// in `libglabels/templates` of the configuration directory.
public struct LabelStockLibrary: Sendable {
  /// The maximum size of a template file, in bytes.
  private static let largestFile = 1 << 24
  /// The longest name that is looked for, in bytes, and the characters that are shown of a longer one.
  private static let longestName = 400
  private static let shownName = 80
  /// The longest text that a list is searched for, in bytes.
  private static let longestText = 4000

  /// The folders with template files; the first that contains a name is used.
  public let folders: [String]

  /// Makes a library.
  ///
  /// - Parameter folders: Folders with glabels template files.
  public init(folders: [String]) { self.folders = folders }

  /// Makes the library of the system.
  ///
  /// - Parameter environment: Variables, for `XDG_DATA_HOME`, `XDG_DATA_DIRS`, `XDG_CONFIG_HOME`
  ///   and `HOME`; `nil` for those of the process. Relative paths in them are ignored.
  public init(environment: [String: String]? = nil) {
    let user = UserFolders(environment)
    folders =
      [user.configuration + "/libglabels/templates"]
      + ([user.data] + user.system).map { $0 + "/libglabels-3.0/templates" }
  }

  /// Finds a stock.
  ///
  /// - Parameter name: Part, or maker and part, in any case: `L7163`, `avery l7163`; also as on the
  ///   box, with the number of sheets: `Avery Zweckform L4731REV-25`; or a custom stock in the format
  ///   of ``LabelStock/init(custom:)``.
  /// - Throws: ``CodeDrawingError``: `unknown-stock` with similar names, `ambiguous-stock` with the
  ///   matching names, `malformed-stock` with file and line, or `invalid-stock` with numbers.
  public func stock(named name: String) throws(CodeDrawingError) -> LabelStock {
    guard name.utf8.count <= Self.longestName else {
      throw try unknown(String(name.prefix(Self.shownName)) + "…")
    }
    if LabelStock.isCustom(name) { return try LabelStock(custom: name) }
    for reading in BoxName(name).readings {
      if let own = LabelStock.own.first(where: { $0.answers(to: reading.name) }) { return own }
      let found = try stocks(named: reading).filter { !reading.isOnA4 || $0.paper == .a4 }
      guard let stock = found.first else { continue }
      guard found.count == 1 else { throw .ambiguousStock(name, found.map(\.name)) }
      try stock.check()
      return stock
    }
    throw try unknown(name)
  }

  /// The stocks of templates with a name.
  private func stocks(named wanted: BoxName.Reading) throws(CodeDrawingError) -> [LabelStock] {
    var found: [LabelStock] = []
    for folder in folders {
      let files = try files(in: folder) { $0.mayName(wanted.spelling) }
      for file in files {
        for entry in file.entries where Self.answers(entry, to: wanted.name) {
          let stock = try Self.resolve(entry, in: file)
          if !found.contains(where: { $0.name.stockName == stock.name.stockName }) {
            found.append(stock)
          }
        }
      }
    }
    return found
  }

  /// One known stock, for lists.
  public struct Listing: Sendable {
    /// The brand and part.
    public let name: String
    /// The stock; `nil` if it cannot be printed on.
    public let stock: LabelStock?
    /// The reason why it cannot be printed on.
    public let problem: CodeDrawingError?
  }

  /// All stocks whose name or description contains a text, by name; all of them for an empty text.
  ///
  /// - Throws: ``CodeDrawingError`` with code `malformed-stock` if a file is not XML.
  public func listing(matching text: String = "") throws(CodeDrawingError) -> [Listing] {
    var listings = LabelStock.own.map { Listing(name: $0.name, stock: $0, problem: nil) }
    for folder in folders {
      for file in try files(in: folder, where: { _ in true }) {
        for entry in file.entries { listings.append(Self.listing(entry, in: file)) }
      }
    }
    // No stock has a longer name and description.
    guard text.utf8.count <= Self.longestText else { return [] }
    let words = text.lowercased().split(separator: " ")
    var names: Set<String> = []
    return listings.filter { listing in
      let text = "\(listing.name) \(listing.stock?.summary ?? "")".lowercased()
      return words.allSatisfy { text.contains($0) }
        && names.insert(listing.name.stockName).inserted
    }.sorted { $0.name.localizedStandardCompare($1.name) == .orderedAscending }
  }

  private static func listing(_ entry: TemplateFile.Entry, in file: TemplateFile) -> Listing {
    do {
      let stock = try resolve(entry, in: file)
      try stock.check()
      return Listing(name: stock.name, stock: stock, problem: nil)
    } catch {
      return Listing(name: entry.name, stock: nil, problem: error)
    }
  }

  private static func answers(_ entry: TemplateFile.Entry, to wanted: String) -> Bool {
    entry.part.stockName == wanted || entry.name.stockName == wanted
  }

  /// Follows aliases to the stock, which keeps the requested name.
  private static func resolve(
    _ entry: TemplateFile.Entry, in file: TemplateFile
  ) throws(CodeDrawingError) -> LabelStock {
    var current = entry
    // glabels does not document aliases of aliases, but its files contain a few.
    for _ in 0..<4 {
      switch current.content {
      case .stock(let stock):
        return LabelStock(
          brand: entry.brand, part: entry.part, summary: stock.summary, paper: stock.paper,
          shape: stock.shape, grids: stock.grids, source: stock.source)
      case .mistake(let error): throw error
      case .alias(let part):
        guard
          let other = file.entries.first(where: { $0.brand == entry.brand && $0.part == part })
        else {
          throw .malformedStock(
            file.path, line: entry.line,
            "\(entry.name) refers to \(part), which the file does not contain")
        }
        current = other
      }
    }
    throw .malformedStock(file.path, line: entry.line, "\(entry.name) refers to itself in a cycle")
  }

  /// The template files of a folder whose bytes pass a test; empty if there is no folder.
  private func files(
    in folder: String, where mayMatter: ([UInt8]) -> Bool
  ) throws(CodeDrawingError) -> [TemplateFile] {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      return []
    }
    var papers: [String: LabelStock.Paper]?
    var files: [TemplateFile] = []
    for name in names.sorted()
    where name.hasSuffix("-templates.xml") || name.hasSuffix(".template") {
      guard let bytes = try Self.bytes(of: "\(folder)/\(name)"), mayMatter(bytes) else { continue }
      // Written out: the compiler loses the type of the error after ??.
      let known: [String: LabelStock.Paper]
      if let papers { known = papers } else { known = try paperSizes(beside: folder) }
      papers = known
      files.append(try TemplateFile(bytes, path: "\(folder)/\(name)", papers: known))
    }
    return files
  }

  /// The paper sizes of a folder; a user's own templates use those of the system.
  private func paperSizes(
    beside folder: String
  ) throws(CodeDrawingError) -> [String: LabelStock.Paper] {
    for folder in [folder] + folders {
      let path = folder + "/paper-sizes.xml"
      guard let bytes = try Self.bytes(of: path) else { continue }
      return try TemplateFile.papers(bytes, path: path)
    }
    return ["A4": .a4, "US-Letter": .letter]
  }

  private static func bytes(of path: String) throws(CodeDrawingError) -> [UInt8]? {
    let bytes: [UInt8]?
    do {
      bytes = try PlainFile.bytes(of: path, limit: largestFile)
    } catch {
      throw .unreadableStock(path, error.reason)
    }
    guard bytes?.count ?? 0 <= largestFile else {
      throw .unreadableStock(path, "it has more than \(largestFile) bytes")
    }
    return bytes
  }

  private func unknown(_ name: String) throws(CodeDrawingError) -> CodeDrawingError {
    let names = try listing().map(\.name)
    return .unknownStock(
      name, near: StockNames.near(name, among: names),
      anyTemplates: names.count > LabelStock.own.count)
  }
}

extension LabelStock {
  fileprivate func answers(to wanted: String) -> Bool {
    part.stockName == wanted || name.stockName == wanted
  }
}

/// The comparison of names of label stock: spaces and hyphens are often omitted.
private enum StockNames {
  /// The names that a mistyped one may mean, the nearest first.
  ///
  /// - Parameter count: The maximum number of names.
  static func near(_ name: String, among names: [String], count: Int = 5) -> [String] {
    let wanted = name.stockName
    let scored = names.map { candidate in
      // The maker may be left out.
      let part = candidate.split(separator: " ").last.map(String.init) ?? candidate
      return (
        candidate,
        min(wanted.changes(to: candidate.stockName), wanted.changes(to: part.stockName))
      )
    }
    let most = wanted.count < 4 ? 1 : 2
    let near = scored.filter { $0.1 <= most }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map(\.0)
    // The maker, or letters around the number, may be others.
    let number = name.longestNumber.flatMap { $0.count >= 4 ? $0 : nil }
    let alike = number.map { number in
      names.filter { $0.longestNumber == number && !near.contains($0) }.sorted()
    }
    return Array((near + (alike ?? [])).prefix(count))
  }
}

extension [UInt8] {
  /// Whether a template file may contain a stock of this name: it contains the longest run of
  /// digits.
  ///
  /// Letters, spaces and hyphens may be written differently; digits cannot.
  fileprivate func mayName(_ wanted: String) -> Bool {
    guard let digits = wanted.longestNumber else { return true }
    let pattern = Array(String(digits).utf8)
    guard count >= pattern.count else { return false }
    return withUnsafeBufferPointer { bytes in
      (0...(bytes.count - pattern.count)).contains { start in
        bytes[start] == pattern[0]
          && pattern.indices.allSatisfy { bytes[start + $0] == pattern[$0] }
      }
    }
  }
}

extension LabelStock {
  /// Stocks that are missing from the system's templates.
  ///
  /// Only dies are included whose margins and pitches
  /// add up to the whole sheet, and on which two independent sources agree, or one was measured on
  /// the maker's template, or which LibreOffice's table has to a tenth of a millimetre. Not included
  /// for lack of such sources: Avery L7120, L7121 and L7125.
  package static let own: [LabelStock] = [
    square(
      "22805", inches: 1.5, columns: 4, rows: 6, left: 0.78125, top: 0.5, across: 1.8125,
      down: 1.7, "published by users who printed on it; two independent measurements agree"),
    square(
      "22806", inches: 2, columns: 3, rows: 4, left: 0.625, top: 0.625, across: 2.625,
      down: 31 / 12.0, sameDie),
    square(
      "22816", inches: 2, columns: 3, rows: 4, left: 0.625, top: 0.625, across: 2.625,
      down: 31 / 12.0, sameDie),
    square(
      "64510", inches: 2, columns: 3, rows: 4, left: 0.625, top: 0.625, across: 2.625,
      down: 31 / 12.0, sameDie),
    square(
      "94107", inches: 2, columns: 3, rows: 4, left: 0.625, top: 0.625, across: 2.625,
      down: 31 / 12.0, "Avery's specification of Presta 94107: margins of 0.625 inch all around"),
    square(
      "94103", inches: 1, columns: 6, rows: 8, left: 0.625, top: 0.625, across: 1.25,
      down: 1.25, "Avery's specification of Presta 94103: margins of 0.625 inch all around"),
    square(
      "94102", inches: 0.75, columns: 8, rows: 10, left: 0.375, top: 0.625, across: 1,
      down: 1, "measured on Avery's PDF template of Presta 94102"),
    LabelStock(
      brand: "Avery", part: "22807", summary: "Round labels, 2\"", paper: .letter,
      shape: .round(diameter: 2 * 25.4),
      grids: [
        Grid(
          columns: 3, rows: 4, left: 0.625 * 25.4, top: 0.625 * 25.4, pitchX: 2.625 * 25.4,
          pitchY: 31 / 12.0 * 25.4)
      ], source: "the round labels on the grid of Presta 94107, as users print them"),
    small(
      "Avery", "L4731", width: 25.4, height: 10, columns: 7, rows: 27, left: 8.48, top: 13.5,
      across: 27.94, down: 10, "LibreOffice's table of labels, and users who print on it"),
    small(
      "Avery", "L4736", width: 45.72, height: 21.167, columns: 4, rows: 12, left: 9.75, top: 21.5,
      across: 48.26, down: 21.167,
      "LibreOffice's table of labels; the die of Herma 4346, which users print on"),
    small("Herma", "4345", fiveAcross),
    small("Herma", "10003", fiveAcross),
    small(
      "Herma", "4200", width: 48.3, height: 33.87, columns: 4, rows: 8, left: 8.4, top: 13.02,
      across: 48.3, down: 33.87, "LibreOffice's table of labels"),
  ]

  /// Labels of 35.6 × 16.9 mm, 80 on a sheet.
  private static let fiveAcross = small(
    "", "", width: 35.56, height: 16.93, columns: 5, rows: 16, left: 11.02, top: 13.06,
    across: 38.1, down: 16.93, "LibreOffice's table of labels, and users who print on it")

  private static func small(_ brand: String, _ part: String, _ stock: LabelStock) -> LabelStock {
    LabelStock(
      brand: brand, part: part, summary: stock.summary, paper: stock.paper, shape: stock.shape,
      grids: stock.grids, source: stock.source)
  }

  private static func small(
    _ brand: String, _ part: String, width: Double, height: Double, columns: Int, rows: Int,
    left: Double, top: Double, across: Double, down: Double, _ source: String
  ) -> LabelStock {
    LabelStock(
      brand: brand, part: part, summary: "Small labels, \(columns * rows) on a sheet", paper: .a4,
      shape: .rectangle(width: width, height: height, cornerRadius: 1),
      grids: [
        Grid(columns: columns, rows: rows, left: left, top: top, pitchX: across, pitchY: down)
      ], source: source)
  }

  private static let sameDie = "the die of Presta 94107, to Avery's specification"

  private static func square(
    _ part: String, inches: Double, columns: Int, rows: Int, left: Double, top: Double,
    across: Double, down: Double, _ source: String
  ) -> LabelStock {
    let inch = 25.4
    // Avery's square labels have corners of 1/16 inch.
    return LabelStock(
      brand: "Avery", part: part, summary: "Square labels, \(inches.shortly)\"", paper: .letter,
      shape: .rectangle(width: inches * inch, height: inches * inch, cornerRadius: inch / 16),
      grids: [
        Grid(
          columns: columns, rows: rows, left: left * inch, top: top * inch, pitchX: across * inch,
          pitchY: down * inch)
      ], source: source)
  }
}
