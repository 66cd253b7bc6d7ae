import CliptagBasics
import Pictures

/// Writes pages as a PDF 1.6 file (ISO 32000-1), each as soon as it is added.
///
/// Existing libraries do not suffice: cairo 1.16, the version in Debian 12, writes black as a
/// mixture of red, green and blue, which a press prints with four inks, damages its cross-reference
/// table if a page has a link, and supports no trim box, bleed box, alternative text or
/// `SOURCE_DATE_EPOCH`; libharu does not support tags. This writer is small, because libraries do
/// the shaping, font subsets and compression.
///
/// Blacks and greys are DeviceGray, so that they print with black ink only; colours of inks are
/// DeviceCMYK or separations, other colours DeviceRGB. The document is tagged: each code is a figure with its content as alternative text,
/// texts are headings, paragraphs and links in the order of the page, shapes and lines are
/// artifacts. Only the used glyphs of fonts are embedded. The same pages give the same bytes with
/// the same fonts and libraries.
public struct PDFWriter<Sink: ByteSink> {
  /// The information about the document as a whole.
  public struct Information: Hashable, Sendable {
    /// The title, which viewers show.
    public var title: String
    /// The subject, or nil.
    public var subject: String?
    /// The language of the document, as in BCP 47; texts may have their own.
    public var language: String
    /// The creation time, in seconds since 1970, or nil to omit it.
    ///
    /// It is intended for the value of `SOURCE_DATE_EPOCH`; the current time would make every file
    /// differ.
    public var creationTime: Int?
    /// The printing condition of a PDF/X-4 file, which states 1970 without a creation time; `nil` for
    /// other files.
    public var condition: PrintingCondition?

    /// Makes the information about a document.
    public init(
      title: String, subject: String? = nil, language: String = "en", creationTime: Int? = nil,
      condition: PrintingCondition? = nil
    ) {
      self.title = title
      self.subject = subject
      self.language = language
      self.creationTime = creationTime
      self.condition = condition
    }
  }

  private var file: PDFFile<Sink>
  private let information: Information
  private let compresses: Bool
  private let compressor: Compressor
  private let numbers: Numbers
  private let outlinesText: Bool
  private let outlines = FontOutlines()
  private var fonts = PDFFontBook()
  private var pages: [Int] = []
  /// The colour spaces of spot inks, as entries of the resources.
  private var colourSpaces: Set<String> = []
  /// Whether a text is black over colours.
  private var hasOverprint = false
  /// The pictures, each once even if it is painted several times.
  private var pictures: [LogoPicture] = []
  /// The structure elements below the document.
  private var parts: [Int] = []
  /// The objects with the structure elements of pages and links, by key.
  private var parents: [Int] = []

  /// The numbers of objects that are referred to before they are written.
  private struct Numbers {
    let catalog, pages, structure, document, resources: Int
  }

  /// Begins a document.
  ///
  /// - Parameters:
  ///   - sink: The destination of the bytes.
  ///   - information: The information about the document.
  ///   - compresses: Whether the contents of pages are compressed; otherwise they are readable in
  ///     an editor.
  ///   - outlinesText: Whether letters are drawn as outlines instead of set in embedded fonts;
  ///     their text is still included.
  /// - Throws: The errors of the sink, or `PictureError` without memory.
  public init(
    to sink: Sink, information: Information, compresses: Bool = true, outlinesText: Bool = false
  ) throws {
    self.information = information
    self.outlinesText = outlinesText
    self.compresses = compresses
    compressor = try Compressor()
    file = try PDFFile(sink: sink)
    numbers = Numbers(
      catalog: file.reserve(), pages: file.reserve(), structure: file.reserve(),
      document: file.reserve(), resources: file.reserve())
  }

