import CliptagBasics
public import Foundation
import TagAuthenticity

/// An item of a code: one of its prints, or its tag.
///
/// A code is a payload on a carrier. Each file that it is printed to, and each label on a sheet, is an
/// item; the formats of one file name (`door.pdf`, `door.svg`) are one item, and printing to a name
/// again replaces what the file held. A tag is one item. Items of one code cannot be distinguished
/// by reading them, so their number counts.
public struct CodeItem: Hashable, Sendable {
  /// The code.
  public let code: CodeID
  /// The name: that of the code, a hyphen, and at least four characters of Crockford's base 32, which
  /// follow from the file, the sheet and the label, or from a tag's UID.
  public internal(set) var name: String
  /// The file that was printed last; `nil` for a tag and an App Clip Code as it was taken in.
  public let output: String?
  /// The tag's UID in upper-case hexadecimal.
  public let tagUID: String?
  /// The caption printed beside the code, else the name of its row.
  public let caption: String?
  /// The sheet of labels, from 1.
  public let sheet: Int?
  /// The first label on ``sheet`` with the code, from 1.
  public let position: Int?
  /// The row of the file of labels, from 1.
  public let row: Int?
  /// The number of labels with it, or 1.
  public let copies: Int
  /// The width of the symbol with its quiet zone, in millimetres.
  public let width: Double?
  /// The time of the print, or of the tag's first record.
  public let made: Date
  /// The digest from which the end of ``name`` is taken.
  fileprivate let characters: [UInt8]

  private init(
    _ code: IssuedCode, made: Date, output: String?, details: [String: String], key: [String]
  ) throws(RegistryError) {
    let label = PrintedLabel(details: details)
    var print = code
    print.take(details)
    self.code = code.id
    self.output = output
    tagUID = code.tagUID
    (caption, sheet, position) = (label.caption, label.sheet, label.position)
    (row, copies) = (label.row, max(1, label.copies))
    width = print.symbol?.width
    self.made = made
    characters = try Self.characters(key)
    name = Self.name(code.id, characters, 0)
  }

  /// Reads a row of the table of items.
  fileprivate init(_ code: IssuedCode, row: any RegistryRow) throws(RegistryError) {
    let (file, sheet, label): (String, String, String) = (
      try row["file"], try row["sheet"], try row["label"]
    )
    let output: String = try row["output"]
    let details = FlatJSON.texts(try row["details"]) ?? [:]
    try self.init(
      code, made: try row.date("time"),
      output: output.isEmpty ? nil : details[CodeEvent.Fact.output] ?? output, details: details,
      key: Self.key(file: file, sheet: sheet, label: label, tagUID: code.tagUID))
  }

  /// Makes the only item of a code whose history names none.
  fileprivate init(of code: IssuedCode) throws(RegistryError) {
    try self.init(
      code, made: code.created, output: code.output, details: [:],
      key: Self.key(file: "", sheet: "", label: "", tagUID: code.tagUID))
  }

  private static func key(file: String, sheet: String, label: String, tagUID: String?) -> [String] {
    tagUID.map { [$0] } ?? [file, sheet, label]
  }

  /// The digest of a key in base 32.
  private static func characters(_ key: [String]) throws(RegistryError) -> [UInt8] {
    do {
      return try SHA256.digest(of: Array(key.joined(separator: "\n").utf8)).map {
        CodeID.alphabet[Int($0 & 31)]
      }
    } catch { throw RegistryError(wrapping: error) }
  }

  private static func name(_ code: CodeID, _ characters: [UInt8], _ further: Int) -> String {
    "\(code)-" + String(decoding: characters.prefix(4 + further), as: UTF8.self)
  }

  /// Returns the name that the item of a print has, or will have unless another item of the code has
  /// it.
  ///
  /// - Parameters:
  ///   - code: The code.
  ///   - output: The file as it is recorded.
  ///   - label: The label on a sheet; `nil` for a file of one code.
  package static func name(
    of code: CodeID, printedTo output: String, on label: PrintedLabel? = nil
  ) throws(RegistryError) -> String {
    name(code, try characters(of: Print(code: code, output: output, label: label)), 0)
  }

  /// A print of a code.
  package struct Print: Sendable {
    /// The code.
    package let code: CodeID
    /// The file as it is recorded.
    package let output: String
    /// The label on a sheet; `nil` for a file of one code.
    package let label: PrintedLabel?

    /// Describes a print.
    package init(code: CodeID, output: String, label: PrintedLabel?) {
      (self.code, self.output, self.label) = (code, output, label)
    }
  }

