public import CodeDrawing
import CliptagBasics
import CodeScanning
import Pictures

extension PosterArtwork {
  /// Reads an artwork: a PDF file as it is, SVG as vectors, or a picture that fills a sheet.
  ///
  /// The page with a QR code, the placeholder, is the one that the poster is laid over; without one
  /// it is the first page. Further pages, such as a back, stay beside it. Form fields of a PDF, and
  /// rectangles of an SVG drawing whose ids are names, are the places of codes and texts; `fields` are added and replace those of the same name.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - source: Its name in messages.
  ///   - paper: The sheet that a picture fills, which must have its proportions; a PDF or SVG file
  ///     has a size.
  ///   - fields: The places of codes and texts.
  /// - Throws: `PictureError`; ``IssuingError`` with code `unusable-artwork` for a placeholder that is
  ///   not upright, for several codes, or a picture of other proportions.
  public init(
    _ bytes: [UInt8], named source: String, paper: PaperSize, fields: [ArtworkField] = []
  ) async throws {
    let page = try await Self.pdf(of: bytes, named: source, paper: paper)
    let ground = try await PDFGround(page.pdf, named: source)
    let file = try await PictureLoader().open(ground.file, named: source)
    var pages: [(picture: LoadedPicture, codes: [DecodedCode])] = []
    for number in 1...file.pageCount {
      let picture = try await file.page(number)
      let codes = try await CodeScanner(symbologies: [.qr]).scan(picture)
      pages.append((picture, codes.filter { $0.symbology == .qr }))
    }
    let codes = pages.flatMap(\.codes)
    guard codes.count < 2 else { throw IssuingError.severalCodes(codes, on: source) }
    let index = pages.firstIndex { !$0.codes.isEmpty } ?? 0
    self.init(page: index + 1, of: ground)
    dotsPerInch = page.dotsPerInch
    if PictureFormat.recognise(bytes) == .svg {
      let places = SVGPlaces(in: bytes, width: width, height: height)
      self.fields = places.fields
      // The renderer runs none, and says nothing of them.
      if places.hasScripts { leftOut.insert("scripts", at: 0) }
    }
    let names = Set(fields.map(\.name))
    self.fields = self.fields.filter { !names.contains($0.name) } + fields
    let look = try await ArtworkLook(pages[index].picture)
    placeholder = try pages[index].codes.first.map { code in
      try look.placeholder(code, on: sheet, named: source)
    }
    for index in self.fields.indices where self.fields[index].ground == nil {
      self.fields[index].ground = look.meanColour(of: self.fields[index].box, on: sheet)
    }
  }

  /// Checks that a sheet is the artwork's, in either orientation.
  ///
  /// - Throws: ``IssuingError`` with code `unusable-artwork`.
  package func check(fills paper: PaperSize) throws(IssuingError) {
    let (wanted, own) = ([paper.width, paper.height].sorted(), [width, height].sorted())
    guard zip(wanted, own).contains(where: { abs($0 - $1) >= 1 }) else { return }
    func size(_ width: Double, _ height: Double) -> String {
      "\(width.inWholeOrTenths) × \(height.inWholeOrTenths) mm"
    }
    throw IssuingError(
      .unusableArtwork,
      "\(source) is a page of \(size(width, height)), not of \(size(paper.width, paper.height)).",
      hint: "Leave the paper out: the artwork's is used.")
  }

  /// Returns a file as PDF, and the resolution of a picture.
  private static func pdf(
    of bytes: [UInt8], named source: String, paper: PaperSize
  ) async throws -> (pdf: [UInt8], dotsPerInch: Double?) {
    let format = PictureFormat.recognise(bytes)
    if format == .pdf { return (bytes, nil) }
    if format == .svg {
      let renderer = DocumentRenderer(limits: .standard)
      return (try await renderer.convert(bytes, to: .pdf, named: source), nil)
    }
    let picture = try await LogoPicture(bytes, named: source, alternativeText: "Artwork")
    let isWide = picture.width > picture.height
    let paper = isWide == (paper.width > paper.height) ? paper : paper.turned
    let ratio = Double(picture.width) / Double(picture.height) / (paper.width / paper.height)
    guard (0.98...1.02).contains(ratio) else {
      throw IssuingError.otherProportions(picture, paper)
    }
    var page = PageDrawing(width: paper.width, height: paper.height)
    page.elements = [
      .picture(picture, DrawingBox(x: 0, y: 0, width: paper.width, height: paper.height))
    ]
    var writer = try PDFWriter(to: MemorySink(), information: .init(title: source))
    try writer.add(page)
    return (try writer.finished().bytes, Double(picture.width) * 25.4 / paper.width)
  }
}

