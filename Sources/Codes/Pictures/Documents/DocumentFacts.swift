/// The output of `pdfinfo` on a document: the number of pages and their sizes.
///
/// It begins with the document's title, author and so on, verbatim with line ends, so a title can
/// imitate any line. The rest comes from the page tree alone. Therefore only the last "Pages:"
/// counts, and only the sizes after it.
struct PDFInformation {
  /// The width and height in points, 1/72 inch; finite.
  typealias Size = (width: Double, height: Double)

  /// The number of pages, or `nil` if it is missing.
  let pageCount: Int?
  /// The sizes of the pages from page 1, without gaps.
  let sizes: [Size]

  /// Parses the standard output of `pdfinfo -f 1 -l N`.
  init(_ output: [UInt8]) {
    // As bytes: in a string, a carriage return and a line feed are one character.
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

  /// Returns the size in a line such as `Page    1 size:  595 x 842 pts (A4)`.
  private static func size(ofPage page: Int, in line: ArraySlice<UInt8>) -> Size? {
    let words = String(decoding: line, as: UTF8.self).split(separator: " ")
    guard words.count >= 6, words[0] == "Page", words[1] == "\(page)", words[2] == "size:",
      words[4] == "x", let width = Double(words[3]), let height = Double(words[5]),
      width.isFinite, height.isFinite
    else { return nil }
    return (width, height)
  }
}

/// The output of `vipsheader -a` on a picture.
///
/// The program's lines come first, then text from the file, which may imitate any line. Therefore
/// only the first line of a name counts.
struct VipsHeader {
  /// The stored width in pixels.
  let width: Int
  /// The stored height in pixels.
  let height: Int
  /// The number of pages or frames in the file.
  let pages: Int
  /// A Boolean value that indicates whether its pixels have an opacity: two or four values each.
  let mayBeTranslucent: Bool

  /// Parses the program's output; `nil` if it contains no size.
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
