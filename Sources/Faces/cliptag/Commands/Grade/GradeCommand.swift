import Jobs
import CliptagBasics
import AppClipCodes
import Invocation
import ArgumentParser
import CodeScanning
import Pictures
import Registry
import Verifying

/// `cliptag grade IMAGE…`
struct GradeCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "grade",
    abstract: "Estimate the print quality of the codes in pictures.",
    discussion: """
      Every parameter of ISO/IEC 15415 is graded A to F, or the reason for a missing grade is \
      shown; the lowest grade applies. It is an estimate from an uncalibrated picture, not a \
      verification by ISO/IEC 15415. A flatbed scan (--dpi) gives better results than a photograph. A \
      module needs 5 pixels, better 10.

      For App Clip Codes, which have no standard, the contrast of the three colours, the width \
      of arcs, the gaps between them and the damage are graded in the same way; with a registry, \
      the bits are compared with those on record.

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
      "The lowest acceptable grade: A, B, C, D or F.", valueName: "letter"))
  var minimum: GradeLetter = .d

  @OptionGroup var capture: CaptureOptions
  @OptionGroup var isolation: IsolationOptions
  @OptionGroup var global: GlobalOptions

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
    let grader = capture.grader(CodeScanner())
    let record = AppClipCodeRecord(try global.registryForReading(nil))
    let pages = try await pages(of: image, grader)
    var isEmpty = true
    for number in 1...pages.pageCount {
      let page = try await pages.read(page: number)
      let qr = zip(page.result.codes, page.grades ?? []).filter { $0.0.symbology == .qr }.map(\.1)
      let source = GradedSource(path: image, page: pages.isDocument ? number : nil)
      for grade in qr.compactMap(\.self) {
        isEmpty = false
        console.result(
          of: PrintGradeResult(
            grade, source: source.path, page: source.page, capture: grader.capture),
          text: grade.text(from: source, console.output))
        console.note(grade.overall < minimum.least ? .notAccepted : .done)
      }
      for seen in page.result.appClipCodes {
        isEmpty = false
        let known = try record.sighting(of: seen).code
        let grade = AppClipCodeGrade(of: seen, knownAs: known?.appClipCode?.pattern)
        console.result(
          of: AppClipCodeGradeResult(
            grade, source: source.path, page: source.page, knownAs: known),
          text: grade.text(from: source, known, console.output))
        console.note(grade.overall < minimum.least ? .notAccepted : .done)
      }
      let ungraded = qr.count { $0 == nil }
      if ungraded > 0 {
        console.say("\(image): \(ungraded) more read, but too unclear for a grade")
      }
    }
    guard isEmpty else { return }
    let name = image == "-" ? PictureLoader.standardInputName : image
    console.report(
      Failure(
        "no-code", .nothingFound, "No code in \(name) can be graded.",
        hint: pages.isDrawing
          ? SearchAdvice.lookAtDrawing.words(soughtFor: [.qr, .appClipCode])
          : "Scan it at a higher resolution, flat and straight; a QR code with its white border, an App "
            + "Clip Code with its whole disc.",
        source: image))
  }

  private func pages(of image: String, _ grader: PrintGrader) async throws -> PageReader {
    let isStandardInput = image == "-"
    guard let process = isolation.process(isUsual: true, capture.arguments) else {
      let loader = PictureLoader()
      let file =
        isStandardInput ? try await loader.openStandardInput() : try await loader.open(path: image)
      return PageReader(file, grader: grader, isGrading: true)
    }
    let job =
      isStandardInput ? try await process.openStandardInput() : try process.open(path: image)
    return try await PageReader(job, isGrading: true)
  }
}

/// The source of a graded code.
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

extension AppClipCodeGrade {
  /// The lines that people read: the grade first, then each parameter.
  fileprivate func text(
    from source: GradedSource, _ known: IssuedCode?, _ style: Style
  ) -> ConsoleText {
    let word: ConsoleText = "\(letter) (\(decimal))"
    let coloured =
      overall >= 3 ? style.green(word) : overall >= 1 ? style.yellow(word) : style.red(word)
    let lines = parameters.map { parameter -> String in
      let words = parameter.name.rawValue
        .map { $0.isUppercase ? " \($0.lowercased())" : "\($0)" }.joined()
      let grade = parameter.letter.map { "\($0) \(parameter.decimal ?? 0)" } ?? "-"
      let value = parameter.value.map { "\(($0 * 1000).rounded() / 10 + 0) %" }
      return "  \(words.padding(to: 24))\(grade.padding(to: 7))\(value ?? "too small to tell")"
    }
    let name = known?.payload ?? "an App Clip Code that is not on record"
    return """
      \(coloured) \(style.bold("\(name)"))
        estimated grade (\(Self.caveat))
        from      \(source.path.onPage(source.page)), \(Int(bounded: code.diameter)) pixels across
      \(lines.asLines)
      """
  }
}

extension GradedParameter {
  /// The parameter in the words of the field.
  var words: String {
    name.rawValue.map { $0.isUppercase ? " \($0.lowercased())" : "\($0)" }.joined()
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
