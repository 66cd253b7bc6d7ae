import CliptagBasics
import Foundation

extension PosterTemplate {
  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: The file, JSON as ``schema`` describes it.
  ///   - path: Its name, from which that of the template follows.
  /// - Throws: ``CodeDrawingError`` with code `malformed-template`, which names the key.
  public init(_ bytes: [UInt8], named path: String) throws(CodeDrawingError) {
    let file: TemplateObject
    do {
      file = try JSONDecoder().decode(TemplateObject.self, from: Data(bytes))
    } catch let error as DecodingError {
      throw .malformedTemplate(path, error.place, error.reason)
    } catch {
      throw .malformedTemplate(path, "", "\(error)")
    }
    do {
      try self.init(file, named: path.fileStem)
    } catch {
      throw .malformedTemplate(path, error.place, error.reason)
    }
  }

  private init(_ file: TemplateObject, named name: String) throws(TemplateMistake) {
    let page = TemplateReader(
      object: file, path: "",
      keys: [
        "$schema", "title", "width", "height", "bleed", "mirrored", "faces", "cut", "fold",
        "cutInk", "foldInk",
      ])
    try page.checkKeys()
    self.name = name
    title = try page.text("title") ?? name
    width = try page.length("width", in: PaperSize.sides)
    height = try page.length("height", in: PaperSize.sides)
    bleed = try page.length("bleed", in: 0...50, else: 0)
    isMirrored = try page.flag("mirrored")
    let sheet = DrawingBox(x: 0, y: 0, width: width, height: height)
    faces = try page.list("faces", most: 64) { (face) throws(TemplateMistake) in
      try Face(face, on: sheet)
    }
    guard !faces.isEmpty else { throw page.mistake("faces", "give at least one face") }
    guard faces.contains(where: \.hasCode) else {
      throw page.mistake("faces", "no face has a code, or a design")
    }
    cuts = try page.list("cut", most: 200) { (outline) throws(TemplateMistake) in
      try Outline(outline)
    }
    folds = try page.list("fold", most: 200) { (outline) throws(TemplateMistake) in
      try Outline(outline)
    }
    cutInk = try page.text("cutInk") ?? "CutContour"
    foldInk = try page.text("foldInk") ?? "Fold"
  }
}

extension PosterTemplate.Face {
  /// Whether a code is on it.
  fileprivate var hasCode: Bool {
    guard case .elements(let elements) = content else { return true }
    return elements.contains { $0.name.map(ArtworkField.Name.codes.contains) ?? false }
  }

  fileprivate init(_ face: TemplateReader, on sheet: DrawingBox) throws(TemplateMistake) {
    let face = face.allowing(["x", "y", "width", "height", "turn", "at", "design", "elements"])
    try face.checkKeys()
    let turn = try face.turn()
    let isUpright = turn == .none || turn == .half
    let size = (
      width: try face.length("width", else: isUpright ? sheet.width : sheet.height),
      height: try face.length("height", else: isUpright ? sheet.height : sheet.width)
    )
    func placement(
      _ place: TemplateReader, _ turn: PagePlacement.Turn
    ) throws(TemplateMistake) -> PagePlacement {
      let placement = PagePlacement(
        width: size.width, height: size.height,
        corner: DrawingPoint(
          x: try place.position("x", else: 0), y: try place.position("y", else: 0)), turn: turn)
      guard sheet.grown(by: 0.01).contains(placement.box) else {
        throw place.mistake(nil, "the face is not on the page")
      }
      return placement
    }
    if face.has("at") {
      placements = try face.list("at", most: 64) { (place) throws(TemplateMistake) in
        let place = place.allowing(["x", "y", "turn"])
        try place.checkKeys()
        return try placement(place, try place.turn())
      }
      guard !placements.isEmpty else { throw face.mistake("at", "give at least one place") }
    } else {
      placements = [try placement(face, turn)]
    }
    let isDesign = try face.flag("design")
    guard isDesign != face.has("elements") else {
      throw face.mistake(nil, "give elements, or \"design\": true for a built-in design")
    }
    guard !isDesign else {
      guard PaperSize.sides.contains(size.width), PaperSize.sides.contains(size.height) else {
        throw face.mistake(nil, "a design needs a face of 20 mm or more in both directions")
      }
      content = .design
      return
    }
    let bounds = DrawingBox(x: 0, y: 0, width: size.width, height: size.height)
    let elements = try face.list("elements", most: 200) { (element) throws(TemplateMistake) in
      try PosterTemplate.Element(element, on: bounds)
    }
    var names: Set<String> = []
    for name in elements.compactMap(\.name) where !names.insert(name).inserted {
      throw face.mistake("elements", "two have the name \(name)")
    }
    content = .elements(elements)
  }
}

