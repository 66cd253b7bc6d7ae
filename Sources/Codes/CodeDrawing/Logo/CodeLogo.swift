import QRSymbol

/// A logo in a code: its picture, and the plate of light modules beneath it.
public struct CodeLogo: Hashable, Sendable {
  /// A requested logo.
  public struct Request: Hashable, Sendable {
    /// The logo.
    public var picture: LogoPicture
    /// The modules of the plate's long side, odd; nil for the largest with a good reserve.
    public var modules: Int?

    /// Requests a logo.
    ///
    /// - Parameters:
    ///   - picture: The logo.
    ///   - modules: The modules of the plate's long side, odd, at least 3; nil for the largest that
    ///     leaves 62 % of the error correction of every block.
    public init(_ picture: LogoPicture, modules: Int? = nil) {
      self.picture = picture
      self.modules = modules
    }
  }

  /// The picture as written, with at most 600 pixels to the printed inch.
  public let picture: LogoPicture
  /// The modules that it covers.
  public let plate: LogoPlate
  /// The reasons against printing it; empty if there are none.
  public let warnings: [LogoWarning]
  private let quietZone: Int

  /// Finds the plate for a logo.
  ///
  /// - Throws: The errors of ``LogoPlate``.
  init(_ request: Request, in symbol: QRSymbol, size: CodeSize) throws(CodeDrawingError) {
    let ratio = Double(request.picture.height) / Double(request.picture.width)
    quietZone = size.quietZone
    plate = try LogoPlate(in: symbol, ratio: ratio, modules: request.modules)
    let room = Double(plate.modules) - 2 * plate.margin
    let width = room * min(1, 1 / ratio) * size.moduleSize
    picture = request.picture.written(width: width)
    warnings =
      plate.warnings(in: symbol, ratio: ratio)
      + [request.picture.warning(width: width)].compactMap { $0 }
  }

  /// The box of the picture, in modules from the corner of the quiet zone.
  var box: DrawingBox {
    let (roomX, roomY) = (
      Double(plate.width) - 2 * plate.margin, Double(plate.height) - 2 * plate.margin
    )
    let ratio = Double(picture.height) / Double(picture.width)
    let width = min(roomX, roomY / ratio)
    let height = width * ratio
    let quietZone = Double(quietZone)
    return DrawingBox(
      x: quietZone + Double(plate.column) + (Double(plate.width) - width) / 2,
      y: quietZone + Double(plate.row) + (Double(plate.height) - height) / 2, width: width,
      height: height)
  }
}
