import CliptagBasics
public import CodeDrawing
import CodeScanning
import Pictures
import QRSymbol
public import Registry

/// The content of a print: a code alone, or a poster around one or two.
public enum PrintContent: Sendable {
  /// A code with its quiet zone.
  case code(CodeDrawing)
  /// An App Clip Code with its clear space, and the information in its file.
  case appClipCode(AppClipCodeDrawing, FileInformation)
  /// A poster, and the information in its file.
  case poster(Poster, FileInformation)

  /// The information in a file about itself.
  public struct FileInformation: Hashable, Sendable {
    /// The title, which viewers show.
    public var title: String
    /// The language of the words, as in BCP 47.
    public var language: String
    /// The creation time in a PDF, in seconds since 1970, or `nil` to state no time.
    public var creationTime: Int?
    /// Whether the letters of a PDF are drawn as outlines instead of set in embedded fonts.
    public var outlinesText: Bool
    /// The printing condition of a PDF/X-4 file; `nil` for other files.
    public var condition: PrintingCondition?

    /// Creates the information of a file.
    public init(
      title: String, language: String = "en", creationTime: Int? = nil, outlinesText: Bool = false
    ) {
      self.title = title
      self.language = language
      self.creationTime = creationTime
      self.outlinesText = outlinesText
    }
  }

  /// The QR code; `nil` if an App Clip Code replaces it.
  public var drawing: CodeDrawing? {
    switch self {
    case .code(let drawing): drawing
    case .appClipCode: nil
    case .poster(let poster, _): poster.code
    }
  }

  /// The App Clip Code; nil without one.
  public var appClipCode: AppClipCodeDrawing? {
    switch self {
    case .code: nil
    case .appClipCode(let drawing, _): drawing
    case .poster(let poster, _): poster.appClipCode
    }
  }

  /// The poster; `nil` for a code alone.
  package var poster: Poster? {
    if case .poster(let poster, _) = self { poster } else { nil }
  }

  /// Returns the bytes of a file. A PNG has the resolution of the code's printer.
  func data(as format: DrawingFormat) async throws -> [UInt8] {
    switch self {
    case .code(let drawing): return try drawing.data(as: format)
    case .appClipCode(let drawing, let information):
      return try await Self.data(of: drawing.page, information, as: format, dotsPerInch: 600)
    case .poster(let poster, let information):
      guard let artwork = poster.artwork else {
        return try await Self.data(
          of: poster.page, information, as: format, dotsPerInch: poster.dotsPerInch)
      }
      guard format == .pdf else { throw IssuingError.artworkNeedsPDF(format) }
      let overlay = try await Self.data(
        of: poster.page, information, as: .pdf, dotsPerInch: poster.dotsPerInch)
      return try await artwork.ground.overlaid(with: overlay, count: 1, page: artwork.page)
    }
  }

  private static func data(
    of page: PageDrawing, _ information: FileInformation, as format: DrawingFormat,
    dotsPerInch: Double
  ) async throws -> [UInt8] {
    switch format {
    case .pdf:
      var writer = try PDFWriter(
        to: MemorySink(),
        information: .init(
          title: information.title, language: information.language,
          creationTime: information.creationTime, condition: information.condition),
        outlinesText: information.outlinesText)
      try writer.add(page)
      return try writer.finished().bytes
    case .svg: return try page.svg(title: information.title, language: information.language)
    case .eps: return try page.eps(title: information.title)
    case .png:
      return try await page.png(title: information.title, dotsPerInch: dotsPerInch)
    }
  }

  /// Returns the faces of a template with their parts of a rendered file, turned upright; otherwise
  /// the whole.
  private func faces(in picture: GreyPicture) -> [(content: PrintContent, picture: GreyPicture)] {
    guard case .poster(let poster, let information) = self, !poster.faces.isEmpty else {
      return [(self, picture)]
    }
    let picture = poster.isMirrored ? picture.upright(from: .mirrored) : picture
    // A mirrored sheet has the same distances on both sides.
    let sheet = poster.sheet
    return poster.faces.map { face in
      let box = face.placement.box.moved(right: -sheet.x, down: -sheet.y)
      let orientation: PictureOrientation =
        switch face.placement.turn {
        case .none: .upright
        case .right: .turnedRight
        case .half: .upsideDown
        case .left: .turnedLeft
        }
      return (
        .poster(face.poster, information),
        picture.part(box, of: sheet.width).upright(from: orientation)
      )
    }
  }

