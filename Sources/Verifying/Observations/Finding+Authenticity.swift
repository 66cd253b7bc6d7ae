public import Invocation

extension Finding.Code {
  /// The tag's originality signature is not its maker's.
  public static let notGenuine = Finding.Code(rawValue: "not-genuine")
  /// The tag's originality was asked for and cannot be determined.
  public static let originalityUnknown = Finding.Code(rawValue: "originality-unknown")
  /// The Secure Unique NFC message is the tag's, and new.
  public static let messageValid = Finding.Code(rawValue: "sun-valid")
  /// The Secure Unique NFC message was seen before, or is older than one that was: a copy.
  public static let messageReplayed = Finding.Code(rawValue: "sun-replayed")
  /// The tag's keys do not make this Secure Unique NFC message.
  public static let messageInvalid = Finding.Code(rawValue: "sun-invalid")
  /// The URL should carry a Secure Unique NFC message, and a part of it is missing.
  public static let messageMissing = Finding.Code(rawValue: "sun-missing")
  /// The Secure Unique NFC message was made by another tag than the one it was read from.
  public static let messageOfAnotherTag = Finding.Code(rawValue: "sun-wrong-tag")

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
