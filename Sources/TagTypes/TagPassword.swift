import Basics

/// The password of a tag with its acknowledgement: PWD, four bytes, and PACK, two bytes that the
/// tag answers so that a reader knows it is the right tag.
///
/// A secret: its description, and what a debugger or `dump` shows of it, name no byte.
/// NTAG21x data sheet (rev. 3.2), sections 8.5.7 and 10.7.
public struct TagPassword: Hashable, Sendable {
  /// PWD.
  let password: [UInt8]
  /// PACK; `nil` when it is not known, so that any answer will do.
  let acknowledgement: [UInt8]?

  /// What a tag has when it leaves the factory: `FFFFFFFF`, PACK `0000`.
  static let factory = TagPassword(password: [0xFF, 0xFF, 0xFF, 0xFF], acknowledgement: [0, 0])

  /// What an ICODE SLIX2 has when it leaves the factory: `00000000`; it knows no PACK.
  static let vicinityFactory = TagPassword(password: [0, 0, 0, 0], acknowledgement: nil)

  private init(password: [UInt8], acknowledgement: [UInt8]?) {
    self.password = password
    self.acknowledgement = acknowledgement
  }

  /// Reads `PPPPPPPP` or `PPPPPPPP:KKKK`: eight hexadecimal digits, and four more for PACK, which
  /// is `0000` without them. The colon may be missing; white space around it all is forgiven.
  /// `PPPPPPPP:*` is for a tag whose PACK nobody knows: whatever it answers is taken
  /// (``knowsAcknowledgement``).
  ///
  /// - Returns: `nil` for anything else.
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

  /// Whether PACK is known. A password without it opens a tag, and no longer tells that the tag is the
  /// one it was set on; it cannot be set.
  public var knowsAcknowledgement: Bool { acknowledgement != nil }

  /// Whether this is the password of every new tag, which guards nothing.
  public var isFactoryDefault: Bool { password == Self.factory.password }
}

extension TagPassword: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// No secret.
  public var description: String { "(a password)" }
  /// No secret.
  public var debugDescription: String { description }
  /// Nothing to see.
  public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}
