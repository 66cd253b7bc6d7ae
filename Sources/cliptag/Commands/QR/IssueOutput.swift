import AppClipCodes
import Basics
import CodeDrawing
import CodeScanning
import Invocation
import Issuing
import QRSymbol
import Registry

extension CodeDrawing {
  /// What speaks against printing it as it is.
  var warnings: [(code: String, text: String)] {
    size.warnings.map { ($0.code, "\($0.message) \($0.hint)") }
      + colours.warnings.map { ($0.code, "\($0.message) \($0.hint)") }
      + (logo?.warnings ?? []).map { ($0.code, "\($0.message) \($0.hint)") }
  }
}

extension JSONValue {
  /// The result of making a file of a code, as the contract has it.
  ///
  /// - Parameters:
  ///   - drawing: the QR code; nil where an App Clip Code stands instead.
  ///   - url: what it carries.
  ///   - appClipCode: the App Clip Code beside or instead of it.
  ///   - found: what the check found in its URL.
  ///   - proof: what it can suffer, where that was tried.
  ///   - appClipCodeProof: what the App Clip Code can suffer, where that was tried.
  ///   - more: what this kind of file has besides.
  static func issue(
    _ drawing: CodeDrawing?, url: String, appClipCode: AppClipCodeDrawing? = nil,
    of found: [Finding], output: String?, code: CodeID?, dryRun: Bool, proof: DesignProof? = nil,
    appClipCodeProof: AppClipCodeProof? = nil, _ more: [(String, JSONValue)]
  ) -> JSONValue {
    let warnings =
      (drawing?.warnings ?? []) + (proof?.findings ?? []) + (appClipCodeProof?.findings ?? [])
    return .object(
      [
        ("type", "issue"), ("output", JSONValue(output)), ("url", .string(url)),
        ("version", drawing.map { .integer($0.symbol.version) } ?? .null),
        ("errorCorrection", JSONValue(drawing?.symbol.errorCorrection.rawValue)),
        ("moduleSize", drawing.map { .number($0.size.moduleSize) } ?? .null),
        ("width", (drawing?.size.width ?? appClipCode?.width).map { .number($0) } ?? .null),
        ("contrast", drawing.map { .number($0.colours.contrast) } ?? .null),
        (
          "readingDistance",
          (drawing?.size.readingDistance ?? appClipCode?.readingDistance).map { .number($0) }
            ?? .null
        ),
        ("verified", .bool(true)), ("code", JSONValue(code?.description)),
        ("dryRun", .bool(dryRun)), ("logo", drawing?.logoJSON ?? .null),
        ("proof", proof?.json ?? .null),
        ("appClipCode", appClipCode?.json(appClipCodeProof) ?? .null),
        (
          "findings",
          .array(
            found.map(\.json)
              + warnings.map { warning in
                .object([
                  ("code", .string(warning.code)), ("severity", "warning"),
                  ("message", .string(warning.text)),
                ])
              })
        ),
      ] + more)
  }
}

extension AppClipCodeDrawing {
  /// What `--json` says.
  fileprivate func json(_ proof: AppClipCodeProof?) -> JSONValue {
    .object([
      ("payload", .string(code.payload)), ("kind", .string(code.kind.rawValue)),
      ("template", code.colours.template.map { .integer($0) } ?? .null),
      ("foreground", .string(code.colours.foreground.hexadecimal)),
      ("background", .string(code.colours.background.hexadecimal)),
      ("diameter", .number(diameter.inThousandths)), ("width", .number(width.inThousandths)),
      ("readingDistance", .number(readingDistance.inThousandths)),
      ("proof", proof?.json ?? .null),
    ])
  }

  /// Lines of the report.
  var lines: ConsoleText {
    """

      app clip  \(code.kind == .nfc ? "around a tag" : "to scan"), \(diameter.inThousandths) mm \
    across, \(width.inThousandths) mm with its clear space; all 128 positions read back
                phones read it from up to \(Int(readingDistance)) mm
    """
  }
}

extension AppClipCodeProof {
  /// What speaks against printing the code, in sentences.
  var findings: [(code: String, text: String)] {
    warnings.map { margin in
      let trouble = margin.trouble
      let reads = margin.read.map { "up to \(trouble.amount($0))" } ?? "not even at the first step"
      return (
        "small-margin",
        "The App Clip Code is read to the last bit under \(trouble.words) \(reads); the field needs "
          + "\(trouble.amount(margin.needed)). Make it larger."
      )
    }
  }

  /// What `--json` says.
  fileprivate var json: JSONValue {
    .object(
      margins.map { margin in
        (
          margin.trouble.rawValue,
          .object([
            ("cliptag", margin.read.map { .number($0.inThousandths) } ?? .null),
            ("needed", .number(margin.needed.inThousandths)),
            ("enough", .bool(margin.isEnough)),
          ])
        )
      })
  }

  /// Lines of the report.
  fileprivate var lines: ConsoleText {
    let rows = margins.map { margin -> ConsoleText in
      let trouble = margin.trouble
      return """
        \n            \(trouble.words): up to \
        \(margin.read.map { trouble.amount($0) } ?? "nothing"); needed \
        \(trouble.amount(margin.needed))\(margin.isEnough ? "" : " (too little)")
        """
    }
    return "\n  app clip  read to the last bit from the file's own pixels under\(rows.joined())"
  }
}

