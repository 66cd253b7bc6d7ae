public import CodeDrawing
import CodeScanning
import Pictures
import QRSymbol

/// A poster as the bytes of a file, proven: the file was drawn by an independent renderer and its
/// code was decoded again from the pixels of the whole page before this value came to be.
public struct PrintedPoster: Sendable {
  /// What was laid out.
  package let poster: Poster
  /// The kind of file.
  public let format: DrawingFormat
  /// The file.
  public let bytes: [UInt8]

  /// What a file tells of itself.
  public struct Information: Hashable, Sendable {
    /// The title, which viewers show.
    public var title: String
    /// The language of the words, as in BCP 47.
    public var language: String
    /// When a PDF says it was made, in seconds since 1970, or nil to state no time.
    public var creationTime: Int?
    /// Whether the letters of a PDF are drawn as outlines instead of set in embedded fonts.
    public var outlinesText: Bool

    /// Describes a file.
    public init(
      title: String, language: String = "en", creationTime: Int? = nil, outlinesText: Bool = false
    ) {
      self.title = title
      self.language = language
      self.creationTime = creationTime
      self.outlinesText = outlinesText
    }
  }

  /// The pixels that a module gets when the page is drawn for reading back.
  private static let pixelsPerModule = 5.0

  /// Draws a poster and reads its code back.
  ///
  /// - Parameters:
  ///   - poster: what to draw.
  ///   - format: the kind of file. A PNG has the resolution of the code's printer.
  ///   - information: what the file tells of itself.
  ///   - name: what to call it in messages.
  /// - Throws: `CodeDrawingError`, `TextError`, `PictureError`, or ``IssuingError`` with code
  ///   `unreadable-rendering`.
  public init(
    _ poster: Poster, as format: DrawingFormat, information: Information, named name: String
  ) async throws {
    self.poster = poster
    self.format = format
    let page = poster.page
    switch format {
    case .pdf:
      var writer = try PDFWriter(
        to: MemorySink(),
        information: .init(
          title: information.title, language: information.language,
          creationTime: information.creationTime),
        outlinesText: information.outlinesText)
      try writer.add(page)
      bytes = try writer.finished().bytes
    case .svg: bytes = try page.svg(title: information.title, language: information.language)
    case .eps: bytes = try page.eps(title: information.title)
    case .png:
      bytes = try await page.png(
        title: information.title, dotsPerInch: poster.code.size.dotsPerInch)
    }
    let picture = try await rendered(pixelsPerModule: Self.pixelsPerModule, named: name)
    try PrintedCode.readBack(picture, expecting: poster.code.symbol.bytes, name)
  }

  /// Measures how much the code can suffer and still be read, from the finished page's own pixels.
  ///
  /// - Parameter name: what to call the file in messages.
  /// - Throws: `PictureError`, for example when the task is cancelled while a renderer runs.
  public func proof(named name: String) async throws -> DesignProof {
    let picture = try await rendered(
      pixelsPerModule: Double(DesignProof.pixelsPerModule), named: name)
    let sheet = poster.page.mediaBox
    let box = poster.codeBox.moved(right: -sheet.x, down: -sheet.y)
    return try await DesignProof.made(
      of: picture.part(box, of: sheet.width), drawing: poster.code, named: name)
  }

  /// The page's pixels: a PNG's own, of other files so many to a module.
  private func rendered(pixelsPerModule: Double, named name: String) async throws -> GreyPicture {
    guard let kind = DocumentRenderer.Format(rawValue: format.rawValue) else {
      let file = try await PictureLoader(firstLookPixels: .max).open(bytes, named: name)
      return try await file.page(1).firstLook
    }
    let resolution = 25.4 * pixelsPerModule / poster.code.size.moduleSize
    return try await DocumentRenderer(limits: .ownDrawing).render(
      bytes, as: kind, dotsPerInch: resolution, named: name)[0]
  }
}
