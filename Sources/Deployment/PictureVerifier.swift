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
    let codes = try await scanner.scan(try await file.page(number))
    return try verify(
      codes, page: file.isDocument ? number : nil, source: source ?? file.source)
  }

  /// Verifies codes that were read elsewhere, in a process of its own for example.
  ///
  /// - Parameters:
  ///   - codes: What was read.
  ///   - page: The page, from 1, of a document; `nil` for anything else.
  ///   - source: What to call it in the result.
  /// - Throws: What the directory throws.
  public func verify(
    _ codes: [DecodedCode], page: Int?, source: String
  ) throws -> [VerifiedCode] {
    try codes.map { code in
      VerifiedCode(
        source: source, page: page,
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
