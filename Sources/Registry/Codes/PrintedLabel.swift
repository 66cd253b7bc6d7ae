/// What a print says of a code beside its size: what stands beside it, and where it is in its file.
///
/// It is kept in the details of the event `issued`, so that every print has its own.
package struct PrintedLabel: Hashable, Sendable {
  /// What is printed beside the code, else what its row is called.
  package let caption: String?
  /// The row of the file of labels, from 1.
  package let row: Int?
  /// The sheet, from 1; `nil` for a file of one code.
  package let sheet: Int?
  /// The first label on the sheet that holds it, from 1.
  package let position: Int?
  /// How many labels, one after another, hold it.
  package let copies: Int

  /// Makes a label.
  package init(
    caption: String? = nil, row: Int? = nil, sheet: Int? = nil, position: Int? = nil,
    copies: Int = 1
  ) {
    self.caption = caption
    self.row = row
    self.sheet = sheet
    self.position = position
    self.copies = copies
  }

  /// What an event tells; nothing for a print outside a file of labels.
  package init(details: [String: String]) {
    func number(_ name: String) -> Int? { details[name].flatMap { Int($0) } }
    self.init(
      caption: details[CodeEvent.Fact.caption], row: number(CodeEvent.Fact.row),
      sheet: number(CodeEvent.Fact.sheet), position: number(CodeEvent.Fact.label),
      copies: number(CodeEvent.Fact.copies) ?? 1)
  }

  /// What the event tells of it.
  package var details: [String: String] {
    var details: [String: String] = [:]
    details[CodeEvent.Fact.caption] = caption
    details[CodeEvent.Fact.row] = row.map { "\($0)" }
    details[CodeEvent.Fact.sheet] = sheet.map { "\($0)" }
    details[CodeEvent.Fact.label] = position.map { "\($0)" }
    if copies > 1 { details[CodeEvent.Fact.copies] = "\(copies)" }
    return details
  }
}