  /// Returns the part of a rendered file that the code covers.
  func code(in picture: GreyPicture) -> GreyPicture {
    let faces = faces(in: picture)
    let (face, picture) = faces.first { $0.content.drawing != nil } ?? faces[0]
    guard let poster = face.poster, let codeBox = poster.codeBox else { return picture }
    let sheet = poster.sheet
    let box = codeBox.moved(right: -sheet.x, down: -sheet.y)
    return picture.part(box, of: sheet.width)
  }

  /// Returns a rendered file as it is where it is placed: a code alone with white around it if its
  /// own quiet zone is less than readers need.
  fileprivate func placed(_ picture: GreyPicture) -> GreyPicture {
    if case .code(let drawing) = self { picture.placed(drawing.size) } else { picture }
  }

  /// Returns the face with the App Clip Code and the code's position on it, in a rendered file.
  fileprivate func appClipCodeFace(
    in picture: GreyPicture
  ) -> (picture: GreyPicture, place: AppClipCodePlace)? {
    for (face, picture) in faces(in: picture) {
      if let place = face.appClipCodePlace(in: picture) { return (picture, place) }
    }
    return nil
  }

  /// Returns the position of the App Clip Code in a rendered face.
  private func appClipCodePlace(in picture: GreyPicture) -> AppClipCodePlace? {
    switch self {
    case .code: return nil
    case .appClipCode(let drawing, _):
      let box = DrawingBox(x: 0, y: 0, width: drawing.width, height: drawing.height)
      return picture.place(of: drawing, in: box, ofSheet: box.width)
    case .poster(let poster, _):
      guard let drawing = poster.appClipCode, let box = poster.appClipCodeBox else { return nil }
      let sheet = poster.sheet
      return picture.place(
        of: drawing, in: box.moved(right: -sheet.x, down: -sheet.y), ofSheet: sheet.width)
    }
  }

  /// The resolution at which a page is rendered to read its codes back, in dots per inch.
  var proofResolution: Double {
    resolution(
      pixelsPerModule: PrintedCode.pixelsPerModule, pixelsAcrossDisc: PrintedCode.pixelsAcrossDisc)
  }

  /// The resolution with the given pixels for each module, or across the disc of an App Clip Code,
  /// whichever are more.
  fileprivate func resolution(pixelsPerModule: Int, pixelsAcrossDisc: Int) -> Double {
    max(
      drawing.map { 25.4 * Double(pixelsPerModule) / $0.size.moduleSize } ?? 0,
      appClipCode.map { 25.4 * Double(pixelsAcrossDisc) / $0.diameter } ?? 0)
  }

  /// Decodes the codes of a rendered page.
  ///
  /// - Throws: ``IssuingError`` with code `unreadable-rendering`.
  func readBack(from picture: GreyPicture, named name: String) throws {
    for (face, picture) in faces(in: picture) { try face.readBackFace(from: picture, named: name) }
  }

  private func readBackFace(from picture: GreyPicture, named name: String) throws {
    if let drawing {
      try PrintedCode.readBack(picture, expecting: drawing.symbol.bytes, name)
    }
    if let appClipCode, let place = appClipCodePlace(in: picture) {
      try AppClipCodeProofSampler().readBack(
        picture, at: place, expecting: appClipCode.code, name)
    }
  }
}

/// A code, alone or on a poster, as the bytes of a file, proven: the file was drawn by an
/// independent renderer, its one QR code was decoded again from the pixels of the whole page, and
/// each of the 128 positions of an App Clip Code was found as it was drawn, before this value came
/// to be.
public struct PrintedCode: Sendable {
  /// The content that was drawn.
  public let content: PrintContent
  /// The kind of file.
  public let format: DrawingFormat
  /// The file.
  public let bytes: [UInt8]

  /// The QR code that was drawn; `nil` if an App Clip Code replaces it.
  public var drawing: CodeDrawing? { content.drawing }
  /// The App Clip Code that was drawn; nil without one.
  public var appClipCode: AppClipCodeDrawing? { content.appClipCode }

  /// The pixels that a module gets when a file is drawn for reading back.
  fileprivate static let pixelsPerModule = 5
  /// The pixels that the disc of an App Clip Code gets: six across an arc.
  static let pixelsAcrossDisc = 200

