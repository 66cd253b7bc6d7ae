public import Invocation
package import PositionSources

/// What is known of the position of one reading, and what is worth telling about it.
public struct LocatedReading: Sendable {
  /// What is known.
  public let evidence: LocationEvidence
  /// What is worth telling.
  public let findings: [Finding]

  /// Makes a reading's position.
  public init(_ evidence: LocationEvidence, findings: [Finding] = []) {
    self.evidence = evidence
    self.findings = findings
  }

  /// What a receiver gave.
  package init(_ found: FoundPosition) {
    self.init(.fix(found.fix), findings: Finding.about(found))
  }

  /// No position, and why.
  package init(_ error: PositionError) {
    self.init(.missing, findings: [Finding.about(error)])
  }
}

extension VerifiedCode {
  /// The same code, judged by where it was read.
  ///
  /// - Throws: What the directory throws.
  package func located(_ reading: LocatedReading, by check: InvocationCheck) throws -> VerifiedCode
  {
    VerifiedCode(
      source: source, page: page,
      verification: try check.examine(
        payload: verification.payload, carrier: verification.carrier, location: reading.evidence),
      carrierFindings: carrierFindings + reading.findings, symbol: symbol, tag: tag,
      secureMessage: secureMessage, phone: phone)
  }
}
