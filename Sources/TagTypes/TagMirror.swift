import Basics
package import NDEF

/// What a tag shows over its memory, and where: digits in ASCII that are in no page.
///
/// A reader, and so a phone, gets the digits; the memory below them stays as it was written
/// (NTAG213/215/216 data sheet, section 8.7; NTAG210/212 data sheet, section 8.7).
public struct TagMirror: Hashable, Sendable {
  /// What is shown.
  public enum Kind: Hashable, Sendable, CaseIterable {
    /// The UID: 14 hexadecimal digits.
    case uid
    /// The NFC counter: 6 hexadecimal digits.
    case counter
    /// The UID, an `x`, and the NFC counter.
    case uidAndCounter

    /// How many characters are shown.
    package var characterCount: Int {
      switch self {
      case .uid: 14
      case .counter: 6
      case .uidAndCounter: 21
      }
    }

    /// Whether the NFC counter is shown.
    package var showsCounter: Bool { self != .uid }

    /// Whether the UID is shown.
    package var showsUID: Bool { self != .counter }

    /// MIRROR_CONF, bits 7 and 6 of CFG0's first byte.
    var bits: UInt8 {
      switch self {
      case .uid: 1
      case .counter: 2
      case .uidAndCounter: 3
      }
    }
  }

  /// What is shown.
  public let kind: Kind
  /// The address of the first character, counted in bytes from page 0.
  package let start: Int

  /// Makes a mirror.
  init(_ kind: Kind, at start: Int) {
    self.kind = kind
    self.start = start
  }

  /// What CFG0 sets up; `nil` when it sets up none.
  init?(_ page: [UInt8], on layout: Type2Layout) {
    guard page.count == TagMemory.pageByteCount,
      layout.userPages.contains(Int(page[2]))
    else { return nil }
    switch layout.mirroring {
    case .none: return nil
    case .uid: kind = .uid
    case .uidAndCounter:
      guard let kind = Kind.allCases.first(where: { $0.bits == page[0] >> 6 }) else { return nil }
      self.kind = kind
    }
    start = Int(page[2]) * TagMemory.pageByteCount + Int(page[0] >> 4 & 0x03)
  }

  /// The page of the first character (MIRROR_PAGE).
  public var page: Int { start / TagMemory.pageByteCount }

  /// Where in its page the first character lies (MIRROR_BYTE).
  public var byte: Int { start % TagMemory.pageByteCount }

  /// The addresses that are shown over.
  var addresses: Range<Int> { start..<start + kind.characterCount }
}

/// A URL in which the tag itself fills in its UID, its NFC counter, or both.
///
/// `https://example.com/m?t={uid}`, `…{counter}` or `…{uid}x{counter}`: what stands in braces is
/// what ``TagMirror`` shows there. One tag has one mirror, so there is one such place; it can show
/// both only as the last form says, with an `x` between.
public struct MirrorTemplate: Hashable, Sendable {
  /// The URL with its placeholder.
  package let text: String
  /// What the tag shows in the place.
  public let kind: TagMirror.Kind
  private let head: String
  private let tail: String

  /// Reads a URL.
  ///
  /// - Returns: `nil` for a URL without `{uid}` and `{counter}`.
  /// - Throws: ``Problem`` when they stand where no mirror can show them, or for another name in braces.
  public init?(_ text: String) throws(Problem) {
    let pieces = text.split(separator: "{", omittingEmptySubsequences: false)
    let names = pieces.dropFirst().compactMap { piece in
      piece.split(separator: "}", omittingEmptySubsequences: false).first.map(String.init)
    }
    let unknown = names.first { !["uid", "counter"].contains($0) }
    if let unknown, !unknown.isEmpty, unknown.allSatisfy(\.isLetter),
      text.contains("{\(unknown)}")
    {
      throw Problem(unknown: "{\(unknown)}")
    }
    // A brace alone, or around what is no name, is for the URL's own rules to refuse.
    guard names.contains("uid") || names.contains("counter") else { return nil }
    let found = TagMirror.Kind.allCases.filter { names == $0.names }
    guard let kind = found.first, let place = text.firstRange(of: kind.placeholder) else {
      throw Problem()
    }
    self.text = text
    self.kind = kind
    head = String(text[..<place.lowerBound])
    tail = String(text[place.upperBound...])
  }

  /// Why a URL asks for what no tag can show.
  public struct Problem: Error, Hashable, Sendable {
    /// What is wrong, for a person.
    public let message: String
    /// What to do next, for a person.
    public let hint: String

    fileprivate init() {
      message = "a tag fills in one place of its URL: {uid}, {counter}, or {uid}x{counter} for both"
      hint = "write the two as {uid}x{counter}, once, or leave one of them out"
    }

    fileprivate init(unknown placeholder: String) {
      message = "no tag fills in \(placeholder)"
      hint = "write {uid}, {counter} or {uid}x{counter}, or put in the text that is meant"
    }
  }

  /// The URL that a phone gets from a tag.
  ///
  /// - Parameters:
  ///   - uid: The tag's UID, seven bytes.
  ///   - counter: What the NFC counter shows, 0 to 16,777,215.
  package func filled(uid: [UInt8], counter: Int = 0) -> String {
    head + kind.digits(uid: uid, counter: counter) + tail
  }

  /// The URL as the memory below the mirror holds it, with zeros in the place.
  package var reserved: String { filled(uid: [0, 0, 0, 0, 0, 0, 0]) }

  /// The message the memory holds.
  package var message: NDEFMessage { NDEFMessage(uri: reserved) }

  /// How many bytes of the message follow the place: its only record ends with the URL.
  var byteCountBehind: Int { tail.utf8.count }
}

extension TagMirror.Kind {
  fileprivate var names: [String] {
    switch self {
    case .uid: ["uid"]
    case .counter: ["counter"]
    case .uidAndCounter: ["uid", "counter"]
    }
  }

  /// The placeholder that asks for it.
  package var placeholder: String { names.map { "{\($0)}" }.joined(separator: "x") }

  /// What is shown, as hexadecimal digits in capitals.
  func digits(uid: [UInt8], counter: Int) -> String {
    let number = counter.hexadecimal(digits: 6)
    return switch self {
    case .uid: uid.hexadecimal
    case .counter: number
    case .uidAndCounter: uid.hexadecimal + "x" + number
    }
  }
}