/// The rendered page of an artwork that a poster is laid over.
private struct ArtworkLook {
  private let picture: LoadedPicture
  private let colours: ColourPicture

  init(_ picture: LoadedPicture) async throws {
    self.picture = picture
    colours = try await picture.colourLook() ?? ColourPicture(picture.firstLook)
  }

  /// Returns the square of a code with the clear distance around it.
  ///
  /// - Parameter sheet: The sheet that the picture shows, in millimetres.
  func placeholder(
    _ code: DecodedCode, on sheet: DrawingBox, named source: String
  ) throws(IssuingError) -> PosterArtwork.Placeholder {
    let scale = sheet.width / Double(picture.width)
    let (xs, ys) = (code.corners.map(\.x), code.corners.map(\.y))
    guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max()
    else { throw .notUpright(source) }
    // The side of an upright square is that of the box around its corners.
    let first = code.corners[0], second = code.corners[1]
    let side =
      ((second.x - first.x) * (second.x - first.x)
      + (second.y - first.y) * (second.y - first.y)).squareRoot()
    guard right - left < side * 1.04, bottom - top < side * 1.04 else { throw .notUpright(source) }
    let pixels = PixelBox(left: left, top: top, right: right, bottom: bottom)
    let grey = picture.firstLook
    let factor = Double(grey.width) / Double(picture.width)
    let module = side * factor / Double((code.version.map { 17 + 4 * $0 }) ?? 25)
    let edges = pixels.scaled(by: factor).tightened(in: grey, within: module)
    let margin = edges.clearMargin(in: grey, atMost: 6 * module)
    let box = DrawingBox(
      x: sheet.x + edges.left / factor * scale, y: sheet.y + edges.top / factor * scale,
      width: (edges.right - edges.left) / factor * scale,
      height: (edges.bottom - edges.top) / factor * scale)
    // Rounding of the edges makes no oblong code.
    let square = max(box.width, box.height)
    let clear = Double(margin) / factor * scale
    // Half of the clear distance keeps off both edges.
    let above = DrawingBox(
      x: box.x, y: box.y - clear * 0.75, width: box.width, height: clear / 2)
    return PosterArtwork.Placeholder(
      box: DrawingBox(
        x: box.centre.x - square / 2, y: box.centre.y - square / 2, width: square, height: square),
      clearMargin: clear, ground: meanColour(of: above, on: sheet) ?? .white)
  }

  /// Returns the mean colour in a box of the sheet; `nil` outside the picture.
  func meanColour(of box: DrawingBox, on sheet: DrawingBox) -> Colour? {
    let scale = Double(colours.width) / sheet.width
    let rows = range(box.y - sheet.y, box.bottom - sheet.y, scale, colours.height)
    let columns = range(box.x - sheet.x, box.right - sheet.x, scale, colours.width)
    guard !rows.isEmpty, !columns.isEmpty else { return nil }
    func mean(_ plane: GreyPicture) -> UInt8 {
      var sum = 0
      for row in rows {
        for column in columns { sum += Int(plane.pixels[row * plane.width + column]) }
      }
      return UInt8(sum / (rows.count * columns.count))
    }
    return Colour(red: mean(colours.red), green: mean(colours.green), blue: mean(colours.blue))
  }

  private func range(_ start: Double, _ end: Double, _ scale: Double, _ count: Int) -> Range<Int> {
    let start = min(max(0, Int(bounded: start * scale)), count)
    return start..<min(max(start, Int(bounded: end * scale)), count)
  }
}

/// A box in a picture, in pixels.
private struct PixelBox {
  var left, top, right, bottom: Double

  func scaled(by factor: Double) -> PixelBox {
    PixelBox(
      left: left * factor, top: top * factor, right: right * factor, bottom: bottom * factor)
  }

