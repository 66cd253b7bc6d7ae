import CliptagBasics

/// The password of a tag with its acknowledgement: PWD, four bytes, and PACK, two bytes that the
/// tag returns so that a reader knows it is the right tag.
///
/// A secret: its description, and its output in a debugger or `dump`, contain no byte. NTAG21x data
/// sheet (rev. 3.2), sections 8.5.7 and 10.7.
public struct TagPassword: Hashable, Sendable {
  /// PWD.
  let password: [UInt8]
  /// PACK; `nil` if it is unknown, so that any response is accepted.
  let acknowledgement: [UInt8]?

  /// The factory password of a tag: `FFFFFFFF`, PACK `0000`.
  static let factory = TagPassword(password: [0xFF, 0xFF, 0xFF, 0xFF], acknowledgement: [0, 0])

  /// The factory password of an ICODE SLIX2: `00000000`; it has no PACK.
  static let vicinityFactory = TagPassword(password: [0, 0, 0, 0], acknowledgement: nil)

  private init(password: [UInt8], acknowledgement: [UInt8]?) {
    self.password = password
    self.acknowledgement = acknowledgement
  }

  /// Parses `PPPPPPPP` or `PPPPPPPP:KKKK`: eight hexadecimal digits, and four more for PACK, which
  /// is `0000` without them. The colon may be missing; surrounding white space is ignored.
  /// `PPPPPPPP:*` is for a tag with an unknown PACK: any response is accepted
  /// (``knowsAcknowledgement``).
  ///
  /// - Returns: `nil` for any other text.
  public init?(_ text: String) {
    var digits = text.drop(while: \.isWhitespace)
    while digits.last?.isWhitespace == true { digits.removeLast() }
    if digits.count == 10, digits.hasSuffix(":*") {
      guard let bytes = [UInt8](hexadecimal: digits.dropLast(2).utf8) else { return nil }
      self.init(password: bytes, acknowledgement: nil)
      return
    }
    if digits.count == 13 {
      let colon = digits.index(digits.startIndex, offsetBy: 8)
      guard digits[colon] == ":" else { return nil }
      digits.remove(at: colon)
    }
    guard let bytes = [UInt8](hexadecimal: digits.utf8), bytes.count == 4 || bytes.count == 6 else {
      return nil
    }
    self.init(
      password: Array(bytes[..<4]),
      acknowledgement: bytes.count == 6 ? Array(bytes[4...]) : [0, 0])
  }

  /// A Boolean value that indicates whether PACK is known. A password without it opens a tag, but
  /// does not confirm that the tag is the one on which it was set; it cannot be set.
  public var knowsAcknowledgement: Bool { acknowledgement != nil }

  /// A Boolean value that indicates whether this is the password of every new tag, which protects
  /// nothing.
  public var isFactoryDefault: Bool { password == Self.factory.password }
}

extension TagPassword: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// A placeholder for the password.
  public var description: String { "(a password)" }
  /// A placeholder for the password.
  public var debugDescription: String { description }
  /// An empty mirror.
  public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}
