import CliptagBasics
package import NDEF

/// The digits in ASCII that a tag shows over its memory, and their place; they are not stored in
/// any page.
///
/// A reader, and so a phone, gets the digits; the memory below them does not change
/// (NTAG213/215/216 data sheet, section 8.7; NTAG210/212 data sheet, section 8.7).
public struct TagMirror: Hashable, Sendable {
  /// The mirrored value.
  public enum Kind: Hashable, Sendable, CaseIterable {
    /// The UID: 14 hexadecimal digits.
    case uid
    /// The NFC counter: 6 hexadecimal digits.
    case counter
    /// The UID, an `x`, and the NFC counter.
    case uidAndCounter

    /// The number of characters shown.
    package var characterCount: Int {
      switch self {
      case .uid: 14
      case .counter: 6
      case .uidAndCounter: 21
      }
    }

    /// A Boolean value that indicates whether the NFC counter is shown.
    package var showsCounter: Bool { self != .uid }

    /// A Boolean value that indicates whether the UID is shown.
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

  /// The mirrored value.
  public let kind: Kind
  /// The address of the first character, counted in bytes from page 0.
  package let start: Int

  /// Makes a mirror.
  init(_ kind: Kind, at start: Int) {
    self.kind = kind
    self.start = start
  }

  /// Reads the mirror from CFG0; `nil` if there is none.
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

  /// The index in its page of the first character (MIRROR_BYTE).
  public var byte: Int { start % TagMemory.pageByteCount }

  /// The addresses covered by the mirror.
  var addresses: Range<Int> { start..<start + kind.characterCount }
}

/// A URL in which the tag itself fills in its UID, its NFC counter, or both.
///
/// The forms are `https://example.com/m?t={uid}`, `…{counter}` and `…{uid}x{counter}`: the text in
/// braces is replaced by the digits of a ``TagMirror``. One tag has one mirror, so there is one
/// such place; it can show both only in the last form, with an `x` between.
public struct MirrorTemplate: Hashable, Sendable {
  /// The URL with its placeholder.
  package let text: String
  /// The value that the tag shows in the place.
  public let kind: TagMirror.Kind
  private let head: String
  private let tail: String

  /// Parses a URL.
  ///
  /// - Returns: `nil` for a URL without `{uid}` and `{counter}`.
  /// - Throws: ``Problem`` if they are in a place where no mirror can show them, or for another
  ///   name in braces.
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
    // A single brace, or braces around other text, are left to the URL's own rules.
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

  /// The reason why no tag can fill in a URL.
  public struct Problem: Error, Hashable, Sendable {
    /// A description of the problem, for people.
    public let message: String
    /// The next step, for people.
    public let hint: String

    fileprivate init() {
      message = "a tag fills in one place of a URL: {uid}, {counter}, or {uid}x{counter} for both"
      hint = "write {uid}x{counter} once, or leave one of them out"
    }

    fileprivate init(unknown placeholder: String) {
      message = "no tag fills in \(placeholder)"
      hint = "write {uid}, {counter} or {uid}x{counter}, or literal text"
    }
  }

  /// The URL that a phone gets from a tag.
  ///
  /// - Parameters:
  ///   - uid: The tag's UID, seven bytes.
  ///   - counter: The value of the NFC counter, 0 to 16,777,215.
  package func filled(uid: [UInt8], counter: Int = 0) -> String {
    head + kind.digits(uid: uid, counter: counter) + tail
  }

  /// The URL in the memory below the mirror, with zeros in the place.
  package var reserved: String { filled(uid: [0, 0, 0, 0, 0, 0, 0]) }

  /// The message in the memory.
  package var message: NDEFMessage { NDEFMessage(uri: reserved) }

  /// The number of bytes of the message after the place: its only record ends with the URL.
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

  /// The placeholder for this value.
  package var placeholder: String { names.map { "{\($0)}" }.joined(separator: "x") }

  /// The shown text, in upper-case hexadecimal digits.
  func digits(uid: [UInt8], counter: Int) -> String {
    let number = counter.hexadecimal(digits: 6)
    return switch self {
    case .uid: uid.hexadecimal
    case .counter: number
    case .uidAndCounter: uid.hexadecimal + "x" + number
    }
  }
}
