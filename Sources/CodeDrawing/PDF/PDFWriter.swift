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
/// holds, words are headings, paragraphs and links in the order of the page, shapes and lines are
/// artifacts. Of fonts, the glyphs that are used are embedded. The same pages give the same bytes
/// with the same fonts and libraries.
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
  private let outlinesText: Bool
  private let outlines = FontOutlines()
  private var fonts = PDFFontBook()
  private var pages: [Int] = []
  /// Every picture once, however often it is painted.
  private var pictures: [LogoPicture] = []
  /// The objects of photographs, which are written with their pages.
  private var photographs: [Int] = []
  /// The structure elements below the document.
  private var parts: [Int] = []
  /// By the keys of pages and links: the object that says which structure elements they are of.
  private var parents: [Int] = []

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
  ///   - outlinesText: whether letters are drawn as outlines instead of set in embedded fonts; they
  ///     say what they are all the same.
  /// - Throws: what the sink throws, or `PictureError` without memory.
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
  /// - Throws: what the sink throws, or ``TextError`` when a font file cannot be read.
  public mutating func add(_ page: PageDrawing) throws {
    var content = PDFPageContent(
      page, pictures: pictures, earlierPhotographs: photographs.count)
    try content.draw(fonts: &fonts, outlines: outlines, outlinesText: outlinesText)
    pictures = content.pictures
    for photograph in content.photographs {
      let image = photograph.pdfImage
      photographs.append(try file.add(stream: image.bytes, entries: image.entries))
    }
    let stream = try add(stream: content.bytes)
    let number = file.reserve()
    let key = parents.count
    // Its place is taken before links take theirs.
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

  /// A link that viewers follow; nothing of it is printed.
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
  /// - Returns: the sink, which has all bytes.
  /// - Throws: what the sink throws, or ``TextError`` when a font file cannot be read.
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
    let keys = parents.enumerated().map { "\($0) \($1) 0 R" }.joined(separator: " ")
    let tree = try file.add("<< /Nums [\(keys)] >>")
    try file.put(
      "<< /Type /StructTreeRoot /K \(numbers.document) 0 R /ParentTree \(tree) 0 R "
        + "/ParentTreeNextKey \(parents.count) >>", as: numbers.structure)
    try file.put(
      "<< /Type /StructElem /S /Document /P \(numbers.structure) 0 R /K [\(references(parts))] >>",
      as: numbers.document)
    try file.put("<<\(try fontEntry())\(try images())>>", as: numbers.resources)
    let information = try file.add(information.dictionary)
    return try file.finished(root: numbers.catalog, information: information)
  }

  /// Writes the pictures, and answers their entries in the dictionary of resources.
  private mutating func images() throws -> String {
    guard !pictures.isEmpty || !photographs.isEmpty else { return " " }
    var entries = " /XObject <<"
    for (index, object) in photographs.enumerated() { entries += " /J\(index) \(object) 0 R" }
    for (index, picture) in pictures.enumerated() {
      let image = picture.pdfImage(compressor)
      let mask = try image.mask.map { try file.add(stream: $0.bytes, entries: $0.entries) }
      let more = mask.map { " /SMask \($0) 0 R" } ?? ""
      let number = try file.add(stream: image.colour.bytes, entries: image.colour.entries + more)
      entries += " /I\(index) \(number) 0 R"
    }
    return entries + " >> "
  }

  /// Writes the fonts, and answers their entry in the dictionary of resources.
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

/// Where the bytes of a file go as they come, so that a long file need not fit into memory.
public protocol ByteSink {
  /// Why bytes cannot be taken.
  associatedtype Failure: Error

  /// Takes the next bytes.
  mutating func write(_ bytes: [UInt8]) throws(Failure)
}

/// A file in memory.
public struct MemorySink: ByteSink, Sendable {
  /// All bytes so far.
  public private(set) var bytes: [UInt8] = []

  /// An empty file.
  public init() {}

  /// Takes the next bytes; never fails.
  public mutating func write(_ bytes: [UInt8]) throws(Never) { self.bytes += bytes }
}

extension PDFWriter.Information {
  /// The document information dictionary (ISO 32000-1, 14.3.3).
  var dictionary: String {
    var entries = "/Title \(pdfString(title)) /Creator (cliptag) /Producer (cliptag)"
    if let subject { entries += " /Subject \(pdfString(subject))" }
    if let creationTime {
      entries += " /CreationDate (\(pdfDate(secondsSince1970: creationTime)))"
    }
    return "<< \(entries) >>"
  }

