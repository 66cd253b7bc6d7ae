import Invocation

/// Where something on a sign leads, for comparing it with what else hangs there.
struct SignLink {
  private let address: String
  private let query: String?
  private let carrier: Carrier

  /// - Returns: `nil` for what has no link to compare.
  init?(payload: String, carrier: Carrier) {
    guard !payload.isEmpty, carrier != .barcode else { return nil }
    // What is no URL agrees with nothing but itself.
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

  /// Whether both lead to the same. The query of a tag may hold its UID and counter, and small print
  /// leaves a query out, so it counts only between printed codes.
  func agrees(with other: SignLink) -> Bool {
    guard address == other.address else { return false }
    return carrier != .qr || other.carrier != .qr || query == other.query
  }

  /// What people call the carrier.
  var carrierName: String {
    switch carrier {
    case .nfc: "tag"
    case .url: "small print"
    case .appClipCode: "App Clip Code"
    case .qr, .barcode: "printed code"
    }
  }
}
