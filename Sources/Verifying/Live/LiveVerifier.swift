public import CodeScanning
public import Invocation

/// Says what each code from a camera or a scanner means.
public struct LiveVerifier: Sendable {
  /// How payloads are examined.
  package let check: InvocationCheck
  /// What is known about the position of whoever reads.
  package let evidence: LocationEvidence
  /// Whether a scanner that does not name the symbology is one that is shown QR codes only.
  package let assumesQR: Bool

  /// Makes a verifier.
  public init(check: InvocationCheck, location evidence: LocationEvidence, assumesQR: Bool = false)
  {
    self.check = check
    self.evidence = evidence
    self.assumesQR = assumesQR
  }

  /// Verifies one reading.
  ///
  /// - Parameters:
  ///   - reading: What the source gave.
  ///   - source: What to call the source in the result.
  /// - Returns: `nil` for a reading that is no code.
  /// - Throws: What the directory throws.
  public func verify(_ reading: LiveReading, from source: String) throws -> VerifiedCode? {
    switch reading {
    case .decoded(let code):
      try verified(code.text, code.symbology, from: source, symbol: SymbolFacts(code))
    case .text(let text, let symbology):
      try verified(text, symbology ?? (assumesQR ? .qr : nil), from: source, symbol: nil)
    case .unreadable: nil
    }
  }

  private func verified(
    _ text: String, _ symbology: DecodedCode.Symbology?, from source: String,
    symbol: SymbolFacts?
  ) throws -> VerifiedCode {
    VerifiedCode(
      source: source,
      verification: try check.examine(
        payload: text, carrier: symbology == .qr ? .qr : .barcode, location: evidence),
      symbol: symbol)
  }
}
