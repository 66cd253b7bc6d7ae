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

  /// The text: what the symbol declares, else UTF-8, Shift JIS or ISO/IEC 8859-1.
  public let text: String
  /// The bytes behind the text, as stored; where the symbol declares a character set (ECI), they
  /// are already converted to UTF-8.
  public let bytes: [UInt8]
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

  /// The same code with another text: that of the whole message of which it is a part.
  func saying(_ text: String, _ bytes: [UInt8]) -> DecodedCode {
    DecodedCode(
      text: text, bytes: bytes, symbology: symbology, corners: corners, version: version,
      errorCorrection: errorCorrection, mask: mask, modulePixels: modulePixels,
      correction: correction, isMirrored: isMirrored, isInverted: isInverted, stage: stage)
  }
}
