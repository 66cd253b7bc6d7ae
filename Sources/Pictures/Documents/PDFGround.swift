import CliptagBasics

/// A PDF file that other pages are laid over, by qpdf (Debian: qpdf) in a child process: its inks,
/// fonts, pictures and boxes stay as they are.
///
/// The pages are upright (a `/Rotate` entry becomes a part of the content), and the form fields,
/// which name places for text, are facts of this value and no longer in the file.
package struct PDFGround: Hashable, Sendable {
  /// A box in points, 1/72 inch, upwards from the bottom left.
  package struct Box: Hashable, Sendable {
    /// The left edge.
    package let left: Double
    /// The bottom edge.
    package let bottom: Double
    /// The right edge.
    package let right: Double
    /// The top edge.
    package let top: Double

    /// Orders the edges of a rectangle (ISO 32000-1, 7.9.5); `nil` without four finite numbers.
    init?(_ numbers: [Double]) {
      guard numbers.count == 4, numbers.allSatisfy(\.isFinite) else { return nil }
      (left, right) = (min(numbers[0], numbers[2]), max(numbers[0], numbers[2]))
      (bottom, top) = (min(numbers[1], numbers[3]), max(numbers[1], numbers[3]))
    }

    /// The part of the box in another one; `nil` if there is none.
    func within(_ other: Box) -> Box? {
      let (left, bottom) = (max(left, other.left), max(bottom, other.bottom))
      let (right, top) = (min(right, other.right), min(top, other.top))
      return left < right && bottom < top ? Box([left, bottom, right, top]) : nil
    }
  }

  /// A page.
  package struct Page: Hashable, Sendable {
    /// The whole sheet.
    package let media: Box
    /// The part that viewers and renderers show.
    package let crop: Box
    /// The page after trimming.
    package let trim: Box
  }

  /// A form field that one widget shows on a page.
  package struct Field: Hashable, Sendable {
    /// The full name.
    package let name: String
    /// The number of the page, from 1.
    package let page: Int
    /// The place on the page.
    package let box: Box
    /// The default appearance: operators that set font, size and colour (12.7.3.3).
    package let appearance: String
    /// The alignment: 0 left, 1 centred, 2 right (12.7.3.3).
    package let quadding: Int
    /// Whether the text has several lines (12.7.4.3).
    package let isMultiline: Bool
  }

  /// The file, in which every page's boxes are the whole sheet: qpdf cuts both pages to their trim
  /// boxes when it lays one over another.
  private let bytes: [UInt8]
  /// The boxes of each page, as its dictionary has them.
  private let boxes: [[String: PDFValue]]
  /// The file with its own boxes, and without form.
  package let file: [UInt8]
  /// The pages, at least one.
  package let pages: [Page]
  /// The text fields with a name.
  package let fields: [Field]
  /// The name of the file in messages.
  package let source: String

  /// Reads a PDF file.
  ///
  /// - Throws: ``PictureError``: `rendererMissing` names the package to install,
  ///   `passwordProtected`, `malformed`. Cancelling the task kills the child process.
  package init(
    _ bytes: [UInt8], named source: String, limits: PictureLimits = .standard
  ) async throws(PictureError) {
    try limits.check(bytes: bytes.count, of: source)
    self.source = source
    // Pages get what they inherit; `--pages` does that, too.
    let upright = try await Self.run(
      ["--decrypt", "--remove-restrictions", "--flatten-rotation", "FILE", "--pages", ".", "1-z"]
        + ["--", "-"],
      on: bytes, limits, source)
    let facts = try await PDFFacts(of: upright, named: source, limits)
    self.bytes = try await facts.prepared(upright)
    fields = facts.fields
    pages = facts.boxes
    boxes = facts.pages.map { $0.entries(PDFFacts.boxNames) }
    file = facts.hasForm ? try await Self.file(self.bytes, boxes: boxes, source) : upright
  }

  /// Lays the pages of a file over copies of the whole ground.
  ///
  /// - Parameters:
  ///   - overlay: A PDF file; each page has the size of the sheet that it is laid over, and goes
  ///     over a copy of all pages of the ground.
  ///   - count: The number of its pages.
  ///   - page: The number of the page of the ground that it is laid over, from 1.
  /// - Returns: A file with `count` times as many pages as the ground; equal input gives equal bytes.
  /// - Throws: ``PictureError``, as ``init(_:named:limits:)``.
  package func overlaid(
    with overlay: [UInt8], count: Int, page: Int
  ) async throws(PictureError) -> [UInt8] {
    let folder = try PrivateFolder(holding: bytes, fileName: "ground.pdf", source: source)
    let over = try PrivateFolder(holding: overlay, fileName: "overlay.pdf", source: source)
    let whole = "1-\(pages.count)"
    let targets = (0..<count).map { "\($0 * pages.count + page)" }
    let outcome = try await RenderingChild.qpdf.run(
      [
        folder.file, "--pages", ".",
        Array(repeating: whole, count: count).joined(separator: ","), "--", "--overlay", over.file,
        "--from=1-\(count)", "--to=\(targets.joined(separator: ","))", "--", "-",
      ], in: folder, reading: [over.path], outputLimit: PictureLimits.ownDrawing.fileBytes,
      keepingMessages: true, limits: .ownDrawing, source: source)
    try Self.check(outcome, source)
    return try await Self.file(
      outcome.output, boxes: Array(repeatElement(boxes, count: count).joined()), source)
  }

  /// Joins files one after another.
  ///
  /// - Throws: ``PictureError``, as ``init(_:named:limits:)``.
  package static func united(
    _ files: [[UInt8]], named source: String
  ) async throws(PictureError) -> [UInt8] {
    guard files.count != 1 else { return files[0] }
    var folders: [PrivateFolder] = []
    for file in files {
      folders.append(try PrivateFolder(holding: file, fileName: "part.pdf", source: source))
    }
    let home = try PrivateFolder(holding: [], fileName: "empty", source: source)
    let outcome = try await RenderingChild.qpdf.run(
      ["--empty", "--deterministic-id", "--pages"] + folders.map(\.file) + ["--", "-"], in: home,
      reading: folders.map(\.path), outputLimit: PictureLimits.ownDrawing.fileBytes,
      keepingMessages: true, limits: .ownDrawing, source: source)
    try check(outcome, source)
    return outcome.output
  }

  /// Returns a file whose pages have the given boxes.
  private static func file(
    _ bytes: [UInt8], boxes: [[String: PDFValue]], _ source: String
  ) async throws(PictureError) -> [UInt8] {
    let file = PDFObjects(bytes: bytes, source: source, limits: .ownDrawing)
    let numbers = try await file.pages()
    guard numbers.count == boxes.count else {
      throw .malformed(source, "\(numbers.count) pages came of \(boxes.count)")
    }
    var pages = try await file.objects(numbers)
    for (number, boxes) in zip(numbers, boxes) {
      for name in PDFFacts.boxNames {
        pages[number] = pages[number]?.replacing(name, by: boxes[name])
      }
    }
    return try await file.replacing(pages)
  }

  /// Runs qpdf on a file, which the argument `FILE` is.
  static func run(
    _ arguments: [String], on bytes: [UInt8], reading readable: [String] = [],
    _ limits: PictureLimits, _ source: String
  ) async throws(PictureError) -> [UInt8] {
    let folder = try PrivateFolder(holding: bytes, fileName: "ground.pdf", source: source)
    let outcome = try await RenderingChild.qpdf.run(
      arguments.map { $0 == "FILE" ? folder.file : $0 }, in: folder, reading: readable,
      outputLimit: limits.fileBytes, keepingMessages: true, limits: limits, source: source)
    try check(outcome, source)
    return outcome.output
  }

  /// Status 3 means that faults of the file were mended.
  private static func check(
    _ outcome: RenderingChild.Outcome, _ source: String
  ) throws(PictureError) {
    guard outcome.status != 0, outcome.status != 3 else { return }
    let message = String(decoding: outcome.messages, as: UTF8.self)
    if message.contains("invalid password") { throw .passwordProtected(source) }
    throw outcome.status > 128
      ? RenderingChild.qpdf.failed(source, "it ended with status \(outcome.status)")
      : .malformed(source, "qpdf cannot read it")
  }
}

