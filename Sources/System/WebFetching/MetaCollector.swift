internal import CHTML

/// Collects the `meta` tags that libxml2 reports.
final class MetaCollector {
  private(set) var metas: [WebPage.Meta] = []
  private(set) var isCut = false
  private let text: [UInt8]
  private var depth = 0
  private var openHeads = 0
  /// The number of open elements whose content is text or belongs elsewhere; libxml2 looks for tags
  /// in them too.
  private var openOpaque = 0
  /// The position up to which lines were counted.
  private var counted = (
    offset: MetaCollector.byteOrderMark.count, line: 1,
    lineStart: MetaCollector.byteOrderMark.count
  )

  private static let opaque: Set<String> = [
    "title", "textarea", "template", "noscript", "iframe", "noframes", "noembed", "xmp", "svg",
  ]

  /// A mark that makes libxml2 decode the text as UTF-8 instead of Latin-1.
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  init(_ page: String) {
    let bytes = Array(page.utf8)
    text =
      Self.byteOrderMark
      + (bytes.starts(with: Self.byteOrderMark) ? bytes.dropFirst(3) : bytes[...])
  }

  /// Reads the text; returns `false` if memory runs out.
  func read() -> Bool {
    withExtendedLifetime(self) {
      var listener = chtml_listener(
        context: Unmanaged.passUnretained(self).toOpaque(),
        opened: { context, name, attributes, offset in
          MetaCollector.at(context).open(
            MetaCollector.text(name), attributes, at: offset)
        },
        closed: { context, name in
          MetaCollector.at(context).close(MetaCollector.text(name))
        })
      return text.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress else { return true }
        return chtml_read(start.assumingMemoryBound(to: CChar.self), bytes.count, &listener)
      }
    }
  }

  /// Returns the collector that `read` passed as the context; it lives as long as the reading.
  private static func at(_ context: UnsafeMutableRawPointer?) -> MetaCollector {
    // `read` sets it, and libxml2 passes it back unchanged.
    Unmanaged<MetaCollector>.fromOpaque(context!).takeUnretainedValue()
  }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
    pointer.map { String(cString: $0) } ?? ""
  }

  private func open(
    _ name: String, _ attributes: UnsafePointer<UnsafePointer<CChar>?>?, at offset: Int
  ) -> Bool {
    depth += 1
    if name == "head" { openHeads += 1 }
    if Self.opaque.contains(name) { openOpaque += 1 }
    if name == "meta", openOpaque == 0 {
      guard metas.count < WebPage.maximumTags else {
        isCut = true
        return false
      }
      let place = place(ofTagBefore: offset)
      metas.append(
        WebPage.Meta(
          attributes: Self.attributes(attributes), line: place.line, column: place.column,
          isInHead: openHeads > 0))
    }
    guard depth <= WebPage.maximumDepth else {
      isCut = true
      return false
    }
    return true
  }

  private func close(_ name: String) {
    depth -= 1
    if name == "head" { openHeads = max(0, openHeads - 1) }
    if Self.opaque.contains(name) { openOpaque = max(0, openOpaque - 1) }
  }

  private static func attributes(
    _ list: UnsafePointer<UnsafePointer<CChar>?>?
  ) -> [String: String] {
    guard var next = list else { return [:] }
    var attributes: [String: String] = [:]
    while let name = next.pointee {
      let key = String(cString: name).lowercased()
      if attributes[key] == nil { attributes[key] = text(next[1]) }
      next += 2
    }
    return attributes
  }

  /// Returns the line and column of the beginning of the tag that ends near the offset.
  private func place(ofTagBefore offset: Int) -> (line: Int, column: Int) {
    let end = min(offset, text.count)
    var start = end
    // Never before the last tag, so that all tags together cost one pass.
    while start > counted.offset {
      start -= 1
      if text[start] == UInt8(ascii: "<"), isMeta(after: start) { break }
    }
    while counted.offset < start {
      if text[counted.offset] == UInt8(ascii: "\n") {
        counted.line += 1
        counted.lineStart = counted.offset + 1
      }
      counted.offset += 1
    }
    let column = text[counted.lineStart..<start].count { $0 & 0xC0 != 0x80 } + 1
    return (counted.line, column)
  }

  private func isMeta(after start: Int) -> Bool {
    let name = text[start...].dropFirst().prefix(4)
    return name.map { $0 | 0x20 } == Array("meta".utf8)
  }
}