  /// The same as XMP (ISO 16684-1), which newer programs read instead.
  var xmp: String {
    var properties =
      "<dc:format>application/pdf</dc:format>"
      + alternative("title", title)
      + "<dc:language><rdf:Bag><rdf:li>\(xmlEscaped(language))</rdf:li></rdf:Bag></dc:language>"
      + "<xmp:CreatorTool>cliptag</xmp:CreatorTool><pdf:Producer>cliptag</pdf:Producer>"
    if let subject { properties += alternative("description", subject) }
    if let creationTime {
      properties += "<xmp:CreateDate>\(isoDate(secondsSince1970: creationTime))</xmp:CreateDate>"
    }
    return """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
      xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" \
      xmlns:pdf="http://ns.adobe.com/pdf/1.3/">\(properties)</rdf:Description></rdf:RDF></x:xmpmeta>
      <?xpacket end="r"?>
      """
  }

  private func alternative(_ name: String, _ text: String) -> String {
    "<dc:\(name)><rdf:Alt><rdf:li xml:lang=\"x-default\">\(xmlEscaped(text))</rdf:li></rdf:Alt>"
      + "</dc:\(name)>"
  }
}

/// A date string in UTC (ISO 32000-1, 7.9.4).
func pdfDate(secondsSince1970 seconds: Int) -> String {
  let parts = dateParts(secondsSince1970: seconds).map(String.init)
  return "D:" + padded(parts[0], 4) + parts.dropFirst().map { padded($0, 2) }.joined() + "Z"
}

/// A date and time in UTC as XMP has it (ISO 8601).
func isoDate(secondsSince1970 seconds: Int) -> String {
  let parts = dateParts(secondsSince1970: seconds).map(String.init)
  let (date, time) = (parts[1...2], parts[3...5])
  return padded(parts[0], 4) + date.map { "-" + padded($0, 2) }.joined() + "T"
    + time.map { padded($0, 2) }.joined(separator: ":") + "Z"
}

private func padded(_ text: String, _ digits: Int) -> String {
  String(repeating: "0", count: max(0, digits - text.count)) + text
}

/// Year, month, day, hour, minute and second in UTC.
private func dateParts(secondsSince1970 seconds: Int) -> [Int] {
  // Four digits hold the years 0 to 9999; other times are moved to the nearest end.
  let clamped = min(max(seconds, -62_167_219_200), 253_402_300_799)
  let day = (clamped >= 0 ? clamped : clamped - 86_399) / 86_400
  let second = clamped - day * 86_400
  // Years are counted from 1 March, so that the leap day comes last; an era is 400 years.
  let shifted = day + 719_468
  let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
  let dayOfEra = shifted - era * 146_097
  let yearOfEra =
    (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let shiftedMonth = (5 * dayOfYear + 2) / 153
  let dayOfMonth = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
  let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return [year, month, dayOfMonth, second / 3_600, second / 60 % 60, second % 60]
}

extension CodeDrawing {
  /// A PDF of one page, as large as the code; viewers are asked to print it unscaled.
  func pdf() throws(CodeDrawingError) -> [UInt8] {
    var page = PageDrawing(width: size.width, height: size.width)
    page.elements = [.code(self, DrawingPoint(x: 0, y: 0))]
    let information = PDFWriter<MemorySink>.Information(title: text, creationTime: creationTime)
    do {
      var writer = try PDFWriter(
        to: MemorySink(), information: information, compresses: false)
      try writer.add(page)
      return try writer.finished().bytes
    } catch {
      throw .cannotWrite(error)
    }
  }

  /// The operators that draw the code: light ground, then all dark modules as one path of whole
  /// numbers, so that no edge is rounded. The unit is a module, the origin the top left corner of
  /// the quiet zone, and down is positive.
  func appendOperators(to content: inout ByteText) {
    let side = size.modulesAcross
    let (light, dark) = (colours.background.pdfFill, colours.foreground.pdfFill)
    content.append("\(light)\n0 0 \(side) \(side) re\nf\n\(dark)\n")
    for loop in outline.loops {
      if loop.sides.count == 4 {
        // A rectangle runs right first, as an outline does; a hole's height is negative.
        content.append(loop.x, loop.y)
        let first = loop.sides.startIndex
        content.append(loop.sides[first], loop.sides[first + 1])
        content.append("re\n")
        continue
      }
      var (x, y) = (loop.x, loop.y)
      content.append(x, y)
      content.append("m\n")
      for (index, length) in loop.sides.dropLast().enumerated() {
        if index.isMultiple(of: 2) { x += length } else { y += length }
        content.append(x, y)
        content.append("l\n")
      }
      content.append("h\n")
    }
    content.append("f\n")
  }
}

extension Colour {
  /// The channels from 0 to 1, a grey as one number.
  var fractions: String {
    (isGrey ? [red] : channels).map { decimal(Double($0) / 255, places: 4) }
      .joined(separator: " ")
  }
}