  /// Writes a page.
  ///
  /// - Throws: The errors of the sink, ``TextError`` when a font file cannot be read, or
  ///   ``CodeDrawingError`` with code `screen-colour` for colours that the printing condition has
  ///   not.
  public mutating func add(_ page: PageDrawing) throws {
    try information.condition?.check(page)
    // Annotations on the page are not for presses (ISO 15930-7, 6.17).
    let page = information.condition == nil ? page : page.withoutLinks
    colourSpaces.formUnion(page.colours.compactMap(\.inks?.colourSpace))
    var content = PDFPageContent(page, pictures: pictures)
    try content.draw(fonts: &fonts, outlines: outlines, outlinesText: outlinesText)
    pictures = content.pictures
    hasOverprint = hasOverprint || content.hasOverprint
    let stream = try add(stream: content.bytes)
    let number = file.reserve()
    let key = parents.count
    // Reserves its key before links take theirs.
    parents.append(0)
    var elements: [Int] = []
    var annotations: [Int] = []
    for (mark, part) in content.parts.enumerated() {
      let element = file.reserve()
      var kids = "\(mark)"
      if let link = part.link {
        let annotation = try add(link, over: content.pageBox(of: part.box))
        kids = "[\(mark) << /Type /OBJR /Obj \(annotation) 0 R >>]"
        annotations.append(annotation)
        parents.append(element)
      }
      try file.put(
        "<< /Type /StructElem /S /\(part.tag) /P \(numbers.document) 0 R /Pg \(number) 0 R "
          + "/K \(kids)\(part.entries(box: content.pageBox(of: part.box))) >>", as: element)
      elements.append(element)
    }
    parents[key] = try file.add("[" + references(elements) + "]")
    var entries = content.boxes.map { " /\($0.name) \($0.box)" }.joined()
    if !annotations.isEmpty { entries += " /Annots [\(references(annotations))]" }
    try file.put(
      "<< /Type /Page /Parent \(numbers.pages) 0 R\(entries) /Resources \(numbers.resources) 0 R "
        + "/Contents \(stream) 0 R /StructParents \(key) /Tabs /S >>", as: number)
    pages.append(number)
    parts += elements
  }

  /// Adds a link for viewers, which is not printed.
  private mutating func add(_ link: String, over box: String) throws -> Int {
    // A URI is ASCII (ISO 32000-1, 12.6.4.7); an invocation URL is.
    try file.add(
      "<< /Type /Annot /Subtype /Link /Rect \(box) /Border [0 0 0] /F 4 "
        + "/Contents \(pdfString(link)) /StructParent \(parents.count) "
        + "/A << /S /URI /URI \(pdfString(link)) >> >>")
  }

  private mutating func add(stream: [UInt8], entries: String = "") throws -> Int {
    guard compresses else { return try file.add(stream: stream, entries: entries) }
    return try file.add(
      stream: compressor.compressed(stream),
      entries: entries + (entries.isEmpty ? "" : " ") + "/Filter /FlateDecode")
  }

  /// Ends the document.
  ///
  /// - Returns: The sink with all bytes written.
  /// - Throws: The errors of the sink, or ``TextError`` when a font file cannot be read.
  public mutating func finished() throws -> Sink {
    let metadata = try file.add(
      stream: Array(information.xmp(identifier: file.identifier).utf8),
      entries: "/Type /Metadata /Subtype /XML")
    let intent = try outputIntent()
    try file.put(
      "<< /Type /Catalog /Pages \(numbers.pages) 0 R /Lang \(pdfString(information.language)) "
        + "/MarkInfo << /Marked true >> /StructTreeRoot \(numbers.structure) 0 R "
        + "/Metadata \(metadata) 0 R \(intent)"
        + "/ViewerPreferences << /DisplayDocTitle true /PrintScaling /None >> >>",
      as: numbers.catalog)
    try file.put(
      "<< /Type /Pages /Kids [\(references(pages))] /Count \(pages.count) >>", as: numbers.pages)
    let keys = parents.enumerated().map { "\($0) \($1) 0 R" }.joined(separator: " ")
    let tree = try file.add("<< /Nums [\(keys)] >>")
    try file.put(
      "<< /Type /StructTreeRoot /K \(numbers.document) 0 R /ParentTree \(tree) 0 R "
        + "/ParentTreeNextKey \(parents.count) >>", as: numbers.structure)
    try file.put(
      "<< /Type /StructElem /S /Document /P \(numbers.structure) 0 R /K [\(references(parts))] >>",
      as: numbers.document)
    let spaces = colourSpaces.sorted().joined(separator: " ")
    let inks = spaces.isEmpty ? "" : " /ColorSpace << \(spaces) >>"
    let state = hasOverprint ? " " + PDFPageContent.overprintState : ""
    try file.put("<<\(try fontEntry())\(inks)\(state)\(try images())>>", as: numbers.resources)
    let information = try file.add(information.dictionary)
    return try file.finished(root: numbers.catalog, information: information)
  }

