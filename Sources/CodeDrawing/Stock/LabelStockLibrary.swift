import Foundation

/// The label stocks that are known: a table of our own, and the glabels templates of the system.
///
/// Templates are read when they are asked for, and only the files that can hold the name. The
/// folders are those of glabels: `libglabels-3.0/templates` under the XDG data directories, and the
/// user's own in `libglabels/templates` of the configuration directory.
public struct LabelStockLibrary: Sendable {
  /// The largest template file that is read, in bytes.
  private static let largestFile = 1 << 24

  /// The folders with template files; the first that has a name wins.
  public let folders: [String]

  /// Makes a library.
  ///
  /// - Parameter folders: Folders with glabels template files.
  public init(folders: [String]) { self.folders = folders }

  /// The library of the system.
  ///
  /// - Parameter environment: Variables, for `XDG_DATA_HOME`, `XDG_DATA_DIRS`, `XDG_CONFIG_HOME` and
  ///   `HOME`; `nil` for those of the process.
  public init(environment: [String: String]? = nil) {
    let environment = environment ?? ProcessInfo.processInfo.environment
    func variable(_ name: String) -> String? {
      environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
    let home = variable("HOME") ?? "."
    let system = (variable("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share").split(separator: ":")
    folders =
      [(variable("XDG_CONFIG_HOME") ?? home + "/.config") + "/libglabels/templates"]
      + ([variable("XDG_DATA_HOME") ?? home + "/.local/share"] + system.map(String.init))
      .map { $0 + "/libglabels-3.0/templates" }
  }

  /// Finds a stock.
  ///
  /// - Parameter name: Part, or maker and part, in any case: `L7163`, `avery l7163`; or a custom
  ///   stock as ``LabelStock/init(custom:)`` takes it.
  /// - Throws: ``CodeDrawingError``: `unknown-stock` with names that are near, `ambiguous-stock` with
  ///   the names there are, `malformed-stock` with file and line, or `invalid-stock` with numbers.
  public func stock(named name: String) throws(CodeDrawingError) -> LabelStock {
    if LabelStock.isCustom(name) { return try LabelStock(custom: name) }
    let wanted = name.stockName
    if let own = LabelStock.own.first(where: { $0.answers(to: wanted) }) { return own }
    var found: [LabelStock] = []
    for folder in folders {
      let files = try files(in: folder) { $0.mayName(wanted) }
      for file in files {
        for entry in file.entries where Self.answers(entry, to: wanted) {
          let stock = try Self.resolve(entry, in: file)
          if !found.contains(where: { $0.name.stockName == stock.name.stockName }) {
            found.append(stock)
          }
        }
      }
    }
    guard let stock = found.first else { throw try unknown(name) }
    guard found.count == 1 else { throw .ambiguousStock(name, found.map(\.name)) }
    try stock.check()
    return stock
  }

  /// One known stock, for lists.
  public struct Listing: Sendable {
    /// Brand and part.
    public let name: String
    /// The stock; `nil` when it cannot be printed on.
    public let stock: LabelStock?
    /// Why it cannot be printed on.
    public let problem: CodeDrawingError?
  }

  /// All stocks whose name or description holds a text, by name; all of them for an empty one.
  ///
  /// - Throws: ``CodeDrawingError`` with code `malformed-stock` when a file is no XML.
  public func listing(matching text: String = "") throws(CodeDrawingError) -> [Listing] {
    var listings = LabelStock.own.map { Listing(name: $0.name, stock: $0, problem: nil) }
    for folder in folders {
      for file in try files(in: folder, where: { _ in true }) {
        for entry in file.entries { listings.append(Self.listing(entry, in: file)) }
      }
    }
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

  /// Follows other names to the stock, which keeps the name it was asked for by.
  private static func resolve(
    _ entry: TemplateFile.Entry, in file: TemplateFile
  ) throws(CodeDrawingError) -> LabelStock {
    var current = entry
    // glabels knows no names for names, but its files hold a few.
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
            "\(entry.name) is to be like \(part), which the file does not have")
        }
        current = other
      }
    }
    throw .malformedStock(file.path, line: entry.line, "\(entry.name) is named in a circle")
  }

  /// The template files of a folder whose bytes pass a look; none where there is no folder.
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
      let bytes = try Self.bytes(of: "\(folder)/\(name)")
      guard mayMatter(bytes) else { continue }
      // Spelled out: the compiler loses the type of the error behind ??.
      let known: [String: LabelStock.Paper]
      if let papers { known = papers } else { known = try paperSizes(beside: folder) }
      papers = known
      files.append(try TemplateFile(bytes, path: "\(folder)/\(name)", papers: known))
    }
    return files
  }

  /// The paper sizes of a folder; a user's own templates go by those of the system.
  private func paperSizes(
    beside folder: String
  ) throws(CodeDrawingError) -> [String: LabelStock.Paper] {
    for folder in [folder] + folders {
      let path = folder + "/paper-sizes.xml"
      guard FileManager.default.fileExists(atPath: path) else { continue }
      return try TemplateFile.papers(try Self.bytes(of: path), path: path)
    }
    return ["A4": .a4, "US-Letter": .letter]
  }

  private static func bytes(of path: String) throws(CodeDrawingError) -> [UInt8] {
    do {
      guard let file = FileHandle(forReadingAtPath: path) else {
        throw CocoaError(.fileReadNoPermission)
      }
      guard let data = try file.read(upToCount: largestFile + 1) else { return [] }
      guard data.count <= largestFile else {
        throw CocoaError(.fileReadTooLarge)
      }
      return Array(data)
    } catch {
      throw .unreadableStock(path, (error as NSError).localizedDescription)
    }
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
