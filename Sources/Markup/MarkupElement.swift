import CExpat

/// An element of an XML document with what it contains, text and comments left out.
///
/// Read by Expat: it is in the process with the fonts' configuration in any case, names line and
/// column of what is wrong, and refuses entities that blow up. Foundation's `XMLParser` would link
/// libxml2 and ICU, which cost every start of the command a millisecond.
package struct MarkupElement {
  /// The name without a namespace.
  package let name: String
  /// What its attributes say, by name.
  package let attributes: [String: String]
  /// The line it begins in, from 1.
  package let line: Int
  /// The elements in it, in their order.
  package fileprivate(set) var children: [MarkupElement] = []
}

/// A mistake that makes a document no XML, and its place.
package struct MarkupMistake: Error {
  package let line: Int
  package let column: Int
  /// What is wrong, as Expat has it, for example `mismatched tag`.
  package let message: String
}

extension MarkupElement {
  /// The deepest nesting that is read; what is read here needs four.
  private static let deepest = 64
  /// The most elements of one document.
  private static let most = 200_000
  /// Between a namespace and a name; no URL holds a space.
  private static let separator = XML_Char(UInt8(ascii: " "))

  /// Reads a document.
  ///
  /// - Returns: Its root element.
  package init(document bytes: [UInt8]) throws(MarkupMistake) {
    guard let parser = XML_ParserCreateNS(nil, Self.separator) else {
      throw MarkupMistake(line: 1, column: 1, message: "out of memory")
    }
    defer { XML_ParserFree(parser) }
    var tree = Tree(parser: parser)
    let status = withUnsafeMutablePointer(to: &tree) { tree in
      // The pointer is used only by the handlers, and they only run within XML_Parse below.
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
        line: Int(XML_GetCurrentLineNumber(parser)),
        column: Int(XML_GetCurrentColumnNumber(parser)) + 1,
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
    // Nothing that is read here declares entities; what does is out to do harm.
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
        return refuse("elements are nested too deep, or are too many")
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
          line: Int(XML_GetCurrentLineNumber(parser))))
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
