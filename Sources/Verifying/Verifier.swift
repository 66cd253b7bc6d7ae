public import CodeScanning
public import Invocation
import PositionSources
public import Pictures
public import Registry
public import TagAuthenticity
public import TagTypes

/// From what was read to a verdict, in one way for pictures, live sources, tags and typed text.
///
/// The steps are: *decode* the carrier; *check* what a phone would do with the payload; find the
/// *place* where it was read; say which issued code it is (*identity*); verify its *message*, whose
/// counter is moved once. What an option does not ask for is left out. Sources are decoded several
/// at a time; the message is verified in the order in which observations are delivered.
public struct Verifier: Sendable {
  /// What is done besides the check, and how.
  public struct Options: Sendable {
    /// How codes are looked for in pictures.
    public var scanner = CodeScanner()
    /// How pictures are opened.
    public var loader = PictureLoader()
    /// Reads each page of a picture in a process of its own, when given.
    public var isolation: PageProcess?
    /// How many pictures are read at the same time; as many as there are cores when `nil`. Each may
    /// take the memory of one picture.
    public var workers: Int?
    /// Takes the position from each picture, when given.
    public var pictureLocation: PictureLocation?
    /// Whether a scanner that does not name the symbology is one that is shown QR codes only.
    public var assumesQR = false
    /// The phone that is asked about, instead of phones in general.
    public var phone: PhoneSituation?
    /// Where a position is looked for when a code belongs into a region.
    public var positions: PositionWatch?
    /// Verifies the Secure Unique NFC messages of codes, when given.
    public var messages: SecureMessageCheck?
    /// Where it is looked up which issued code was read, when given.
    public var record: (any RegistryStore)?
    /// The place whose code is meant where several issued codes have one text.
    public var place: String?
    /// Whether the print of codes in pictures is graded.
    public var gradesPrints = false
    /// Keeps what is observed, when given.
    package var keeper: (any ObservationKeeper)?

    /// Only checks.
    public init() {}
  }

  /// How payloads are examined.
  public var check: InvocationCheck
  /// What is known of the position of whoever reads, before anything is read.
  public var location: LocationEvidence
  /// What is done besides the check, and how.
  public var options: Options
  /// The App Clip Codes on record; nothing where what the check asks is no registry.
  let appClipCodes: AppClipCodeRecord?

  /// Makes a verifier.
  ///
  /// - Parameters:
  ///   - check: How payloads are examined.
  ///   - location: What is known of the position of whoever reads.
  ///   - options: What is done besides the check, and how.
  public init(
    check: InvocationCheck, location: LocationEvidence = .missing, options: Options = Options()
  ) {
    self.check = check
    self.location = location
    self.options = options
    let registry =
      options.record ?? (check.directory as? RegistryDirectory)?.registry
      ?? check.directory as? any RegistryStore
    appClipCodes = registry.map(AppClipCodeRecord.init)
  }

  /// Verifies one payload. Nothing is kept of it but its counter, if it has a message.
  ///
  /// - Parameters:
  ///   - payload: The text as decoded, without anything trimmed.
  ///   - carrier: What carried it.
  ///   - source: What to call where it was met.
  /// - Throws: What the directory or the registry throws; `PositionError` when the source of
  ///   positions ended; `AuthenticityError` when OpenSSL failed.
  public func verify(
    _ payload: String, on carrier: Carrier = .url, source: String
  ) async throws -> VerifiedCode {
    try await complete(try examine(payload, on: carrier, source: source))
  }

  /// Verifies what a tag holds, the way a phone reads it.
  ///
  /// A tag without a URL is a malformed payload, with a finding that says what is there instead.
  /// Nothing is kept of it but its counter, if it has a message.
  ///
  /// - Parameters:
  ///   - tag: The tag with its configuration read, for its locks.
  ///   - source: The reader it lies on.
  ///   - originality: What its originality signature says; given when only a genuine tag will do.
  /// - Throws: `TagError` with code `not-ndef` or `tag-password` when nothing can be read, and as
  ///   ``verify(_:on:source:)``.
  public func verify(
    _ tag: Tag, source: String, requiring originality: Originality? = nil
  ) async throws -> VerifiedCode {
    try await complete(try examine(tag, source: source, requiring: originality))
  }

  /// Observes one payload that was typed or scanned as text.
  ///
  /// - Parameter payload: Finds out which it is; what it throws is the observation's failure.
  package func observe(
    _ kind: Observation.Kind, on carrier: Carrier, source: String,
    payload: () async throws -> String
  ) async -> Observation {
    var seen = Observation(kind, source: source)
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
    let answer = try answer(payload, on: carrier, at: reading?.evidence ?? location)
    var code = VerifiedCode(source: source, page: page, verification: answer.verification)
    code.phone = answer.phone
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
    return code
  }

  /// Decodes and checks what a tag holds.
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

  private func answer(
    _ payload: String, on carrier: Carrier, at evidence: LocationEvidence
  ) throws -> (verification: Verification, phone: PhoneAnswer?) {
    guard let phone = options.phone else {
      return (try check.examine(payload: payload, carrier: carrier, location: evidence), nil)
    }
    let answer = try PhoneSimulator(check: check).play(payload, on: phone, location: evidence)
    return (answer.verification, answer)
  }

  /// Takes the steps behind the check with one code.
  package func complete(_ code: VerifiedCode) async throws -> VerifiedCode {
    let code = await count(try await settle(code))
    if let failure = code.failure { throw failure }
    return code
  }

  /// Finds the place where a code was read, and which issued code it is.
  func settle(_ code: VerifiedCode) async throws -> VerifiedCode {
    var code = code
    if let positions = options.positions, let region = code.verification.region {
      let reading = try await positions.reading(in: region)
      let found = code.verification
      (code.verification, code.phone) = try answer(
        found.payload, on: found.carrier, at: reading.evidence)
      code.carrierFindings += reading.findings
    }
    guard let record = options.record else { return code }
    return try await record.read { [code, place = options.place] registry in
      try code.identified(in: registry, preferring: place)
    }
  }

  /// Verifies the message of a code, and moves its counter.
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

  /// Asks the receiver where something was read that belongs nowhere, such as an empty tag: it is kept
  /// with its position all the same.
  private func locate(_ seen: inout Observation) async throws {
    guard let positions = options.positions, seen.fix == nil, !seen.isKnown,
      seen.codes.allSatisfy({ $0.verification.region == nil })
    else { return }
    let reading = try await positions.reading()
    seen.fix = reading.evidence.measured
    if !seen.codes.isEmpty { seen.codes[0].carrierFindings += reading.findings }
  }

  /// Does what changes the registry, in the order of delivery and once for each observation: moves
  /// the counters of messages, and keeps what was observed.
  func deliver(_ seen: Observation) async -> Observation {
    var seen = seen
    for index in seen.codes.indices { seen.codes[index] = await count(seen.codes[index]) }
    guard let keeper = options.keeper, seen.failure == nil, seen.isWholeLook else { return seen }
    seen.failure = seen.codes.lazy.compactMap(\.failure).first
    guard seen.failure == nil else { return seen }
    do {
      try await locate(&seen)
      return try await keeper.keep(seen)
    } catch {
      seen.failure = error
      return seen
    }
  }
}