  /// Draws a code alone and reads it back.
  ///
  /// - Throws: The errors of ``init(_:as:named:)-(PrintContent,_,_)``.
  public init(_ drawing: CodeDrawing, as format: DrawingFormat, named name: String) async throws {
    try await self.init(.code(drawing), as: format, named: name)
  }

  /// Draws a file and reads its code back from its own pixels.
  ///
  /// PNG is decoded directly; SVG is drawn by librsvg, PDF by poppler and EPS by Ghostscript, each
  /// in a separate process.
  ///
  /// - Parameters:
  ///   - content: The content to draw.
  ///   - format: The kind of file.
  ///   - name: The file's name in messages.
  /// - Throws: `CodeDrawingError`, `TextError`, `PictureError` (for example when a renderer is not
  ///   installed), or ``IssuingError`` with code `unreadable-rendering`.
  public init(_ content: PrintContent, as format: DrawingFormat, named name: String) async throws {
    try await self.init(
      proving: try await content.data(as: format), of: content, as: format, named: name)
  }

  /// Reads the codes of a finished file back from its own pixels.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - content: The content that must be on it.
  ///   - format: The kind of file.
  ///   - name: The file's name in messages.
  package init(
    proving bytes: [UInt8], of content: PrintContent, as format: DrawingFormat, named name: String
  ) async throws {
    self.content = content
    self.format = format
    self.bytes = bytes
    let picture = try await rendered(
      pixelsPerModule: Self.pixelsPerModule, pixelsAcrossDisc: Self.pixelsAcrossDisc, named: name)
    try content.readBack(from: picture, named: name)
    if let poster = content.poster, let artwork = poster.artwork {
      try await ArtworkProof(artwork).check(
        picture, of: poster, dotsPerInch: content.proofResolution, named: name)
    }
  }

  /// Measures how much damage the QR code tolerates, from the file's pixels.
  ///
  /// - Parameter name: The file's name in messages.
  /// - Returns: The proof; `nil` if there is no QR code.
  /// - Throws: `PictureError`, for example when the task is cancelled while a renderer runs.
  public func proof(named name: String) async throws -> DesignProof? {
    guard let drawing else { return nil }
    let picture = try await rendered(pixelsPerModule: DesignProof.pixelsPerModule, named: name)
    let code = content.code(in: picture)
    return try await measured(name) { () throws(PictureError) in
      try DesignProof(of: code, drawing: drawing)
    }
  }

  /// Measures how much damage the App Clip Code tolerates with every bit read, from the file's
  /// pixels.
  ///
  /// - Parameter name: The file's name in messages.
  /// - Returns: The proof; `nil` if there is no App Clip Code.
  /// - Throws: `PictureError`, for example when the task is cancelled while a renderer runs.
  public func appClipCodeProof(named name: String) async throws -> DesignProof? {
    guard let appClipCode else { return nil }
    let picture = try await rendered(
      pixelsAcrossDisc: DesignProof.pixelsAcrossDisc, named: name)
    guard let face = content.appClipCodeFace(in: picture) else { return nil }
    return try await measured(name) { () throws(PictureError) in
      try DesignProof(of: face.picture, at: face.place, drawing: appClipCode)
    }
  }

  /// Measures margins outside the cooperative pool, whose threads it would occupy for seconds.
  ///
  /// - Throws: `PictureError` with code `cancelled` as soon as the task is.
  private func measured(
    _ name: String, _ proof: @escaping @Sendable () throws(PictureError) -> DesignProof
  ) async throws -> DesignProof {
    try await Uninterruptible.run(name) { (_: BlockingQueue.Wanted) throws(PictureError) in
      try proof()
    }
  }

  /// Renders the file as it is where it is placed.
  private func rendered(
    pixelsPerModule: Int = 0, pixelsAcrossDisc: Int = 0, named name: String
  ) async throws -> GreyPicture {
    content.placed(
      try await pixels(
        perModule: pixelsPerModule, acrossDisc: pixelsAcrossDisc, named: name))
  }

