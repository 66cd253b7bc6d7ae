public import AppClipCodeFiles
public import AppClipCodes
import CliptagBasics
import Foundation
public import Invocation
public import Registry
import TagAuthenticity

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Finding.Code {
  public static let otherBits = Self(
    "other-bits",
    "Another App Clip Code for this URL has other bits: one of them may have been altered.")
  public static let alikeAppClipCodes = Self(
    "alike-app-clip-codes",
    "Two App Clip Codes are more similar than any two of Apple's tools: both need the whole code to be seen."
  )

  /// The codes above, in the order of the documentation.
  package static let ofAppClipCodeFiles: [Self] = [
    .otherBits, .alikeAppClipCodes,
  ]
}

/// App Clip Codes that were read and checked, and may be taken into the record.
public struct AppClipCodeImport: Sendable {
  /// A file that may be taken in.
  public struct Candidate: Sendable {
    /// The file, for people.
    public let path: String
    /// Its name.
    public let name: String
    /// The code in the file.
    public let code: AppClipCode
    /// The approval to take it in.
    public let approval: Approval
    /// The findings of the check and of the comparison with other codes.
    public internal(set) var findings: [Finding]
    /// The facts that the record keeps of it.
    public let facts: IssuedCode.AppClipCodeFacts
    let outlines: String?
  }

  /// A file that is not taken in.
  public struct Refusal: Error {
    /// The file, for people.
    public let path: String
    /// The reason: `AppClipCodeError`, ``IssuingError`` or ``IssueRefusal``.
    public let reason: any Error
  }

  /// The files that may be taken in, in their order.
  public fileprivate(set) var candidates: [Candidate] = []
  /// The files that may not be taken in.
  public fileprivate(set) var refusals: [Refusal] = []
  /// What was done to read the mapping; `nil` if it is in UTF-8, or without one.
  public fileprivate(set) var note: TableNote?

  /// Options for reading and judging files.
  public struct Options: Sendable {
    /// The deviations that are accepted when a file is read.
    public var reading = AppClipCode.Options()
    /// Whether codes are taken in although the check does not accept their URLs.
    public var unregistered = false
    /// Whether codes are refused that the check accepts and warns of.
    public var refusingWarnings = false
    /// Whether a badge is taken that other codes of its kind do not have.
    public var allowsOtherBadges = false

    /// Creates options that accept Apple's templates only, with URLs that the check accepts.
    public init() {}
  }
}

/// A code that was taken into the record.
public struct TakenAppClipCode: Sendable {
  /// The file and its code.
  public let candidate: AppClipCodeImport.Candidate
  /// The code's name in the registry; `nil` in a rehearsal.
  public let id: CodeID?
  /// The change that the record made.
  public let outcome: CodeLedger.Taken
}

