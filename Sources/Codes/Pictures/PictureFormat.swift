/// A kind of file, identified by its first bytes and never by its name.
public struct PictureFormat: Hashable, Sendable {
  /// The common name.
  public let name: String

  /// Portable Network Graphics, ISO/IEC 15948.
  public static let png = PictureFormat(name: "PNG")
  /// JPEG, ITU-T T.81.
  public static let jpeg = PictureFormat(name: "JPEG")
  /// Netpbm's bitmaps, greymaps and pixmaps, P1 to P6.
  public static let pnm = PictureFormat(name: "PNM")
  /// Portable Document Format, ISO 32000.
  public static let pdf = PictureFormat(name: "PDF")

  /// High Efficiency Image File Format with HEVC, ISO/IEC 23008-12: the format of iPhones.
  public static let heic = PictureFormat(name: "HEIC")
  /// AV1 Image File Format.
  public static let avif = PictureFormat(name: "AVIF")
  /// WebP, RFC 9649.
  public static let webp = PictureFormat(name: "WebP")
  /// Tagged Image File Format, TIFF 6.0.
  public static let tiff = PictureFormat(name: "TIFF")
  /// Graphics Interchange Format, 87a and 89a.
  public static let gif = PictureFormat(name: "GIF")
  /// Windows bitmap, from BITMAPCOREHEADER to BITMAPV5HEADER.
  public static let bmp = PictureFormat(name: "BMP")
  /// Scalable Vector Graphics, SVG 1.1 and 2.
  public static let svg = PictureFormat(name: "SVG")

  /// The formats that ``PictureLoader`` reads.
  public static let readable: Set<PictureFormat> = [
    .png, .jpeg, .pnm, .bmp, .heic, .avif, .webp, .tiff, .gif, .svg, .pdf,
  ]

  /// The extensions of such files, in lower case and without the dot.
  public static let fileExtensions = [
    "jpg", "jpeg", "png", "heic", "heif", "avif", "webp", "tif", "tiff", "gif", "bmp", "pbm", "pgm",
    "ppm", "pnm", "svg", "svgz", "pdf",
  ]

  /// Identifies the kind of a file from its content.
  ///
  /// - Parameter bytes: the whole file, or at least its first 1,024 bytes.
  /// - Returns: the kind, or `nil` if it is unknown.
  public static func recognise(_ bytes: [UInt8]) -> PictureFormat? {
    for signature in signatures where matches(bytes, signature) {
      return PictureFormat(name: signature.name)
    }
    if isNetpbm(bytes) { return .pnm }
    let head = bytes.prefix(1024)
    // ISO 32000-2, 7.5.2 requires the header first; Annex C and every viewer allow 1,024 bytes
    // before it.
    if contains(head, "%PDF-") { return .pdf }
    if contains(head, "<svg") || contains(head, "<!DOCTYPE svg") {
      return PictureFormat(name: "SVG")
    }
    return nil
  }

  /// Returns the kind if the bytes are only the beginning of its signature, as in a file of 1 byte.
  static func recogniseCutShort(_ bytes: [UInt8]) -> PictureFormat? {
    guard !bytes.isEmpty else { return nil }
    for (format, start) in [(PictureFormat.jpeg, jpegStart), (.png, pngStart)]
    where bytes.count < start.count && start.starts(with: bytes) {
      return format
    }
    return nil
  }

  private static let pngStart: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  private static let jpegStart: [UInt8] = [0xFF, 0xD8, 0xFF]

  private struct Signature {
    let name: String
    var offset = 0
    let bytes: [UInt8]
  }

  /// Longer signatures and those later in a file come first, so that a short one never hides a long
  /// one.
  private static let signatures: [Signature] = [
    Signature(name: "PNG", bytes: pngStart),
    Signature(name: "JPEG 2000", bytes: [0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20]),
    Signature(name: "JPEG XL", bytes: [0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20]),
    Signature(name: "GIF", bytes: Array("GIF87a".utf8)),
    Signature(name: "GIF", bytes: Array("GIF89a".utf8)),
    Signature(name: "WebP", offset: 8, bytes: Array("WEBP".utf8)),
    Signature(name: "AVIF", offset: 4, bytes: Array("ftypavi".utf8)),
    Signature(name: "HEIC", offset: 4, bytes: Array("ftyphei".utf8)),
    Signature(name: "HEIC", offset: 4, bytes: Array("ftyphev".utf8)),
    Signature(name: "HEIC", offset: 4, bytes: Array("ftypmif1".utf8)),
    Signature(name: "HEIC", offset: 4, bytes: Array("ftypmsf1".utf8)),
    Signature(name: "TIFF", bytes: [0x49, 0x49, 0x2A, 0]),
    Signature(name: "TIFF", bytes: [0x4D, 0x4D, 0, 0x2A]),
    Signature(name: "EPS", bytes: Array("%!PS".utf8)),
    Signature(name: "EPS", bytes: [0xC5, 0xD0, 0xD3, 0xC6]),
    Signature(name: "Photoshop", bytes: Array("8BPS".utf8)),
    Signature(name: "icon", bytes: [0, 0, 1, 0]),
    Signature(name: "PAM", bytes: Array("P7\n".utf8)),
    Signature(name: "JPEG", bytes: jpegStart),
    Signature(name: "JPEG XL", bytes: [0xFF, 0x0A]),
    // BITMAPFILEHEADER: "BM", the size, then two reserved fields with 0.
    Signature(name: "BMP", bytes: Array("BM".utf8)),
  ]

  private static func matches(_ bytes: [UInt8], _ signature: Signature) -> Bool {
    guard bytes.count >= signature.offset + signature.bytes.count else { return false }
    if signature.name == "BMP" {
      return bytes.starts(with: signature.bytes) && bytes.count >= 10
        && bytes[6..<10].allSatisfy { $0 == 0 }
    }
    return bytes[signature.offset...].starts(with: signature.bytes)
  }

  /// "P", a digit from 1 to 6, and white space or a comment.
  static func isNetpbm(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 3, bytes[0] == 0x50, (0x31...0x36).contains(bytes[1]) else { return false }
    return NetpbmReader.isSpace(bytes[2]) || bytes[2] == 0x23
  }

  private static func contains(_ bytes: ArraySlice<UInt8>, _ text: String) -> Bool {
    let wanted = Array(text.utf8)
    guard bytes.count >= wanted.count else { return false }
    return (bytes.startIndex...bytes.endIndex - wanted.count).contains {
      bytes[$0] == wanted[0] && bytes[$0...].starts(with: wanted)
    }
  }
}

extension PictureFormat: CustomStringConvertible {
  /// The name.
  public var description: String { name }
}
