public import CodeScanning
public import Invocation
public import Pictures

/// Reads the codes in pictures and documents and says what each means.
public struct PictureVerifier: Sendable {
  /// How payloads are examined.
  package let check: InvocationCheck
  /// What is known about the position of whoever took the picture.
  package let evidence: LocationEvidence
  /// Takes the position from each picture instead, when given.
  package let pictureLocation: PictureLocation?
  /// How codes are looked for.
  package let scanner: CodeScanner

  /// Makes a verifier.
  public init(
    check: InvocationCheck, location evidence: LocationEvidence,
    pictureLocation: PictureLocation? = nil, scanner: CodeScanner = CodeScanner()
  ) {
    self.check = check
    self.evidence = evidence
    self.pictureLocation = pictureLocation
    self.scanner = scanner
  }

  /// Verifies the codes on one page.
  ///
  /// - Parameters:
  ///   - number: The page, from 1.
  ///   - file: An opened picture or document.
  ///   - source: What to call it in the result, if not by the file's own name.
  /// - Returns: The codes from top to bottom, empty when there is none, and what was seen besides.
  /// - Throws: `PictureError`, or what the directory throws.
  public func verify(
    page number: Int, of file: PictureFile, named source: String? = nil
  ) async throws -> VerifiedPage {
    let result = try await scanner.examine(try await file.page(number))
    let name = source ?? file.source
    return try verify(
      result, page: file.isDocument ? number : nil, source: name,
      reading: pictureLocation?.reading(of: file.position, named: name))
  }

  /// Verifies codes that were read elsewhere, in a process of its own for example.
  ///
  /// - Parameters:
  ///   - result: What was read.
  ///   - page: The page, from 1, of a document; `nil` for anything else.
  ///   - source: What to call it in the result.
  /// - Throws: What the directory throws.
  public func verify(
    _ result: ScanResult, page: Int?, source: String
  ) throws -> VerifiedPage {
    try verify(result, page: page, source: source, reading: nil)
  }

  private func verify(
    _ result: ScanResult, page: Int?, source: String, reading: LocatedReading?
  ) throws -> VerifiedPage {
    let reading = reading ?? LocatedReading(evidence)
    let codes = try result.codes.map { code in
      VerifiedCode(
        source: source, page: page,
        verification: try check.examine(
          payload: code.text, carrier: code.symbology == .qr ? .qr : .barcode,
          location: reading.evidence),
        carrierFindings: Finding.about(code) + reading.findings, symbol: SymbolFacts(code))
    }
    return VerifiedPage(
      number: page, codes: codes, unread: result.unread, wasCutShort: result.wasCutShort)
  }
}

/// What one picture or page shows.
public struct VerifiedPage: Sendable {
  /// The page, from 1, of a document; `nil` for anything else.
  public let number: Int?
  /// The codes from top to bottom.
  public let codes: [VerifiedCode]
  /// Symbols that were seen and give no text.
  public let unread: [UnreadSymbol]
  /// Whether the scanner's budget ended the search before every stage had its turn.
  public let wasCutShort: Bool
}