  /// Writes the profile, and returns the entry of the catalog that says what it is for (ISO 15930-7,
  /// 6.2.2); empty without a printing condition.
  private mutating func outputIntent() throws -> String {
    guard let condition = information.condition else { return "" }
    let profile = try file.add(
      stream: compressor.compressed(condition.profile), entries: "/N 4 /Filter /FlateDecode")
    let name = pdfString(condition.name)
    return "/OutputIntents [<< /Type /OutputIntent /S /GTS_PDFX /OutputConditionIdentifier \(name) "
      + "/Info \(name) /DestOutputProfile \(profile) 0 R >>] "
  }

  /// Writes the pictures, and returns their entries in the dictionary of resources.
  private mutating func images() throws -> String {
    guard !pictures.isEmpty else { return " " }
    var entries = " /XObject <<"
    for (index, picture) in pictures.enumerated() {
      entries += " /I\(index) \(try add(picture)) 0 R"
    }
    return entries + " >> "
  }

  /// Writes a picture, as its file has it if it is no pixels.
  private mutating func add(_ picture: LogoPicture) throws -> Int {
    guard let objects = picture.original?.pdf?.objects else {
      let image = picture.pdfImage(compressor)
      let mask = try image.mask.map { try file.add(stream: $0.bytes, entries: $0.entries) }
      let more = mask.map { " /SMask \($0) 0 R" } ?? ""
      return try file.add(stream: image.colour.bytes, entries: image.colour.entries + more)
    }
    let numbers = objects.map { _ in file.reserve() }
    for (object, number) in zip(objects, numbers) {
      if let stream = object.stream {
        try file.put(stream: stream, entries: object.value.pdfEntries(numbers), as: number)
      } else {
        try file.put(object.value.pdf(numbers), as: number)
      }
    }
    return numbers[0]
  }

  /// Writes the fonts, and returns their entry in the dictionary of resources.
  private mutating func fontEntry() throws -> String {
    let fonts = fonts
    let entries = try fonts.resources { object in
      guard let stream = object.stream else { return try file.add(object.entries) }
      return try add(stream: stream, entries: object.entries)
    }
    return entries.isEmpty ? "" : " /Font << \(entries) >>"
  }

  private func references(_ objects: [Int]) -> String {
    objects.map { "\($0) 0 R" }.joined(separator: " ")
  }
}

/// A destination of the bytes of a file in order, so that a long file need not fit into memory.
public protocol ByteSink {
  /// The error of writing bytes.
  associatedtype Failure: Error

  /// Writes the next bytes.
  mutating func write(_ bytes: [UInt8]) throws(Failure)
}

/// A file in memory.
public struct MemorySink: ByteSink, Sendable {
  /// The bytes so far.
  public private(set) var bytes: [UInt8] = []

  /// Makes an empty file.
  public init() {}

  /// Appends the next bytes; never fails.
  public mutating func write(_ bytes: [UInt8]) throws(Never) { self.bytes += bytes }
}
