/// An App Clip Code, as a file from App Store Connect or Apple's generator contains it.
///
/// Codes are never generated here: Apple's guidelines allow only unaltered codes made by its tools.
/// A file is therefore parsed strictly, and each arc is compared with the five rings, so that parts
/// that were moved, added or recoloured afterwards are found.
public struct AppClipCode: Hashable, Sendable {
  /// The invocation URL of the code, as the file gives it in plain text.
  public let payload: String
  /// The bits of the arcs.
  public let pattern: AppClipCodePattern
  /// The three colours.
  public let colours: AppClipCodeColours
  /// The glyph in the middle, and the badge around the disc if there is one; `nil` for a code that an
  /// earlier version imported without a glyph.
  public let badge: Badge?
  /// A Boolean value that indicates whether the disc is on a badge with the words “App Clip” below it.
  public var hasLockup: Bool { badge?.lockup.isEmpty == false }
  /// The word of Apple's tools for it (`--logo`): `badge` or `none`.
  public var logo: String { hasLockup ? "badge" : "none" }
  /// The intended use, according to the glyph; a code without a glyph is scanned.
  public var kind: Kind { badge?.kind ?? .camera }

  /// The intended use of a code.
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// Scanned with the camera only.
    case camera = "cam"
    /// Held against a phone, which reads the tag in its middle, or scanned.
    case nfc
  }

  /// The glyph in the middle of a code, and the badge on which the disc lies.
  public struct Badge: Hashable, Sendable {
    /// The use that the glyph indicates.
    public let kind: Kind
    /// The parts of the glyph in drawing order.
    public let parts: [Part]
    /// The badge and its words, which are drawn before the disc; empty for a disc alone.
    public let lockup: [Part]

    /// Creates a badge of its parts.
    package init(kind: Kind, parts: [Part], lockup: [Part]) {
      (self.kind, self.parts, self.lockup) = (kind, parts, lockup)
    }

    /// An outline and its fill.
    public struct Part: Hashable, Sendable, Codable {
      /// The outline, in units of the drawing, from the corner of the square around a plain disc.
      public let outline: BadgePath
      /// The colour of the code that fills the outline: all codes with the same glyph have the same
      /// parts.
      public let fill: Fill

      /// Creates a part.
      package init(outline: BadgePath, fill: Fill) {
        (self.outline, self.fill) = (outline, fill)
      }
    }

    /// One of the three colours of a code.
    public enum Fill: String, Hashable, Sendable, Codable, CaseIterable {
      /// The colour of the disc.
      case background
      /// The colour of the arcs whose bit is 0.
      case foreground
      /// The colour of the arcs whose bit is 1.
      case third
    }
  }

  /// Creates a code from the stored contents of a file.
  package init(
    payload: String, pattern: AppClipCodePattern, colours: AppClipCodeColours, badge: Badge?
  ) {
    self.payload = payload
    self.pattern = pattern
    self.colours = colours
    self.badge = badge
  }
}

extension AppClipCode {
  /// The size of the drawing of a disc with badge, in units (`viewBox="-50 -50 900 1100"`); that of a
  /// disc alone is 800 × 800.
  package static let lockupBox = (x: -50.0, y: -50.0, width: 900.0, height: 1100.0)
  /// The place of the disc's square in the drawing with badge, in units.
  package static let lockupOffset = BadgePath.Point(x: -0.99, y: -3.8)

  /// The place of the disc's square in the drawing, in units.
  package var discOffset: BadgePath.Point {
    hasLockup ? Self.lockupOffset : BadgePath.Point(x: 0, y: 0)
  }
}

/// A badge without lockup is stored as it was before there were any.
extension AppClipCode.Badge: Codable {
  private enum CodingKeys: String, CodingKey { case kind, parts, lockup }

  /// Decodes a badge.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    kind = try container.decode(AppClipCode.Kind.self, forKey: .kind)
    parts = try container.decode([Part].self, forKey: .parts)
    lockup = try container.decodeIfPresent([Part].self, forKey: .lockup) ?? []
  }

  /// Encodes a badge; ``lockup`` only if there is one.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(kind, forKey: .kind)
    try container.encode(parts, forKey: .parts)
    if !lockup.isEmpty { try container.encode(lockup, forKey: .lockup) }
  }
}
