import CliptagBasics
public import Pictures
public import QRSymbol

/// A code as a drawing: a symbol with its quiet zone at a printed size, for any format.
///
/// The same symbol, size and creation time give the same bytes.
public struct CodeDrawing: Hashable, Sendable {
  /// The symbol.
  public let symbol: QRSymbol
  /// The printed size.
  public let size: CodeSize
  /// The logo in it, if any.
  public let logo: CodeLogo?
  /// The colours in files; terminals and grey pictures have dark and light only.
  public let colours: CodeColours
  /// The creation time in a PDF, in seconds since 1970, or nil to omit it.
  ///
  /// It is intended for the value of `SOURCE_DATE_EPOCH`; the current time would make every file
  /// differ.
  package let creationTime: Int?

  /// The text of the symbol, for titles and alternative texts.
  public var text: String { String(decoding: symbol.bytes, as: UTF8.self) }

  /// Draws a symbol at a size.
  ///
  /// - Parameters:
  ///   - symbol: The symbol.
  ///   - request: The size.
  ///   - colours: The colours in files.
  ///   - logo: The logo in its middle, on a plate of the background colour.
  ///   - creationTime: The creation time in a PDF, in seconds since 1970; nil to omit it.
  /// - Throws: ``CodeDrawingError`` if the size is impossible, as documented for ``CodeSize``, or
  ///   if the symbol has no room for the logo.
  public init(
    _ symbol: QRSymbol, size request: CodeSize.Request = CodeSize.Request(),
    colours: CodeColours = .blackOnWhite, logo: CodeLogo.Request? = nil, creationTime: Int? = nil
  ) throws(CodeDrawingError) {
    self.symbol = symbol
    let size = try CodeSize(request, for: symbol)
    self.size = size
    self.logo = try logo.map { request throws(CodeDrawingError) in
      try CodeLogo(request, in: symbol, size: size)
    }
    self.colours = colours
    self.creationTime = creationTime
  }

  /// The bytes of a file in a format.
  ///
  /// - Throws: ``CodeDrawingError``: with `sizeTooLarge` over 10,000 pixels a side, or
  ///   `cannotEncode` without memory, and for EPS with a translucent logo on no ground.
  public func data(as format: DrawingFormat) throws(CodeDrawingError) -> [UInt8] {
    switch format {
    case .svg: try svg()
    case .png: try png()
    case .pdf: try pdf()
    case .eps: try eps()
    }
  }

  /// The code with its quiet zone as a grey picture.
  ///
  /// - Parameter pixelsPerModule: The pixels along one side of a module.
  /// - Precondition: `pixelsPerModule` is at least 1.
  public func greyPicture(pixelsPerModule: Int) -> GreyPicture {
    precondition(pixelsPerModule >= 1)
    let side = size.modulesAcross * pixelsPerModule
    var pixels: [UInt8] = []
    pixels.reserveCapacity(side * side)
    for row in 0..<size.modulesAcross {
      var line: [UInt8] = []
      line.reserveCapacity(side)
      for column in 0..<size.modulesAcross {
        let level: UInt8 = isDark(column, row) ? 0 : 255
        line.append(contentsOf: repeatElement(level, count: pixelsPerModule))
      }
      for _ in 0..<pixelsPerModule { pixels.append(contentsOf: line) }
    }
    return GreyPicture(width: side, height: side, pixels: pixels)
  }

  /// Whether a module is dark, counted from the top left corner of the quiet zone; those under the
  /// logo are light.
  func isDark(_ column: Int, _ row: Int) -> Bool {
    let (x, y) = (column - size.quietZone, row - size.quietZone)
    return symbol.isDark(x: x, y: y) && logo?.plate.contains(x: x, y: y) != true
  }

  /// The outline of the symbol inside its quiet zone.
  var outline: ModuleOutline {
    ModuleOutline(
      side: symbol.size, modules: drawnModules, corner: size.quietZone)
  }

  /// The symbol's modules as drawn, 1 for dark: light under the logo.
  private var drawnModules: [UInt8] {
    guard let plate = logo?.plate else { return symbol.modules }
    var modules = symbol.modules
    for row in plate.row..<plate.row + plate.height {
      for column in plate.column..<plate.column + plate.width {
        modules[row * symbol.size + column] = 0
      }
    }
    return modules
  }

  /// The text alternative of the drawing.
  var sentence: String {
    "QR code, version \(symbol.version), error correction \(symbol.errorCorrection.rawValue)"
      + (logo.map { ", with \($0.picture.alternativeText) in it" } ?? "") + ": " + text
  }
}

/// The file formats of a code.
public enum DrawingFormat: String, CaseIterable, Hashable, Sendable {
  /// Scalable Vector Graphics 1.1, sized in millimetres.
  case svg
  /// Portable Network Graphics at one bit per pixel, one pixel per printer's dot.
  case png
  /// Portable Document Format 1.6, one page of the code's size.
  case pdf
  /// Encapsulated PostScript, level 2.
  case eps

  /// The extension of file names, without the dot.
  public var fileEnding: String { rawValue }

  /// The format of a file name's extension, in upper or lower case.
  ///
  /// - Throws: ``CodeDrawingError`` with `unknownFormat`, whose hint lists the extensions.
  public init(fileName: String) throws(CodeDrawingError) {
    let name = fileName.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    let ending = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last
    guard let ending, let format = Self(rawValue: ending.lowercased()) else {
      throw .unknownFormat(fileName)
    }
    self = format
  }
}
