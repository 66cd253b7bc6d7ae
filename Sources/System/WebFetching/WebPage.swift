public import CliptagBasics
import CHTML

/// The relevant part of a web page: its `meta` tags.
///
/// libxml2 parses the page with the error recovery of browsers. Markup in comments, scripts,
/// titles, templates and the like is not a tag.
public struct WebPage: Hashable, Sendable {
  /// A `meta` tag.
  public struct Meta: Hashable, Sendable {
    /// The decoded attributes by lower-case name. If a name occurs several times, the first counts.
    /// An attribute without a value has an empty one.
    public let attributes: [String: String]
    /// The line where the tag begins, from 1.
    public let line: Int
    /// The column where it begins, from 1, in Unicode scalars.
    public let column: Int
    /// A Boolean value that indicates whether the tag is in the page's `head`.
    public let isInHead: Bool
  }

  /// The first ``maximumTags`` tags in document order.
  public let metas: [Meta]
  /// A Boolean value that indicates whether the page continues after the part that was read: it is
  /// larger than ``maximumSize``, nests deeper than browsers follow, or has more than
  /// ``maximumTags`` tags.
  public let isCut: Bool

  /// The number of bytes of a page that are read: the tags that phones look for are at its
  /// beginning, and the time that libxml2 takes for a hostile page grows with the square of its
  /// size.
  public static let maximumSize = 1 << 18
  /// The largest number of `meta` tags that are kept.
  public static let maximumTags = 1000
  /// The deepest nesting of elements that is followed; browsers stop at 512.
  static let maximumDepth = 512

  /// Parses a page.
  ///
  /// - Parameter bytes: The page in UTF-8 or another encoding that keeps ASCII. Invalid UTF-8 is
  ///   replaced.
  /// - Throws: ``WebPageError`` if libxml2 is missing or memory runs out.
  public init(_ bytes: [UInt8]) throws(WebPageError) {
    if let reason = chtml_load() { throw WebPageError(.libraryMissing, String(cString: reason)) }
    let text = String(decoding: bytes.prefix(Self.maximumSize), as: UTF8.self)
      .replacing("\0", with: "\u{FFFD}")
    let collector = MetaCollector(text)
    guard collector.read() else { throw WebPageError(.failed, "not enough memory") }
    metas = collector.metas
    isCut = bytes.count > Self.maximumSize || collector.isCut
  }
}

/// The reason that a page could not be read.
public struct WebPageError: CodedError {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  /// The stable name of a kind of failure.
  public struct Code: FailureCode {
    public let definition: CodeDefinition
    public var rawValue: String { definition.name }

    public init(_ definition: CodeDefinition) { self.definition = definition }

    public static let libraryMissing = Self(
      "page-library-missing", .unavailable, "libxml2 is not installed or is too old.")
    public static let failed = Self(
      "page-not-read", .unavailable, "Memory ran out during the reading of the web page.")

    public static let all: [Self] = [
      .libraryMissing, .failed,
    ]
  }

  /// The kind of failure.
  public let code: Code
  /// The cause, in one sentence.
  public let message: String
  /// The next step, in one sentence.
  public let hint: String

  init(_ code: Code, _ reason: String) {
    self.code = code
    message = "The page cannot be read: \(reason)."
    hint =
      code == .libraryMissing
      ? "Install libxml2, on Debian with: apt-get install libxml2"
      : "Close other programs, or give a smaller page."
  }
}
