extension CodeDrawingError.Code {
  /// No label stock has the name.
  public static let unknownStock = Self(rawValue: "unknown-stock")
  /// Several label stocks have the name.
  public static let ambiguousStock = Self(rawValue: "ambiguous-stock")
  /// A template file cannot be understood.
  public static let malformedStock = Self(rawValue: "malformed-stock")
  /// A template's labels lie off the paper or on each other.
  public static let invalidStock = Self(rawValue: "invalid-stock")
  /// The label templates of the system are missing.
  public static let noStock = Self(rawValue: "no-stock")
}

extension CodeDrawingError {
  private static let ownMeasures =
    "Measure the sheet and give --template WIDTHxHEIGHT,COLUMNSxROWS,LEFT,TOP,PITCHX,PITCHY,PAPER "
    + "in millimetres."

  static func invalidStock(_ stock: LabelStock, _ trouble: String) -> CodeDrawingError {
    let source = stock.source.isEmpty ? "" : " (\(stock.source))"
    return CodeDrawingError(
      .invalidStock, "\(stock.name) is no sheet to print on: \(trouble)\(source).",
      hint: ownMeasures)
  }

  static func malformedStock(
    _ file: String, line: Int, column: Int? = nil, _ trouble: String
  ) -> CodeDrawingError {
    let place = column.map { "\(line):\($0)" } ?? "\(line)"
    return CodeDrawingError(
      .malformedStock, "\(file):\(place): \(trouble).",
      hint: "Repair the file or install the package glabels-data again; or "
        + ownMeasures.prefix(1).lowercased() + ownMeasures.dropFirst())
  }

  static func unknownStock(_ name: String, near: [String], anyTemplates: Bool) -> CodeDrawingError {
    guard anyTemplates else {
      return CodeDrawingError(
        .noStock, "No label stock is called \(name), and no label templates are installed.",
        hint: "Install the package glabels-data. Or " + ownMeasures.prefix(1).lowercased()
          + ownMeasures.dropFirst())
    }
    let suggestion =
      near.isEmpty ? "" : "Did you mean \(near.joined(separator: ", "))? "
    return CodeDrawingError(
      .unknownStock, "No label stock is called \(name).",
      hint: suggestion + "See --list-templates. Or " + ownMeasures.prefix(1).lowercased()
        + ownMeasures.dropFirst())
  }

  static func ambiguousStock(_ name: String, _ stocks: [String]) -> CodeDrawingError {
    CodeDrawingError(
      .ambiguousStock, "\(name) is the name of several label stocks.",
      hint: "Name the maker, too: \(stocks.joined(separator: ", ")).")
  }

  static func unreadableStock(_ path: String, _ reason: String) -> CodeDrawingError {
    CodeDrawingError(
      .malformedStock, "\(path) cannot be read: \(reason).",
      hint: "Repair the file's permissions or install the package glabels-data again.")
  }

  static func customStock(_ text: String, _ trouble: String) -> CodeDrawingError {
    CodeDrawingError(
      .invalidStock, "“\(text)” is no label sheet: \(trouble).",
      hint: "Write WIDTHxHEIGHT,COLUMNSxROWS,LEFT,TOP,PITCHX,PITCHY,PAPER in millimetres, for "
        + "example 99.1x38.1,2x7,4.65,15.15,101.6,38.1,A4; a single number instead of "
        + "WIDTHxHEIGHT is the diameter of round labels.")
  }
}
