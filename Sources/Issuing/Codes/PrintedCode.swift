public import CodeDrawing
import CodeScanning
import Pictures
import QRSymbol

/// A code as the bytes of a file, proven: the file was drawn by an independent renderer and its
/// pixels were decoded again before this value came to be.
public struct PrintedCode: Sendable {
  /// What was drawn.
  public let drawing: CodeDrawing
  /// The kind of file.
  public let format: DrawingFormat
  /// The file.
  public let bytes: [UInt8]

  /// The pixels that a module gets when a file is drawn for reading back.
  private static let pixelsPerModule = 5

  /// Draws a code and reads it back from its own pixels.
  ///
  /// PNG is decoded as it is; SVG is drawn by librsvg, PDF by poppler and EPS by Ghostscript, each
  /// in a process of its own.
  ///
  /// - Parameters:
  ///   - drawing: What to draw.
  ///   - format: The kind of file.
  ///   - name: What to call it in messages.
  /// - Throws: `CodeDrawingError`, `PictureError` (for example when a renderer is not installed),
  ///   or ``IssuingError`` with code `unreadable-rendering`.
  public init(_ drawing: CodeDrawing, as format: DrawingFormat, named name: String) async throws {
    self.drawing = drawing
    self.format = format
    bytes = try drawing.data(as: format)
    let picture = try await rendered(pixelsPerModule: Self.pixelsPerModule, named: name)
    try Self.readBack(picture, expecting: drawing.symbol.bytes, name)
  }

  /// Measures how much the code can suffer and still be read, from the file's own pixels.
  ///
  /// - Parameter name: what to call the file in messages.
  /// - Throws: `PictureError`, for example when the task is cancelled while a renderer runs.
  public func proof(named name: String) async throws -> DesignProof {
    let picture = try await rendered(pixelsPerModule: DesignProof.pixelsPerModule, named: name)
    return try await DesignProof.made(of: picture, drawing: drawing, named: name)
  }

  /// The file's pixels: a PNG's own, of other files so many to a module.
  private func rendered(pixelsPerModule: Int, named name: String) async throws -> GreyPicture {
    guard let kind = DocumentRenderer.Format(rawValue: format.rawValue) else {
      let file = try await PictureLoader(firstLookPixels: .max).open(bytes, named: name)
      return try await file.page(1).firstLook
    }
    let resolution = 25.4 * Double(pixelsPerModule) / drawing.size.moduleSize
    return try await DocumentRenderer(limits: .ownDrawing).render(
      bytes, as: kind, dotsPerInch: resolution, named: name)[0]
  }

  /// Shows that a drawing decodes, without a file: for the terminal.
  public static func prove(_ drawing: CodeDrawing, named name: String) throws {
    try readBack(
      drawing.greyPicture(pixelsPerModule: pixelsPerModule), expecting: drawing.symbol.bytes, name)
  }

  /// Decodes a picture that must show one code with these bytes.
  static func readBack(
    _ picture: GreyPicture, expecting bytes: [UInt8], _ name: String
  ) throws {
    let codes = try CodeScanner().readBack(picture)
    guard codes.count == 1, codes[0].bytes == bytes else {
      let found =
        codes.isEmpty ? "no code" : codes.map(\.text).joined(separator: ", ")
      throw IssuingError(
        .unreadableRendering,
        "\(name) was not written: read back from its own pixels it gives \(found).",
        hint: "Use a larger size or a shorter URL; if it stays, report this with the URL.")
    }
  }
}