extension PosterTemplate.Element {
  /// The keys of each kind besides those of the box.
  private static let keys: [String: [String]] = [
    "area": ["colour", "radius"], "logo": [], "image": ["optional"], "code": [],
    "app-clip-code": ["optional"], "ring": ["optional", "colour"],
    "text": [
      "optional", "colour", "name", "text", "size", "weight", "align", "verticalAlign", "lines",
      "font",
    ],
    "list": ["optional", "colour", "name", "size", "weight", "font", "numbered"],
  ]

  fileprivate init(_ element: TemplateReader, on face: DrawingBox) throws(TemplateMistake) {
    let kind = try element.text("kind") ?? ""
    guard let keys = Self.keys[kind] else {
      throw element.mistake(
        "kind", "use one of \(Self.keys.keys.sorted().joined(separator: ", "))")
    }
    let element = element.allowing(["kind", "x", "y", "width", "height"] + keys)
    try element.checkKeys()
    let width = try element.length("width")
    let box = DrawingBox(
      x: try element.position("x"), y: try element.position("y"), width: width,
      height: try element.length("height", else: width))
    self.box = box
    isOptional = try element.flag("optional") || kind == "logo"
    let ink = try element.ink("colour", else: kind == "area" ? .accent : .ink)
    guard kind == "area" || face.grown(by: 0.01).contains(box) else {
      throw element.mistake(nil, "the \(kind) is not on its face")
    }
    switch kind {
    case "area": self.kind = .area(ink, cornerRadius: try element.length("radius", else: 0))
    case "logo": self.kind = .logo
    case "image": self.kind = .image
    default: self.kind = .field(try ArtworkField(element, kind: kind, in: box), ink)
    }
  }
}

extension ArtworkField {
  fileprivate init(
    _ element: TemplateReader, kind: String, in box: DrawingBox
  ) throws(TemplateMistake) {
    guard kind == "text" || kind == "list" else {
      self.init(kind, in: box)
      return
    }
    let fixed = try element.text("text")
    let name = try element.text("name")
    guard (fixed == nil) != (name == nil) else {
      throw element.mistake(nil, kind == "text" ? "give a name or a text" : "give a name")
    }
    if let name, !Self.isName(name[...]) || Self.Name.figures.contains(name) {
      throw element.mistake("name", "use small letters, digits and hyphens for the name of words")
    }
    self.init(name ?? "", in: box)
    fixedText = fixed
    size = try element.number("size", in: 1...5_000).map { $0 * 25.4 / 72 }
    weight = Int(bounded: try element.number("weight", in: 100...900) ?? 400)
    families = try element.text("font").map { [$0] } ?? []
    lines = try element.number("lines", in: 1...100).map { Int(bounded: $0) }
    alignment = try element.choice("align", of: TextAlignment.self) ?? .start
    verticalAlignment =
      try element.choice("verticalAlign", of: VerticalAlignment.self) ?? .top
    if kind == "list" { list = try element.flag("numbered") ? .numbered : .plain }
  }
}

extension PosterTemplate.Outline {
  fileprivate init(_ outline: TemplateReader) throws(TemplateMistake) {
    if outline.has("diameter") {
      let circle = outline.allowing(["x", "y", "diameter"])
      try circle.checkKeys()
      self = .circle(
        centre: DrawingPoint(x: try circle.position("x"), y: try circle.position("y")),
        diameter: try circle.length("diameter"))
    } else if outline.has("width") {
      let rectangle = outline.allowing(["x", "y", "width", "height", "radius"])
      try rectangle.checkKeys()
      self = .rectangle(
        DrawingBox(
          x: try rectangle.position("x"), y: try rectangle.position("y"),
          width: try rectangle.length("width"), height: try rectangle.length("height")),
        cornerRadius: try rectangle.length("radius", else: 0))
    } else {
      let line = outline.allowing(["x", "y", "toX", "toY"])
      try line.checkKeys()
      self = .line(
        from: DrawingPoint(x: try line.position("x"), y: try line.position("y")),
        to: DrawingPoint(x: try line.position("toX"), y: try line.position("toY")))
    }
  }
}

/// A mistake in a template, and its key.
private struct TemplateMistake: Error {
  let place: String
  let reason: String
}

/// A value of JSON.
private enum TemplateValue: Decodable {
  case number(Double)
  case text(String)
  case flag(Bool)
  case list([TemplateValue])
  case object(TemplateObject)

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let flag = try? value.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let list = try? value.decode([TemplateValue].self) {
      self = .list(list)
    } else {
      self = .object(try value.decode(TemplateObject.self))
    }
  }
}

/// An object of JSON.
private typealias TemplateObject = [String: TemplateValue]

/// Reads the values of an object, and names their keys in mistakes.
private struct TemplateReader {
  let object: TemplateObject
  let path: String
  let keys: [String]

  func allowing(_ keys: [String]) -> TemplateReader {
    TemplateReader(object: object, path: path, keys: keys)
  }

  func mistake(_ key: String?, _ reason: String) -> TemplateMistake {
    let place = [path, key ?? ""].filter { !$0.isEmpty }.joined(separator: ".")
    return TemplateMistake(place: place, reason: reason)
  }

