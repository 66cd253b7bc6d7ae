import Pictures

/// Writes pages as a PDF 1.6 file (ISO 32000-1), each as soon as it comes.
///
/// Why a writer of our own: cairo 1.16, the one of Debian 12, writes black as a mixture of red,
/// green and blue, which a press prints with four inks, damages its cross-reference table when a
/// page has a link, and knows no trim box, no bleed box, no alternative text and no
/// `SOURCE_DATE_EPOCH`; libharu knows no tags. What is written here is small, because shaping,
/// font subsets and compression are libraries' work.
///
/// Blacks and greys are DeviceGray, so that they print with black ink alone; other colours are
/// DeviceRGB. The document is tagged: each code is a figure whose alternative text says what it
/// holds, shapes and lines are artifacts. The same pages give the same bytes.
public struct PDFWriter<Sink: ByteSink> {
  /// What is told of the document as a whole.
  public struct Information: Hashable, Sendable {
    /// The title, which viewers show.
    public var title: String
    /// What it is about, or nil.
    public var subject: String?
    /// The language of the whole, as in BCP 47; texts may have their own.
    public var language: String
    /// When it was made, in seconds since 1970, or nil to state no time.
    ///
    /// It is meant for the value of `SOURCE_DATE_EPOCH`; the clock would make every file differ.
    public var creationTime: Int?

    /// Describes a document.
    public init(
      title: String, subject: String? = nil, language: String = "en", creationTime: Int? = nil
    ) {
      self.title = title
      self.subject = subject
      self.language = language
      self.creationTime = creationTime
    }
  }

  private var file: PDFFile<Sink>
  private let information: Information
  private let compresses: Bool
  private let compressor: Compressor
  private let numbers: Numbers
  private var pages: [Int] = []
  /// The structure elements below the document, and for each page those that its content names.
  private var parts: [Int] = []
  private var partsOfPages: [Int] = []

  /// Objects that are named before they are written.
  private struct Numbers {
    let catalog, pages, structure, document, resources: Int
  }

  /// Begins a document.
  ///
  /// - Parameters:
  ///   - sink: where the bytes go.
  ///   - information: what is told of the document.
  ///   - compresses: whether the contents of pages are compressed; else an editor shows them.
  /// - Throws: what the sink throws, or `PictureError` without memory.
  public init(to sink: Sink, information: Information, compresses: Bool = true) throws {
    self.information = information
    self.compresses = compresses
    compressor = try Compressor()
    file = try PDFFile(sink: sink)
    numbers = Numbers(
      catalog: file.reserve(), pages: file.reserve(), structure: file.reserve(),
      document: file.reserve(), resources: file.reserve())
  }

  /// Writes a page.
  ///
  /// - Throws: what the sink throws.
  public mutating func add(_ page: PageDrawing) throws {
    var content = PDFPageContent(page)
    content.draw()
    let stream =
      compresses
      ? try file.add(stream: compressor.compressed(content.bytes), entries: "/Filter /FlateDecode")
      : try file.add(stream: content.bytes)
    let number = file.reserve()
    var parts: [Int] = []
    for part in content.parts {
      let box = content.pageBox(of: part.box)
      parts.append(
        try file.add(
          "<< /Type /StructElem /S /Figure /P \(numbers.document) 0 R /Pg \(number) 0 R "
            + "/K \(parts.count) /Alt \(pdfString(part.alternativeText)) "
            + "/A << /O /Layout /Placement /Block /BBox \(box) >> >>"))
    }
    let partsOfPage = try file.add("[" + references(parts) + "]")
    let boxes = content.boxes.map { " /\($0.name) \($0.box)" }.joined()
    try file.put(
      "<< /Type /Page /Parent \(numbers.pages) 0 R\(boxes) /Resources \(numbers.resources) 0 R "
        + "/Contents \(stream) 0 R /StructParents \(pages.count) /Tabs /S >>", as: number)
    pages.append(number)
    partsOfPages.append(partsOfPage)
    self.parts += parts
  }

  /// Ends the document.
  ///
  /// - Returns: the sink, which has all bytes.
  /// - Throws: what the sink throws.
  public mutating func finished() throws -> Sink {
    let metadata = try file.add(
      stream: Array(information.xmp.utf8), entries: "/Type /Metadata /Subtype /XML")
    try file.put(
      "<< /Type /Catalog /Pages \(numbers.pages) 0 R /Lang \(pdfString(information.language)) "
        + "/MarkInfo << /Marked true >> /StructTreeRoot \(numbers.structure) 0 R "
        + "/Metadata \(metadata) 0 R "
        + "/ViewerPreferences << /DisplayDocTitle true /PrintScaling /None >> >>",
      as: numbers.catalog)
    try file.put(
      "<< /Type /Pages /Kids [\(references(pages))] /Count \(pages.count) >>", as: numbers.pages)
    let nums = partsOfPages.enumerated().map { "\($0) \($1) 0 R" }.joined(separator: " ")
    let parents = try file.add("<< /Nums [\(nums)] >>")
    try file.put(
      "<< /Type /StructTreeRoot /K \(numbers.document) 0 R /ParentTree \(parents) 0 R "
        + "/ParentTreeNextKey \(pages.count) >>", as: numbers.structure)
    try file.put(
      "<< /Type /StructElem /S /Document /P \(numbers.structure) 0 R /K [\(references(parts))] >>",
      as: numbers.document)
    try file.put("<< >>", as: numbers.resources)
    let information = try file.add(information.dictionary)
    return try file.finished(root: numbers.catalog, information: information)
  }

  private func references(_ objects: [Int]) -> String {
    objects.map { "\($0) 0 R" }.joined(separator: " ")
  }
}
