public import Invocation

extension Finding.Code {
  /// A code that should hang at a place that was visited was not read there.
  public static let missingCode = Finding.Code(rawValue: "missing-code")
  /// A code that was retired is still in place.
  public static let retiredCode = Finding.Code(rawValue: "retired-code")
  /// A payload of this registry was never issued on such a carrier.
  public static let unissuedCode = Finding.Code(rawValue: "unissued-code")
  /// A tag carries a code of this registry, and its UID is not that of the issued tag.
  public static let foreignUID = Finding.Code(rawValue: "foreign-uid")
  /// A tag of this registry was overwritten.
  public static let overwrittenTag = Finding.Code(rawValue: "overwritten-tag")
  /// A tag that was locked, or had a password, can be changed.
  public static let unlockedTag = Finding.Code(rawValue: "unlocked-tag")
  /// A print has become so poor that it should be replaced.
  public static let wornPrint = Finding.Code(rawValue: "worn-print")
  /// The codes on one sign contradict each other.
  public static let signDisagrees = Finding.Code(rawValue: "sign-disagrees")
  /// A code was read at more positions, too far apart for one, than it was made for.
  public static let copiedCode = Finding.Code(rawValue: "copied-code")
  /// A code hangs at another place than the one where it belongs.
  public static let wrongPlace = Finding.Code(rawValue: "wrong-place")
  /// Two codes hang at each other's places.
  public static let swappedCodes = Finding.Code(rawValue: "swapped-codes")
  /// A symbol in a picture looks like a code and gives no text.
  public static let unreadSymbol = Finding.Code(rawValue: "unread-symbol")
  /// Codes were read at a stop, and their place is not confirmed.
  public static let unconfirmedPlace = Finding.Code(rawValue: "unconfirmed-place")
}