  fileprivate static func characters(of print: Print) throws(RegistryError) -> [UInt8] {
    let mark = CodeEvent.Fact.output
    let text = FlatJSON.text([mark: print.output]).dropFirst(mark.count + 5)
    var file = text.prefix { $0 != "\"" }
    if formats.contains(file.suffix(4).lowercased()) { file = file.dropLast(4) }
    return try characters(
      key(
        file: String(file), sheet: print.label?.sheet.map { "\($0)" } ?? "",
        label: print.label?.position.map { "\($0)" } ?? "", tagUID: nil))
  }

  /// The endings that formats of one print differ in, as the table of items knows them.
  private static let formats: Set<String> = [".pdf", ".svg", ".png", ".eps"]

  /// Splits the name of an item into that of its code, and the item's own part in upper case; `nil`
  /// for another text.
  package static func parts(of name: String) -> (code: CodeID, item: String)? {
    guard let hyphen = name.lastIndex(of: "-"), let code = CodeID(name[..<hyphen]) else {
      return nil
    }
    let item = name[name.index(after: hyphen)...]
    return item.isEmpty ? nil : (code, item.uppercased())
  }

  /// A description such as `door.pdf, sheet 2, label 14, 3 copies, 40 mm wide`.
  package var words: String {
    var parts = [output ?? tagUID.map { "tag \($0)" } ?? "the imported file"]
    if let sheet {
      parts.append(position.map { "sheet \(sheet), label \($0)" } ?? "page \(sheet)")
    }
    if copies > 1 { parts.append("\(copies) copies") }
    if let width { parts.append("\(width) mm wide") }
    return parts.joined(separator: ", ")
  }

  /// Gives items with equal names longer ones, and sorts the labels of a file: the one made first
  /// keeps the shortest name.
  fileprivate static func inOrder(named items: [CodeItem]) -> [CodeItem] {
    var taken: Set<String> = []
    let named = items.map { item in
      var named = item
      for further in 0... where taken.insert(name(item.code, item.characters, further)).inserted {
        named.name = name(item.code, item.characters, further)
        break
      }
      return named
    }
    func key(_ index: Int) -> (Date, String, Int, Int, Int) {
      let item = named[index]
      return (item.made, item.output ?? "", item.sheet ?? 0, item.position ?? 0, index)
    }
    return named.indices.sorted { key($0) < key($1) }.map { named[$0] }
  }
}

extension [CodeItem] {
  /// The number of prints and tags, with all copies.
  package var pieceCount: Int { reduce(0) { $0 + $1.copies } }

  /// The files of the prints, the oldest first, each with its sheets and labels: `door.pdf`,
  /// `t.pdf (sheet 1, label 3)`, `t.pdf (sheets 1 and 2, 24 labels)`.
  package var files: [String] {
    var prints: [(output: String, items: [CodeItem])] = []
    for item in self {
      guard let output = item.output else { continue }
      if let index = prints.firstIndex(where: { $0.output == output }) {
        prints[index].items.append(item)
      } else {
        prints.append((output, [item]))
      }
    }
    return prints.map { output, items in
      let sheets = Set(items.compactMap(\.sheet)).sorted()
      guard let last = sheets.last, let position = items[0].position else { return output }
      let names = sheets.dropLast().map { "\($0)" }.joined(separator: ", ")
      let words = names.isEmpty ? "sheet \(last)" : "sheets \(names) and \(last)"
      let pieces = items.pieceCount
      return "\(output) (\(words), \(pieces == 1 ? "label \(position)" : pieces.of("label")))"
    }
  }

  /// The numbers of items and of prints with all copies, if there are several: `2 items, 25 prints`;
  /// `nil` for one.
  package var counts: String? {
    let counts = [
      count > 1 ? count.of("item") : nil, pieceCount > count ? pieceCount.of("print") : nil,
    ].compactMap(\.self)
    return counts.isEmpty ? nil : counts.joined(separator: ", ")
  }
}

