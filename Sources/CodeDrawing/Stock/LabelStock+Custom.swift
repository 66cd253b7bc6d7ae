extension LabelStock {
  /// Reads a stock from one line: `WIDTHxHEIGHT,COLUMNSxROWS,LEFT,TOP,PITCHX,PITCHY[,PAPER]`, in
  /// millimetres.
  ///
  /// A single number in the place of `WIDTHxHEIGHT` is the diameter of round labels. The paper is
  /// `A4` (unless named otherwise), `A3`, `A5`, `A6`, `Letter`, `Legal` or again `WIDTHxHEIGHT`.
  ///
  /// - Throws: ``CodeDrawingError`` with code `invalid-stock`: what is wrong with the line, or with
  ///   the sheet that it describes.
  public init(custom text: String) throws(CodeDrawingError) {
    let fields = text.split(separator: ",", omittingEmptySubsequences: false)
      .map { $0.filter { $0 != " " }.lowercased() }
    guard (6...7).contains(fields.count) else {
      throw .customStock(text, "it has \(fields.count) fields, not 6 or 7")
    }
    let numbers = try fields[2...5].map { field throws(CodeDrawingError) in
      try Self.number(field, of: text)
    }
    let counts = try Self.pair(fields[1], of: text)
    guard let columns = Int(exactly: counts.0), let rows = Int(exactly: counts.1), columns > 0,
      rows > 0, columns <= Self.mostLabels, rows <= Self.mostLabels
    else { throw .customStock(text, "“\(fields[1])” is no number of columns and rows") }
    self.init(
      part: text, paper: try Self.paper(fields.count == 7 ? fields[6] : "a4", of: text),
      shape: try Self.shape(fields[0], of: text),
      grids: [
        Grid(
          columns: columns, rows: rows, left: numbers[0], top: numbers[1], pitchX: numbers[2],
          pitchY: numbers[3])
      ])
    try check()
  }

  /// Whether a template's name is rather a custom stock.
  static func isCustom(_ name: String) -> Bool {
    name.contains(",")
      && name.prefix { $0 == " " || $0.isNumber || $0 == "." }.contains {
        $0.isNumber
      }
  }

  private static let papers: [String: Paper] = [
    "a4": .a4, "letter": .letter, "a3": Paper("A3", width: 297, height: 420),
    "a5": Paper("A5", width: 148, height: 210), "a6": Paper("A6", width: 105, height: 148),
    "legal": Paper("US Legal", width: 215.9, height: 355.6), "us-letter": .letter,
  ]

  private static func shape(_ field: String, of text: String) throws(CodeDrawingError) -> LabelShape
  {
    guard field.contains("x") else { return .round(diameter: try number(field, of: text)) }
    let (width, height) = try pair(field, of: text)
    return .rectangle(width: width, height: height, cornerRadius: 0)
  }

  private static func paper(_ field: String, of text: String) throws(CodeDrawingError) -> Paper {
    if let paper = papers[field] { return paper }
    guard field.first?.isNumber == true else {
      throw .customStock(text, "no paper is called “\(field)”")
    }
    let (width, height) = try pair(field, of: text)
    return Paper("Other", width: width, height: height)
  }

  private static func pair(
    _ field: String, of text: String
  ) throws(CodeDrawingError) -> (Double, Double) {
    let parts = field.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw .customStock(text, "“\(field)” is not two numbers with x") }
    return (try number(String(parts[0]), of: text), try number(String(parts[1]), of: text))
  }

  private static func number(_ field: String, of text: String) throws(CodeDrawingError) -> Double {
    guard let value = Double(field), value.isFinite, abs(value) <= CodeSize.largestWidth,
      field.allSatisfy({ "0123456789.-".contains($0) })
    else { throw .customStock(text, "“\(field)” is no number of millimetres") }
    return value
  }
}
