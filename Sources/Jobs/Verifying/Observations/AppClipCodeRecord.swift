public import AppClipCodes
public import CodeScanning
public import Invocation
public import Registry
import Synchronization

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Finding.Code {
  public static let unknownAppClipCode = Self(
    "unknown-app-clip-code", "The App Clip Code is not on record.")
  public static let ambiguousAppClipCode = Self(
    "ambiguous-app-clip-code",
    "The App Clip Code matches several on record, and the picture does not distinguish them."
  )
  public static let unclearAppClipCode = Self(
    "unclear-app-clip-code", "Too little of the App Clip Code was visible for identification.")

  /// The codes above, in the order of the documentation.
  package static let ofAppClipCodes: [Self] = [
    .unknownAppClipCode, .ambiguousAppClipCode, .unclearAppClipCode,
  ]
}

/// The App Clip Codes on record, against which codes that are seen are matched.
///
/// The codes are cached until the registry changes.
public final class AppClipCodeRecord: Sendable {
  private struct Kept {
    let changeNumber: Int?
    let index: AppClipCodeIndex
    /// The codes of each pattern, oldest first.
    let codes: [AppClipCodePattern: [IssuedCode]]
  }

  private let registry: any RegistryStore
  private let kept = Mutex<Kept?>(nil)

  /// Creates the record without reading the registry.
  public init(_ registry: any RegistryStore) { self.registry = registry }

  /// Matches a code that was seen with those on record.
  ///
  /// - Throws: The errors of the registry.
  public func sighting(of seen: SeenAppClipCode) throws(RegistryError) -> AppClipCodeSighting {
    let kept = try current()
    let match = kept.index.match(seen.reading)
    var codes: [IssuedCode] = []
    switch match.answer {
    case .code(let pattern): codes = kept.codes[pattern].map { [Self.meant($0)] } ?? []
    case .oneOf(let patterns): codes = patterns.compactMap { kept.codes[$0].map(Self.meant) }
    case .unknown, .unclear: break
    }
    return AppClipCodeSighting(seen: seen, match: match, codes: codes)
  }

  /// The latest code in use among several with one pattern; the last one if none is in use.
  private static func meant(_ codes: [IssuedCode]) -> IssuedCode {
    codes.last { $0.status == .issued } ?? codes[codes.count - 1]
  }

  private func current() throws(RegistryError) -> Kept {
    let number = try registry.changeNumber()
    if let known = kept.withLock({ $0 }), number != nil, known.changeNumber == number {
      return known
    }
    let codes = try registry.codes(CodeFilter(carrier: .appClipCode))
    var byPattern: [AppClipCodePattern: [IssuedCode]] = [:]
    for code in codes {
      if let pattern = code.appClipCode?.pattern { byPattern[pattern, default: []].append(code) }
    }
    let new = Kept(
      changeNumber: number,
      index: AppClipCodeIndex(codes.compactMap { $0.appClipCode?.pattern }), codes: byPattern)
    kept.withLock { $0 = new }
    return new
  }
}

/// An App Clip Code that was seen, and the matching code on record.
public struct AppClipCodeSighting: Hashable, Sendable {
  /// The code that was seen.
  public let seen: SeenAppClipCode
  /// The result of the comparison with the record.
  public let match: AppClipCodeIndex.Match
  /// The matching code on record; all candidates if the match is ambiguous; empty otherwise.
  public let codes: [IssuedCode]

  /// The code on record, if the match is certain.
  public var code: IssuedCode? {
    if case .code = match.answer { codes.first } else { nil }
  }

  /// The verdict that follows from the comparison.
  var verdict: Verdict {
    switch match.answer {
    case .code: .accepted
    case .unknown: .rejected
    case .oneOf, .unclear: .undecided
    }
  }

  /// The findings of the comparison.
  var findings: [Finding] {
    switch match.answer {
    case .code: return []
    case .unknown:
      let nearest =
        match.nearest == nil
        ? "none is on record"
        : "\(match.wrong) of \(match.known) bits differ from the nearest"
      return [
        Finding(
          .unknownAppClipCode, .error,
          "The App Clip Code is not on record (\(nearest)): it is foreign, or its"
            + " file was never imported.")
      ]
    case .oneOf:
      let names = codes.map { "\($0.id) (\($0.payload.printable))" }.joined(separator: " or ")
      return [
        Finding(
          .ambiguousAppClipCode, .warning,
          "The App Clip Code matches \(names), and the picture is ambiguous: take another"
            + " picture, closer and without obstructions.")
      ]
    case .unclear:
      let wrong =
        match.wrong == 0 ? "" : ", and \(match.wrong) of them differ from the nearest on record"
      return [
        Finding(
          .unclearAppClipCode, .warning,
          "Only \(match.known) of 128 bits of the App Clip Code were certain\(wrong), which does not"
            + " distinguish it from similar codes: take another picture, closer, held still and"
            + " without obstructions.")
      ]
    }
  }
}

extension Verifier {
  /// Matches a code that was seen with those on record, and checks its payload.
  func examine(
    _ seen: SeenAppClipCode, source: String, page: Int? = nil, at reading: LocatedReading? = nil
  ) throws -> VerifiedCode {
    let sighting =
      try options.appClipCodeRecord?.sighting(of: seen) ?? AppClipCodeSighting.withoutRecord(seen)
    var code: VerifiedCode
    if let known = sighting.code {
      code = try examine(
        known.payload, on: .appClipCode, source: source, page: page, at: reading)
    } else {
      code = VerifiedCode(
        source: source, page: page,
        verification: Verification(
          unidentifiedOn: .appClipCode, verdict: sighting.verdict))
      code.carrierFindings = reading?.findings ?? []
    }
    code.appClipCode = sighting
    code.carrierFindings = sighting.findings + code.carrierFindings
    return code
  }
}

extension AppClipCodeSighting {
  /// The sighting when no codes are on record.
  fileprivate static func withoutRecord(_ seen: SeenAppClipCode) -> AppClipCodeSighting {
    AppClipCodeSighting(
      seen: seen, match: AppClipCodeIndex([]).match(seen.reading), codes: [])
  }
}
