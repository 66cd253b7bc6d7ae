import CodeScanning
import Deployment

extension PrintGrade {
  /// The `grade` object.
  func json(from source: GradedSource, capture: PrintGrader.Capture) -> JSONValue {
    var resolution: Double?
    if case .flatbed(let dotsPerInch) = capture { resolution = dotsPerInch }
    return .object([
      ("type", "grade"), ("source", .string(source.path)), ("page", JSONValue(source.page)),
      ("payload", .string(code.text)), ("letter", .string(letter)), ("grade", .integer(overall)),
      ("decimal", .number(decimal)), ("caveat", .string("estimated grade (\(Self.caveat))")),
      ("capture", resolution == nil ? "photograph" : "flatbed"), ("dpi", JSONValue(resolution)),
      ("modulePixels", .number(modulePixels)), ("moduleSize", JSONValue(moduleMillimetres)),
      ("corners", .array(corners.map { .array([.number($0.x), .number($0.y)]) })),
      ("parameters", .array(parameters.map(\.json))),
    ])
  }

  /// What `--prove` says of a design.
  var designJSON: JSONValue {
    .object([
      ("letter", .string(letter)), ("grade", .integer(overall)), ("decimal", .number(decimal)),
      ("caveat", .string("estimated grade (\(Self.caveat))")),
      ("parameters", .array(parameters.map(\.json))),
    ])
  }

  /// The lines that people read: the grade first, then each parameter.
  func text(from source: GradedSource, _ style: Style) -> String {
    let word = "\(letter) (\(decimal))"
    let coloured =
      overall >= 3 ? style.green(word) : overall >= 1 ? style.yellow(word) : style.red(word)
    let size = moduleMillimetres.map { "\(($0 * 1000).rounded() / 1000) mm, " } ?? ""
    return
      ([
        "\(coloured) \(style.bold(code.text.printable))",
        "  estimated grade (\(Self.caveat))",
        "  from      \(source.path.onPage(source.page)), modules of \(size)"
          + "\((modulePixels * 10).rounded() / 10) pixels",
      ] + parameters.flatMap(\.lines)).joined(separator: "\n")
  }
}

extension GradedParameter {
  /// The parameter in the words of the field.
  var words: String {
    name.rawValue.map { $0.isUppercase ? " \($0.lowercased())" : "\($0)" }.joined()
  }

  fileprivate var json: JSONValue {
    .object([
      ("name", .string(name.rawValue)), ("basis", .string(basis.rawValue)),
      ("value", JSONValue(value)), ("letter", JSONValue(letter)), ("grade", JSONValue(grade)),
      ("decimal", JSONValue(decimal)), ("note", JSONValue(note)),
      (
        "parts",
        .array(
          parts.map {
            .object([
              ("name", .string($0.name)), ("wrongModules", .integer($0.wrongModules)),
              ("modules", .integer($0.modules)), ("grade", .integer($0.grade)),
            ])
          })
      ),
    ])
  }

  /// One line for the parameter, and one for its damaged parts.
  fileprivate var lines: [String] {
    let grade = letter.map { "\($0) \(decimal ?? 0)" } ?? "-"
    let basisWords = basis == .notMeasured ? "not measured" : basis.rawValue
    var line = "  \(words.padding(to: 24))\(grade.padding(to: 7))\(basisWords.padding(to: 13))"
    if let value, name == .quietZone {
      line += " \((value * 100).rounded() / 100) modules"
    } else if let value, name != .decode {
      // Adding 0 makes 0 of what was rounded up to −0.
      line += " \((value * 1000).rounded() / 10 + 0) %"
    }
    if let note { line += (value == nil || name == .decode ? " " : "; ") + note }
    while line.last == " " { line.removeLast() }
    let damaged = parts.filter { $0.wrongModules > 0 }
    guard !damaged.isEmpty else { return [line] }
    let list = damaged.map { "\($0.name) \($0.wrongModules) of \($0.modules)" }
    return [line, "    wrong modules: \(list.joined(separator: ", "))"]
  }
}
