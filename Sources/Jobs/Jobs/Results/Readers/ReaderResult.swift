package import NFCReader

/// The `reader` object of a reader, or of a port that may have one.
package struct FoundReaderResult: Encodable {
  /// The type of the object.
  let type = "reader"
  /// The connection string.
  let reader: String
  /// `environment`, `libnfc`, `pcsc` or `serial-port`.
  let foundBy: String
  /// The name of the reader; `nil` if it was not opened.
  let name: String?
  /// The reason that it does not open; `nil` if it does, or was not asked.
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
  /// The type of the object.
  let type = "check"
  /// The subject, such as `permission`.
  let subject: String
  /// `fine`, `note` or `problem`.
  let verdict: String
  /// The finding in a sentence.
  let finding: String
  /// The next step; `nil` if there is none.
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