extension Issuer {
  /// Reads and checks App Clip Codes: each file alone, against its mapping, against the registry,
  /// and against the other codes.
  ///
  /// - Parameters:
  ///   - collection: The files.
  ///   - mapping: The URLs of the files; without it, the mapping in the root of a folder or ZIP
  ///     file is used.
  ///   - options: Options for reading and judging files.
  ///   - progress: Called after each file with the number of files read.
  /// - Throws: ``IssuingError`` with code `unusable-collection`, ``LabelRefusal`` for a mapping
  ///   with mistakes, `RegistryError`, or `CancellationError`. Mistakes in a file are reported in
  ///   the result.
  public func examine(
    _ collection: AppClipCodeCollection, mapping: AppClipCodeMapping? = nil,
    options: AppClipCodeImport.Options = AppClipCodeImport.Options(),
    progress: (Int) -> Void = { _ in }
  ) throws -> AppClipCodeImport {
    let check = try check.inMemory(of: ledger.registry)
    var mapping = mapping
    let isTold = mapping != nil
    var read: [(name: String, path: String, code: AppClipCode, digest: String)] = []
    var result = AppClipCodeImport()
    var outlines: [AppClipCode.Badge: (text: String, digest: String)] = [:]
    var names: [String] = []
    try collection.forEach { member, name, path, bytes in
      switch member {
      case .mapping:
        guard !isTold else { return }
        guard mapping == nil else {
          throw IssuingError.unusable(
            path, "it is a second CSV file, and only one can be the mapping",
            "Remove one of them, or give the mapping.")
        }
        mapping = AppClipCodeMapping(bytes, path: path)
      case .drawing:
        names.append(name)
        do throws(AppClipCodeError) {
          let code = try AppClipCode(svg: bytes, options: options.reading)
          read.append((name, path, code, try Self.digest(bytes)))
        } catch {
          result.refusals.append(AppClipCodeImport.Refusal(path: path, reason: error))
        }
        progress(names.count)
      }
    }
    if let mapping {
      guard mapping.problems.isEmpty else { throw LabelRefusal(problems: mapping.problems) }
      result.note = mapping.note
      // A user who names single files may take a part of the files in the mapping.
      for row in collection.isWhole ? mapping.files(without: names) : [] {
        result.refusals.append(
          AppClipCodeImport.Refusal(
            path: mapping.path,
            reason: IssuingError.differs(
              mapping.path, "line \(row.line) lists the file \(row.name), which is missing")))
      }
    }
    let known = try ledger.registry.codes(CodeFilter(carrier: .appClipCode))
    let company = AppClipCodeCompany(known, read.map(\.code))
    for file in read {
      do {
        let row = mapping?.row(ofFile: file.name)
        if let mapping {
          guard let row else {
            throw IssuingError.differs(file.path, "\(mapping.path) does not list it")
          }
          if let difference = row.difference(from: file.code) {
            throw IssuingError.differs(file.path, difference)
          }
        }
        var badge: (text: String, digest: String)?
        if let own = file.code.badge {
          badge = try outlines[own] ?? Self.outlines(of: own)
          outlines[own] = badge
        }
        let kind = file.code.badge?.kind ?? row?.kind
        try company.refuseConflict(
          of: file.code, path: file.path, allowsOtherBadges: options.allowsOtherBadges)
        let approval = try check.approve(
          file.code.payload, carrier: .appClipCode, unregistered: options.unregistered,
          refusingWarnings: options.refusingWarnings)
        result.candidates.append(
          AppClipCodeImport.Candidate(
            path: file.path, name: file.name, code: file.code, approval: approval,
            findings: approval.verification.findings + Self.doubtfulLength(of: approval),
            facts: IssuedCode.AppClipCodeFacts(
              pattern: file.code.pattern, kind: kind, colours: file.code.colours,
              fileDigest: file.digest, badgeDigest: badge?.digest), outlines: badge?.text))
      } catch {
        result.refusals.append(AppClipCodeImport.Refusal(path: file.path, reason: error))
      }
    }
    for place in result.candidates.indices {
      result.candidates[place].findings += company.findings(of: result.candidates[place].code)
    }
    return result
  }

  /// Returns a finding if a file's URL is, by an estimate, too long for the capacity of its arcs:
  /// its text may differ from them.
  private static func doubtfulLength(of approval: Approval) -> [Finding] {
    let found = approval.verification.url?.appClipCodeFindings ?? []
    return found.filter(\.doubtsAppClipCodeLength).map {
      Finding(
        $0.code, .warning,
        $0.message
          + " The text in the file may differ from its arcs: scan the code with a phone.")
    }
  }

  /// Records checked App Clip Codes: all, or none.
  ///
  /// - Throws: `RegistryError`.
  public func take(_ candidates: [AppClipCodeImport.Candidate]) async throws -> [TakenAppClipCode] {
    guard !isRehearsal else {
      return candidates.map { TakenAppClipCode(candidate: $0, id: nil, outcome: .new) }
    }
    let taken = try await ledger.recordTaken(candidates)
    return zip(candidates, taken).map {
      TakenAppClipCode(candidate: $0, id: $1.id, outcome: $1.outcome)
    }
  }

  private static func digest(_ bytes: [UInt8]) throws(AppClipCodeError) -> String {
    do {
      return try SHA256.digest(of: bytes).hexadecimal
    } catch {
      throw .noDigest(error.message)
    }
  }

  /// Returns the outlines of a glyph and its badge as the registry keeps them, which are the same for all codes that
  /// have it.
  private static func outlines(
    of badge: AppClipCode.Badge
  ) throws -> (text: String, digest: String) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let bytes = [UInt8](try encoder.encode(badge))
    return (String(decoding: bytes, as: UTF8.self), try digest(bytes))
  }
}

