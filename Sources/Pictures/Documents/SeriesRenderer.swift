import CliptagBasics

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Renders many small drawings made by this package in one process of an independent renderer,
/// whose start costs more than a drawing.
///
/// Every drawing is read from its own file: `rsvg-convert` draws a page that includes the SVG
/// files, `pdftoppm` the pages that `pdfunite` copied from the PDF files, and Ghostscript one EPS
/// file after another.
package struct SeriesRenderer: Sendable {
  /// One drawing.
  package struct Drawing: Sendable {
    /// The name of its file in the folder.
    package let fileName: String
    /// The number of pixels on each side.
    package let side: Int
    /// The width and height in millimetres.
    package let width: Double

    /// Describes a drawing.
    package init(fileName: String, side: Int, width: Double) {
      self.fileName = fileName
      self.side = side
      self.width = width
    }
  }

  private let folder: String
  private let limits: PictureLimits

  /// Creates a renderer.
  ///
  /// - Parameter folder: The folder of the drawings; a page that includes them is written there
  ///   temporarily.
  package init(folder: String) {
    self.folder = folder
    limits = .ownDrawing
  }

  /// Renders square drawings in grey on white.
  ///
  /// - Returns: One picture per drawing, in order.
  /// - Throws: ``PictureError``: `rendererMissing` names the package to install. A flaw in one
  ///   drawing may fail them all: render them one at a time to find it.
  package func render(
    _ drawings: [Drawing], as format: DocumentRenderer.Format
  ) async throws(PictureError) -> [GreyPicture] {
    // All drawings of a run have the same resolution.
    var pictures = [GreyPicture?](repeating: nil, count: drawings.count)
    for (dotsPerInch, run) in Dictionary(
      grouping: drawings.indices, by: { drawings[$0].dotsPerInch })
    {
      let pages = try await render(run.map { drawings[$0] }, as: format, dotsPerInch: dotsPerInch)
      guard pages.count == run.count else {
        throw .malformed(folder, "\(pages.count) of \(run.count) drawings could be drawn")
      }
      for (index, page) in zip(run, pages) { pictures[index] = page }
    }
    return pictures.compactMap { $0 }
  }

  private func render(
    _ drawings: [Drawing], as format: DocumentRenderer.Format, dotsPerInch: Double
  ) async throws(PictureError) -> [GreyPicture] {
    let files = drawings.map { "\(folder)/\($0.fileName)" }
    let limit = drawings.reduce(1024) { $0 + ($1.side + 2) * ($1.side + 2) + 256 }
    switch format {
    case .svg: return try await renderSVG(drawings, dotsPerInch: dotsPerInch)
    case .pdf:
      return GreyPicture.series(
        ofPGM: try await pagesOfPDF(files, dotsPerInch: dotsPerInch, outputLimit: limit))
    case .eps:
      return GreyPicture.series(
        ofPGM: try await pagesOfEPS(files, dotsPerInch: dotsPerInch, outputLimit: limit))
    }
  }

  private func pagesOfPDF(
    _ files: [String], dotsPerInch: Double, outputLimit: Int
  ) async throws(PictureError) -> [UInt8] {
    let home = try PrivateFolder(holding: [], fileName: "empty", source: folder)
    let united = files.count == 1 ? files[0] : "\(home.path)/all.pdf"
    if files.count > 1 {
      _ = try await run(
        .pdfunite, files + [united], in: home, outputLimit: 1024, pages: files.count)
    }
    return try await run(
      .pdftoppm, ["-q", "-gray", "-cropbox", "-r", "\(dotsPerInch)", united], in: home,
      outputLimit: outputLimit, pages: files.count)
  }

  private func pagesOfEPS(
    _ files: [String], dotsPerInch: Double, outputLimit: Int
  ) async throws(PictureError) -> [UInt8] {
    let home = try PrivateFolder(holding: [], fileName: "empty", source: folder)
    return try await run(
      .ghostscript,
      [
        "-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-sDEVICE=pgmraw", "-dEPSCrop",
        // PostScript may print; its output must not end up in the pictures.
        "-sstdout=%stderr", "-r\(dotsPerInch)", "-sOutputFile=%stdout",
      ] + files, in: home, outputLimit: outputLimit, pages: files.count)
  }

  /// Draws all files on one page, in a grid of squares, and splits the result.
  private func renderSVG(
    _ drawings: [Drawing], dotsPerInch: Double
  ) async throws(PictureError) -> [GreyPicture] {
    let cell = drawings.map(\.side).max() ?? 1
    let columns = max(1, Int(Double(drawings.count).squareRoot().rounded(.up)))
    let rows = (drawings.count + columns - 1) / columns
    var page =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xi=\"http://www.w3.org/2001/XInclude\" "
      + "width=\"\(columns * cell)\" height=\"\(rows * cell)\">\n"
    for (index, drawing) in drawings.enumerated() {
      let (row, column) = index.quotientAndRemainder(dividingBy: columns)
      page +=
        "<g transform=\"translate(\(column * cell),\(row * cell))\">"
        + "<xi:include href=\"\(drawing.fileName.asReference)\"/></g>\n"
    }
    page += "</svg>\n"
    let home = try PrivateFolder(holding: [], fileName: "empty", source: folder)
    // A page may include only files from its own folder.
    let path = "\(folder)/.series-\(UInt64.random(in: .min ... .max)).svg"
    guard FileManager.default.createFile(atPath: path, contents: Data(page.utf8)) else {
      throw RenderingChild.rsvg.failed(folder, "no file can be created in it")
    }
    defer { try? FileManager.default.removeItem(atPath: path) }
    let output = try await run(
      .rsvg,
      [
        "--format", "png", "--background-color", "white", "--dpi-x", "\(dotsPerInch)", "--dpi-y",
        "\(dotsPerInch)", path,
      ], in: home,
      outputLimit: columns * rows * cell * cell * 4 + 65_536, pages: drawings.count)
    let (picture, damage) = try PNGReader.read(output, source: folder, limits: limits)
    if let damage { throw damage }
    return drawings.enumerated().map { index, drawing in
      let (row, column) = index.quotientAndRemainder(dividingBy: columns)
      return picture.part(
        PictureParts.Area(
          x: column * cell, y: row * cell, width: drawing.side, height: drawing.side))
    }
  }

  private func run(
    _ child: RenderingChild, _ arguments: [String], in home: PrivateFolder, outputLimit: Int,
    pages: Int
  ) async throws(PictureError) -> [UInt8] {
    let outcome = try await child.run(
      arguments, in: home, reading: [folder], outputLimit: outputLimit, limits: limits,
      source: folder)
    guard outcome.status == 0 else {
      throw child.failed(folder, "it ended with status \(outcome.status)")
    }
    return outcome.output
  }

  /// Reads a PNG file made by this package, averaging squares of pixels into one.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - factor: The number of pixels on a side of a square.
  ///   - source: The name of the file in messages.
  /// - Throws: ``PictureError``.
  package static func picture(
    ofPNG bytes: [UInt8], reducedBy factor: Int, named source: String
  ) throws(PictureError) -> GreyPicture {
    try PNGReader.read(bytes, reducedBy: factor, source: source, limits: .ownDrawing)
  }
}

