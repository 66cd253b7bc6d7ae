/// How a printer's output is moved and stretched so that it meets the stock.
///
/// A point is scaled from the sheet's top left corner, then moved. The scale is what was asked for
/// by what was measured: 200 mm that come out as 199.2 mm need a scale of 1.004.
package struct PrinterCalibration: Hashable, Sendable {
  /// To the right, in millimetres.
  package let offsetX: Double
  /// Down, in millimetres.
  package let offsetY: Double
  /// What widths are multiplied by.
  package let scaleX: Double
  /// What heights are multiplied by.
  package let scaleY: Double

  /// The offsets that are believed, in millimetres.
  package static let offsets = -20.0...20.0
  /// The scales that are believed.
  package static let scales = 0.95...1.05

  /// A printer that prints true.
  package static let none = PrinterCalibration(
    uncheckedOffsetX: 0, offsetY: 0, scaleX: 1, scaleY: 1)

  /// Makes a calibration.
  ///
  /// - Returns: `nil` when a number is outside ``offsets`` or ``scales``.
  package init?(offsetX: Double = 0, offsetY: Double = 0, scaleX: Double = 1, scaleY: Double = 1) {
    guard Self.offsets.contains(offsetX), Self.offsets.contains(offsetY),
      Self.scales.contains(scaleX), Self.scales.contains(scaleY)
    else { return nil }
    self.init(uncheckedOffsetX: offsetX, offsetY: offsetY, scaleX: scaleX, scaleY: scaleY)
  }

  private init(uncheckedOffsetX: Double, offsetY: Double, scaleX: Double, scaleY: Double) {
    offsetX = uncheckedOffsetX
    self.offsetY = offsetY
    self.scaleX = scaleX
    self.scaleY = scaleY
  }

  /// Where a point is printed.
  package func applied(to point: DrawingPoint) -> DrawingPoint {
    DrawingPoint(x: point.x * scaleX + offsetX, y: point.y * scaleY + offsetY)
  }

  /// Where a box is printed.
  package func applied(to box: DrawingBox) -> DrawingBox {
    let corner = applied(to: DrawingPoint(x: box.x, y: box.y))
    return DrawingBox(
      x: corner.x, y: corner.y, width: box.width * scaleX, height: box.height * scaleY)
  }
}
