public import CliptagBasics

/// A text with advice in it, which an encoder may word in its face's terms.
public struct WordedText: Encodable, Hashable, Sendable {
  /// The text with its advice as values.
  public let hint: Hint
  /// The text in the library's wording.
  public var text: String { hint.text }

  init(_ hint: Hint) { self.hint = hint }

  /// Encodes the text, with its advice in the wording of `CodingUserInfoKey.adviceWording`.
  public func encode(to encoder: any Encoder) throws {
    let wording = encoder.userInfo[.adviceWording] as? AdviceWording
    var value = encoder.singleValueContainer()
    try value.encode(wording.map { hint.text(wording: $0) } ?? hint.text)
  }
}

/// The wording of advice by a face.
public typealias AdviceWording = @Sendable (Advice) -> String

extension CodingUserInfoKey {
  /// The wording of advice in encoded sentences, an ``AdviceWording``; without it advice is in the
  /// library's wording.
  public static let adviceWording = CodingUserInfoKey(
    rawValue: "cliptag.adviceWording")!  // every text is a key
}
