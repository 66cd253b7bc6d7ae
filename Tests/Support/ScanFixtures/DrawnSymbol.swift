package import CQREncode
package import Pictures

/// A symbol drawn with whole pixels for each module, by libqrencode.
///
/// - Parameters:
///   - version: the least version; libqrencode takes a higher one when the bytes need it.
///   - quietZone: in modules.
///   - characterSet: the ECI assignment number that the symbol declares first, if any.
package func drawSymbol(
  _ bytes: [UInt8], version: Int = 0, level: QRecLevel = QR_ECLEVEL_M, modulePixels: Int = 4,
  quietZone: Int = 4, characterSet: UInt32? = nil
) -> GreyPicture? {
  drawSymbol(
    [(characterSet, bytes)], version: version, level: level, modulePixels: modulePixels,
    quietZone: quietZone)
}

/// Bytes in one segment, and the ECI assignment number that is declared in front of it, if any.
package typealias DrawnSegment = (characterSet: UInt32?, bytes: [UInt8])

/// The same, of several segments.
package func drawSymbol(
  _ segments: [DrawnSegment], version: Int = 0, level: QRecLevel = QR_ECLEVEL_M,
  modulePixels: Int = 4, quietZone: Int = 4
) -> GreyPicture? {
  guard let input = QRinput_new2(Int32(version), level) else { return nil }
  defer { QRinput_free(input) }
  for (characterSet, bytes) in segments {
    if let characterSet, QRinput_appendECIheader(input, characterSet) != 0 { return nil }
    guard QRinput_append(input, QR_MODE_8, Int32(bytes.count), bytes) == 0 else { return nil }
  }
  guard let code = QRcode_encodeInput(input) else { return nil }
  defer { QRcode_free(code) }
  let size = Int(code.pointee.width)
  let side = (size + 2 * quietZone) * modulePixels
  var pixels = [UInt8](repeating: 255, count: side * side)
  for row in 0..<size {
    for column in 0..<size where code.pointee.data[row * size + column] & 1 == 1 {
      for y in 0..<modulePixels {
        let start =
          ((row + quietZone) * modulePixels + y) * side
          + (column + quietZone) * modulePixels
        for x in start..<start + modulePixels { pixels[x] = 0 }
      }
    }
  }
  return GreyPicture(width: side, height: side, pixels: pixels)
}
