/// What `pdfinfo` tells of a document: how many pages, and how large each is.
///
/// It writes the document's own title, author and so on first, with whatever line ends and words
/// the document holds, so a title can look like any line. What follows comes from the page tree
/// alone. Hence only the last "Pages:" counts, and only the sizes after it.
struct PDFInformation {
  /// Width and height in points, 1/72 inch; finite.
  typealias Size = (width: Double, height: Double)

  /// Pages in the document, or `nil` when it is not told.
  let pageCount: Int?
  /// The sizes of page 1 and on, without a gap.
  let sizes: [Size]

  /// Reads what `pdfinfo -f 1 -l N` wrote to its standard output.
  init(_ output: [UInt8]) {
    // By bytes: a carriage return before the line feed would make one character of both.
    let lines = output.split(separator: 0x0A)
    guard let last = lines.lastIndex(where: { $0.starts(with: "Pages:".utf8) }) else {
      pageCount = nil
      sizes = []
      return
    }
    pageCount = Int(String(decoding: lines[last].dropFirst(6).filter { $0 != 0x20 }, as: UTF8.self))
    var sizes: [Size] = []
    for line in lines[last...].dropFirst() {
      if let size = Self.size(ofPage: sizes.count + 1, in: line) { sizes.append(size) }
    }
    self.sizes = sizes
  }

  /// The size in a line such as `Page    1 size:  595 x 842 pts (A4)`.
  private static func size(ofPage page: Int, in line: ArraySlice<UInt8>) -> Size? {
    let words = String(decoding: line, as: UTF8.self).split(separator: " ")
    guard words.count >= 6, words[0] == "Page", words[1] == "\(page)", words[2] == "size:",
      words[4] == "x", let width = Double(words[3]), let height = Double(words[5]),
      width.isFinite, height.isFinite
    else { return nil }
    return (width, height)
  }
}

/// What `vipsheader -a` tells of a picture.
///
/// The lines of its own come first, then text that the file holds, which may look like any line.
/// Hence only the first line of a name counts.
struct VipsHeader {
  /// Pixels across, as stored.
  let width: Int
  /// Pixels down, as stored.
  let height: Int
  /// Pages or frames in the file.
  let pages: Int
  /// Whether its pixels have an opacity: two or four values each.
  let mayBeTranslucent: Bool

  /// Reads what the program wrote; `nil` when it tells no size.
  init?(_ output: [UInt8]) {
    var numbers: [String: Int] = [:]
    for line in output.split(separator: 0x0A) {
      let words = String(decoding: line.prefix(64), as: UTF8.self).split(separator: " ")
      guard words.count == 2, words[0].last == ":", let number = Int(words[1]) else { continue }
      let name = String(words[0].dropLast())
      if numbers[name] == nil { numbers[name] = number }
    }
    guard let width = numbers["width"], let height = numbers["height"] else { return nil }
    self.width = width
    self.height = height
    pages = numbers["n-pages"] ?? 1
    mayBeTranslucent = [2, 4].contains(numbers["bands"])
  }
}