extension RegistryOperations where Self: ~Copyable {
  /// Returns the items of codes in use, in the order in which they were made; each code has at least
  /// one.
  public borrowing func items(of codes: [IssuedCode]) throws(RegistryError) -> [CodeID: [CodeItem]]
  {
    try read { registry throws(RegistryError) in
      var items: [CodeID: [CodeItem]] = [:]
      try registry.session.forEachRow(
        "SELECT * FROM code_item WHERE code = ? ORDER BY time, file, sheet, label",
        ofEach: codes.map { [$0.id.description] }
      ) { index, row throws(RegistryError) in
        items[codes[index].id, default: []].append(try CodeItem(codes[index], row: row))
      }
      for code in codes {
        var own = items[code.id] ?? []
        // The file of an App Clip Code hangs nowhere once the code was printed.
        if code.carrier == .appClipCode, own.count > 1 { own.removeAll { $0.output == nil } }
        items[code.id] = own.isEmpty ? [try CodeItem(of: code)] : CodeItem.inOrder(named: own)
      }
      return items
    }
  }

  /// Returns the codes between two names, both included, that may have several prints, or whose last
  /// print was thrown away, for consumers of very many codes.
  package borrowing func codesWithSeveralItems(
    from first: CodeID, through last: CodeID
  ) throws(RegistryError) -> Set<CodeID> {
    Set(
      try rows(
        """
        SELECT i.code FROM code_item AS i LEFT JOIN code_print AS p ON p.code = i.code
        WHERE i.code BETWEEN ? AND ? GROUP BY i.code
        HAVING count(*) > 1 OR max(p.time) > max(i.time)
          OR max(CASE WHEN i.details LIKE '%"\(CodeEvent.Fact.copies)":%' THEN 1 ELSE 0 END) = 1
        """, [first.description, last.description]
      ) { row in try row.codeID("code") })
  }

  /// Returns the items of a code, in the order in which they were made.
  public borrowing func items(of code: IssuedCode) throws(RegistryError) -> [CodeItem] {
    try items(of: [code])[code.id] ?? []
  }

  /// Returns the names of the items of prints that are on record, in their order; `nil` for a print
  /// that is not.
  package borrowing func itemNames(
    of prints: [CodeItem.Print]
  ) throws(RegistryError) -> [String?] {
    try read { registry throws(RegistryError) in
      let codes = try registry.codes(named: Array(Set(prints.map(\.code))))
      let names = try registry.items(of: codes).mapValues { items in
        Dictionary(items.map { ($0.characters, $0.name) }) { first, _ in first }
      }
      return try prints.map { print throws(RegistryError) in
        names[print.code]?[try CodeItem.characters(of: print)]
      }
    }
  }

  /// Records that an item was thrown away: it is no longer expected. Printing its file again makes
  /// it anew.
  ///
  /// - Parameters:
  ///   - name: The item's name.
  ///   - time: The time.
  ///   - who: The person.
  ///   - details: Further facts of the event.
  /// - Throws: `RegistryError.Code.notFound`; `RegistryError.Code.lastItem` for the only item of
  ///   its code.
  @discardableResult
  public borrowing func discard(
    _ name: String, at time: Date, by who: String, details: [String: String] = [:]
  ) throws(RegistryError) -> CodeItem {
    try write { registry throws(RegistryError) in
      let item = try registry.itemToDiscard(name)
      var facts = details
      facts[CodeEvent.Fact.item] = item.name
      facts[CodeEvent.Fact.output] = item.output
      facts[CodeEvent.Fact.sheet] = item.sheet.map { "\($0)" }
      facts[CodeEvent.Fact.label] = item.position.map { "\($0)" }
      try registry.record(.discarded, of: item.code, at: time, by: who, details: facts)
      return item
    }
  }

  /// Returns the item with a name in any case; `nil` if no code in use has it.
  package borrowing func item(named name: String) throws(RegistryError) -> CodeItem? {
    guard let (id, end) = CodeItem.parts(of: name), let code = try code(id: id) else { return nil }
    return try items(of: code).first { $0.name == "\(id)-\(end)" }
  }

  /// Returns the item with a name, which must not be the only one of its code.
  package borrowing func itemToDiscard(_ name: String) throws(RegistryError) -> CodeItem {
    guard let item = try item(named: name), let code = try code(id: item.code) else {
      throw RegistryError.missing("item", name)
    }
    guard try items(of: code).count > 1 else {
      throw RegistryError(
        .lastItem, "\(item.name) is the only item of its code.",
        hint: "Retire the code itself, or print its file again.")
    }
    return item
  }
}
