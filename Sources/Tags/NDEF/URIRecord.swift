/// A URI record (well-known type `U`), which phones open.
///
/// NFC Forum, URI Record Type Definition 1.0.
public struct URIRecord: Hashable, Sendable {
  /// The underlying record, byte for byte as it was read or made.
  public let record: NDEFRecord
  /// The whole URI: the text of the prefix code, followed by the rest of the payload.
  public let uri: String
  /// The first byte of the payload, which abbreviates the beginning of the URI.
  public let prefixCode: UInt8
  /// The errors that a strict reading would have thrown.
  public let forgiven: [NDEFError]

  /// Reads a URI record.
  ///
  /// - Parameters:
  ///   - record: A record of well-known type `U`.
  ///   - options: ``NDEFOptions/allowsReservedURIPrefix`` applies here.
  /// - Throws: ``NDEFError`` with an offset into the payload: `wrongRecordType`, `malformedPayload`
  ///   (no prefix code), `reservedURIPrefix`, `invalidText` (not UTF-8).
  public init(_ record: NDEFRecord, options: NDEFOptions = .strict) throws(NDEFError) {
    guard record.isWellKnown("U") else {
      throw NDEFError(.wrongRecordType, at: 0, "the record is not a URI record (type U)")
    }
    guard let code = record.payload.first else {
      throw NDEFError(.malformedPayload, at: 0, "a URI record needs at least the prefix code")
    }
    var leniency = Leniency()
    let prefix = URIPrefix.text(of: code)
    if prefix == nil {
      try leniency.check(
        options.allowsReservedURIPrefix,
        NDEFError(.reservedURIPrefix, at: 0, Self.fault(of: code, in: record.payload)))
    }
    switch TextDecoding.decode(record.payload.dropFirst(), as: UTF8.self) {
    case .success(let rest): uri = (prefix ?? "") + rest
    case .failure(let invalid):
      throw NDEFError(.invalidText, at: 1 + invalid.index, "the URI is not UTF-8")
    }
    self.record = record
    prefixCode = code
    forgiven = leniency.forgiven
  }

  /// A description of a reserved prefix code, which is often the first letter of a URI written
  /// without the code.
  private static func fault(of code: UInt8, in payload: [UInt8]) -> String {
    let name = String(code, radix: 16, uppercase: true)
    // RFC 3986, section 3.1: a scheme consists of letters, digits, +, - and ., and ends with a
    // colon.
    let scheme = payload.prefix { $0 != UInt8(ascii: ":") }
    let isScheme =
      isLetter(code) && scheme.count > 1 && scheme.count < payload.count
      && scheme.allSatisfy { isLetter($0) || "0123456789+-.".utf8.contains($0) }
    guard isScheme else { return "the URI prefix byte is \(name), and 24 to FF are reserved" }
    return "the URI prefix byte is missing: the URI itself begins in its place (\(name))"
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  /// Makes a URI record with the prefix code that saves the most bytes.
  ///
  /// Reading it back gives the same text: a prefix is used only if it matches byte for byte, so
  /// `HTTPS://…` is written in full.
  ///
  /// - Parameter uri: The URI, written as UTF-8.
  public init(_ uri: String) {
    let utf8 = Array(uri.utf8)
    let (code, length) = URIPrefix.longest(of: utf8)
    record = NDEFRecord(
      unchecked: .wellKnown, type: Array("U".utf8), identifier: nil,
      payload: [code] + utf8.dropFirst(length),
      lengthForm: 1 + utf8.count - length > 255 ? .long : .short)
    self.uri = uri
    prefixCode = code
    forgiven = []
  }
}

/// The URI prefix codes 00 to 23 (URI Record Type Definition 1.0, section 3.2.2).
public enum URIPrefix {
  /// The text of every code; the index is the code.
  public static let all = [
    "", "http://www.", "https://www.", "http://", "https://", "tel:", "mailto:",
    "ftp://anonymous:anonymous@", "ftp://ftp.", "ftps://", "sftp://", "smb://", "nfs://",
    "ftp://", "dav://", "news:", "telnet://", "imap:", "rtsp://", "urn:", "pop:", "sip:",
    "sips:", "tftp:", "btspp://", "btl2cap://", "btgoep://", "tcpobex://", "irdaobex://",
    "file://", "urn:epc:id:", "urn:epc:tag:", "urn:epc:pat:", "urn:epc:raw:", "urn:epc:",
    "urn:nfc:",
  ]

  /// Returns the text of a code, or `nil` for the reserved codes 24 to FF.
  public static func text(of code: UInt8) -> String? {
    Int(code) < all.count ? all[Int(code)] : nil
  }

  /// The code of the longest prefix of a URI, and the length of that prefix in bytes.
  static func longest(of uri: [UInt8]) -> (code: UInt8, length: Int) {
    var best: (code: UInt8, length: Int) = (0, 0)
    for (code, prefix) in all.enumerated()
    where prefix.utf8.count > best.length && uri.starts(with: prefix.utf8) {
      best = (UInt8(code), prefix.utf8.count)
    }
    return best
  }
}
