/// The facts of a print besides its size: the caption beside the code, and its position in the
/// file.
///
/// The details of the event `issued` contain it, so that every print has a separate one.
package struct PrintedLabel: Hashable, Sendable {
  /// The caption printed beside the code, else the name of its row.
  package let caption: String?
  /// The row in the file of labels, from 1.
  package let row: Int?
  /// The sheet, from 1; `nil` for a file of one code.
  package let sheet: Int?
  /// The first label on the sheet with the code, from 1.
  package let position: Int?
  /// The number of consecutive labels with the code.
  package let copies: Int
  /// The language of the words beside the code, as a tag of BCP 47; `nil` if it is not known.
  package let language: String?

  /// Makes a label.
  package init(
    caption: String? = nil, row: Int? = nil, sheet: Int? = nil, position: Int? = nil,
    copies: Int = 1, language: String? = nil
  ) {
    self.caption = caption
    self.row = row
    self.sheet = sheet
    self.position = position
    self.copies = copies
    self.language = language
  }

  /// Reads the details of an event; `nil` for a print that is not in a file of labels.
  package init(details: [String: String]) {
    func number(_ name: String) -> Int? { details[name].flatMap { Int($0) } }
    self.init(
      caption: details[CodeEvent.Fact.caption], row: number(CodeEvent.Fact.row),
      sheet: number(CodeEvent.Fact.sheet), position: number(CodeEvent.Fact.label),
      copies: number(CodeEvent.Fact.copies) ?? 1, language: details[CodeEvent.Fact.language])
  }

  /// The details for the event.
  package var details: [String: String] {
    var details: [String: String] = [:]
    details[CodeEvent.Fact.caption] = caption
    details[CodeEvent.Fact.row] = row.map { "\($0)" }
    details[CodeEvent.Fact.sheet] = sheet.map { "\($0)" }
    details[CodeEvent.Fact.label] = position.map { "\($0)" }
    if copies > 1 { details[CodeEvent.Fact.copies] = "\(copies)" }
    details[CodeEvent.Fact.language] = language
    return details
  }
}
