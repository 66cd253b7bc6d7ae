public import CliptagBasics

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A dump of a tag as a file: our own text, bare pages, or the formats of Proxmark and Flipper.
///
/// Our text is JSON: `format`, `version`, `tagType`, `uid`, `time`, `mirror` (the mirror over the
/// tag's memory, or `null`), `unreadablePages`, and `pages`, from page 0 on, each eight hexadecimal
/// digits, or `null` if it was unreadable. A bare dump marks neither, and lacks no page of data.
///
/// Of other tools, these formats are read, as written by their sources: Proxmark's JSON of kind
/// `mfu` (`blocks`, `Card`), its binary form, whose pages follow 56 bytes (48 in older versions) of
/// version, counters and signature, and its `.eml`, with a page on each line; and Flipper's `.nfc`
/// text of NTAG and Ultralight, versions 2 to 4. Their product is that of the saved response to
/// GET_VERSION, otherwise the one that they name. ``SavedTag`` also reads dumps of Type 4 and Type
/// 5 tags.
public struct TagDumpFile: Sendable {
  /// The product's name; `nil` for a bare dump, which has none.
  public let tagType: String?
  /// The UID.
  public let uid: [UInt8]
  /// The pages, from 0 on; `nil` for an unreadable one.
  public let pages: [[UInt8]?]

  /// The maximum size of a dump in bytes: no Type 2 tag has more than 1,024, which take some 10 KiB
  /// as text.
  package static let maximumSize = 1 << 16

  private static let format = "cliptag-tag-dump"

  /// The dump, interpreted as one of a tag's product.
  ///
  /// - Parameters:
  ///   - name: The product; a bare dump is interpreted as one of it.
  ///   - pageCount: The number of pages of the product. `Type2Tag.planRestore(_:options:over:)`
  ///     checks whether the dump is one of this very product.
  /// - Throws: ``TagDumpError``; also for a dump whose number of pages fits no product, because it
  ///   was truncated.
  package func dump(of name: String, pageCount: Int) throws(TagDumpError) -> Type2Dump {
    let known = Type2Layout.all.filter { tagType == nil || tagType == $0.name }.map(\.pageCount)
    let counts = tagType == nil ? known + [pageCount] : known
    guard counts.isEmpty || counts.contains(pages.count) else {
      throw Self.malformed(
        "it has \(pages.count) pages, unlike any \(tagType ?? "known tag"): it is truncated, "
          + "or not a dump")
    }
    guard let dump = Type2Dump(uid: uid, name: tagType ?? name, pages: pages) else {
      throw Self.malformed("it has \(pages.count) pages; a tag has 1 to 256, of four bytes each")
    }
    return dump
  }

  /// The dump, as one of the named product or, if it is bare, of the product with the same number
  /// of pages.
  ///
  /// - Throws: ``TagDumpError``, also for a dump whose number of pages fits no product, because it
  ///   was truncated.
  public func dump() throws(TagDumpError) -> Type2Dump {
    // The number of pages identifies a product only for a chip of NXP, with the product's
    // container.
    let container = pages.count > 3 ? pages[3] : nil
    let product = Type2Layout.all.first { layout in
      layout.pageCount == pages.count
        && (uid.first == 0x04 && container?.prefix(3) == layout.capabilityContainer.prefix(3)
          || container?.allSatisfy { $0 == 0 } == true)
    }
    return try dump(of: product?.name ?? Type2Layout.unknownName, pageCount: 0)
  }

  private static func malformed(_ reason: String) -> TagDumpError { TagDumpError(reason) }
}

/// The reason why a file cannot be read as a dump of a tag.
public struct TagDumpError: CodedError {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  /// The kind of failure.
  public struct Code: FailureCode {
    public let definition: CodeDefinition
    public var rawValue: String { definition.name }

    public init(_ definition: CodeDefinition) { self.definition = definition }

    public static let malformed = Self(
      "malformed-dump", .malformedInput, "The file is not a dump of a tag, or is damaged.")

    public static let all: [Self] = [.malformed]
  }

