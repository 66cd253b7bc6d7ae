import CliptagBasics

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Renders many small drawings made by this package in one process of an independent renderer,
/// whose start costs more than a drawing.
///
/// Every drawing is read from its own file: `rsvg-convert` draws a page that includes the SVG files,
/// Ghostscript one that runs the EPS files, and `pdftoppm` the pages that `pdfunite` copied from the
/// PDF files.
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
    case .eps: return try await renderEPS(drawings)
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

  /// Runs all files on one page, in a grid of squares, and splits the result: a page for each file
  /// would take four times as long.
  private func renderEPS(_ drawings: [Drawing]) async throws(PictureError) -> [GreyPicture] {
    let grid = Grid(drawings)
    // A point of the page is a pixel.
    var page = "%!\n/showpage {} def\n"
    for (index, drawing) in drawings.enumerated() {
      let path = "\(folder)/\(drawing.fileName)"
      let box = try boundingBox(ofEPS: path)
      guard abs(box - drawing.width / 25.4 * 72) < 0.01 else {
        throw .malformed(path, "its bounding box is not that of the drawing")
      }
      let area = grid.area(of: drawing, index)
      page +=
        "save \(area.x) \(grid.height - area.y - area.height) translate "
        + "\(Double(drawing.side) / box) dup scale 0 0 \(box) \(box) rectclip "
        + "(\(path.asPostScript)) run restore\n"
    }
    page += "systemdict /showpage get exec\n"
    let home = try PrivateFolder(holding: Array(page.utf8), fileName: "page.ps", source: folder)
    let output = try await run(
      .ghostscript,
      [
        "-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-sDEVICE=pgmraw", "--permit-file-read=\(folder)/",
        // PostScript may print; its output must not end up in the picture.
        "-sstdout=%stderr", "-r72", "-g\(grid.width)x\(grid.height)", "-sOutputFile=%stdout",
        home.file,
      ], in: home, outputLimit: grid.width * grid.height + 1024, pages: drawings.count)
    return grid.split(
      try NetpbmReader.readWhole(output, source: folder, limits: limits), drawings)
  }

  /// Returns the side of a square drawing in points, as its file says.
  private func boundingBox(ofEPS path: String) throws(PictureError) -> Double {
    let start = try FileReader.read(path: path, name: path, limits: limits).prefix(512)
    let lines = String(decoding: start, as: UTF8.self).split(separator: "\n")
    let numbers = lines.lazy.compactMap { line in
      line.hasPrefix("%%HiResBoundingBox: ")
        ? line.split(separator: " ").dropFirst().map { Double($0) } : nil
    }.first
    guard let numbers, numbers.count == 4, numbers[0] == 0, numbers[1] == 0,
      numbers[2] == numbers[3], let side = numbers[2], side > 0
    else { throw .malformed(path, "it has no bounding box of a square") }
    return side
  }

  /// The places of drawings on one page.
  private struct Grid {
    private let cell: Int
    private let columns: Int
    /// The width of the page in pixels.
    let width: Int
    /// The height of the page in pixels.
    let height: Int

    init(_ drawings: [Drawing]) {
      cell = drawings.map(\.side).max() ?? 1
      columns = max(1, Int(bounded: Double(drawings.count).squareRoot().rounded(.up)))
      width = columns * cell
      height = (drawings.count + columns - 1) / columns * cell
    }

    /// Returns the area of the drawing at an index, in pixels from the top left corner.
    func area(of drawing: Drawing, _ index: Int) -> PictureParts.Area {
      let (row, column) = index.quotientAndRemainder(dividingBy: columns)
      return PictureParts.Area(
        x: column * cell, y: row * cell, width: drawing.side, height: drawing.side)
    }

    /// Returns the drawings on a page.
    func split(_ page: GreyPicture, _ drawings: [Drawing]) -> [GreyPicture] {
      drawings.enumerated().map { index, drawing in page.part(area(of: drawing, index)) }
    }
  }

  /// Draws all files on one page, in a grid of squares, and splits the result.
  private func renderSVG(
    _ drawings: [Drawing], dotsPerInch: Double
  ) async throws(PictureError) -> [GreyPicture] {
    let grid = Grid(drawings)
    var page =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xi=\"http://www.w3.org/2001/XInclude\" "
      + "width=\"\(grid.width)\" height=\"\(grid.height)\">\n"
    for (index, drawing) in drawings.enumerated() {
      let area = grid.area(of: drawing, index)
      page +=
        "<g transform=\"translate(\(area.x),\(area.y))\">"
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
      outputLimit: grid.width * grid.height * 4 + 65_536, pages: drawings.count)
    return grid.split(
      try PNGReader.readWhole(output, source: folder, limits: limits), drawings)
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

  /// Reads a square PNG file made by this package, averaging squares of pixels into one.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - side: The number of pixels on a side of the result.
  ///   - factor: The number of pixels on a side of a square.
  ///   - source: The name of the file in messages.
  /// - Throws: ``PictureError``: `malformed` also if the file has not `side * factor` pixels on each
  ///   side.
  package static func picture(
    ofPNG bytes: [UInt8], side: Int, reducedBy factor: Int, named source: String
  ) throws(PictureError) -> GreyPicture {
    try PNGReader.read(
      bytes, side: side, reducedBy: factor, source: source, limits: .ownDrawing)
  }
}

extension SeriesRenderer.Drawing {
  fileprivate var dotsPerInch: Double { 25.4 * Double(side) / width }
}

extension String {
  /// The text inside the parentheses of a PostScript string (PostScript Language Reference, 3.2.2).
  fileprivate var asPostScript: String {
    utf8.map { byte in
      switch byte {
      case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "\\"):
        "\\" + String(UnicodeScalar(byte))
      case 0x20..<0x7F: String(UnicodeScalar(byte))
      default: "\\" + String(Int(byte) + 0o1000, radix: 8).dropFirst()
      }
    }.joined()
  }

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
  static func series(ofPGM bytes: [UInt8]) -> [GreyPicture] {
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
