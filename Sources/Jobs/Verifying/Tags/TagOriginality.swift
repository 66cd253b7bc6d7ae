import Invocation
public import TagAuthenticity
public import TagTypes

extension Tag {
  /// Reads the tag's originality signature, in one exchange, and verifies it. A signature that is
  /// not verified is read a second time, after the tag has been asked for its version.
  ///
  /// The signature is not read if no key is known for the product.
  ///
  /// - Parameter channel: The tag, activated.
  /// - Throws: `TagError`: `tag-lost`, `tag-changed`, `reader-failed`, `cancelled`.
  public func originality(
    over channel: some TagChannel
  ) async throws(TagError) -> Originality {
    // The signature covers the UID in the chip, which such a tag does not reveal.
    guard !target.hasRandomUID else { return .notCheckable(reason: "its UID is random") }
    if let version = type2?.productVersion, version.vendor != 4 {
      return .notCheckable(
        reason:
          "the chip identifies as made by \(version.vendorName ?? "another maker"), and NXP signs only NXP chips"
      )
    }
    guard OriginalitySignature.isCheckable(product: name) else {
      return OriginalitySignature.verdict(uid: uid, signature: nil, product: name)
    }
    let first: [UInt8]?
    do throws(TagError) {
      first = try await readSignature(over: channel)
    } catch {
      guard error.code == .readerUnsupported else { throw error }
      return .notCheckable(reason: "this reader cannot read a tag's signature")
    }
    let verdict = OriginalitySignature.verdict(uid: uid, signature: first, product: name)
    guard verdict != .genuine else { return verdict }
    // A product known by its pages may be another one, with a signature of another length.
    if let tag = try await type2?.readingVersion(over: channel), tag.name != name {
      return try await Tag.type2(tag).originality(over: channel)
    }
    guard first != nil else { return verdict }
    // Read again before rejecting the tag: one answer may have been garbled.
    let second = try await readSignature(over: channel)
    return OriginalitySignature.verdict(uid: uid, signature: second, product: name)
  }

  private func readSignature(
    over channel: some TagChannel
  ) async throws(TagError) -> [UInt8]? {
    switch self {
    case .type2(let tag): try await tag.readSignature(over: channel)
    case .type4(let tag): try await tag.readSignature(over: channel)
    case .type5(let tag): try await tag.readSignature(over: channel)
    }
  }
}

extension VerifiedCode {
  /// Returns the code with the verdict on its tag's originality signature, where
  /// `Originality.genuine` is required.
  package func requiring(_ originality: Originality) -> VerifiedCode {
    var code = adding(originality.finding.map { [$0] } ?? [])
    code.tag = tag?.with(originality)
    return code
  }
}

extension TagFacts {
  /// Returns the facts with the verdict on the originality signature.
  package func with(_ originality: Originality) -> TagFacts {
    var facts = self
    facts.originality = originality
    return facts
  }
}

extension Originality {
  /// The finding if a genuine tag is required; `nil` for a genuine one.
  fileprivate var finding: Finding? {
    switch self {
    case .genuine: nil
    case .notGenuine:
      Finding(
        .notGenuine, .error,
        "No key of the maker's that is known here verifies the tag's originality signature for this "
          + "UID.")
    case .unverified(let reason), .notCheckable(let reason):
      Finding(
        .originalityUnknown, .warning, "The tag's originality is unknown: \(reason).")
    }
  }
}