  /// The kind of failure, of which there is one.
  public var code: Code { .malformed }
  /// One sentence with the fault.
  public let message: String
  /// One sentence with the next step.
  public let advice: Hint
  /// The next step in the library's wording.
  public var hint: String { advice.text }

  private static let makeAgain: Hint = .sentence("\(.makeDumpAgain), or use another file")

  init(_ reason: String, hint: Hint = Self.makeAgain) {
    message = "The dump is not usable: \(reason)."
    advice = hint
  }
}

extension TagDumpFile {
  /// The bare pages of a dump, with zeros for keys and passwords, which no reader reads.
  ///
  /// - Throws: ``TagError`` with code `tag-password` if a page of data or settings is unreadable:
  ///   its zeros would be taken for its content.
  public static func bare(_ dump: Type2Dump) throws(TagError) -> [UInt8] {
    let layout = dump.layout
    let settings = layout.configurationPage.map { [$0, $0 + 1] } ?? []
    let unreadable = dump.unreadablePages.first {
      $0 <= layout.userPages.upperBound || settings.contains($0)
    }
    if let page = unreadable {
      throw TagError(
        .tagPassword,
        "page \(page) of \(dump.name) \(dump.uid.hexadecimal) could not be read, and a file of bare pages "
          + "would have zeros in its place",
        hint: TagError.givePassword + ", or make a .json file, which marks such pages", page: page,
        uid: dump.uid)
    }
    return dump.pages.flatMap { $0 ?? [0, 0, 0, 0] }
  }

  /// The text of a dump.
  ///
  /// - Parameters:
  ///   - dump: The dump.
  ///   - mirror: The mirror over the tag's memory.
  ///   - time: The time at which the dump was made.
  public static func text(_ dump: Type2Dump, mirror: TagMirror?, time: Date) -> [UInt8] {
    let pages = dump.pages.map { $0.map { "\"\($0.hexadecimal)\"" } ?? "null" }
    let shown = mirror.map { mirror in
      "{\"shows\": \"\(mirror.kind.name)\", \"page\": \(mirror.page), \"byte\": \(mirror.byte), "
        + "\"characters\": \(mirror.kind.characterCount)}"
    }
    let text = """
      {
        "format": "\(format)",
        "version": 1,
        "tagType": "\(dump.name)",
        "uid": "\(dump.uid.hexadecimal)",
        "time": "\(time.ISO8601Format())",
        "mirror": \(shown ?? "null"),
        "unreadablePages": \(dump.unreadablePages),
        "pages": [
          \(pages.joined(separator: ",\n    "))
        ]
      }

      """
    return Array(text.utf8)
  }
}

extension TagMirror.Kind {
  /// The stable name in files and JSON.
  package var name: String {
    switch self {
    case .uid: "uid"
    case .counter: "counter"
    case .uidAndCounter: "uid-and-counter"
    }
  }
}

extension TagDumpFile {
  /// The fields of the text that are used here.
  private struct Document: Decodable {
    var format: String
    var version: Int
    var tagType: String
    var uid: String
    var pages: [String?]
    // Informative fields may be missing, but not have another type.
    var time: String?
    var mirror: Mirror?
    var unreadablePages: [Int]?

    struct Mirror: Decodable {
      var shows: String
      var page: Int
      var byte: Int
      var characters: Int
    }
  }

  /// Reads a dump of any supported format.
  ///
  /// - Throws: ``TagDumpError``, with the fault.
  public init(reading bytes: [UInt8]) throws(TagDumpError) {
    let first = bytes.first { !($0 == 0x20 || (0x09...0x0D).contains($0)) }
    if let file = FlipperFile(bytes) {
      try self.init(flipper: file)
    } else if let pages = Self.emulatorLines(bytes) {
      try self.init(reading: pages)
    } else if first == UInt8(ascii: "{"), !Self.hasPageZero(bytes) {
      if let proxmark = try? JSONDecoder().decode(ProxmarkDocument.self, from: Data(bytes)) {
        try self.init(proxmark)
      } else {
        try self.init(text: bytes)
      }
    } else {
      let header = Self.proxmarkHeaders.first { header in
        !Self.hasPageZero(bytes) && bytes.count > header
          && Self.hasPageZero(Array(bytes[header...]))
      }
      guard let header else {
        try self.init(bare: bytes, of: nil)
        return
      }
      try self.init(bare: Array(bytes[header...]), of: Self.product(Array(bytes[..<8])))
    }
  }