  func checkKeys() throws(TemplateMistake) {
    for key in object.keys.sorted() where !keys.contains(key) {
      throw mistake(key, "this key is unknown here; known are \(keys.joined(separator: ", "))")
    }
  }

  func has(_ key: String) -> Bool { object[key] != nil }

  func text(_ key: String) throws(TemplateMistake) -> String? {
    guard let value = object[key] else { return nil }
    guard case .text(let text) = value, text.utf8.count <= 4_000 else {
      throw mistake(key, "this is not a text")
    }
    return text
  }

  func flag(_ key: String) throws(TemplateMistake) -> Bool {
    guard let value = object[key] else { return false }
    guard case .flag(let flag) = value else { throw mistake(key, "write true or false") }
    return flag
  }

  func number(
    _ key: String, in range: ClosedRange<Double>
  ) throws(TemplateMistake) -> Double? {
    guard let value = object[key] else { return nil }
    guard case .number(let number) = value, range.contains(number) else {
      throw mistake(
        key, "write a number from \(asGiven(range.lowerBound)) to \(asGiven(range.upperBound))")
    }
    return number
  }

  /// A length in millimetres.
  func length(
    _ key: String, in range: ClosedRange<Double> = 0...5_080, else missing: Double? = nil
  ) throws(TemplateMistake) -> Double {
    guard let number = try number(key, in: range) ?? missing else {
      throw mistake(key, "this length in millimetres is missing")
    }
    return number
  }

  func position(_ key: String, else missing: Double? = nil) throws(TemplateMistake) -> Double {
    try length(key, in: -5_080...5_080, else: missing)
  }

  func turn() throws(TemplateMistake) -> PagePlacement.Turn {
    let degrees = try number("turn", in: 0...270) ?? 0
    guard let turn = PagePlacement.Turn.allCases.first(where: { Double($0.rawValue) == degrees })
    else { throw mistake("turn", "write 0, 90, 180 or 270 degrees clockwise") }
    return turn
  }

  func choice<Choice: RawRepresentable & CaseIterable>(
    _ key: String, of _: Choice.Type
  ) throws(TemplateMistake) -> Choice? where Choice.RawValue == String {
    guard let text = try text(key) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      throw mistake(
        key, "use one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return choice
  }

  func ink(
    _ key: String, else usual: PosterTemplate.Ink
  ) throws(TemplateMistake) -> PosterTemplate.Ink {
    guard let text = try text(key) else { return usual }
    guard let ink = PosterTemplate.Ink.names[text] ?? Colour(text).map({ .fixed($0) }) else {
      let names = PosterTemplate.Ink.names.keys.sorted().joined(separator: ", ")
      throw mistake(key, "use one of \(names), or a colour such as d81f26")
    }
    return ink
  }

  /// The objects of a list; empty without the key.
  func list<Item>(
    _ key: String, most: Int, _ read: (TemplateReader) throws(TemplateMistake) -> Item
  ) throws(TemplateMistake) -> [Item] {
    guard let value = object[key] else { return [] }
    guard case .list(let values) = value, values.count <= most else {
      throw mistake(key, "write a list of at most \(most) objects")
    }
    var items: [Item] = []
    for (index, value) in values.enumerated() {
      let place = mistake("\(key)[\(index)]", "write an object").place
      guard case .object(let object) = value else {
        throw TemplateMistake(place: place, reason: "write an object")
      }
      items.append(try read(TemplateReader(object: object, path: place, keys: [])))
    }
    return items
  }
}

extension DecodingError {
  /// The keys down to the mistake.
  fileprivate var place: String {
    let context =
      switch self {
      case .typeMismatch(_, let context), .valueNotFound(_, let context),
        .keyNotFound(_, let context), .dataCorrupted(let context):
        context
      @unknown default: DecodingError.Context(codingPath: [], debugDescription: "")
      }
    return context.codingPath.map(\.stringValue).joined(separator: ".")
  }

  fileprivate var reason: String {
    if case .dataCorrupted(let context) = self {
      let detail = (context.underlyingError as NSError?)?.userInfo[NSDebugDescriptionErrorKey]
      return "it is not JSON\((detail as? String).map { ": \($0)" } ?? "")"
    }
    return "it is not an object of texts, numbers, lists and objects"
  }
}

extension String {
  /// The name of a file without its folders and ending.
  fileprivate var fileStem: String {
    let name = split(separator: "/").last.map(String.init) ?? self
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }
}

extension CodeDrawingError {
  fileprivate static func malformedTemplate(
    _ path: String, _ place: String, _ reason: String
  ) -> CodeDrawingError {
    CodeDrawingError(
      .malformedTemplate,
      "“\(path.prefix(200))” is not a template: \(place.isEmpty ? "" : "\(place): ")\(reason).",
      hint: "Compare it with the schema of templates\(.showTemplateSchema).")
  }
}
