import Invocation
package import TagAuthenticity

extension VerifiedCode {
  /// The same code with what its Secure Unique NFC message amounts to.
  func adding(_ facts: SecureMessageFacts, _ finding: Finding) -> VerifiedCode {
    VerifiedCode(
      source: source, page: page, verification: verification,
      carrierFindings: carrierFindings + [finding], symbol: symbol, tag: tag,
      secureMessage: facts, phone: phone)
  }

  /// The same code with what its tag's originality signature says, which whoever asked wants to be
  /// `Originality.genuine`.
  package func requiring(_ originality: Originality) -> VerifiedCode {
    VerifiedCode(
      source: source, page: page, verification: verification,
      carrierFindings: carrierFindings + (originality.finding.map { [$0] } ?? []),
      symbol: symbol, tag: tag?.with(originality), secureMessage: secureMessage,
      phone: phone)
  }
}

extension TagFacts {
  /// The same facts with what the originality signature says.
  package func with(_ originality: Originality) -> TagFacts {
    TagFacts(
      uid: uid, type: type, capacity: capacity, used: used, locked: locked,
      passwordProtected: passwordProtected, originality: originality)
  }
}

extension Originality {
  /// What is wrong where a genuine tag is wanted; `nil` for one.
  var finding: Finding? {
    switch self {
    case .genuine: nil
    case .notGenuine:
      Finding(
        .notGenuine, .error,
        "The tag's originality signature is not its maker's for this UID: it is a counterfeit.")
    case .notCheckable(let reason):
      Finding(
        .originalityUnknown, .warning, "Whether the tag is genuine cannot be told: \(reason).")
    }
  }
}