  // MARK: Other tools

  /// The sizes of version, counters and signature before the pages: since 2019, and before.
  private static let proxmarkHeaders = [56, 48]

  /// The bytes of Proxmark's `.eml`: a page in hexadecimal on each line.
  private static func emulatorLines(_ bytes: [UInt8]) -> [UInt8]? {
    let lines = bytes.split { $0 == 0x0A || $0 == 0x0D || $0 == 0x20 || $0 == 0x09 }
    guard lines.count >= 16, lines.allSatisfy({ $0.count == 8 }) else { return nil }
    return [UInt8](hexadecimal: lines.joined())
  }

  /// The product with this response to GET_VERSION. A twin is named after its likeness, and an
  /// unknown response as unknown, so that the number of pages does not name a product.
  private static func product(_ version: [UInt8]?) -> String? {
    guard let version, version.contains(where: { $0 != 0 }) else { return nil }
    if let layout = Type2Layout.named(version) { return layout.name }
    if let product = Type2NamedProduct.named(version) { return product.name }
    let likeness = Type2Layout.all.first { $0.resembles(version) }
    return likeness.map { "like \($0.name)" } ?? Type2Layout.unknownName
  }

  /// A dump of Proxmark's client.
  private struct ProxmarkDocument: Decodable {
    var card: Card?
    var blocks: [String: String]

    struct Card: Decodable {
      var version: String?

      private enum CodingKeys: String, CodingKey { case version = "Version" }
    }

    private enum CodingKeys: String, CodingKey {
      case card = "Card"
      case blocks
    }
  }

  private init(_ proxmark: ProxmarkDocument) throws(TagDumpError) {
    var pages: [Int: [UInt8]] = [:]
    for (number, text) in proxmark.blocks {
      guard let page = Int(number), let bytes = [UInt8](hexadecimal: text.utf8) else {
        throw Self.malformed("block “\(number.prefix(20))” is not a number with hexadecimal digits")
      }
      pages[page] = bytes
    }
    let version = proxmark.card?.version.flatMap { [UInt8](hexadecimal: $0.utf8) }
    try self.init(numbered: pages, count: nil, of: Self.product(version))
  }

  private init(flipper file: FlipperFile) throws(TagDumpError) {
    let type = file["Device type"] ?? ""
    let kinds = file.lines.map(\.key)
    guard type.isEmpty || kinds.contains(where: { $0.hasPrefix("Page ") }) else {
      let detail = file["\(type) type"].map { " \($0)" } ?? ""
      throw TagDumpError(
        "it is of a \(Self.marketName(type))\(detail); only dumps of NFC Forum Type 2, Type 4 and "
          + "Type 5 tags are supported", hint: "Use the dump of such a tag.")
    }
    var pages: [Int: [UInt8]] = [:]
    // Flipper writes zeros for the pages behind those that it has read.
    let readCount = file["Pages read"].flatMap { Int($0) } ?? .max
    for (key, value) in file.lines where key.hasPrefix("Page ") {
      guard let page = Int(key.dropFirst("Page ".count)), page < readCount else { continue }
      guard
        let bytes = [UInt8](separatedHexadecimal: value.filter { $0 != " " && $0 != "\t" })
      else { throw Self.malformed("page \(page) is not hexadecimal") }
      pages[page] = bytes
    }
    // The file's name of the tag; versions 2 and 3 have it as the device's type.
    let named = file["NTAG/Ultralight type"] ?? type
    let known = Type2Layout.all.first { named == $0.name }?.name
    let isI2C = named.hasPrefix("NTAG I2C ")
    try self.init(
      numbered: pages, count: file["Pages total"].flatMap { Int($0) },
      of: Self.product(file.bytes("Mifare version")).flatMap {
        $0 == Type2Layout.unknownName && isI2C ? named : $0
      } ?? known ?? (isI2C ? named : nil))
  }

