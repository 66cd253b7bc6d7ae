public import Basics
import CHTML

/// The part of a web page that is of interest: its `meta` tags.
///
/// libxml2 reads it, as pages are read: with whatever is wrong in it. What stands in comments,
/// scripts, titles, templates and the like is no tag.
public struct WebPage: Hashable, Sendable {
  /// A `meta` tag.
  public struct Meta: Hashable, Sendable {
    /// Its attributes by names in lower case, of several of one name the first; decoded. An
    /// attribute without a value has the empty one.
    public let attributes: [String: String]
    /// The line where the tag begins, from 1.
    public let line: Int
    /// The column where it begins, from 1, in Unicode scalars.
    public let column: Int
    /// Whether it stands in the page's `head`.
    public let isInHead: Bool
  }

  /// The tags in the order of the page, the first ``maximumTags`` of them.
  public let metas: [Meta]
  /// Whether the page goes on behind what was read: it is larger than ``maximumSize``, nests deeper
  /// than browsers follow, or has more tags than are kept.
  public let isCut: Bool

  /// How many bytes of a page are read: what phones look for stands at its beginning, and the time
  /// that libxml2 takes for a hostile page grows with the square of its size.
  public static let maximumSize = 1 << 18
  /// How many `meta` tags are kept.
  public static let maximumTags = 1000
  /// How deep elements may stand in each other; browsers stop at 512.
  static let maximumDepth = 512

  /// Reads a page.
  ///
  /// - Parameter bytes: The page in UTF-8 or another encoding that keeps ASCII. What is no UTF-8 is
  ///   replaced.
  /// - Throws: ``WebPageError`` when libxml2 is missing or there is no memory.
  public init(_ bytes: [UInt8]) throws(WebPageError) {
    if let reason = chtml_load() { throw WebPageError(.libraryMissing, String(cString: reason)) }
    let text = String(decoding: bytes.prefix(Self.maximumSize), as: UTF8.self)
      .replacing("\0", with: "\u{FFFD}")
    let collector = MetaCollector(text)
    guard collector.read() else { throw WebPageError(.failed, "there is no memory for it") }
    metas = collector.metas
    isCut = bytes.count > Self.maximumSize || collector.isCut
  }
}

/// Why a page could not be read.
public struct WebPageError: CodedError {
  /// The stable name of a kind of failure.
  public struct Code: ErrorCode {
    /// The name as printed in JSON.
    public let rawValue: String
    /// Makes a code from its printed name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// libxml2 is not installed, or too old.
    public static let libraryMissing = Self(rawValue: "page-library-missing")
    /// There was no memory for the web page.
    public static let failed = Self(rawValue: "page-not-read")

  }

  /// The kind of failure.
  public let code: Code
  /// One sentence: what was wrong.
  public let message: String
  /// One sentence: what to do next.
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
