public import AppClipCodes

/// A symbol in a picture that gives no text.
public struct UnreadSymbol: Hashable, Codable, Sendable {
  /// The kind of an unread symbol.
  public enum Kind: Hashable, Codable, Sendable {
    /// One symbol of a message over several (structured append, ISO/IEC 18004:2015, 8), not all of
    /// which are in the picture.
    case partOfMessage(number: Int, of: Int)
    /// Micro QR Code (ISO/IEC 18004:2015) that was recognised and could not be read.
    case microQR
    /// Rectangular Micro QR Code (ISO/IEC 23941) that was recognised and could not be read.
    case rectangularMicroQR
    /// QR Code Model 1 (AIM ITS/97-001), the predecessor of the current form, that was recognised
    /// and could not be read.
    case model1QR
    /// A QR code whose patterns are visible and whose modules cannot be corrected: covered, damaged,
    /// or too blurred.
    case unreadableQR
  }

  /// The kind of the symbol.
  public let kind: Kind
  /// The four corners in pixels of the picture, clockwise; approximate for Micro QR.
  public let corners: [PicturePoint]
}

/// An App Clip Code in a picture: its bits with their confidences.
///
/// The picture does not contain its URL, which is found by comparing the pattern with the recorded
/// codes (`AppClipCodeIndex`).
public struct SeenAppClipCode: Hashable, Codable, Sendable {
  /// The bits of the arcs, each with a confidence.
  public let reading: AppClipCodeReading
  /// The corners of the square around the disc in pixels of the picture: top left, top right,
  /// bottom right and bottom left of the upright code.
  public let corners: [PicturePoint]
  /// The smallest diameter of the disc in pixels of the picture.
  public let diameter: Double
  /// The measurements of the print.
  public let print: AppClipCodePrint

  /// Creates a code.
  package init(
    reading: AppClipCodeReading, corners: [PicturePoint], diameter: Double,
    print: AppClipCodePrint = AppClipCodePrint()
  ) {
    self.reading = reading
    self.corners = corners
    self.diameter = diameter
    self.print = print
  }
}

/// The measurements of the print of an App Clip Code in a picture.
public struct AppClipCodePrint: Hashable, Codable, Sendable {
  /// The brightness of the disc, 0 to 255 as in the picture.
  public let disc: Double
  /// The brightness of the arcs of the foreground colour.
  public let foreground: Double
  /// The brightness of the arcs of the third colour.
  public let third: Double
  /// The width of arcs relative to their nominal width; `nil` if the picture is too small to
  /// measure it.
  public let arcWidth: Double?
  /// The depth of the gaps between arcs: 1 if they have the disc's colour, 0 if they are invisible.
  public let gapDepth: Double

  /// Creates the measurements of a print; the defaults are those of one that was not measured.
  package init(
    disc: Double = 0, foreground: Double = 0, third: Double = 0, arcWidth: Double? = nil,
    gapDepth: Double = 0
  ) {
    self.disc = disc
    self.foreground = foreground
    self.third = third
    self.arcWidth = arcWidth
    self.gapDepth = gapDepth
  }
}

/// The results for one picture.
public struct ScanResult: Hashable, Codable, Sendable {
  /// The codes that were read, from top to bottom.
  public let codes: [DecodedCode]
  /// The App Clip Codes, from top to bottom.
  public let appClipCodes: [SeenAppClipCode]
  /// Symbols that are not among the codes.
  public let unread: [UnreadSymbol]
  /// A Boolean value that indicates whether the budget ended the search before all stages ran;
  /// `false` if the single requested code was read.
  public let wasCutShort: Bool
  /// The part of the picture that could not be searched, and the reason, as the end of a sentence
  /// that begins with the picture's name; `nil` if all of it was searched.
  public let unsearched: String?

  /// Returns the result with further unread symbols.
  func adding(_ symbols: [UnreadSymbol]) -> ScanResult {
    ScanResult(
      codes: codes, appClipCodes: appClipCodes, unread: unread + symbols,
      wasCutShort: wasCutShort, unsearched: unsearched)
  }

  /// Creates a result.
  package init(
    codes: [DecodedCode], appClipCodes: [SeenAppClipCode] = [], unread: [UnreadSymbol] = [],
    wasCutShort: Bool = false, unsearched: String? = nil
  ) {
    self.codes = codes
    self.appClipCodes = appClipCodes
    self.unread = unread
    self.wasCutShort = wasCutShort
    self.unsearched = unsearched
  }
}
