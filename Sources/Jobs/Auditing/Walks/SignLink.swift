import Invocation

/// The destination of a code on a sign, for comparison with the other codes on the sign.
struct SignLink {
  private let address: String
  private let query: String?
  private let carrier: Carrier

  /// - Returns: `nil` for a payload without a link to compare.
  init?(payload: String, carrier: Carrier) {
    guard !payload.isEmpty, carrier != .barcode else { return nil }
    // A payload that is not a URL agrees only with itself.
    guard let url = try? InvocationURL(payload) else {
      address = payload
      query = nil
      self.carrier = carrier
      return
    }
    let parts = url.normalized.split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    address = parts[0].hasSuffix("/") ? String(parts[0].dropLast()) : String(parts[0])
    query = parts.count > 1 ? String(parts[1]) : nil
    self.carrier = carrier
  }

  /// Whether both lead to the same destination. The query of a tag may contain its UID and counter,
  /// and small print omits the query, so it is compared between printed codes only.
  func agrees(with other: SignLink) -> Bool {
    guard address == other.address else { return false }
    return carrier != .qr || other.carrier != .qr || query == other.query
  }

  /// The name of the carrier, for display.
  var carrierName: String {
    switch carrier {
    case .nfc: "tag"
    case .url: "small print"
    case .appClipCode: "App Clip Code"
    case .qr, .barcode: "printed code"
    }
  }
}