/// The pages and the form of a PDF file.
private struct PDFFacts {
  /// The boxes that a page may have besides the whole sheet.
  static let boxNames = ["/CropBox", "/TrimBox", "/BleedBox", "/ArtBox"]

  private(set) var boxes: [PDFGround.Page] = []
  private(set) var fields: [PDFGround.Field] = []
  /// The dictionaries of the pages.
  let pages: [PDFValue]
  private let numbers: [String]
  let hasForm: Bool
  private let limits: PictureLimits
  private let source: String

  /// The summary that `qpdf --json` gives of a file (its manual, "qpdf JSON").
  private struct Summary: Decodable {
    struct Form: Decodable {
      let fields: [Field]
      let hasacroform: Bool
    }
    struct Field: Decodable {
      struct Annotation: Decodable { let object: String }
      let fullname: String
      let fieldtype: String
      let fieldflags: Int
      let pageposfrom1: Int?
      let quadding: Int
      let annotation: Annotation
    }
    let acroform: Form
  }

  /// Reads a file whose pages inherit nothing.
  init(
    of bytes: [UInt8], named source: String, _ limits: PictureLimits
  ) async throws(PictureError) {
    let file = PDFObjects(bytes: bytes, source: source, limits: limits)
    let form = try await file.summary(["acroform"], as: Summary.self).acroform
    numbers = try await file.pages()
    (self.source, self.limits) = (source, limits)
    hasForm = form.hasacroform
    try limits.check(pages: numbers.count, of: source)
    let texts = form.fields.filter { $0.fieldtype == "/Tx" && !$0.fullname.isEmpty }
    let objects = try await file.objects(numbers + texts.map(\.annotation.object))
    pages = numbers.compactMap { objects[$0] }
    guard pages.count == numbers.count, !pages.isEmpty else {
      throw .malformed(source, "it has no pages")
    }
    for page in pages {
      guard let media = try await file.box("/MediaBox", of: page) else {
        throw .malformed(source, "a page has no size")
      }
      let crop = try await file.box("/CropBox", of: page)?.within(media) ?? media
      boxes.append(
        PDFGround.Page(
          media: media, crop: crop,
          trim: try await file.box("/TrimBox", of: page)?.within(media) ?? crop))
    }
    for text in texts {
      guard let page = text.pageposfrom1, let widget = objects[text.annotation.object],
        let box = try await file.box("/Rect", of: widget)
      else { continue }
      fields.append(
        PDFGround.Field(
          name: text.fullname, page: page, box: box,
          appearance: widget.entry("/DA")?.text ?? "", quadding: text.quadding,
          isMultiline: text.fieldflags & 1 << 12 != 0))
    }
  }

  /// Returns the file with the whole sheet as every page's boxes, and without form and widgets,
  /// which would be drawn above everything.
  func prepared(_ bytes: [UInt8]) async throws(PictureError) -> [UInt8] {
    let file = PDFObjects(bytes: bytes, source: source, limits: limits)
    var changed: [String: PDFValue] = [:]
    for (number, page) in zip(numbers, pages) {
      var page = page
      for name in Self.boxNames { page = page.replacing(name, by: nil) }
      if hasForm {
        let annotations = try await file.resolved(page.entry("/Annots"))?.elements ?? []
        let objects = try await file.objects(annotations.compactMap(\.reference))
        let others = annotations.filter { annotation in
          (annotation.reference.flatMap { objects[$0] } ?? annotation).entry("/Subtype")?.plain
            != "/Widget"
        }
        page = page.replacing("/Annots", by: .array(others))
      }
      changed[number] = page
    }
    if hasForm {
      guard let root = try await file.objects(["trailer"])["trailer"]?.entry("/Root")?.reference
      else { throw .malformed(source, "it has no catalog") }
      changed[root] = try await file.objects([root])[root]?.replacing("/AcroForm", by: nil)
    }
    return try await file.replacing(changed)
  }
}
