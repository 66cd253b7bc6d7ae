public import AppClipCodes

/// A symbol that was seen in a picture and that gives no text.
public struct UnreadSymbol: Hashable, Codable, Sendable {
  /// What it is.
  public enum Kind: Hashable, Codable, Sendable {
    /// One symbol of a message over several (structured append, ISO/IEC 18004:2015, 8), of which
    /// not all are in the picture.
    case partOfMessage(number: Int, of: Int)
    /// Micro QR Code (ISO/IEC 18004:2015), which iPhones and this scanner do not read.
    case microQR
    /// Rectangular Micro QR Code (ISO/IEC 23941), which iPhones and this scanner do not read.
    case rectangularMicroQR
    /// QR Code Model 1 (AIM ITS/97-001), which came before today's and which iPhones and this scanner do
    /// not read.
    case model1QR
  }

  /// What it is.
  public let kind: Kind
  /// Its four corners in pixels of the picture, clockwise; of Micro QR only about.
  public let corners: [PicturePoint]

  /// Makes one.
  package init(kind: Kind, corners: [PicturePoint]) {
    self.kind = kind
    self.corners = corners
  }
}

/// An App Clip Code that was seen in a picture: its bits, as sure as they were seen.
///
/// Which URL it carries does not stand in the picture: it is whose pattern it is among the codes on
/// record (``AppClipCodes/AppClipCodeIndex``).
public struct SeenAppClipCode: Hashable, Codable, Sendable {
  /// The bits of its arcs, with a confidence each.
  public let reading: AppClipCodeReading
  /// The corners of the square around its disc in pixels of the picture: top left, top right, bottom
  /// right and bottom left of the code as it is meant to hang.
  public let corners: [PicturePoint]
  /// The diameter of its disc in pixels of the picture, where it is smallest.
  public let diameter: Double
  /// What the picture tells of its print.
  public let print: AppClipCodePrint

  /// Makes one.
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

/// What a picture tells of the print of an App Clip Code.
public struct AppClipCodePrint: Hashable, Codable, Sendable {
  /// How bright the disc is, 0 to 255 as the picture has it.
  public let disc: Double
  /// How bright the arcs of the foreground's colour are.
  public let foreground: Double
  /// How bright the arcs of the third colour are.
  public let third: Double
  /// How wide arcs are, as a part of how wide they should be; nothing where the picture is too small to
  /// tell.
  public let arcWidth: Double?
  /// How deep the gaps between arcs are: 1 where they have the disc's colour, 0 where they cannot be
  /// seen.
  public let gapDepth: Double

  /// Makes the facts of a print; those of one that was not measured unless told.
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

/// What was found in one picture.
public struct ScanResult: Hashable, Codable, Sendable {
  /// The codes that were read, from top to bottom.
  public let codes: [DecodedCode]
  /// The App Clip Codes that were seen, from top to bottom.
  public let appClipCodes: [SeenAppClipCode]
  /// Symbols that were seen and are not among the codes.
  public let unread: [UnreadSymbol]
  /// Whether the budget ended the search before every stage had its turn; not where the one code
  /// that was wanted was read.
  public let wasCutShort: Bool
  /// What of the picture could not be searched, and why, as the end of a sentence that begins with its
  /// name; `nil` where all of it was.
  public let unsearched: String?

  /// Makes a result.
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
