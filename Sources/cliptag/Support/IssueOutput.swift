import CodeDrawing
import Deployment
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

extension Double {
  /// Rounded to thousandths, which is how millimetres are recorded and printed.
  var inThousandths: Double { (self * 1000).rounded() / 1000 }
}
