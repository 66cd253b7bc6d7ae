import CliptagBasics

/// A PDF file that other pages are laid over, by qpdf (Debian: qpdf) in a child process: its inks,
/// fonts, pictures and boxes stay as they are.
///
/// Only what its pages show in print is taken over. The pages are upright (a `/Rotate` entry becomes
/// a part of the content), annotations that are printed become content, and the form fields, which
/// name places for text, are facts of this value. Nothing else of pages and document stays in the
/// file: what acts, such as scripts and links, is named by ``leftOut``.
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
  /// The file with its own boxes.
  package let file: [UInt8]
  /// The pages, at least one.
  package let pages: [Page]
  /// The text fields with a name.
  package let fields: [Field]
  /// The kinds of active content that the file has and the poster has not, such as `links`.
  package let leftOut: [String]
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
    leftOut = facts.leftOut
    file = try await Self.file(self.bytes, boxes: boxes, source)
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
  /// The entries of a page that make its look (ISO 32000-1, 7.7.3.3), besides those boxes.
  private static let pageNames = [
    "/Type", "/Parent", "/MediaBox", "/UserUnit", "/Resources", "/Contents", "/Group",
  ]
  /// The entries of the document that make the look of its pages, or say how they are printed
  /// (7.7.2).
  private static let documentNames = [
    "/Type", "/Version", "/Pages", "/OCProperties", "/OutputIntents", "/Metadata", "/Lang",
  ]
  /// The sides that a page may have, in points: up to 350 metres.
  private static let sides = 1.0...1e6

  private(set) var boxes: [PDFGround.Page] = []
  private(set) var fields: [PDFGround.Field] = []
  private(set) var leftOut: [String] = []
  /// The dictionaries of the pages.
  let pages: [PDFValue]
  private let numbers: [String]
  private let root: (number: String, entries: PDFValue)
  /// The annotations of each page that are no form fields.
  private var annotations: [[PDFValue]] = []
  private let limits: PictureLimits
  private let source: String

  /// The summary that `qpdf --json` gives of a file (its manual, "qpdf JSON").
  private struct Summary: Decodable {
    struct Form: Decodable { let fields: [Field] }
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
    guard let number = try await file.objects(["trailer"])["trailer"]?.entry("/Root")?.reference,
      let entries = try await file.objects([number])[number]
    else { throw .malformed(source, "it has no catalog") }
    root = (number, entries)
    // Without a form, qpdf takes offence at widgets.
    let form =
      root.entries.has(["/AcroForm"])
      ? try await file.summary(["acroform"], as: Summary.self).acroform.fields : []
    numbers = try await file.pages()
    (self.source, self.limits) = (source, limits)
    try limits.check(pages: numbers.count, of: source)
    let texts = form.filter { $0.fieldtype == "/Tx" && !$0.fullname.isEmpty }
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
      let trim = try await file.box("/TrimBox", of: page)?.within(media) ?? crop
      for box in [media, crop, trim] {
        let (width, height) = (box.right - box.left, box.top - box.bottom)
        guard Self.sides.contains(width), Self.sides.contains(height) else {
          throw .malformed(source, "a page measures \(width) × \(height) points")
        }
      }
      boxes.append(PDFGround.Page(media: media, crop: crop, trim: trim))
    }
    try await lookForActiveContent(in: file)
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

  /// Names what the file has besides what its pages show in print, and notes the annotations that
  /// they may show.
  private mutating func lookForActiveContent(in file: PDFObjects) async throws(PictureError) {
    let lists = try await file.objects(pages.compactMap { $0.entry("/Annots")?.reference })
    annotations = pages.map { page in
      let list = page.entry("/Annots")
      return (list?.reference.flatMap { lists[$0] } ?? list)?.elements ?? []
    }
    let objects = try await file.objects(annotations.joined().compactMap(\.reference))
    func facts(_ annotation: PDFValue) -> PDFValue {
      annotation.reference.flatMap { objects[$0] } ?? annotation
    }
    let all = annotations.joined().map(facts)
    annotations = annotations.map { $0.filter { facts($0).kind != "/Widget" } }
    let start = try await file.resolved(root.entries.entry("/OpenAction"))?.entry("/S")?.plain
    let names = try await file.resolved(root.entries.entry("/Names")) ?? .null
    let form = try await file.resolved(root.entries.entry("/AcroForm")) ?? .null
    let holders = [root.entries] + pages
    let kinds = [
      // A document may open at one of its pages.
      "scripts or other actions": start != nil && start != "/GoTo" || names.has(["/JavaScript"])
        || form.has(["/XFA"]) || holders.contains { $0.has(["/AA"]) }
        || all.contains { $0.kind != "/Link" && $0.has(["/A", "/AA"]) },
      "attachments": names.has(["/EmbeddedFiles"])
        || holders.contains { $0.has(["/AF", "/Collection"]) }
        || all.contains { $0.kind == "/FileAttachment" },
      "links": all.contains { $0.kind == "/Link" },
      "annotations that are not printed": all.contains {
        !["/Link", "/Widget", "/Popup", "/FileAttachment"].contains($0.kind) && !$0.isPrinted
      },
    ]
    leftOut = kinds.filter(\.value).keys.sorted()
  }

  /// Returns the file with the whole sheet as every page's boxes, and with nothing but what the pages
  /// show in print.
  func prepared(_ bytes: [UInt8]) async throws(PictureError) -> [UInt8] {
    var changed = [root.number: PDFValue.dictionary(root.entries.entries(Self.documentNames))]
    for (number, (page, annotations)) in zip(numbers, zip(pages, annotations)) {
      changed[number] = .dictionary(page.entries(Self.pageNames))
        .replacing("/Annots", by: annotations.isEmpty ? nil : .array(annotations))
    }
    return try await PDFObjects(bytes: bytes, source: source, limits: limits)
      .replacing(changed, then: ["--flatten-annotations=print"])
  }
}

extension PDFValue {
  /// The kind of an annotation.
  fileprivate var kind: String? { entry("/Subtype")?.plain }

  /// A Boolean value that indicates whether an annotation has an appearance and is printed (12.5.3
  /// and 12.5.5).
  fileprivate var isPrinted: Bool {
    has(["/AP"]) && Int(bounded: entry("/F")?.number ?? 0) & 0b110 == 0b100
  }

  /// Returns whether a dictionary has one of some entries.
  fileprivate func has(_ names: [String]) -> Bool { !entries(names).isEmpty }
}
