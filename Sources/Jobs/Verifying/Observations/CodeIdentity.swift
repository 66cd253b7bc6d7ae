import Invocation
public import Registry

/// The issued code that a code that was read corresponds to, according to the record.
public struct CodeIdentity: Sendable {
  /// The relation of a code to the record.
  public enum Standing: String, Hashable, Sendable, CaseIterable {
    /// The code was issued.
    case issued
    /// The code was retired.
    case retired
    /// The tag was issued with another text.
    case overwritten
    /// The code has the text of a tag that was issued, and another UID.
    case copied
    /// No code with its text was issued on such a carrier.
    case unissued
  }

  /// The relation of the code to the record.
  public let standing: Standing
  /// The issued code that it is, or claims to be.
  public let code: IssuedCode?
  /// Every issued code with the same text, on any carrier, oldest first.
  public let alike: [IssuedCode]

  /// Looks a code up.
  ///
  /// A printed code is identified by its text, an App Clip Code by its bits, a tag by its text and
  /// its UID; a tag that was issued as a file has no UID in the record.
  ///
  /// - Parameters:
  ///   - read: The code that was read.
  ///   - registry: The registry to search.
  ///   - place: The place whose code is preferred when several issued codes have the same text;
  ///     otherwise the latest is chosen.
  /// - Returns: `nil` for carriers that are never issued: small print and other barcodes.
  init?(
    of read: VerifiedCode, in registry: borrowing RegistryTransaction, preferring place: String?
  ) throws(RegistryError) {
    let carrier: IssuedCode.Carrier
    switch read.verification.carrier {
    case .qr: carrier = .qr
    case .nfc where read.tag != nil: carrier = .nfc
    // An App Clip Code that could not be identified may be any of them.
    case .appClipCode where read.appClipCode?.verdict != .undecided: carrier = .appClipCode
    case .nfc, .url, .appClipCode, .barcode: return nil
    }
    let uid = read.tag?.uid
    alike = try registry.codes(CodeFilter(payload: read.recordedPayload))
    let pattern = read.appClipCode?.code?.appClipCode?.pattern
    let same = alike.filter {
      $0.carrier == carrier && (pattern == nil || $0.appClipCode?.pattern == pattern)
    }
    let own = same.filter { $0.tagUID == nil || $0.tagUID == uid }
    let issued = own.filter { $0.status == .issued }
    if let found = issued.last(where: { $0.placeID == place && place != nil }) ?? issued.last {
      (standing, code) = (.issued, found)
    } else if let found = own.last(where: { $0.tagUID == uid }) {
      (standing, code) = (.retired, found)
    } else if let uid,
      let found = try registry.codes(
        CodeFilter(status: .issued, carrier: .nfc, tagUID: uid)
      ).last
    {
      (standing, code) = (.overwritten, found)
    } else if let found = own.last {
      (standing, code) = (.retired, found)
    } else {
      (standing, code) = (same.isEmpty ? .unissued : .copied, same.last)
    }
  }
}

extension VerifiedCode {
  /// Returns the code with its identity, which is looked up unless it is known.
  package func identified(
    in registry: borrowing RegistryTransaction, preferring place: String? = nil
  ) throws(RegistryError) -> VerifiedCode {
    guard identity == nil else { return self }
    var code = self
    code.identity = try CodeIdentity(of: self, in: registry, preferring: place)
    return code
  }
}