  /// The box around the dark pixels of a symbol, whose corners are only known to a part of a module.
  ///
  /// - Parameter reach: The distance from the given edges, in pixels, that is searched.
  func tightened(in picture: GreyPicture, within reach: Double) -> PixelBox {
    let area = pixels(of: picture, grown: reach)
    var edges = (left: Int.max, top: Int.max, right: -1, bottom: -1)
    for row in area.rows {
      for column in area.columns where picture.pixels[row * picture.width + column] < 128 {
        edges = (
          min(edges.left, column), min(edges.top, row), max(edges.right, column + 1),
          max(edges.bottom, row + 1)
        )
      }
    }
    let found = PixelBox(
      left: Double(edges.left), top: Double(edges.top), right: Double(edges.right),
      bottom: Double(edges.bottom))
    // Dark pixels at the limit of the search belong to something else.
    let isOfSymbol =
      edges.right >= 0 && edges.left > area.columns.lowerBound && edges.top > area.rows.lowerBound
      && edges.right < area.columns.upperBound && edges.bottom < area.rows.upperBound
    return isOfSymbol ? found : self
  }

  /// The number of pixels around the box that have about the colour of the paper there.
  func clearMargin(in picture: GreyPicture, atMost most: Double) -> Int {
    var ground: UInt8?
    var distance = 1
    while Double(distance) <= most {
      let area = pixels(of: picture, grown: Double(distance))
      guard area.rows.count > 2, area.columns.count > 2,
        area.rows.lowerBound > 0, area.columns.lowerBound > 0,
        area.rows.upperBound < picture.height, area.columns.upperBound < picture.width
      else { break }
      var values: [UInt8] = []
      for row in [area.rows.lowerBound, area.rows.upperBound - 1] {
        values +=
          picture.pixels[
            row * picture.width + area.columns.lowerBound..<row * picture.width
              + area.columns.upperBound]
      }
      for row in area.rows {
        values.append(picture.pixels[row * picture.width + area.columns.lowerBound])
        values.append(picture.pixels[row * picture.width + area.columns.upperBound - 1])
      }
      let (darkest, lightest) = (values.min() ?? 0, values.max() ?? 0)
      // The first pixel may be a mixture with the symbol's edge.
      if distance > 1 {
        let paper = ground ?? lightest
        ground = paper
        guard Int(lightest) - Int(darkest) <= 24, abs(Int(paper) - Int(darkest)) <= 24 else {
          break
        }
      }
      distance += 1
    }
    return max(0, distance - 1)
  }

  private func pixels(
    of picture: GreyPicture, grown distance: Double
  ) -> (rows: Range<Int>, columns: Range<Int>) {
    func range(_ start: Double, _ end: Double, _ count: Int) -> Range<Int> {
      let start = min(max(0, Int(bounded: (start - distance).rounded(.down))), count)
      return start..<min(max(start, Int(bounded: (end + distance).rounded(.up))), count)
    }
    return (range(top, bottom, picture.height), range(left, right, picture.width))
  }
}

extension Double {
  fileprivate var inWholeOrTenths: String {
    let tenths = (self * 10).rounded() / 10
    return tenths == tenths.rounded() ? "\(Int(bounded: tenths))" : "\(tenths)"
  }
}

extension PaperSize {
  /// The sheet turned by a quarter.
  fileprivate var turned: PaperSize { width > height ? upright : landscape }
}

extension IssuingError {
  fileprivate static func severalCodes(_ codes: [DecodedCode], on source: String) -> IssuingError {
    let texts = codes.map { "“\($0.text.prefix(60))”" }
    return IssuingError(
      .unusableArtwork, "\(source) has \(codes.count) QR codes: \(texts.joined(separator: ", ")).",
      hint: "Leave one of them on the artwork, as the placeholder of the code.")
  }

  fileprivate static func notUpright(_ source: String) -> IssuingError {
    IssuingError(
      .unusableArtwork, "The QR code on \(source) is not upright.",
      hint: "Turn it upright, or remove it and name the place of the code.")
  }

  fileprivate static func otherProportions(
    _ picture: LogoPicture, _ paper: PaperSize
  ) -> IssuingError {
    IssuingError(
      .unusableArtwork,
      "\(picture.source) has \(picture.width) × \(picture.height) pixels, which does not fill a sheet "
        + "of \(Int(bounded: paper.width.rounded())) × \(Int(bounded: paper.height.rounded())) mm.",
      hint: "Give the size of the sheet in the proportions of the picture, such as "
        + "\(Int(bounded: (paper.height * Double(picture.width) / Double(picture.height)).rounded()))x"
        + "\(Int(bounded: paper.height.rounded())).")
  }
}
