package import NDEF

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
    let digits = String(counter, radix: 16, uppercase: true)
    let number = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    return switch self {
    case .uid: uid.hexadecimal
    case .counter: number
    case .uidAndCounter: uid.hexadecimal + "x" + number
    }
  }
}
