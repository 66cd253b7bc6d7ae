import CodeDrawing
import CodeScanning
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

  /// The result of making a file of it, as the contract has it.
  ///
  /// - Parameters:
  ///   - proof: what it can suffer, where that was tried.
  ///   - more: what this kind of file has besides.
  func issueJSON(
    output: String?, code: CodeID?, dryRun: Bool, proof: DesignProof? = nil,
    _ more: [(String, JSONValue)]
  ) -> JSONValue {
    .object(
      [
        ("type", "issue"), ("output", JSONValue(output)), ("url", .string(text)),
        ("version", .integer(symbol.version)),
        ("errorCorrection", .string(symbol.errorCorrection.rawValue)),
        ("moduleSize", .number(size.moduleSize)), ("width", .number(size.width)),
        ("contrast", .number(colours.contrast)),
        ("readingDistance", .number(size.readingDistance)),
        ("verified", .bool(true)), ("code", JSONValue(code?.description)),
        ("dryRun", .bool(dryRun)), ("logo", logoJSON),
        ("proof", proof?.json ?? .null),
        (
          "findings",
          .array(
            (warnings + (proof?.findings ?? [])).map { warning in
              .object([
                ("code", .string(warning.code)), ("severity", "warning"),
                ("message", .string(warning.text)),
              ])
            })
        ),
      ] + more)
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
    for finding in issued.proof?.findings ?? [] {
      say("\(error.yellow("warning:")) \(finding.text)")
    }
    if output != "-" { result(json, text: text + (issued.proof?.lines ?? "")) }
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