  /// Renders the file: a PNG at its resolution, other files with the given pixels for each module,
  /// or across the disc of an App Clip Code, whichever are more.
  private func pixels(
    perModule pixelsPerModule: Int, acrossDisc pixelsAcrossDisc: Int = 0, named name: String
  ) async throws -> GreyPicture {
    guard let kind = DocumentRenderer.Format(rawValue: format.rawValue) else {
      let file = try await PictureLoader(firstLookPixels: .max).open(bytes, named: name)
      return try await file.page(1).firstLook
    }
    let resolution = content.resolution(
      pixelsPerModule: pixelsPerModule, pixelsAcrossDisc: pixelsAcrossDisc)
    let renderer = DocumentRenderer(limits: .ownDrawing)
    if let artwork = content.poster?.artwork {
      return try await renderer.render(
        page: artwork.page, ofPDF: bytes, width: artwork.sheet.width, height: artwork.sheet.height,
        dotsPerInch: resolution, named: name)
    }
    return try await renderer.render(bytes, as: kind, dotsPerInch: resolution, named: name)[0]
  }

  /// Shows that a drawing decodes, without a file: for the terminal.
  public static func prove(_ drawing: CodeDrawing, named name: String) throws {
    try readBack(
      drawing.greyPicture(pixelsPerModule: pixelsPerModule).placed(drawing.size),
      expecting: drawing.symbol.bytes, name)
  }

  /// The pixels of a module in the first look at one of many files.
  private static let pixelsPerModuleOfMany = 2

  /// Proves many finished files with one code each from their pixels: every module and the quiet
  /// zone are as they were drawn, and zbar decodes the code.
  ///
  /// The first look has few pixels; a file that it does not prove is read back alone, with the pixels
  /// of a single file, before it is refused.
  ///
  /// - Parameters:
  ///   - drawings: The codes that were drawn, in black on white without logos.
  ///   - format: The kind of the files.
  ///   - files: The files' names and bytes, in the order of the drawings.
  ///   - folder: The folder of the files.
  /// - Throws: The errors of ``init(_:as:named:)-(PrintContent,_,_)``.
  static func prove(
    _ drawings: [CodeDrawing], as format: DrawingFormat, _ files: [(name: String, bytes: [UInt8])],
    in folder: String
  ) async throws {
    let looks = try await looks(at: drawings, as: format, files, in: folder)
    for (look, (drawing, file)) in zip(looks, zip(drawings, files)) {
      if let look, try SymbolProof(drawing).fault(in: look, pitch: pixelsPerModuleOfMany) == nil {
        continue
      }
      try await proveCloser(file.bytes, of: drawing, as: format, named: file.name)
    }
  }

  /// Returns a picture with few pixels of each file, `nil` for a file that cannot be drawn like that.
  ///
  /// - Throws: `PictureError`: `rendererMissing` or `cancelled`.
  static func looks(
    at drawings: [CodeDrawing], as format: DrawingFormat,
    _ files: [(name: String, bytes: [UInt8])], in folder: String
  ) async throws -> [GreyPicture?] {
    guard let kind = DocumentRenderer.Format(rawValue: format.rawValue) else {
      return zip(drawings, files).map { drawing, file in
        // One pixel is the mean of a module.
        let modules = try? SeriesRenderer.picture(
          ofPNG: file.bytes, side: drawing.size.modulesAcross,
          reducedBy: drawing.size.dotsPerModule, named: file.name)
        return modules?.enlarged(by: pixelsPerModuleOfMany)
      }
    }
    do throws(PictureError) {
      return try await SeriesRenderer(folder: folder).render(
        zip(drawings, files).map {
          SeriesRenderer.Drawing(
            fileName: $1.name, side: $0.size.modulesAcross * pixelsPerModuleOfMany,
            width: $0.size.width)
        }, as: kind)
    } catch {
      guard error.code != .rendererMissing, error.code != .cancelled else { throw error }
      // One of them is at fault.
      return drawings.map { _ in nil }
    }
  }

  /// Proves one file with the pixels of a single one.
  private static func proveCloser(
    _ bytes: [UInt8], of drawing: CodeDrawing, as format: DrawingFormat, named name: String
  ) async throws {
    let printed = try await PrintedCode(
      proving: bytes, of: .code(drawing), as: format, named: name)
    let pitch = format == .png ? drawing.size.dotsPerModule : pixelsPerModule
    let picture = try await printed.pixels(perModule: pitch, named: name)
    guard let fault = try SymbolProof(drawing).fault(in: picture, pitch: pitch) else { return }
    throw IssuingError.unreadable(name, fault)
  }

  /// Decodes a picture that must show one code with these bytes.
  fileprivate static func readBack(
    _ picture: GreyPicture, expecting bytes: [UInt8], _ name: String
  ) throws {
    if let found = try picture.mismatch(with: bytes) {
      throw IssuingError.unreadable(name, "decode to \(found)")
    }
  }
}

