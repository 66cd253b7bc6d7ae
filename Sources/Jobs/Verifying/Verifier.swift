public import CodeScanning
public import Invocation
import PositionSources
public import Pictures
public import Registry
public import TagAuthenticity
public import TagTypes

/// Verifies codes from pictures, live sources, tags and typed text with the same steps.
///
/// The steps are: *decode* the carrier; *check* what a phone would do with the payload; determine
/// the *place* where it was read; find the issued code (*identity*); verify its *message* and
/// advance the counter once. Steps that no option asks for are left out. Several sources are
/// decoded at a time; messages are verified in the order in which observations are delivered.
public struct Verifier: Sendable {
  /// The steps besides the check, and their settings.
  public struct Options: Sendable {
    /// The scanner that searches pictures for codes.
    public var scanner = CodeScanner()
    /// The loader that opens pictures.
    public var loader = PictureLoader()
    /// Reads each page of a picture in a separate process, when given.
    public var isolation: PageProcess?
    /// The number of pictures that are read at the same time; the number of cores when `nil`. Each
    /// may take the memory of one picture.
    public var workers: Int?
    /// Takes the position from each picture, when given.
    public var pictureLocation: PictureLocation?
    /// Whether a scanner that does not name the symbology is assumed to read QR codes only.
    public var assumesQR = false
    /// The phone to simulate, instead of phones in general.
    public var phone: PhoneSituation?
    /// The source of positions for codes that belong to a region.
    public var positions: PositionWatch?
    /// Verifies the Secure Unique NFC messages of codes, when given.
    public var messages: SecureMessageCheck?
    /// The registry in which issued codes are looked up, when given.
    public var record: (any RegistryStore)? {
      didSet { recorded = record.map(AppClipCodeRecord.init) }
    }
    /// The registry whose App Clip Codes are recognised in pictures; that of ``record`` if `nil`.
    public var appClipCodes: (any RegistryStore)? {
      didSet { known = appClipCodes.map(AppClipCodeRecord.init) }
    }
    private var recorded: AppClipCodeRecord?
    private var known: AppClipCodeRecord?

    /// The App Clip Codes on record; `nil` without a registry.
    var appClipCodeRecord: AppClipCodeRecord? { known ?? recorded }
    /// The place whose code is preferred when several issued codes have the same text.
    public var place: String?
    /// Whether the print of codes in pictures is graded.
    public var gradesPrints = false
    /// The needs of the program that keeps the observations, when one does.
    package var keeping: ObservationKeeping?

    /// Only checks.
    public init() {}
  }

  /// The check of payloads.
  public var check: InvocationCheck
  /// The evidence of the reader's position that is known before anything is read.
  public var location: LocationEvidence
  /// The steps besides the check, and their settings.
  public var options: Options
  /// Makes a verifier.
  ///
  /// - Parameters:
  ///   - check: The check of payloads.
  ///   - location: The evidence of the reader's position.
  ///   - options: The steps besides the check, and their settings.
  public init(
    check: InvocationCheck, location: LocationEvidence = .missing, options: Options = Options()
  ) {
    self.check = check
    self.location = location
    self.options = options
  }

  /// Verifies one payload. Only the counter of its message, if it has one, is stored.
  ///
  /// - Parameters:
  ///   - payload: The text as decoded, untrimmed.
  ///   - carrier: The carrier of the payload.
  ///   - source: The name of its source in the result.
  /// - Throws: The errors of the directory and the registry; `PositionError` when the source of
  ///   positions ended; `AuthenticityError` when OpenSSL failed.
  public func verify(
    _ payload: String, on carrier: Carrier = .url, source: String
  ) async throws -> VerifiedCode {
    try await complete(try examine(payload, on: carrier, source: source))
  }

