/// A photograph as its original JPEG file: pages hold those bytes and not the decoded pixels, so
/// that a document of hundreds needs no more memory than the largest.
public struct JPEGPicture: Hashable, Sendable {
  /// The file.
  public let bytes: [UInt8]
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  /// The text alternative.
  public let alternativeText: String
  let isGrey: Bool

  /// Makes a picture, or `nil` for a file that a document cannot embed unchanged: it must be
  /// Huffman-coded, of eight bits, and grey or of three colours (ISO 32000-1, 7.4.8).
  ///
  /// Only the frame's header is read; the viewer decides how a damaged scan is shown.
  public init?(_ bytes: [UInt8], alternativeText: String) {
    guard let frame = Self.frame(of: bytes), frame.count >= 6 else { return nil }
    let head = Array(frame.prefix(6))
    let (height, width) = (Int(head[1]) << 8 | Int(head[2]), Int(head[3]) << 8 | Int(head[4]))
    guard head[0] == 8, width > 0, height > 0, head[5] == 1 || head[5] == 3 else { return nil }
    self.bytes = bytes
    self.width = width
    self.height = height
    self.alternativeText = alternativeText
    isGrey = head[5] == 1
  }

  /// The parameters of the first frame, after its marker and length (ITU-T T.81, B.2.2); `nil` if a
  /// scan begins before it, or if the frame uses another process.
  private static func frame(of bytes: [UInt8]) -> ArraySlice<UInt8>? {
    guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
    var index = 2
    while index + 4 <= bytes.count, bytes[index] == 0xFF {
      let marker = bytes[index + 1]
      // Fill bytes may precede a marker (B.1.1.2).
      if marker == 0xFF {
        index += 1
        continue
      }
      let length = Int(bytes[index + 2]) << 8 | Int(bytes[index + 3])
      guard length >= 2, index + 2 + length <= bytes.count, marker != 0xDA else { return nil }
      // Baseline, extended and progressive; C4, C8 and CC are not frames.
      if (0xC0...0xC2).contains(marker) { return bytes[index + 4..<index + 2 + length] }
      if (0xC3...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) { return nil }
      index += 2 + length
    }
    return nil
  }

  /// The image of a PDF file.
  var pdfImage: PDFStream {
    PDFStream(
      bytes: bytes,
      entries: "/Type /XObject /Subtype /Image /Width \(width) /Height \(height) "
        + "/BitsPerComponent 8 /ColorSpace /Device\(isGrey ? "Gray" : "RGB") /Filter /DCTDecode")
  }

  /// Appends an SVG element that fills a box with the picture.
  func appendElement(to file: inout ByteText, box: DrawingBox) {
    PictureMarkup.appendElement(bytes, type: "image/jpeg", to: &file, box: box)
  }

  /// Appends PostScript level 2 that paints the picture into a box, in a coordinate system with y
  /// downwards.
  func appendPostScript(to file: inout ByteText, box: DrawingBox) {
    PictureMarkup.beginPostScript(
      to: &file, box: box, width: width, height: height, isGrey: isGrey,
      filters: " /DCTDecode filter")
    for start in stride(from: 0, to: bytes.count, by: 100) {
      file.append(hexadecimal: bytes[start..<min(start + 100, bytes.count)])
      file.append("\n")
    }
    file.append(">\ngrestore\n")
  }
}
