import Markup

/// The contents of one file of glabels label templates.
///
/// The format is described by `glabels-3.0.dtd`. A template that cannot be read does not affect the
/// others of its file: the error is reported when the template is requested.
struct TemplateFile {
  /// One template: a stock, or another name for a stock of the same maker.
  struct Entry {
    let brand: String
    let part: String
    let content: Content
    /// The line at which it begins.
    let line: Int

    /// The brand and part.
    var name: String { brand.isEmpty ? part : "\(brand) \(part)" }
  }

  enum Content {
    case stock(LabelStock)
    case alias(of: String)
    case mistake(CodeDrawingError)
  }

  let path: String
  let entries: [Entry]

  /// Reads a file.
  ///
  /// - Parameter papers: The sizes by their ids, from `paper-sizes.xml`.
  /// - Throws: ``CodeDrawingError`` with code `malformed-stock` if it is not XML.
  init(
    _ bytes: [UInt8], path: String, papers: [String: LabelStock.Paper]
  ) throws(CodeDrawingError) {
    self.path = path
    let root = try Self.root(of: bytes, path: path, named: "Glabels-templates")
    entries = root.children.filter { $0.name == "Template" }.map { template in
      Entry(
        brand: template.attributes["brand"] ?? "", part: template.attributes["part"] ?? "",
        content: Self.contentOrMistake(of: template, in: path, papers), line: template.line)
    }
  }

  private static func contentOrMistake(
    of template: MarkupElement, in path: String, _ papers: [String: LabelStock.Paper]
  ) -> Content {
    do {
      return try content(of: template, in: path, papers)
    } catch {
      return .mistake(error)
    }
  }

  /// Reads the file with the paper sizes.
  static func papers(
    _ bytes: [UInt8], path: String
  ) throws(CodeDrawingError) -> [String: LabelStock.Paper] {
    let root = try root(of: bytes, path: path, named: "Glabels-paper-sizes")
    var papers: [String: LabelStock.Paper] = [:]
    for size in root.children where size.name == "Paper-size" {
      let id = size.attributes["id"] ?? ""
      papers[id] = LabelStock.Paper(
        size.attributes["_name"] ?? size.attributes["name"] ?? id,
        width: try size.length("width", path), height: try size.length("height", path))
    }
    return papers
  }

  private static func root(
    of bytes: [UInt8], path: String, named name: String
  ) throws(CodeDrawingError) -> MarkupElement {
    let root: MarkupElement
    do {
      root = try MarkupElement(document: bytes)
    } catch {
      throw .malformedStock(
        path, line: error.line, column: error.column, "it is not complete XML: \(error.message)")
    }
    guard root.name == name else {
      throw .malformedStock(path, line: root.line, "it contains <\(root.name)>, not <\(name)>")
    }
    return root
  }

  private static func content(
    of template: MarkupElement, in path: String, _ papers: [String: LabelStock.Paper]
  ) throws(CodeDrawingError) -> Content {
    if let other = template.attributes["equiv"] { return .alias(of: other) }
    // If a sheet has several kinds of label, the first is printed.
    guard let label = template.children.first(where: { $0.name.hasPrefix("Label-") }) else {
      throw .malformedStock(path, line: template.line, "the template has no label")
    }
    return .stock(
      LabelStock(
        brand: template.attributes["brand"] ?? "", part: template.attributes["part"] ?? "",
        summary: template.attributes["_description"] ?? template.attributes["description"] ?? "",
        paper: try paper(of: template, path, papers), shape: try shape(of: label, path),
        grids: try grids(of: label, path), source: "\(path):\(template.line)"))
  }

  private static func paper(
    of template: MarkupElement, _ path: String, _ papers: [String: LabelStock.Paper]
  ) throws(CodeDrawingError) -> LabelStock.Paper {
    let id = template.attributes["size"] ?? "Other"
    if id.lowercased() == "other" {
      return LabelStock.Paper(
        "Other", width: try template.length("width", path),
        height: try template.length("height", path))
    }
    guard let paper = papers[id] else {
      throw .malformedStock(path, line: template.line, "no paper size is named \(id)")
    }
    return paper
  }

  private static func shape(
    of label: MarkupElement, _ path: String
  ) throws(CodeDrawingError) -> LabelShape {
    switch label.name {
    case "Label-rectangle":
      return .rectangle(
        width: try label.length("width", path), height: try label.length("height", path),
        cornerRadius: max(0, try label.length("round", path, else: 0)))
    case "Label-round": return .round(diameter: 2 * (try label.length("radius", path)))
    case "Label-ellipse":
      return .ellipse(
        width: try label.length("width", path), height: try label.length("height", path))
    case "Label-cd":
      return .disc(
        diameter: 2 * (try label.length("radius", path)),
        hole: 2 * (try label.length("hole", path)))
    default:
      throw .malformedStock(
        path, line: label.line, "labels of the kind <\(label.name)> are unknown")
    }
  }

  private static func grids(
    of label: MarkupElement, _ path: String
  ) throws(CodeDrawingError) -> [LabelStock.Grid] {
    var grids: [LabelStock.Grid] = []
    for layout in label.children where layout.name == "Layout" {
      grids.append(
        LabelStock.Grid(
          columns: try layout.count("nx", path), rows: try layout.count("ny", path),
          left: try layout.length("x0", path), top: try layout.length("y0", path),
          pitchX: try layout.length("dx", path), pitchY: try layout.length("dy", path)))
    }
    guard !grids.isEmpty else {
      throw .malformedStock(path, line: label.line, "the label has no layout")
    }
    return grids
  }
}

extension MarkupElement {
  /// A length in millimetres.
  fileprivate func length(
    _ name: String, _ path: String, else missing: Double? = nil
  ) throws(CodeDrawingError) -> Double {
    guard let text = attributes[name] else {
      if let missing { return missing }
      throw .malformedStock(path, line: line, "<\(self.name)> has no \(name)")
    }
    guard let value = TemplateLength.millimetres(text) else {
      throw .malformedStock(path, line: line, "\(name) is not a length: “\(text.prefix(40))”")
    }
    return value
  }

  /// The number of labels in a row or column.
  fileprivate func count(_ name: String, _ path: String) throws(CodeDrawingError) -> Int {
    guard let text = attributes[name], let value = Int(text),
      (1...LabelStock.mostLabels).contains(value)
    else {
      throw .malformedStock(
        path, line: line,
        "\(name) is not a number of labels from 1 to \(LabelStock.mostLabels): "
          + "“\((attributes[name] ?? "").prefix(40))”")
    }
    return value
  }
}

/// Lengths in glabels templates: a number and a unit, or points without one.
private enum TemplateLength {
  private static let units: [String: Double] = [
    "": 25.4 / 72, "pt": 25.4 / 72, "in": 25.4, "mm": 1, "cm": 10, "pc": 25.4 / 6,
  ]

  /// The length in millimetres.
  ///
  /// - Returns: `nil` if the text is not a length.
  static func millimetres(_ text: String) -> Double? {
    let text = text.filter { $0 != " " }
    let number = text.prefix { "+-.0123456789".contains($0) }
    guard let unit = units[text.dropFirst(number.count).lowercased()],
      let value = Double(number), value.isFinite
    else { return nil }
    return value * unit
  }
}