extension RegistryOperations where Self: ~Copyable {
  /// Returns an issued App Clip Code as its file described it, for drawing.
  ///
  /// - Returns: The code, or `nil` for another carrier or a badge that was never taken in here: the
  ///   record of another computer has only its digest.
  public borrowing func appClipCode(of code: IssuedCode) throws(RegistryError) -> AppClipCode? {
    guard let facts = code.appClipCode else { return nil }
    var badge: AppClipCode.Badge?
    if let digest = facts.badgeDigest {
      guard let text = try appClipCodeBadge(digest: digest),
        let known = try? JSONDecoder().decode(AppClipCode.Badge.self, from: Data(text.utf8))
      else { return nil }
      badge = known
    }
    return AppClipCode(
      payload: code.payload, pattern: facts.pattern, colours: facts.colours, badge: badge)
  }
}

/// All App Clip Codes among which one is taken in: those on record, and those of the same
/// collection.
private struct AppClipCodeCompany {
  private var payloads: [AppClipCodePattern: Set<[UInt8]>] = [:]
  private var patterns: [[UInt8]: Set<AppClipCodePattern>] = [:]
  private let index: AppClipCodeIndex
  private var codesOfGlyph: [AppClipCode.Badge: Int] = [:]

  init(_ known: [IssuedCode], _ new: [AppClipCode]) {
    var all: [AppClipCodePattern] = []
    for code in known {
      guard let pattern = code.appClipCode?.pattern else { continue }
      payloads[pattern, default: []].insert(Array(code.payload.utf8))
      patterns[Array(code.payload.utf8), default: []].insert(pattern)
      all.append(pattern)
    }
    for code in new {
      payloads[code.pattern, default: []].insert(Array(code.payload.utf8))
      patterns[Array(code.payload.utf8), default: []].insert(code.pattern)
      all.append(code.pattern)
      if let glyph = code.badge?.glyph { codesOfGlyph[glyph, default: 0] += 1 }
    }
    index = AppClipCodeIndex(all)
  }

  /// Refuses a code whose bits another URL has, and one whose glyph most others of its kind do not
  /// have.
  func refuseConflict(
    of code: AppClipCode, path: String, allowsOtherBadges: Bool
  ) throws(IssuingError) {
    let others = payloads[code.pattern, default: []].subtracting([Array(code.payload.utf8)])
    if let other = others.map({ String(decoding: $0, as: UTF8.self) }).min() {
      throw IssuingError(
        .appClipCodeConflict,
        "\(path) has the bits of the App Clip Code for \(other), but the text \(code.payload).",
        hint: "One of the two files was altered: use both unmodified from Apple's tools.")
    }
    guard !allowsOtherBadges, let glyph = code.badge?.glyph else { return }
    let own = codesOfGlyph[glyph, default: 0]
    let most = codesOfGlyph.filter { $0.key.kind == glyph.kind }.values.max() ?? own
    guard own == most else {
      throw IssuingError(
        .foreignBadge,
        "\(path) has another glyph in its middle than \(most) other codes of its kind.",
        hint: "An App Clip Code must not have a logo: use the original file from Apple's tools.")
    }
  }

  /// Returns further findings about a code.
  func findings(of code: AppClipCode) -> [Finding] {
    var findings: [Finding] = []
    let others = patterns[Array(code.payload.utf8), default: []]
    if others.count > 1 {
      findings.append(
        Finding(
          .otherBits, .warning,
          "Another App Clip Code for this URL has other bits: check both for alterations."))
    }
    let alike = index.alike(to: code.pattern).filter { !others.contains($0) }
    if let nearest = alike.min(by: {
      AppClipCodeIndex.distance($0, code.pattern) < AppClipCodeIndex.distance($1, code.pattern)
    }), let url = payloads[nearest]?.map({ String(decoding: $0, as: UTF8.self) }).min() {
      findings.append(
        Finding(
          .alikeAppClipCodes, .warning,
          "Only \(AppClipCodeIndex.distance(nearest, code.pattern)) of 128 bits differ from the App"
            + " Clip Code for \(url), fewer than between any two of Apple's tools: one of the files"
            + " may have been altered. These two need the whole code to be seen; do not mount both in"
            + " one place."))
    }
    return findings
  }
}

extension IssuingError {
  fileprivate static func differs(_ path: String, _ difference: String) -> IssuingError {
    IssuingError(
      .mappingDiffers, "\(path) does not fit its mapping: \(difference).",
      hint: "Use the files and their mapping unmodified.")
  }
}

extension AppClipCode.Badge {
  /// The glyph alone, in tenths of a unit: numbers of two files may be rounded in two ways.
  fileprivate var glyph: AppClipCode.Badge {
    AppClipCode.Badge(
      kind: kind,
      parts: parts.map { Part(outline: $0.outline.rounded, fill: $0.fill) }, lockup: [])
  }
}
