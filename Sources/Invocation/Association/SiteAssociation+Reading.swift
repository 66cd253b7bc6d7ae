extension SiteAssociation {
  /// A file that was read, and everything that is wrong or doubtful in it.
  public struct Reading: Hashable, Sendable {
    /// What the file says; `nil` when it cannot be read at all.
    public let association: SiteAssociation?
    /// What was found, in the order of the file.
    public let findings: [AssociationFinding]
  }

  /// The largest file that iOS takes, in bytes: 128 KB uncompressed (Apple's archived guide to
  /// universal links, since iOS 9.3.1).
  public static let maximumSize = 128 * 1024

  /// The largest file that is looked into here, in bytes. A file over ``maximumSize`` is still read
  /// up to this, so that what else is wrong is told.
  package static let maximumReadSize = 1024 * 1024

  /// Reads a file.
  ///
  /// The reading is strict: what Apple's documentation gives no meaning is told, at its line and
  /// column, and left out. Only a fault of the JSON itself hides what follows it.
  ///
  /// - Parameter bytes: The file as the server sends it, uncompressed.
  public static func read(_ bytes: [UInt8]) -> Reading {
    var reader = SiteAssociationReader()
    let association = reader.text(of: bytes).flatMap { reader.read($0) }
    return Reading(association: association, findings: reader.sortedFindings)
  }

  /// Reads a file's text.
  public static func read(_ text: String) -> Reading { read(Array(text.utf8)) }
}

extension SiteAssociationReader {
  /// The file's text without a byte-order mark; `nil` when there is none that can be read.
  mutating func text(of bytes: [UInt8]) -> String? {
    guard isOfRightSize(bytes), isUnsigned(bytes), isInOneByteUnits(bytes) else { return nil }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let valid = String(decoding: bytes, as: UTF8.self).unicodeScalars.prefix { $0 != "\u{FFFD}" }
      let column = valid.reversed().prefix { $0 != "\n" }.count + 1
      report(
        .associationEncoding, .error,
        at: .init(line: valid.count { $0 == "\n" } + 1, column: column),
        as: .badJSONContent, "The file is not UTF-8 from here on; save it as UTF-8.")
      return nil
    }
    guard text.unicodeScalars.first == "\u{FEFF}" else { return text }
    report(
      .associationByteOrderMark, .warning, at: start,
      "The file begins with a byte-order mark, which JSON does not allow (RFC 8259, section 8.1); "
        + "save it as UTF-8 without one.")
    return String(text.unicodeScalars.dropFirst())
  }

  private var start: DocumentPosition { DocumentPosition(line: 1, column: 1) }

  private mutating func isOfRightSize(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > SiteAssociation.maximumSize else { return true }
    report(
      .associationTooLarge, .error, at: start, as: .otherError,
      "The file has \(bytes.count) bytes; at most \(SiteAssociation.maximumSize) are read. Use "
        + "wildcards and substitution variables instead of single URLs.")
    return bytes.count <= SiteAssociation.maximumReadSize
  }

  /// CMS (RFC 5652) is a DER sequence, 0x30 and a length over 127, which JSON cannot begin with;
  /// as PEM it begins with dashes.
  private mutating func isUnsigned(_ bytes: [UInt8]) -> Bool {
    let isDER = bytes.count > 1 && bytes[0] == 0x30 && bytes[1] & 0x80 != 0
    guard isDER || bytes.starts(with: "-----BEGIN".utf8) else { return true }
    report(
      .associationSigned, .error, at: start, as: .badPKCS7Signature,
      "The file is signed (CMS), as iOS 9 wanted it; its contents and its signature are not "
        + "checked here. Serve the JSON inside it unsigned, over https.")
    return false
  }

  /// Whether no byte is zero: text in UTF-16 or UTF-32 is full of them, and JSON holds none.
  private mutating func isInOneByteUnits(_ bytes: [UInt8]) -> Bool {
    let isWide = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    guard isWide || bytes.contains(0) else { return true }
    if isWide || bytes.prefix(2).contains(0) {
      report(
        .associationEncoding, .error, at: start, as: .badJSONContent,
        "The file is UTF-16 or UTF-32; save it as UTF-8.")
    } else {
      let before = bytes.prefix { $0 != 0 }
      let line = before.reversed().prefix { $0 != 0x0A }
      report(
        .associationEncoding, .error,
        at: .init(
          line: before.count { $0 == 0x0A } + 1, column: line.count { $0 & 0xC0 != 0x80 } + 1),
        as: .badJSONContent,
        "A byte of zero stands here, which no text holds; the file is damaged or not a text.")
    }
    return false
  }
}