  /// Verifies the content of a tag, read as a phone reads it.
  ///
  /// A tag without a URL is a malformed payload, with a finding that describes its content. Only
  /// the counter of its message, if it has one, is stored.
  ///
  /// - Parameters:
  ///   - tag: The tag with its configuration read, for its locks.
  ///   - source: The reader that holds the tag.
  ///   - originality: The verdict on its originality signature; given only if the tag must be
  ///     genuine.
  /// - Throws: `TagError` with code `not-ndef` or `tag-password` when nothing can be read, and the
  ///   errors of ``verify(_:on:source:)``.
  public func verify(
    _ tag: Tag, source: String, requiring originality: Originality? = nil
  ) async throws -> VerifiedCode {
    try await complete(try examine(tag, source: source, requiring: originality))
  }

  /// Observes one payload that was typed or scanned as text.
  ///
  /// - Parameter payload: Gets the payload; an error that it throws is the observation's failure.
  package func observe(
    _ kind: CodeObservation.Kind, on carrier: Carrier, source: String,
    payload: () async throws -> String
  ) async -> CodeObservation {
    var seen = CodeObservation(kind, source: source)
    seen.fix = location.measured
    do {
      seen.codes = [
        try await settle(try examine(try await payload(), on: carrier, source: source))
      ]
    } catch {
      seen.failure = error
    }
    return await deliver(seen)
  }

  // MARK: The steps

  /// Checks a payload.
  package func examine(
    _ payload: String, on carrier: Carrier, source: String, page: Int? = nil,
    at reading: LocatedReading? = nil
  ) throws -> VerifiedCode {
    let lookup: VerifiedCode.Lookup =
      if let phone = options.phone {
        .phone(try PhoneSimulator(check: check).simulate(payload, on: phone))
      } else {
        .anyPhone(try check.lookUp(payload, on: carrier))
      }
    var code = VerifiedCode(source: source, page: page, lookup, at: reading?.evidence ?? location)
    code.carrierFindings = reading?.findings ?? []
    return code
  }

  /// Checks a symbol that was decoded.
  func examine(
    _ symbol: DecodedCode, source: String, page: Int? = nil, at reading: LocatedReading? = nil
  ) throws -> VerifiedCode {
    var code = try examine(
      symbol.text, on: symbol.symbology == .qr ? .qr : .barcode, source: source, page: page,
      at: reading)
    code.symbol = symbol
    if let finding = Finding.about(symbol.symbology) { code.carrierFindings.insert(finding, at: 0) }
    return code
  }

  /// Decodes and checks the content of a tag.
  package func examine(
    _ tag: Tag, source: String, requiring originality: Originality? = nil
  ) throws -> VerifiedCode {
    let payload = try TagPayload(tag)
    let seen = payload.asPhonesSee(tag)
    var code = try examine(seen.uri ?? "", on: .nfc, source: source)
    code.recordedPayload = payload.recordedURI ?? seen.uri ?? ""
    code.carrierFindings = seen.findings
    code.tag = TagFacts(tag)
    return originality.map(code.requiring) ?? code
  }

  /// Takes the steps after the check with one code.
  package func complete(_ code: VerifiedCode) async throws -> VerifiedCode {
    let code = await count(try await settle(code))
    if let failure = code.failure { throw failure }
    return code
  }

  /// Determines the place where a code was read, and the issued code.
  func settle(_ code: VerifiedCode) async throws -> VerifiedCode {
    var code = code
    if let positions = options.positions, let region = code.verification.region {
      let reading = try await positions.reading(in: region)
      code.judge(at: reading.evidence)
      code.carrierFindings += reading.findings
    }
    guard let record = options.record else { return code }
    return try await record.read { [code, place = options.place] registry in
      try code.identified(in: registry, preferring: place)
    }
  }

  /// Verifies the message of a code, and advances its counter.
  private func count(_ code: VerifiedCode) async -> VerifiedCode {
    guard let messages = options.messages else { return code }
    do {
      return try await messages.examine(code)
    } catch {
      var code = code
      code.failure = error
      return code
    }
  }

  /// Advances the counters of messages in the registry, in the order of delivery and once for each
  /// observation.
  func deliver(_ seen: CodeObservation) async -> CodeObservation {
    var seen = seen
    for index in seen.codes.indices { seen.codes[index] = await count(seen.codes[index]) }
    return seen
  }
}