extension IssuingError {
  /// - Parameters:
  ///   - name: The file.
  ///   - fault: What its pixels do instead of showing the code.
  fileprivate static func unreadable(_ name: String, _ fault: String) -> IssuingError {
    IssuingError(
      .unreadableRendering, "\(name) was not written: its pixels \(fault).",
      hint: "Use a larger size or a shorter URL; if it persists, report it with the URL.")
  }

  fileprivate static func artworkNeedsPDF(_ format: DrawingFormat) -> IssuingError {
    IssuingError(
      .unusableArtwork, "A poster on artwork is a PDF file, not \(format.rawValue.uppercased()).",
      hint: "Give a file whose name ends with .pdf.")
  }
}

extension GreyPicture {
  /// Returns a description of what a picture shows instead of one code with these bytes; `nil` when
  /// it shows exactly that.
  func mismatch(with bytes: [UInt8]) throws -> String? {
    let codes = try CodeScanner().bytesReadBack(from: self)
    if codes == [bytes] { return nil }
    let texts = codes.map { String(decoding: $0, as: UTF8.self) }
    return texts.isEmpty ? "no code" : texts.joined(separator: ", ")
  }

  /// Returns a square picture of a code with white around it where its own quiet zone is less than
  /// readers need.
  func placed(_ size: CodeSize) -> GreyPicture {
    let missing = Double(size.placedQuietZone - size.quietZone)
    let margin = Int(bounded: (missing * Double(width) / Double(size.modulesAcross)).rounded(.up))
    guard margin > 0 else { return self }
    let side = [UInt8](repeating: 255, count: margin)
    let edge = [UInt8](repeating: 255, count: margin * (width + 2 * margin))
    var placed = edge
    for row in 0..<height { placed += side + pixels[row * width..<(row + 1) * width] + side }
    return GreyPicture(
      width: width + 2 * margin, height: height + 2 * margin, pixels: placed + edge)
  }

  /// Returns the position of an App Clip Code in a rendered page.
  ///
  /// - Parameters:
  ///   - drawing: The code.
  ///   - box: The code with its clear space, in millimetres.
  ///   - sheetWidth: The width of the whole picture in millimetres.
  func place(
    of drawing: AppClipCodeDrawing, in box: DrawingBox, ofSheet sheetWidth: Double
  ) -> AppClipCodePlace {
    let scale = Double(width) / sheetWidth
    let centre = drawing.discCentre(in: box)
    return AppClipCodePlace(
      x: centre.x * scale, y: centre.y * scale, radius: drawing.diameter / 2 * scale)
  }

  /// The part of a rendered page that a box covers.
  ///
  /// - Parameters:
  ///   - box: In millimetres.
  ///   - sheetWidth: The width of the whole picture in millimetres.
  func part(_ box: DrawingBox, of sheetWidth: Double) -> GreyPicture {
    let scale = Double(width) / sheetWidth
    func clamped(_ length: Double, _ most: Int) -> Int {
      min(max(0, Int(bounded: length * scale)), most)
    }
    let (left, right) = (clamped(box.x, width), clamped(box.right + 1 / scale, width))
    let (top, bottom) = (clamped(box.y, height), clamped(box.bottom + 1 / scale, height))
    var part: [UInt8] = []
    part.reserveCapacity((right - left) * (bottom - top))
    for row in top..<bottom { part += pixels[row * width + left..<row * width + right] }
    return GreyPicture(width: right - left, height: bottom - top, pixels: part)
  }
}

extension CodeSize {
  /// The quiet zone of a code on a light page, which adds what its own lacks, in modules.
  var placedQuietZone: Int { max(quietZone, Self.quietZoneModules) }
}

extension IssuedCode.Symbol {
  /// Creates the registry's record of a drawn code: lengths in millimetres, rounded to thousandths.
  ///
  /// - Parameter drawing: The code as it was printed.
  public init(_ drawing: CodeDrawing) {
    func thousandths(_ length: Double) -> Double { (length * 1000).rounded() / 1000 }
    self.init(
      version: drawing.symbol.version, errorCorrection: drawing.symbol.errorCorrection.rawValue,
      moduleSize: thousandths(drawing.size.moduleSize), width: thousandths(drawing.size.width))
  }
}
