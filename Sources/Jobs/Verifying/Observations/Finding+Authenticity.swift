public import Invocation

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Finding.Code {
  public static let notGenuine = Self(
    "not-genuine", "No key known here verifies the tag's originality signature.")
  public static let originalityUnknown = Self(
    "originality-unknown", "The tag's originality cannot be determined.")
  public static let messageValid = Self(
    "sun-valid", "The Secure Unique NFC message is the tag's, and new.")
  public static let messageReplayed = Self(
    "sun-replayed",
    "The Secure Unique NFC message was read before, or is older than a previous one: a copy.")
  public static let messageInvalid = Self(
    "sun-invalid", "The tag's keys do not make this Secure Unique NFC message.")
  public static let messageMissing = Self(
    "sun-missing", "The URL lacks a part of its Secure Unique NFC message.")
  public static let messageOfAnotherTag = Self(
    "sun-wrong-tag",
    "The Secure Unique NFC message was made by another tag than the one it was read from.")

  /// The codes above, in the order of the documentation.
  package static let ofAuthenticity: [Self] = [
    .notGenuine, .originalityUnknown, .messageValid, .messageReplayed, .messageInvalid,
    .messageMissing, .messageOfAnotherTag,
  ]
}

extension Finding {
  /// The verdict that follows from a finding about a carrier.
  package var verdict: Verdict {
    if severity == .error { return .rejected }
    // A message that is not quite right is never accepted: its handling is not documented for all
    // phones.
    return [.originalityUnknown, .malformedNDEF].contains(code) ? .undecided : .accepted
  }
}
