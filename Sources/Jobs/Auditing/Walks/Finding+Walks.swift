public import Invocation

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Finding.Code {
  public static let missingCode = Self(
    "missing-code", "An expected code of a visited place was not read there.")
  public static let retiredCode = Self("retired-code", "A code that was retired is still in place.")
  public static let unissuedCode = Self(
    "unissued-code", "A payload of this registry was not issued on this kind of carrier.")
  public static let foreignUID = Self(
    "foreign-uid",
    "A tag has a code of this registry, but not the UID of the issued tag.")
  public static let overwrittenTag = Self(
    "overwritten-tag", "A tag of this registry was overwritten.")
  public static let unlockedTag = Self(
    "unlocked-tag", "A tag that was locked or password-protected can be changed.")
  public static let wornPrint = Self(
    "worn-print", "A print is so worn that it needs replacement.")
  public static let signDisagrees = Self(
    "sign-disagrees", "The codes on one sign contradict each other.")
  public static let copiedCode = Self(
    "copied-code", "A code was read at more distant positions than copies were made."
  )
  public static let wrongPlace = Self(
    "wrong-place", "A code is mounted at a place other than its own.")
  public static let swappedCodes = Self("swapped-codes", "Two codes are at each other's places.")
  public static let unreadSymbol = Self(
    "unread-symbol", "A symbol in a picture resembles a code but does not decode.")
  public static let printsNotSeen = Self(
    "prints-not-seen", "Fewer prints of a code were seen at its place than there are.")
  public static let unconfirmedPlace = Self(
    "unconfirmed-place", "Codes were read at a stop, but their place is not confirmed.")
  public static let unfinishedSearch = Self(
    "unfinished-search", "A picture of a walk could not be searched to its end.")
  public static let oldPicture = Self(
    "old-picture",
    "A picture of a walk is older than a week, or than the codes of its place.")
  public static let knownPicture = Self(
    "known-picture", "Another walk already has the picture.")
  public static let otherLanguage = Self(
    "other-language", "A sign is in another language than its place.")
  public static let movedCode = Self(
    "moved-code", "An expected code of a visited place was read elsewhere only.")
  public static let hungTwice = Self(
    "hung-twice", "A picture shows a code at more places than prints of it were made.")
  public static let phishingCode = Self(
    "phishing-code", "A foreign code asks for a payment or a password, or imitates our links.")
  public static let foreignCode = Self(
    "foreign-code",
    "A code that is not ours hangs at a place, perhaps where one of ours is missing.")

  /// The codes above, in the order of the documentation.
  package static let ofWalks: [Self] = [
    .missingCode, .retiredCode, .unissuedCode, .foreignUID, .overwrittenTag, .unlockedTag,
    .wornPrint, .signDisagrees, .copiedCode, .wrongPlace, .swappedCodes, .unreadSymbol,
    .unconfirmedPlace, .printsNotSeen, .unfinishedSearch, .oldPicture, .knownPicture,
    .otherLanguage, .movedCode, .hungTwice, .phishingCode, .foreignCode,
  ]
}

extension Finding {
  /// The order in which findings are dealt with, the first first.
  enum Urgency: Int, Comparable, CaseIterable {
    /// People lose money or passwords.
    case phishing
    case wrong, missing, dead
    /// A code that was not read, perhaps because it was not looked for.
    case unread
    case doubtful, note

    static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
  }

  /// The urgency of the finding.
  var urgency: Urgency {
    switch (severity, code) {
    case (_, .phishingCode): .phishing
    case (.error, .missingCode): .missing
    case (.error, .inactiveExperience), (.error, .noMatch): .dead
    case (.error, _): .wrong
    case (.warning, .missingCode): .unread
    case (.warning, _): .doubtful
    case (.note, _): .note
    }
  }
}
