// The types of registry files are part of the interface of a registry.
@_exported public import RegistryDocuments
public import AppClipCodes
import CliptagBasics
public import Foundation

/// An issued code: a printed symbol or a written tag.
public struct IssuedCode: Hashable, Sendable, Identifiable {
  /// The medium that carries a code.
  public enum Carrier: String, Hashable, Sendable, CaseIterable {
    /// A printed or displayed QR code.
    case qr
    /// An NFC tag.
    case nfc
    /// An App Clip Code that Apple's tools made.
    case appClipCode = "app-clip-code"
  }

  /// The status of a code: whether it should still be in use.
  public enum Status: String, Hashable, Sendable, CaseIterable {
    /// Made, and in use.
    case issued
    /// Withdrawn; a person who finds the code should take it down.
    case retired
  }

  /// The known facts of a printed symbol.
  public struct Symbol: Hashable, Sendable {
    /// Version, 1 to 40 (ISO/IEC 18004).
    public let version: Int
    /// Error-correction level: `L`, `M`, `Q` or `H`.
    public let errorCorrection: String
    /// Width of one module in millimetres.
    public let moduleSize: Double
    /// Width of the symbol with its quiet zone in millimetres.
    public let width: Double

    /// Makes the facts of a symbol.
    public init(version: Int, errorCorrection: String, moduleSize: Double, width: Double) {
      self.version = version
      self.errorCorrection = errorCorrection
      self.moduleSize = moduleSize
      self.width = width
    }
  }

  /// The known facts of an App Clip Code, from the file that was imported.
  public struct AppClipCodeFacts: Hashable, Sendable {
    /// The bits of the arcs, which identify the code in a picture.
    public let pattern: AppClipCodePattern
    /// The use that the badge indicates; `nil` for a code without a badge.
    public let kind: AppClipCode.Kind?
    /// The code's colours.
    public let colours: AppClipCodeColours
    /// SHA-256 of the file, in upper-case hexadecimal.
    public let fileDigest: String
    /// SHA-256 of the badge's outlines, the key under which the registry stores them.
    public let badgeDigest: String?

    /// Makes the facts of an App Clip Code.
    public init(
      pattern: AppClipCodePattern, kind: AppClipCode.Kind?, colours: AppClipCodeColours,
      fileDigest: String, badgeDigest: String?
    ) {
      self.pattern = pattern
      self.kind = kind
      self.colours = colours
      self.fileDigest = fileDigest
      self.badgeDigest = badgeDigest
    }
  }

  /// The code's name.
  public let id: CodeID
  /// The text that the code carries, exactly.
  public let payload: String
  /// The medium that carries the code.
  public let carrier: Carrier
  /// The id of the code's place, if it belongs to one.
  public let placeID: String?
  /// The time of issue, in whole milliseconds.
  public let created: Date
  /// A Boolean value that indicates whether the check accepted the payload; `false` for a code
  /// issued with `--unregistered`.
  public let registered: Bool
  /// The status of the code.
  public let status: Status
  /// The name of the file that was written last, for a printed code.
  public internal(set) var output: String?
  /// The tag's UID in upper-case hexadecimal, for a tag.
  public let tagUID: String?
  /// The tag's exact type, for example `NTAG215`.
  public internal(set) var tagType: String?
  /// The facts of the last print's symbol, for a printed code.
  public internal(set) var symbol: Symbol?
  /// The facts of the file imported last, for an App Clip Code.
  public internal(set) var appClipCode: AppClipCodeFacts?

  /// Makes a code.
  ///
  /// - Parameters:
  ///   - id: The code's name.
  ///   - payload: The text that the code carries, exactly.
  ///   - carrier: The medium of the code.
  ///   - placeID: The id of the code's place.
  ///   - created: The time of issue; rounded down to whole milliseconds.
  ///   - registered: Whether the check accepted the payload.
  ///   - status: The status of the code.
  ///   - output: The name of the written file.
  ///   - tagUID: The tag's UID in hexadecimal; kept in upper case.
  ///   - tagType: The tag's exact type.
  ///   - symbol: The symbol's facts.
  ///   - appClipCode: The facts of an App Clip Code.
  public init(
    id: CodeID, payload: String, carrier: Carrier, placeID: String? = nil, created: Date,
    registered: Bool, status: Status = .issued, output: String? = nil, tagUID: String? = nil,
    tagType: String? = nil, symbol: Symbol? = nil, appClipCode: AppClipCodeFacts? = nil
  ) {
    self.id = id
    self.payload = payload
    self.carrier = carrier
    self.placeID = placeID
    self.created = created.inWholeMilliseconds
    self.registered = registered
    self.status = status
    self.output = output
    self.tagUID = tagUID?.uppercased()
    self.tagType = tagType
    self.symbol = symbol
    self.appClipCode = appClipCode
  }
}

/// A filter for codes. Every property that is not `nil` must match.
public struct CodeFilter: Hashable, Sendable {
  /// The status of matching codes.
  public var status: IssuedCode.Status?
  /// The carrier of matching codes.
  public var carrier: IssuedCode.Carrier?
  /// The place of matching codes.
  public var placeID: String?
  /// The exact text that matching codes carry.
  public var payload: String?
  /// The UID of the tag of matching codes, in hexadecimal of any case.
  public var tagUID: String?

  /// Makes a filter; without arguments, every code matches.
  public init(
    status: IssuedCode.Status? = nil, carrier: IssuedCode.Carrier? = nil, placeID: String? = nil,
    payload: String? = nil, tagUID: String? = nil
  ) {
    self.status = status
    self.carrier = carrier
    self.placeID = placeID
    self.payload = payload
    self.tagUID = tagUID
  }

  /// Returns whether a code matches.
  public func admits(_ code: IssuedCode) -> Bool {
    status.map { $0 == code.status } ?? true
      && carrier.map { $0 == code.carrier } ?? true
      && placeID.map { $0 == code.placeID } ?? true
      && payload.map { $0.utf8.elementsEqual(code.payload.utf8) } ?? true
      && tagUID.map { $0.uppercased() == code.tagUID } ?? true
  }
}

extension IssuedCode.AppClipCodeFacts {
  private enum Name {
    static let pattern = "pattern"
    static let kind = "kind"
    static let background = "background"
    static let foreground = "foreground"
    static let third = "third"
    static let file = "file"
    static let badge = "badge"
  }

  /// The facts as text, as the chain and the history store them.
  package var texts: [String: String] {
    var texts = [
      Name.pattern: pattern.description, Name.background: colours.background.hexadecimal,
      Name.foreground: colours.foreground.hexadecimal, Name.third: colours.third.hexadecimal,
      Name.file: fileDigest,
    ]
    texts[Name.kind] = kind?.rawValue
    texts[Name.badge] = badgeDigest
    return texts
  }

  /// Reads ``texts``, which may contain further names; `nil` if one is missing.
  package init?(texts: [String: String]) {
    guard let pattern = texts[Name.pattern].flatMap({ AppClipCodePattern($0) }),
      let background = texts[Name.background].flatMap({ Colour($0) }),
      let foreground = texts[Name.foreground].flatMap({ Colour($0) }),
      let third = texts[Name.third].flatMap({ Colour($0) }), let file = texts[Name.file]
    else { return nil }
    self.init(
      pattern: pattern, kind: texts[Name.kind].flatMap { AppClipCode.Kind(rawValue: $0) },
      colours: AppClipCodeColours(background: background, foreground: foreground, third: third),
      fileDigest: file, badgeDigest: texts[Name.badge])
  }
}
