/// How files of vectors hold a picture of pixels.
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
    file.append(base64(bytes))
    file.append("\"/>\n")
  }

  /// Appends the beginning of PostScript level 2 that paints pixels into a box, in a system that
  /// counts downwards; their data follow in hexadecimal.
  ///
  /// - Parameter filters: What else the data pass through.
  static func beginPostScript(
    to file: inout ByteText, box: DrawingBox, width: Int, height: Int, isGrey: Bool,
    filters: String = ""
  ) {
    file.append(
      """
      gsave \(decimal(box.x)) \(decimal(box.y)) translate
      \(decimal(box.width)) \(decimal(box.height)) scale
      /Device\(isGrey ? "Gray" : "RGB") setcolorspace
      << /ImageType 1 /Width \(width) /Height \(height) /BitsPerComponent 8
      /Decode [\(isGrey ? "0 1" : "0 1 0 1 0 1")] /ImageMatrix [\(width) 0 0 \(height) 0 0]
      /DataSource currentfile /ASCIIHexDecode filter\(filters) >> image

      """)
  }
}
