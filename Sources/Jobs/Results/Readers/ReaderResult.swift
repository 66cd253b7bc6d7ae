package import NFCReader

/// The `reader` object of a reader, or of a port that may have one.
package struct FoundReaderResult: Encodable {
  let type = "reader"
  let reader: String
  let foundBy: String
  let name: String?
  let error: String?

  package init(_ found: FoundReader) {
    reader = found.connectionString
    foundBy = found.source.rawValue
    switch found.answer {
    case .notAsked: (name, error) = (nil, nil)
    case .opened(let opened): (name, error) = (opened, nil)
    case .failed(let failure): (name, error) = (nil, failure.problem)
    }
  }
}

/// The `check` object of the examination of a reader.
package struct ReaderCheckResult: Encodable, Hashable, Sendable {
  let type = "check"
  let subject: String
  let verdict: String
  let finding: String
  let hint: String?

  /// - Parameter hint: The next step, in the words of a face.
  package init(_ check: ReaderCheck, hint: String?) {
    (subject, verdict) = (check.subject.rawValue, check.verdict.rawValue)
    (finding, self.hint) = (check.finding, hint)
  }

  /// States that a reader is open, and is not examined.
  package init(inUse finding: String) {
    (subject, verdict) = (ReaderCheck.Subject.opening.rawValue, ReaderCheck.Verdict.fine.rawValue)
    (self.finding, hint) = (finding, nil)
  }
}
