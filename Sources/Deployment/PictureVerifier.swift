public import CodeScanning
public import Invocation
public import Pictures

/// Reads the codes in pictures and documents and says what each means.
public struct PictureVerifier: Sendable {
  /// How payloads are examined.
  public let check: InvocationCheck
  /// What is known about the position of whoever took the picture.
  public let evidence: LocationEvidence
  /// How codes are looked for.
  public let scanner: CodeScanner

  /// Makes a verifier.
  public init(
    check: InvocationCheck, location evidence: LocationEvidence,
    scanner: CodeScanner = CodeScanner()
  ) {
    self.check = check
    self.evidence = evidence
    self.scanner = scanner
  }

  /// Verifies the codes on one page.
  ///
  /// - Parameters:
  ///   - number: The page, from 1.
  ///   - file: An opened picture or document.
  ///   - source: What to call it in the result, if not by the file's own name.
  /// - Returns: The codes from top to bottom; empty when there is none.
  /// - Throws: `PictureError`, or what the directory throws.
  public func verify(
    page number: Int, of file: PictureFile, named source: String? = nil
  ) async throws -> [VerifiedCode] {
    let page = try await file.page(number)
    return try await scanner.scan(page).map { code in
      VerifiedCode(
        source: source ?? file.source, page: file.isDocument ? number : nil,
        verification: try check.examine(payload: code.text, carrier: .qr, location: evidence),
        symbol: SymbolFacts(code))
    }
  }
}

extension SymbolFacts {
  init(_ code: DecodedCode) {
    self.init(
      version: code.version, errorCorrection: code.errorCorrection?.rawValue,
      corners: code.corners.map { [$0.x, $0.y] })
  }
}