extension SeriesRenderer.Drawing {
  fileprivate var dotsPerInch: Double { 25.4 * Double(side) / width }
}

extension String {
  /// The file name as a relative reference in an XML attribute (RFC 3986, section 2).
  fileprivate var asReference: String {
    utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"):
        String(UnicodeScalar(byte))
      default: "%" + byte.hexadecimal(digits: 2)
      }
    }.joined()
  }
}

extension GreyPicture {
  /// Returns the pictures in a concatenation of raw 8-bit greymaps, as written by poppler and
  /// Ghostscript, up to the first that is invalid.
  fileprivate static func series(ofPGM bytes: [UInt8]) -> [GreyPicture] {
    var pictures: [GreyPicture] = []
    var position = 0
    /// Returns the next word of a header, after white space and comments.
    func word() -> ArraySlice<UInt8> {
      while position < bytes.count, NetpbmReader.isSpace(bytes[position]) || bytes[position] == 0x23
      {
        if bytes[position] == 0x23 {
          while position < bytes.count, bytes[position] != 0x0A { position += 1 }
        } else {
          position += 1
        }
      }
      let start = position
      while position < bytes.count, !NetpbmReader.isSpace(bytes[position]) { position += 1 }
      return bytes[start..<position]
    }
    while word().elementsEqual("P5".utf8) {
      let numbers = (0..<3).map { _ in Int(String(decoding: word(), as: UTF8.self)) ?? 0 }
      let (width, height) = (numbers[0], numbers[1])
      position += 1
      guard numbers[2] == 255, (1...32_768).contains(width), (1...32_768).contains(height),
        bytes.count - position >= width * height
      else { break }
      pictures.append(
        GreyPicture(
          width: width, height: height,
          pixels: Array(bytes[position..<position + width * height])))
      position += width * height
    }
    return pictures
  }
}
