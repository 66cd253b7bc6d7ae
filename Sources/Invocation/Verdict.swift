/// The answer about one payload.
public enum Verdict: String, Hashable, Sendable, CaseIterable {
  /// Everything that was asked was confirmed.
  case accepted
  /// Something that was asked is known to be wrong.
  case rejected
  /// The evidence is not enough to say.
  case undecided
}

/// What the registry says about a payload, before any location is considered.
public enum InvocationState: String, Hashable, Sendable, CaseIterable {
  /// An active advanced experience covers the URL.
  case ok
  /// No advanced experience covers the URL; only the clip's default experience could serve it.
  case defaultOnly = "default-only"
  /// The host has a clip, but no experience covers the URL.
  case orphan
  /// No clip claims the host.
  case unregistered
  /// An experience covers the URL, but its clip is not associated with the host.
  case unassociated
  /// The only experience that covers the URL is deactivated or in transfer.
  case inactive
  /// String prefix and path-segment prefix choose differently.
  case ambiguous
  /// The payload is not an acceptable invocation URL, or no URL at all.
  case malformed
}

/// What carried the payload.
public enum Carrier: String, Hashable, Sendable, CaseIterable {
  /// Typed or piped in; examined as if a physical code carried it.
  case url
  /// A QR code.
  case qr
  /// An NFC tag.
  case nfc
  /// An App Clip Code.
  case appClipCode = "app-clip-code"
  /// Another barcode, which no iPhone treats as an invocation.
  case barcode
}