  private static func marketName(_ type: String) -> String {
    type.hasPrefix("Mifare") ? "MIFARE" + type.dropFirst("Mifare".count) : type
  }

  /// Makes a dump of numbered pages; missing ones count as unreadable.
  private init(
    numbered pages: [Int: [UInt8]], count: Int?, of product: String?
  ) throws(TagDumpError) {
    guard let last = pages.keys.max(), pages.keys.allSatisfy({ (0...255).contains($0) }),
      pages.values.allSatisfy({ $0.count == 4 })
    else { throw Self.malformed("it has no pages of four bytes, numbered from 0 to 255") }
    let start = (pages[0] ?? []) + (pages[1] ?? []) + (pages[2] ?? [])
    guard start.count == 12,
      Self.hasPageZero(start + [UInt8](repeating: 0, count: 52))
    else { throw Self.malformed("its first pages are not a UID with check bytes") }
    uid = Array(start[0..<3] + start[4..<8])
    tagType = product
    self.pages = (0..<max(last + 1, min(count ?? 0, 256))).map { pages[$0] }
  }

  private init(text: [UInt8]) throws(TagDumpError) {
    let document: Document
    do {
      document = try JSONDecoder().decode(Document.self, from: Data(text))
    } catch DecodingError.keyNotFound(let key, _) {
      throw Self.malformed("it has no \"\(key.stringValue)\"")
    } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context)
    {
      let path = context.codingPath.map(\.stringValue).joined(separator: ".")
      throw Self.malformed("\"\(path)\" has the wrong type")
    } catch {
      throw Self.malformed("it is not JSON, or is truncated")
    }
    guard document.format == Self.format else {
      throw Self.malformed("its format is \"\(document.format)\", not \"\(Self.format)\"")
    }
    guard document.version == 1 else {
      throw Self.malformed("it has version \(document.version); this cliptag supports version 1")
    }
    guard let uid = [UInt8](hexadecimal: document.uid.utf8), [4, 7, 10].contains(uid.count) else {
      throw Self.malformed("\"uid\" is not a UID of 4, 7 or 10 bytes")
    }
    var pages: [[UInt8]?] = []
    for (page, text) in document.pages.enumerated() {
      let bytes = text.map { [UInt8](hexadecimal: $0.utf8) }
      // A missing page was unreadable; a page that is present and not four bytes is an error.
      guard bytes == nil || bytes??.count == 4 else {
        throw Self.malformed("page \(page) is not eight hexadecimal digits")
      }
      pages.append(bytes ?? nil)
    }
    if let named = document.unreadablePages,
      Set(named) != Set(pages.indices.filter { pages[$0] == nil })
    {
      throw Self.malformed("\"unreadablePages\" does not list the pages that are null")
    }
    if let first = pages.first ?? nil, uid.count == 7, Array(first[..<3]) != Array(uid[..<3]) {
      throw Self.malformed("page 0 does not match UID \(uid.hexadecimal)")
    }
    (tagType, self.uid, self.pages) = (document.tagType, uid, pages)
  }

  private init(bare bytes: [UInt8], of product: String?) throws(TagDumpError) {
    guard !bytes.isEmpty else { throw Self.malformed("it is empty") }
    guard bytes.count.isMultiple(of: 4) else {
      throw Self.malformed("it has \(bytes.count) bytes, which is not a multiple of four")
    }
    guard Self.hasPageZero(bytes) else {
      throw Self.malformed("it does not begin with a UID and its check bytes")
    }
    tagType = product
    uid = Array(bytes[0..<3] + bytes[4..<8])
    pages = stride(from: 0, to: bytes.count, by: 4).map { Array(bytes[$0..<$0 + 4]) }
  }

  /// Returns `true` if the first pages are those of a Type 2 tag: three bytes of UID with 88 and
  /// their check byte, four with theirs (ISO/IEC 14443-3, 6.5.4).
  private static func hasPageZero(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 64 && bytes[3] == 0x88 ^ bytes[0] ^ bytes[1] ^ bytes[2]
      && bytes[8] == bytes[4] ^ bytes[5] ^ bytes[6] ^ bytes[7]
  }
}
