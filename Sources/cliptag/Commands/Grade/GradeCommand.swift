import Invocation
import ArgumentParser
import CodeScanning
import Pictures
import Verifying

/// `cliptag grade IMAGE…`
struct GradeCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "grade",
    abstract: "Estimate the print quality of the QR codes in pictures.",
    discussion: """
      Every parameter of ISO/IEC 15415 is graded A to F, or it is said why such a picture cannot \
      tell it; the lowest grade counts. It is an estimate from an uncalibrated picture, and no \
      verification by ISO/IEC 15415. A flatbed scan tells more than a photograph: say --dpi. A \
      module needs 5 pixels, better 10.

      Examples:
        cliptag grade wall.jpg
        cliptag grade posters/a.png --dpi 600 --white 0.85 --minimum C
        cliptag grade --json - < photo.jpg

      Exit status: 0 graded, 1 a code is F or below --minimum, 2 no code found.
      """)

  @Argument(
    help: ArgumentHelp("Pictures and documents; - for standard input.", valueName: "image"),
    completion: .file(extensions: PictureFormat.fileExtensions))
  var images: [String]

  @Option(
    name: .long,
    help: ArgumentHelp(
      "They are flatbed scans of this resolution.", valueName: "dots per inch"))
  var dpi: Double?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "With --dpi: what the paper reflects, 0 to 1; office paper has 0.80 to 0.85.",
      valueName: "reflectance"))
  var white: Double?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The lowest grade that is good enough: A, B, C, D or F.", valueName: "letter"))
  var minimum: GradeLetter = .d

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if let dpi, !(dpi >= 50 && dpi <= 20_000) {
      throw ValidationError("--dpi takes dots per inch from 50 to 20000; got \(dpi).")
    }
    if let white, !(white > 0 && white <= 1) {
      throw ValidationError("--white takes a reflectance above 0 and up to 1; got \(white).")
    }
    if white != nil, dpi == nil {
      throw ValidationError(
        "--white needs --dpi: a photograph does not tell how much light came back.")
    }
  }

  func execute(_ console: Console) async throws {
    for image in images {
      do {
        try await grade(image, console)
      } catch {
        try Task.checkCancellation()
        console.report(Failure(describing: error, source: image))
      }
    }
  }

  private func grade(_ image: String, _ console: Console) async throws {
    let loader = PictureLoader()
    let file =
      image == "-" ? try await loader.openStandardInput() : try await loader.open(path: image)
    let grader = PrintGrader(
      capture: dpi.map { .flatbed(dotsPerInch: $0) } ?? .photograph, paperReflectance: white)
    var isEmpty = true
    for number in 1...max(1, file.pageCount) {
      let found = try await grader.grades(of: try await file.page(number))
      let source = GradedSource(path: image, page: file.isDocument ? number : nil)
      for grade in found.grades {
        isEmpty = false
        console.result(
          grade.json(from: source, capture: grader.capture),
          text: grade.text(from: source, console.output))
        console.note(grade.overall < minimum.least ? .notAccepted : .done)
      }
      if found.ungraded > 0 {
        console.say("\(image): \(found.ungraded) more read, but too unclear to be graded")
      }
    }
    guard isEmpty else { return }
    console.report(
      Failure(
        "no-code", .nothingFound,
        "No QR code was found that can be graded in \(image == "-" ? file.source : image).",
        hint: "Scan it at a higher resolution, flat and straight, with its white border.",
        source: image))
  }
}

/// Where a graded code was seen.
struct GradedSource {
  let path: String
  let page: Int?
}

/// A grade as people name it.
enum GradeLetter: String, ExpressibleByArgument, CaseIterable {
  case a = "A"
  case b = "B"
  case c = "C"
  case d = "D"
  case f = "F"

  init?(argument: String) { self.init(rawValue: argument.uppercased()) }

  /// The grade as a number, 4 … 0.
  var least: Int {
    switch self {
    case .a: 4
    case .b: 3
    case .c: 2
    case .d: 1
    case .f: 0
    }
  }
}

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
  func text(from source: GradedSource, _ style: Style) -> ConsoleText {
    let word: ConsoleText = "\(letter) (\(decimal))"
    let coloured =
      overall >= 3 ? style.green(word) : overall >= 1 ? style.yellow(word) : style.red(word)
    let size = moduleMillimetres.map { "\(($0 * 1000).rounded() / 1000) mm, " } ?? ""
    let pixels = (modulePixels * 10).rounded() / 10
    return """
      \(coloured) \(style.bold("\(code.text)"))
        estimated grade (\(Self.caveat))
        from      \(source.path.onPage(source.page)), modules of \(size)\(pixels) pixels
      \(parameters.flatMap(\.lines).asLines)
      """
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
