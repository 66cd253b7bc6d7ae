import CExpat

/// An element of an XML document and its contents, without comments.
///
/// Parsed by Expat: it is loaded with the font configuration in any case, reports the line and
/// column of an error, and can refuse entity expansion. Foundation's `XMLParser` would link libxml2
/// and ICU, which cost a millisecond at every start of the command.
package struct MarkupElement {
  /// The name without a namespace.
  package let name: String
  /// The attribute values by name.
  package let attributes: [String: String]
  /// The text directly in the element, without that of its child elements.
  package fileprivate(set) var text = ""
  /// The line where the element begins, from 1.
  package let line: Int
  /// The child elements in document order.
  package fileprivate(set) var children: [MarkupElement] = []
}

/// An error that makes a document invalid XML, and its place.
package struct MarkupMistake: Error {
  package let line: Int
  package let column: Int
  /// The error as Expat words it, for example `mismatched tag`.
  package let message: String
}

extension MarkupElement {
  /// The deepest nesting accepted; the documents read here need four levels.
  private static let deepest = 64
  /// The largest number of elements accepted in one document.
  private static let most = 200_000
  /// The separator between a namespace and a name; a URL contains no space.
  private static let separator = XML_Char(UInt8(ascii: " "))

  /// Parses a document.
  ///
  /// - Returns: The root element.
  package init(document bytes: [UInt8]) throws(MarkupMistake) {
    guard let parser = XML_ParserCreateNS(nil, Self.separator) else {
      throw MarkupMistake(line: 1, column: 1, message: "out of memory")
    }
    defer { XML_ParserFree(parser) }
    var tree = Tree(parser: parser)
    let status = withUnsafeMutablePointer(to: &tree) { tree in
      // Only the handlers use the pointer, and they run only within XML_Parse below.
      XML_SetUserData(parser, tree)
      Self.setHandlers(of: parser)
      return bytes.withUnsafeBytes { bytes in
        XML_Parse(
          parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), 1)
      }
    }
    guard status == XML_STATUS_OK, let root = tree.root else {
      let text = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) }
      throw MarkupMistake(
        line: Int(cexpat_line(parser)),
        column: Int(cexpat_column(parser)) + 1,
        message: tree.refusal ?? text ?? "unknown mistake")
    }
    self = root
  }

  private static func setHandlers(of parser: XML_Parser) {
    XML_SetElementHandler(
      parser,
      { data, name, attributes in
        guard let data, let name else { return }
        data.assumingMemoryBound(to: Tree.self).pointee.begin(name, attributes)
      },
      { data, _ in data?.assumingMemoryBound(to: Tree.self).pointee.end() })
    XML_SetCharacterDataHandler(
      parser,
      { data, start, count in
        guard let data, let start else { return }
        let bytes = UnsafeBufferPointer(start: start, count: Int(count))
        data.assumingMemoryBound(to: Tree.self).pointee.add(bytes)
      })
    // No document read here declares entities; one that does is hostile.
    XML_SetEntityDeclHandler(
      parser,
      { data, _, _, _, _, _, _, _, _ in
        data?.assumingMemoryBound(to: Tree.self).pointee.refuse("an entity is declared")
      })
  }

  /// The elements that are open, and the root once it is closed.
  private struct Tree {
    let parser: XML_Parser
    private(set) var root: MarkupElement?
    private(set) var refusal: String?
    private var open: [MarkupElement] = []
    private var count = 0

    init(parser: XML_Parser) { self.parser = parser }

    mutating func begin(
      _ name: UnsafePointer<XML_Char>, _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
    ) {
      count += 1
      guard open.count < deepest, count <= most else {
        return refuse("too many elements, or elements nested too deeply")
      }
      var values: [String: String] = [:]
      var next = attributes
      while let place = next, let name = place[0], let value = place[1] {
        values[Self.localName(name)] = String(cString: value)
        next = place + 2
      }
      open.append(
        MarkupElement(
          name: Self.localName(name), attributes: values,
          line: Int(cexpat_line(parser))))
    }

    mutating func add(_ bytes: UnsafeBufferPointer<XML_Char>) {
      guard !open.isEmpty else { return }
      open[open.count - 1].text += String(
        decoding: bytes.lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    mutating func end() {
      guard refusal == nil, let element = open.popLast() else { return }
      if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
    }

    mutating func refuse(_ reason: String) {
      refusal = refusal ?? reason
      XML_StopParser(parser, XML_Bool(XML_FALSE))
    }

    private static func localName(_ name: UnsafePointer<XML_Char>) -> String {
      let name = String(cString: name)
      return name.lastIndex(of: " ").map { String(name[name.index(after: $0)...]) } ?? name
    }
  }
}
