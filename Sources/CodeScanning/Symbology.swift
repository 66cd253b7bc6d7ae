extension DecodedCode {
  /// A kind of code. Open: a later version may read more kinds.
  public struct Symbology: RawRepresentable, Hashable, Codable, Sendable {
    /// The stable name, as it stands in JSON and as `--symbologies` takes it.
    public let rawValue: String

    /// Makes a symbology from its stable name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// QR Code, ISO/IEC 18004.
    public static let qr = Symbology(rawValue: "qr")
    /// Code 93, ANSI/AIM BC5.
    public static let code93 = Symbology(rawValue: "code-93")
    /// Code 128, ISO/IEC 15417.
    public static let code128 = Symbology(rawValue: "code-128")
    /// EAN-8, ISO/IEC 15420.
    public static let ean8 = Symbology(rawValue: "ean-8")
    /// EAN-13, ISO/IEC 15420; UPC-A comes as EAN-13 with a leading zero.
    public static let ean13 = Symbology(rawValue: "ean-13")

    /// Every symbology that can be asked for: those whose readings are confirmed by error
    /// correction or by check characters. Code 39, Codabar and Interleaved 2 of 5 have none that
    /// must be there; DataBar's decoder has been attacked (CVE-2023-40890).
    public static let all: [Symbology] = [.qr, .code93, .code128, .ean8, .ean13]
  }
}
