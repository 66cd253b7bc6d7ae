import CliptagBasics
import Pictures

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A raster picture inside a vector file.
enum PictureMarkup {
  /// Appends an SVG element that fills a box with the bytes of a picture file.
  static func appendElement(
    _ bytes: [UInt8], type: StaticString, to file: inout ByteText, box: DrawingBox
  ) {
    file.append(
      """
      <image x="\(decimal(box.x))" y="\(decimal(box.y))" width="\(decimal(box.width))" \
      height="\(decimal(box.height))" preserveAspectRatio="none" \
      xlink:href="data:\(type);base64,
      """)
    file.append([UInt8](Data(bytes).base64EncodedData()))
    file.append("\"/>\n")
  }

  /// Appends the beginning of PostScript level 2 that paints pixels into a box, in a coordinate
  /// system with y downwards; the data follow in hexadecimal.
  static func beginPostScript(
    to file: inout ByteText, box: DrawingBox, width: Int, height: Int, isGrey: Bool
  ) {
    file.append(
      """
      gsave \(decimal(box.x)) \(decimal(box.y)) translate
      \(decimal(box.width)) \(decimal(box.height)) scale
      /Device\(isGrey ? "Gray" : "RGB") setcolorspace
      << /ImageType 1 /Width \(width) /Height \(height) /BitsPerComponent 8
      /Decode [\(isGrey ? "0 1" : "0 1 0 1 0 1")] /ImageMatrix [\(width) 0 0 \(height) 0 0]
      /DataSource currentfile /ASCIIHexDecode filter >> image

      """)
  }
}

/// A stream of a PDF file: its bytes, and the entries of its dictionary besides the length.
struct PDFStream {
  let bytes: [UInt8]
  let entries: String
}

extension LogoPicture {
  /// The image and its soft mask as PDF streams (ISO 32000-1, 8.9.5 and 11.6.5.3): grey if the logo
  /// is grey, so that it prints with black ink only, otherwise red, green and blue. There is no
  /// mask if the logo is opaque.
  func pdfImage(_ compressor: Compressor) -> (colour: PDFStream, mask: PDFStream?) {
    func stream(_ planes: [GreyPicture]) -> PDFStream {
      PDFStream(
        bytes: compressor.compressed(interleaved(planes)),
        entries: "/Type /XObject /Subtype /Image /Width \(width) /Height \(height) "
          + "/BitsPerComponent 8 /ColorSpace /Device\(planes.count == 1 ? "Gray" : "RGB") "
          + "/Filter /FlateDecode")
    }
    let colour = picture.colour
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

  /// Appends an SVG element that fills a box with the logo: its own elements, or a PNG inside the
  /// file.
  func appendElement(
    to file: inout ByteText, box: DrawingBox
  ) throws(PictureError) {
    if let svg = original?.svg {
      file.append(
        """
        <svg x="\(decimal(box.x))" y="\(decimal(box.y))" width="\(decimal(box.width))" \
        height="\(decimal(box.height))" viewBox="0 0 \(decimal(svg.width)) \(decimal(svg.height))" \
        preserveAspectRatio="none" shape-rendering="auto">
        """)
      file.append(svg.content)
      file.append("</svg>\n")
      return
    }
    let png = try PNGWriter.translucent(picture)
    PictureMarkup.appendElement(png, type: "image/png", to: &file, box: box)
  }

  /// Appends PostScript level 2 that paints the logo on a ground into a box, in a coordinate system
  /// with y downwards.
  func appendPostScript(to file: inout ByteText, box: DrawingBox, ground: Colour) {
    if let eps = original?.eps {
      let scale = (
        decimal(box.width / eps.width, places: 9), decimal(-box.height / eps.height, places: 9)
      )
      file.append(
        """
        save \(decimal(box.x)) \(decimal(box.bottom)) translate \(scale.0) \(scale.1) scale
        /showpage {} def 0 setgray 0 setlinecap 1 setlinewidth 0 setlinejoin 10 setmiterlimit
        [] 0 setdash newpath
        %%BeginDocument: (logo)

        """)
      file.append(eps.content)
      file.append("\n%%EndDocument\nrestore\n")
      return
    }
    let colour = composited(on: ground)
    let isGrey = isGrey && ground.isGrey
    PictureMarkup.beginPostScript(
      to: &file, box: box, width: width, height: height, isGrey: isGrey)
    let planes = isGrey ? [colour.red] : [colour.red, colour.green, colour.blue]
    var line: [UInt8] = []
    for index in 0..<width * height {
      for plane in planes { line.append(plane.pixels[index]) }
      if line.count >= 117 {
        file.append(hexadecimal: line)
        file.append("\n")
        line = []
      }
    }
    file.append(hexadecimal: line)
    file.append(">\ngrestore\n")
  }
}
