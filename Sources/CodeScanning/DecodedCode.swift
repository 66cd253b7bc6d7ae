/// A place in a picture: pixels from its top left corner, fractions allowed.
public struct PicturePoint: Hashable, Codable, Sendable {
  /// Pixels to the right of the left edge.
  public var x: Double
  /// Pixels below the top edge.
  public var y: Double

  /// Makes a point.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// A code that was read in a picture, confirmed by its error correction.
public struct DecodedCode: Hashable, Codable, Sendable {
  /// The error-correction levels of QR Code, ISO/IEC 18004:2015, 7.5.1.
  public enum ErrorCorrection: String, CaseIterable, Codable, Sendable {
    /// Recovers about 7 % of the codewords.
    case low = "L"
    /// Recovers about 15 % of the codewords.
    case medium = "M"
    /// Recovers about 25 % of the codewords.
    case quartile = "Q"
    /// Recovers about 30 % of the codewords.
    case high = "H"
  }

  /// A kind of code. Open: a later version may read more kinds.
  public struct Symbology: RawRepresentable, Hashable, Codable, Sendable {
    /// The stable name, as it stands in JSON and as `--symbologies` takes it.
    public let rawValue: String

    /// Makes a symbology from its stable name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// QR Code, ISO/IEC 18004.
    public static let qr = Symbology(rawValue: "qr")
    /// App Clip Code, which is found among ``ScanResult/appClipCodes`` and not among the codes: its text
    /// does not stand in the picture.
    public static let appClipCode = Symbology(rawValue: "app-clip-code")
    /// Code 93, ANSI/AIM BC5.
    public static let code93 = Symbology(rawValue: "code-93")
    /// Code 128, ISO/IEC 15417.
    public static let code128 = Symbology(rawValue: "code-128")
    /// EAN-8, ISO/IEC 15420.
    public static let ean8 = Symbology(rawValue: "ean-8")
    /// EAN-13, ISO/IEC 15420; UPC-A comes as EAN-13 with a leading zero.
    public static let ean13 = Symbology(rawValue: "ean-13")

    /// Every symbology that can be asked for: those whose readings are confirmed by error
    /// correction, by check characters, or by the record. Code 39, Codabar and Interleaved 2 of 5 have none that
    /// must be there; DataBar's decoder has been attacked (CVE-2023-40890).
    public static let all: [Symbology] = [.qr, .appClipCode, .code93, .code128, .ean8, .ean13]
  }

  /// The text: what the symbol declares, else UTF-8, Shift JIS or ISO/IEC 8859-1.
  public private(set) var text: String
  /// The bytes behind the text, as stored; where the symbol declares a character set (ECI), they
  /// are already converted to UTF-8.
  public private(set) var bytes: [UInt8]
  /// The kind of code.
  public let symbology: Symbology
  /// The four corners of the symbol without its quiet zone, in pixels of the picture that was
  /// given: the symbol's own top left, top right, bottom right and bottom left. In the picture
  /// they go round clockwise, except for a mirrored symbol.
  public let corners: [PicturePoint]
  /// The version, 1 … 40 (21 to 177 modules), or `nil` when it could not be made sure of.
  public let version: Int?
  /// The error-correction level, or `nil` when it could not be made sure of.
  public let errorCorrection: ErrorCorrection?
  /// The data mask, 0 … 7, or `nil` when it could not be made sure of.
  public let mask: Int?
  /// About how many pixels of the picture one module measures, or `nil` when it could not be told.
  public let modulePixels: Double?
  /// How much of the error correction the reading took, or `nil` when it could not be told.
  public let correction: ErrorCorrectionUse?
  /// Whether the symbol is mirrored, as behind glass; `nil` when it could not be told.
  public let isMirrored: Bool?
  /// Whether the symbol is light on dark.
  public let isInverted: Bool
  /// The ground that the symbol needs to be seen at all, when the picture leaves its ground out: it is
  /// light on transparent.
  public private(set) var neededGround: Ground?
  /// The name of the stage that read it first, such as `full frame`; for measurements.
  package let stage: String

  /// Makes a code.
  package init(
    text: String, bytes: [UInt8], symbology: Symbology = .qr, corners: [PicturePoint],
    version: Int? = nil, errorCorrection: ErrorCorrection? = nil, mask: Int? = nil,
    modulePixels: Double? = nil, correction: ErrorCorrectionUse? = nil, isMirrored: Bool? = nil,
    isInverted: Bool = false, stage: String
  ) {
    self.text = text
    self.bytes = bytes
    self.symbology = symbology
    self.corners = corners
    self.version = version
    self.errorCorrection = errorCorrection
    self.mask = mask
    self.modulePixels = modulePixels
    self.correction = correction
    self.isMirrored = isMirrored
    self.isInverted = isInverted
    self.stage = stage
  }

  /// What is behind a symbol.
  public enum Ground: String, Codable, Sendable {
    /// A dark one.
    case dark
  }

  /// The same code, of a picture that was laid over such a ground to see it.
  package func seen(on ground: Ground?) -> DecodedCode {
    var code = self
    code.neededGround = ground
    return code
  }

  /// The same code with another text: that of the whole message of which it is a part.
  func saying(_ text: String, _ bytes: [UInt8]) -> DecodedCode {
    var code = self
    (code.text, code.bytes) = (text, bytes)
    return code
  }
}

/// How much of a symbol's error correction a reading took: the less is left, the worse the print or
/// the picture.
public struct ErrorCorrectionUse: Hashable, Codable, Sendable {
  /// Codewords that were wrong or not to be seen, and were corrected.
  public let correctedCodewords: Int
  /// Codewords of the symbol, data and check together (ISO/IEC 18004:2015, Table 9).
  public let codewords: Int
  /// The part of the correction that was not needed, 0 … 1, in the block that needed the most: the
  /// parameter *unused error correction* of ISO/IEC 15415:2011, 7.8.8. It is 1 for a perfect symbol.
  public let unused: Double

  /// Makes the numbers of one reading.
  package init(correctedCodewords: Int, codewords: Int, unused: Double) {
    self.correctedCodewords = correctedCodewords
    self.codewords = codewords
    self.unused = unused
  }
}
