import Pictures

/// A stream of a PDF file: its bytes, and what its dictionary holds besides the length.
struct PDFStream {
  let bytes: [UInt8]
  let entries: String
}

extension LogoPicture {
  /// The image and its soft mask as PDF streams (ISO 32000-1, 8.9.5 and 11.6.5.3): grey when the
  /// logo is grey, so that it prints with black ink alone, else red, green and blue. There is no
  /// mask where nothing shines through.
  func pdfImage(_ compressor: Compressor) -> (colour: PDFStream, mask: PDFStream?) {
    func stream(_ planes: [GreyPicture]) -> PDFStream {
      PDFStream(
        bytes: compressor.compressed(interleaved(planes)),
        entries: "/Type /XObject /Subtype /Image /Width \(width) /Height \(height) "
          + "/BitsPerComponent 8 /ColorSpace /Device\(planes.count == 1 ? "Gray" : "RGB") "
          + "/Filter /FlateDecode")
    }
    let colour = picture.colour
    let isOpaque = picture.opacity.pixels.allSatisfy { $0 == 255 }
    return (
      stream(isGrey ? [colour.red] : [colour.red, colour.green, colour.blue]),
      isOpaque ? nil : stream([picture.opacity])
    )
  }

  private func interleaved(_ planes: [GreyPicture]) -> [UInt8] {
    guard planes.count > 1 else { return planes[0].pixels }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(width * height * planes.count)
    for index in 0..<width * height {
      for plane in planes { bytes.append(plane.pixels[index]) }
    }
    return bytes
  }

  /// Appends an SVG element that fills a box with the logo, as a PNG inside the file.
  func appendElement(
    to file: inout ByteText, box: DrawingBox
  ) throws(PictureError) {
    let png = try PNGWriter.translucent(picture)
    PictureMarkup.appendElement(png, type: "image/png", to: &file, box: box)
  }

  /// Appends PostScript level 2 that paints the logo on a ground into a box, in a system that
  /// counts downwards.
  func appendPostScript(to file: inout ByteText, box: DrawingBox, ground: Colour) {
    let colour = composited(on: ground)
    let isGrey = isGrey && ground.isGrey
    PictureMarkup.beginPostScript(
      to: &file, box: box, width: width, height: height, isGrey: isGrey)
    let digits = Array("0123456789abcdef".utf8)
    let planes = isGrey ? [colour.red] : [colour.red, colour.green, colour.blue]
    var line: [UInt8] = []
    for index in 0..<width * height {
      for plane in planes {
        line.append(digits[Int(plane.pixels[index] >> 4)])
        line.append(digits[Int(plane.pixels[index] & 15)])
      }
      if line.count >= 234 {
        file.append(line + [UInt8(ascii: "\n")])
        line = []
      }
    }
    file.append(line)
    file.append(">\ngrestore\n")
  }
}

/// SVG 1.1 refers to a picture by XLink, which every reader of SVG 2 still knows.
let xlinkNamespace = " xmlns:xlink=\"http://www.w3.org/1999/xlink\""

/// Base 64 of RFC 4648 with padding.
func base64(_ bytes: [UInt8]) -> [UInt8] {
  let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  var text: [UInt8] = []
  text.reserveCapacity((bytes.count + 2) / 3 * 4)
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    let bits = (0..<3).reduce(0) { $0 << 8 | ($1 < group.count ? Int(bytes[start + $1]) : 0) }
    for digit in 0..<4 {
      text.append(
        digit <= group.count ? digits[bits >> (18 - 6 * digit) & 63] : UInt8(ascii: "="))
    }
  }
  return text
}
