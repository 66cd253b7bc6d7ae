public import Invocation

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Finding.Code {
  public static let missingCode = Self(
    "missing-code", "A code that should hang at a place that was visited was not read there.")
  public static let retiredCode = Self("retired-code", "A code that was retired is still in place.")
  public static let unissuedCode = Self(
    "unissued-code", "A payload of this registry was never issued on such a carrier.")
  public static let foreignUID = Self(
    "foreign-uid",
    "A tag carries a code of this registry, and its UID is not that of the issued tag.")
  public static let overwrittenTag = Self(
    "overwritten-tag", "A tag of this registry was overwritten.")
  public static let unlockedTag = Self(
    "unlocked-tag", "A tag that was locked, or had a password, can be changed.")
  public static let wornPrint = Self(
    "worn-print", "A print has become so poor that it should be replaced.")
  public static let signDisagrees = Self(
    "sign-disagrees", "The codes on one sign contradict each other.")
  public static let copiedCode = Self(
    "copied-code", "A code was read at more positions, too far apart for one, than it was made for."
  )
  public static let wrongPlace = Self(
    "wrong-place", "A code hangs at another place than the one where it belongs.")
  public static let swappedCodes = Self("swapped-codes", "Two codes hang at each other's places.")
  public static let unreadSymbol = Self(
    "unread-symbol", "A symbol in a picture looks like a code and gives no text.")
  public static let unconfirmedPlace = Self(
    "unconfirmed-place", "Codes were read at a stop, and their place is not confirmed.")

  /// The codes above, in the order of the documentation.
  package static let ofWalks: [Self] = [
    .missingCode, .retiredCode, .unissuedCode, .foreignUID, .overwrittenTag, .unlockedTag,
    .wornPrint, .signDisagrees, .copiedCode, .wrongPlace, .swappedCodes, .unreadSymbol,
    .unconfirmedPlace,
  ]
}
