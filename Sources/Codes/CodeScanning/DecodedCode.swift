/// A point in a picture: pixels from its top left corner, with fractions.
public struct PicturePoint: Hashable, Codable, Sendable {
  /// The distance from the left edge in pixels.
  public var x: Double
  /// The distance from the top edge in pixels.
  public var y: Double

  /// Creates a point.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// Returns the mean of `points`; the origin if there is none.
  static func mean(of points: [PicturePoint]) -> PicturePoint {
    var (x, y) = (0.0, 0.0)
    for point in points {
      x += point.x
      y += point.y
    }
    let count = Double(max(1, points.count))
    return PicturePoint(x: x / count, y: y / count)
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

  /// A kind of code. The set is open: a later version may read more kinds.
  public struct Symbology: RawRepresentable, Hashable, Codable, Sendable {
    /// The stable name, as in JSON and in the option `--symbologies`.
    public let rawValue: String

    /// Creates a symbology from its stable name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// QR Code, ISO/IEC 18004.
    public static let qr = Symbology(rawValue: "qr")
    /// App Clip Code, which is found among ``ScanResult/appClipCodes`` and not among the codes: the
    /// picture does not contain its text.
    public static let appClipCode = Symbology(rawValue: "app-clip-code")
    /// Code 93, ANSI/AIM BC5.
    public static let code93 = Symbology(rawValue: "code-93")
    /// Code 128, ISO/IEC 15417.
    public static let code128 = Symbology(rawValue: "code-128")
    /// EAN-8, ISO/IEC 15420.
    public static let ean8 = Symbology(rawValue: "ean-8")
    /// EAN-13, ISO/IEC 15420; UPC-A is returned as EAN-13 with a leading zero.
    public static let ean13 = Symbology(rawValue: "ean-13")
    /// Micro QR Code, ISO/IEC 18004.
    public static let microQR = Symbology(rawValue: "micro-qr")
    /// Rectangular Micro QR Code, ISO/IEC 23941.
    public static let rectangularMicroQR = Symbology(rawValue: "rmqr")
    /// QR Code Model 1, AIM ITS/97-001, the predecessor of the current form.
    public static let model1QR = Symbology(rawValue: "qr-model-1")

    /// The symbologies with the patterns of QR Code. Readers of QR Code do not read them; this
    /// package reads them with QR Code.
    public static let relatedToQR: [Symbology] = [.microQR, .rectangularMicroQR, .model1QR]

    /// All symbologies that can be searched for: those whose readings are confirmed by error
    /// correction, by check characters, or by the record. Code 39, Codabar and Interleaved 2 of 5
    /// have no mandatory check characters; DataBar's decoder has been attacked (CVE-2023-40890).
    public static let all: [Symbology] = [.qr, .appClipCode, .code93, .code128, .ean8, .ean13]

    /// The linear codes, which consist of bars.
    static let linear: Set<Symbology> = [.code93, .code128, .ean8, .ean13]
  }

  /// The text, in the character set that the symbol declares, else in UTF-8, Shift JIS or ISO/IEC
  /// 8859-1.
  public private(set) var text: String
  /// The stored bytes of the text; if the symbol declares a character set (ECI), they are already
  /// converted to UTF-8.
  public private(set) var bytes: [UInt8]
  /// The kind of code.
  public let symbology: Symbology
  /// The four corners of the symbol without its quiet zone, in pixels of the given picture: the
  /// symbol's top left, top right, bottom right and bottom left. In the picture they are in
  /// clockwise order, except for a mirrored symbol.
  public let corners: [PicturePoint]
  /// The version: 1 … 40 (21 to 177 modules) of QR Code, 1 … 14 of Model 1, 1 … 4 (M1 to M4) of Micro
  /// QR Code, 1 … 32 (R7x43 to R17x139) of rMQR Code; `nil` if it could not be determined reliably.
  public let version: Int?
  /// The error-correction level, or `nil` if it could not be determined reliably, or the symbol only
  /// detects errors (M1).
  public let errorCorrection: ErrorCorrection?
  /// The data mask, 0 … 7, or `nil` if it could not be determined reliably.
  public let mask: Int?
  /// The approximate size of a module in pixels of the picture, or `nil` if unknown.
  public let modulePixels: Double?
  /// The use of the error correction in the reading, or `nil` if unknown.
  public let correction: ErrorCorrectionUse?
  /// A Boolean value that indicates whether the symbol is mirrored, as behind glass; `nil` if
  /// unknown.
  public let isMirrored: Bool?
  /// A Boolean value that indicates whether the symbol is light on dark.
  public let isInverted: Bool
  /// The background that makes the symbol visible, if the picture has a transparent one: the symbol
  /// is light on transparent.
  public private(set) var neededGround: Ground?
  /// The name of the stage that read it first, such as `full frame`; for measurements.
  package let stage: String

  /// Creates a code.
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

  /// The background of a symbol.
  public enum Ground: String, Codable, Sendable {
    /// A dark background.
    case dark
  }

  /// Returns the same code, for a picture that was laid over a background.
  package func seen(on ground: Ground?) -> DecodedCode {
    var code = self
    code.neededGround = ground
    return code
  }

  /// Returns the same code with other contents: those of the whole message to which it belongs.
  func saying(_ content: [SegmentRun]) -> DecodedCode {
    var code = self
    (code.text, code.bytes) = (CodeText.decode(content), CodeText.bytes(of: content))
    return code
  }
}

/// The use of a symbol's error correction in a reading: the less is left, the worse the print or
/// the picture.
public struct ErrorCorrectionUse: Hashable, Codable, Sendable {
  /// The number of codewords that were wrong or not visible, and were corrected.
  public let correctedCodewords: Int
  /// The number of codewords of the symbol, data and check together (ISO/IEC 18004:2015, Table 9).
  public let codewords: Int
  /// The unused share of the correction, 0 … 1, in the worst block: the parameter *unused error
  /// correction* of ISO/IEC 15415:2011, 7.8.8. It is 1 for a perfect symbol.
  public let unused: Double

  /// Creates the numbers of one reading.
  package init(correctedCodewords: Int, codewords: Int, unused: Double) {
    self.correctedCodewords = correctedCodewords
    self.codewords = codewords
    self.unused = unused
  }
}
