import CodeDrawing
import Pictures

extension GreyPicture {
  /// The part of a rendered page that a box covers.
  ///
  /// - Parameters:
  ///   - box: In millimetres.
  ///   - sheetWidth: The width of the whole picture in millimetres.
  func part(_ box: DrawingBox, of sheetWidth: Double) -> GreyPicture {
    let scale = Double(width) / sheetWidth
    func clamped(_ length: Double, _ most: Int) -> Int { min(max(0, Int(length * scale)), most) }
    let (left, right) = (clamped(box.x, width), clamped(box.right + 1 / scale, width))
    let (top, bottom) = (clamped(box.y, height), clamped(box.bottom + 1 / scale, height))
    var part: [UInt8] = []
    part.reserveCapacity((right - left) * (bottom - top))
    for row in top..<bottom { part += pixels[row * width + left..<row * width + right] }
    return GreyPicture(width: right - left, height: bottom - top, pixels: part)
  }
}
