import CliptagBasics
public import CodeScanning
import AppClipCodes
import Registry
public import Verifying

/// The symbol that a payload was read from. Lengths are in pixels of the picture.
public enum SymbolResult: Encodable, Hashable, Sendable {
  /// A QR code or a bar code.
  case printed(PrintedSymbolResult)
  /// An App Clip Code.
  case appClipCode(AppClipCodeResult)

  /// Encodes the object of the symbol.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .printed(let symbol): try symbol.encode(to: encoder)
    case .appClipCode(let symbol): try symbol.encode(to: encoder)
    }
  }
}

/// A QR code or a bar code in a picture.
public struct PrintedSymbolResult: Encodable, Hashable, Sendable {
  /// The name of the symbology.
  public let kind: String
  /// The version of a QR code, 1 to 40; of Model 1, 1 to 14; of Micro QR, 1 to 4 for M1 to M4; of rMQR, 1
  /// to 32 for R7x43 to R17x139.
  public let version: Int?
  /// `L`, `M`, `Q` or `H`.
  public let errorCorrection: String?
  /// The corners, clockwise from the symbol's own top left, each as x and y.
  public let corners: [[Double]]
  /// The mask of a QR code, 0 to 7.
  public let mask: Int?
  /// The side of a module.
  public let modulePixels: Double?
  /// The number of codewords that were corrected.
  public let correctedCodewords: Int?
  /// The number of codewords.
  public let codewords: Int?
  /// The part of the error correction that is left, 0 to 1.
  public let unusedErrorCorrection: Double?
  /// Whether the symbol is mirrored; `nil` if unknown.
  public let mirrored: Bool?
  /// Whether the symbol is light on dark.
  public let inverted: Bool

  /// States what was decoded.
  public init(_ code: DecodedCode) {
    kind = code.symbology.rawValue
    version = code.version
    errorCorrection = code.errorCorrection?.rawValue
    corners = code.corners.map { [$0.x, $0.y] }
    mask = code.mask
    modulePixels = code.modulePixels?.toHundredths
    correctedCodewords = code.correction?.correctedCodewords
    codewords = code.correction?.codewords
    unusedErrorCorrection = code.correction?.unused.toHundredths
    mirrored = code.isMirrored
    inverted = code.isInverted
  }
}

/// An App Clip Code in a picture.
public struct AppClipCodeResult: Encodable, Hashable, Sendable {
  /// The name of the symbology.
  public let kind: String = DecodedCode.Symbology.appClipCode.rawValue
  /// Always `nil`: an App Clip Code has no version.
  public let version: Int? = nil
  /// Always `nil`: an App Clip Code has no level.
  public let errorCorrection: String? = nil
  /// The corners of the square around the disc, each as x and y.
  public let corners: [[Double]]
  /// The smallest diameter of the disc.
  public let diameter: Double
  /// The name of the code on record, if it is certain.
  public let code: String?
  /// The names of the codes on record that match.
  public let candidates: [String]
  /// The number of bits of the 128 that were read.
  public let bitsRead: Int
  /// The number of bits that differ from those of the nearest code.
  public let bitsWrong: Int
  /// The confidence of each bit, 0 to 1.
  public let confidences: [Double]
  /// For each of the 128 positions, ring by ring from the inside: `0` if an arc begins there, `1` if the
  /// arc before it continues, `?` if that was not seen.
  public let gaps: String
  /// For each position, `1` if its arc has the third colour, `0` if not, `?` if that was not seen.
  public let thirds: String

  /// States what was seen.
  public init(_ sighting: AppClipCodeSighting) {
    corners = sighting.seen.corners.map { [$0.x, $0.y] }
    diameter = sighting.seen.diameter.toHundredths
    code = sighting.code?.id.description
    candidates = sighting.codes.map(\.id.description)
    bitsRead = sighting.match.known
    bitsWrong = sighting.match.wrong
    confidences = sighting.seen.reading.confidences.map(\.toHundredths)
    gaps = Self.characters(sighting.seen.reading.continues)
    thirds = Self.characters(sighting.seen.reading.third)
  }
}

extension AppClipCodeResult {
  /// A character for each position: its likelier value, or `?` for odds below seven to one.
  fileprivate static func characters(_ odds: [Float]) -> String {
    odds.map { abs($0) < AppClipCodeReading.sure ? "?" : $0 > 0 ? "1" : "0" }.joined()
  }
}

extension Double {
  /// The number in hundredths.
  fileprivate var toHundredths: Double { (self * 100).rounded() / 100 }
}
