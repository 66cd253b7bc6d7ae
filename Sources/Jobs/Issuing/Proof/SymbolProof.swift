import CodeDrawing
import CodeScanning
import Pictures
import QRSymbol

/// The proof that pixels show a QR code as it was drawn, by two independent means: each module is
/// compared with the drawing, and zbar decodes the whole.
struct SymbolProof {
  private let drawing: CodeDrawing
  private let grid: KnownGrid

  /// Prepares the proof of a code without a logo, in black on white.
  init(_ drawing: CodeDrawing) {
    self.drawing = drawing
    grid = KnownGrid(
      size: drawing.symbol.size, modules: drawing.symbol.modules, quietZone: drawing.size.quietZone)
  }

  /// Returns what the pixels of a picture do instead of showing the code, with its quiet zone and
  /// nothing else; `nil` if they show it.
  ///
  /// - Parameters:
  ///   - picture: The picture. Renderers may add a row and a column of pixels to a drawing.
  ///   - pitch: The pixels of a module, at least 2.
  /// - Throws: `PictureError` with code `libraryMissing` when zbar is not installed.
  func fault(in picture: GreyPicture, pitch: Int) throws -> String? {
    let side = grid.side * pitch
    guard side...side + 1 ~= picture.width, side...side + 1 ~= picture.height else {
      return "are \(picture.width) × \(picture.height) instead of \(side) × \(side)"
    }
    return try moduleFault(grid.wrongModules(in: picture, pitch: Double(pitch)))
      ?? decodingFault(picture.placed(drawing.size))
  }

  /// Returns what the pixels of a page do instead of showing the code at a place; `nil` if they show
  /// it.
  ///
  /// - Parameters:
  ///   - page: The page, from its top left corner.
  ///   - box: The code with its quiet zone, in millimetres.
  ///   - resolution: The pixels of a millimetre; a module has at least 2 pixels.
  /// - Throws: `PictureError` with code `libraryMissing` when zbar is not installed.
  func fault(in page: GreyPicture, at box: DrawingBox, resolution: Double) throws -> String? {
    try moduleFault(
      grid.wrongModules(
        in: page, x: box.x * resolution, y: box.y * resolution,
        pitch: drawing.size.moduleSize * resolution))
      ?? decodingFault(page.part(box, of: Double(page.width) / resolution))
  }

  private func moduleFault(_ wrong: Int) -> String? {
    wrong == 0 ? nil : "have \(wrong) of \(grid.side * grid.side) modules wrong"
  }

  private func decodingFault(_ picture: GreyPicture) throws -> String? {
    try picture.mismatch(with: drawing.symbol.bytes).map { "decode to \($0)" }
  }
}
