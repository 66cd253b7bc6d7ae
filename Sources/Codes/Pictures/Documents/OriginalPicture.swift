import CliptagBasics

/// A picture as it was made, for the files that can hold it so: drawings stay vectors, and the inks
/// of a JPEG file stay inks.
package struct OriginalPicture: Hashable, Sendable {
  /// The kinds of file that hold pictures of others.
  package enum Target: CaseIterable, Sendable {
    /// Portable Document Format.
    case pdf
    /// Scalable Vector Graphics.
    case svg
    /// Encapsulated PostScript.
    case eps
  }

  /// A drawing in text that is copied into another one.
  package struct Markup: Hashable, Sendable {
    /// The content: the elements inside the outermost one of an SVG file, or a whole EPS file.
    package let content: [UInt8]
    /// The width in its units.
    package let width: Double
    /// The height in its units.
    package let height: Double
  }

  /// The objects of a PDF file; `nil` for pixels, or if they are not wanted.
  package private(set) var pdf: PDFPicture?
  /// The elements of an SVG file, with outlines in place of text.
  package private(set) var svg: Markup?
  /// An EPS file; also `nil` for a drawing with transparency, which PostScript has not.
  package private(set) var eps: Markup?

  /// Whether it is vectors.
  package private(set) var isDrawing = true

  /// The long side of converted drawings, in pixels of 1/96 inch: what effects need that a format
  /// has not as vectors.
  private static let longSide = 2_400

  /// Converts an SVG drawing by librsvg, a PDF page by poppler and qpdf, or takes a CMYK JPEG file as
  /// it is.
  ///
  /// - Parameters:
  ///   - bytes: The whole file; a PDF file has one page, as ``PDFPicture/page(of:named:limits:)``
  ///     returns it.
  ///   - source: Its name in messages.
  ///   - targets: The kinds of file that it goes into.
  ///   - isGrey: Whether the drawing has no colours: then it prints with black ink only.
  /// - Returns: `nil` for other pictures.
  /// - Throws: ``PictureError``: `rendererMissing` names the package to install.
  package init?(
    _ bytes: [UInt8], named source: String, for targets: Set<Target>, isGrey: Bool,
    limits: PictureLimits
  ) async throws(PictureError) {
    let bytes = try SVGPicture.unpacked(bytes, source: source, limits: limits) ?? bytes
    switch PictureFormat.recognise(bytes) {
    case .jpeg:
      pdf = try PDFPicture(cmykJPEG: bytes, named: source, limits: limits)
      isDrawing = false
    case .svg:
      let drawing = try SVGPicture(bytes, source: source, limits: limits)
      if targets.contains(.svg) { svg = try await Self.elements(of: drawing) }
      guard targets.contains(.pdf) || targets.contains(.eps) else { break }
      var page = try await drawing.converted(to: "pdf", longSide: Self.longSide)
      if isGrey { page = try await PDFPicture.grey(page, named: source, limits: limits) }
      if targets.contains(.pdf) {
        pdf = try await PDFPicture(
          page: page, named: source, keepsBlending: false, limits: limits)
      }
      if targets.contains(.eps) {
        eps = try await Self.postScript(
          of: PDFDocument(page, source: source, limits: limits))
      }
    case .pdf:
      if targets.contains(.pdf) {
        pdf = try await PDFPicture(
          page: bytes, named: source, keepsBlending: true, limits: limits)
      }
      guard targets.contains(.svg) || targets.contains(.eps) else { break }
      let document = try await PDFDocument(bytes, source: source, limits: limits)
      if targets.contains(.svg) {
        svg = try await Self.elements(
          of: SVGPicture(try await document.svg(), source: source, limits: limits))
      }
      if targets.contains(.eps) { eps = try await Self.postScript(of: document) }
    default: return nil
    }
    guard isDrawing || pdf != nil else { return nil }
  }

  private static func elements(of drawing: SVGPicture) async throws(PictureError) -> Markup {
    try Markup(
      svg: try await drawing.converted(to: "svg", longSide: longSide), named: drawing.source)
  }

  /// Returns the first page as EPS; `nil` if poppler draws it as pixels.
  private static func postScript(of document: PDFDocument) async throws(PictureError) -> Markup? {
    let file = try await document.postScript()
    let text = String(decoding: file, as: UTF8.self)
    guard let size = document.firstSize, let setup = text.firstRange(of: "%%EndPageSetup\n"),
      !text[setup.upperBound...].hasPrefix("gsave\n")
    else { return nil }
    return Markup(content: file, width: size.width, height: size.height)
  }
}

extension OriginalPicture.Markup {
  /// Takes the elements out of an SVG file that cairo wrote, without links, whose names become unlike
  /// those of other drawings.
  fileprivate init(svg: [UInt8], named source: String) throws(PictureError) {
    let text = String(decoding: svg, as: UTF8.self)
    guard let start = text.firstRange(of: "<svg"),
      let content = text[start.upperBound...].firstIndex(of: ">"),
      let end = text.ranges(of: "</svg>").last,
      let size = SVGSize.viewBox(of: text[start.upperBound..<content])
    else { throw .malformed(source, "librsvg cannot convert it") }
    let prefix = "v" + svg.fingerprint
    let elements = text[text.index(after: content)..<end.lowerBound]
      .replacing("id=\"", with: "id=\"\(prefix)-").replacing("\"#", with: "\"#\(prefix)-")
      .replacing("url(#", with: "url(#\(prefix)-").replacing(#/</?a( [^>]*)?>/#, with: "")
    self.init(content: Array(elements.utf8), width: size.width, height: size.height)
  }
}

extension [UInt8] {
  /// A 32-bit FNV-1a hash, which distinguishes drawings of one page.
  fileprivate var fingerprint: String {
    reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }.hexadecimal(digits: 8)
  }
}