extension AppClipCodeProof.Trouble {
  fileprivate var words: String {
    switch self {
    case .blur: "blur"
    case .dotGain: "ink that spreads"
    case .inkLoss: "ink that is lost"
    case .contrastLoss: "loss of contrast"
    case .distance: "distance"
    }
  }

  fileprivate func amount(_ value: Double) -> String {
    switch self {
    case .blur: "\(value.inThousandths) widths of an arc"
    case .dotGain, .inkLoss: "\(Int((value * 100).rounded())) % of an arc's width"
    case .contrastLoss: "\(Int((value * 100).rounded())) %"
    case .distance: "\(Int(value)) mm"
    }
  }
}

extension Console {
  /// Where a file goes: `-` is standard output.
  func destination(_ output: String) -> FileDestination {
    output == "-" ? .stream(named: output) { self.write($0) } : .file(output)
  }

  /// Says what speaks against printing a code as it is.
  func warn(of drawing: CodeDrawing) {
    for warning in drawing.warnings { say("\(error.yellow("warning:")) \(warning.text)") }
  }

  /// Goes on with the next file when one fails.
  func reportingFailure(of name: String, _ body: () async throws -> Void) async {
    do {
      try await body()
    } catch {
      report(Failure(describing: error, source: name))
    }
  }

  /// Shows what was issued, unless standard output has the file itself.
  func show(_ issued: IssuedPrint, at output: String, json: JSONValue, text: ConsoleText) {
    for finding in (issued.proof?.findings ?? []) + (issued.appClipCodeProof?.findings ?? []) {
      say("\(error.yellow("warning:")) \(finding.text)")
    }
    keep(issued.printed.bytes, named: output)
    if output != "-" {
      result(
        json,
        text: text + (issued.proof?.lines ?? "") + (issued.appClipCodeProof?.lines ?? ""))
    }
  }
}

extension Double {
  /// Rounded to thousandths, which is how millimetres are recorded and printed.
  var inThousandths: Double { (self * 1000).rounded() / 1000 }
}

extension DesignProof {
  /// What speaks against printing the code, in sentences.
  var findings: [(code: String, text: String)] {
    warnings.map { margin in
      let trouble = margin.trouble
      let reads = margin.zbar.map { "up to \(trouble.amount($0))" } ?? "not even at the first step"
      return (
        "small-margin",
        "A plain scanner reads it under \(trouble.words) \(reads); the field needs "
          + "\(trouble.amount(margin.needed)). \(trouble.hint)"
      )
    }
  }

  /// What `--json` says.
  var json: JSONValue {
    .object(
      margins.map { margin in
        (
          margin.trouble.rawValue,
          .object([
            ("zbar", margin.zbar.map { .number($0.inThousandths) } ?? .null),
            ("cliptag", margin.scanner.map { .number($0.inThousandths) } ?? .null),
            ("needed", .number(margin.needed.inThousandths)),
            ("enough", .bool(margin.isEnough)),
          ])
        )
      } + [("grade", grade?.designJSON ?? .null)])
  }

  /// Lines of the report.
  var lines: ConsoleText {
    let rows = margins.map { margin -> ConsoleText in
      let trouble = margin.trouble
      func amount(_ value: Double?) -> String { value.map { trouble.amount($0) } ?? "nothing" }
      return """
        \n            \(trouble.words): up to \(amount(margin.zbar)) by zbar, \
        \(amount(margin.scanner)) by cliptag; needed \(trouble.amount(margin.needed))\
        \(margin.isEnough ? "" : " (too little)")
        """
    }
    return "\n  proof     read from the file's own pixels under\(rows.joined())\(gradeLine)"
  }

  private var gradeLine: ConsoleText {
    guard let grade else { return "" }
    let lowest = grade.parameters.filter { $0.grade == grade.overall && grade.overall < 4 }
    let reason =
      lowest.isEmpty ? "" : " for its " + lowest.map(\.words).joined(separator: ", ")
    return
      "\n  grade     \(grade.letter) (\(grade.decimal))\(reason), as it would print with 10 % dot "
      + "gain and blur of half a module"
      + "\n            estimated grade (\(PrintGrade.caveat))"
  }
}

extension DesignProof.Trouble {
  fileprivate var words: String {
    switch self {
    case .blur: "blur"
    case .dotGain: "ink that spreads"
    case .inkLoss: "ink that is lost"
    case .dirt: "dirt"
    case .contrastLoss: "loss of contrast"
    case .distance: "distance"
    }
  }

  fileprivate func amount(_ value: Double) -> String {
    switch self {
    case .blur: "\(value.inThousandths) modules"
    case .dotGain, .inkLoss: "\(Int((value * 100).rounded())) % of a module"
    case .dirt: "\(Int((value * 100).rounded())) % of the area"
    case .contrastLoss: "\(Int((value * 100).rounded())) %"
    case .distance: "\(Int(value)) mm"
    }
  }

  fileprivate var hint: String {
    switch self {
    case .blur, .distance: "Make the code larger, or the URL shorter."
    case .dotGain, .inkLoss: "Make the modules larger, or print on better paper."
    case .dirt: "Take a stronger error correction, or a smaller logo."
    case .contrastLoss: "Take darker ink, or lighter paper."
    }
  }
}
