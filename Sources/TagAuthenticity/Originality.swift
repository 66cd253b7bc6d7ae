/// The result of checking a tag's originality signature.
public enum Originality: Hashable, Sendable {
  /// The maker signed this UID. A chip that copies the UID and signature of a genuine one also
  /// passes; only tags that compute (NTAG 424 DNA) are distinguishable from copies.
  case genuine
  /// The signature is not the maker's for this UID.
  case notGenuine
  /// The signature cannot be checked, for the reason given as a clause.
  case notCheckable(reason: String)

  /// The stable name in machine-readable output: `genuine`, `not-genuine` or `not-checkable`.
  public var name: String {
    switch self {
    case .genuine: "genuine"
    case .notGenuine: "not-genuine"
    case .notCheckable: "not-checkable"
    }
  }

  /// The reason why the signature cannot be checked; `nil` otherwise.
  public var reason: String? {
    if case .notCheckable(let reason) = self { reason } else { nil }
  }
}

/// The originality signature of NXP's tags: NXP signs the UID of each chip at the factory, and any
/// reader can request the signature (READ_SIG).
///
/// It is ECDSA over the UID as a number, without a digest (NXP AN11350, AN11341, AN12196 section
/// 7). The bytes of an ICODE's UID are in the order in which the tag sends them, the lowest first.
public enum OriginalitySignature {
  /// Verifies a signature.
  ///
  /// - Parameters:
  ///   - uid: The tag's UID, of any length.
  ///   - signature: The unmodified response to READ_SIG, of any length; `nil` if there was none.
  ///   - product: The product's name as in data sheets, for example `NTAG215`, `MIFARE Ultralight
  ///     EV1` or `NTAG 424 DNA`.
  public static func verdict(
    uid: [UInt8], signature: [UInt8]?, product: String
  ) -> Originality {
    guard let authority = Authority.of(product) else {
      return .notCheckable(reason: "no originality key of \(product) is known here")
    }
    guard let signature else {
      return .notCheckable(reason: "the tag gave no signature, which every \(product) has")
    }
    guard signature.count == 2 * authority.numberByteCount, !uid.isEmpty,
      uid.count <= authority.numberByteCount, !authority.isUIDReversed || uid.count == 8
    else { return .notGenuine }
    do throws(AuthenticityError) {
      let key = try PublicKey(curve: authority.curve, point: authority.point)
      let isGenuine = try key.verifies(
        authority.isUIDReversed ? uid.reversed() : uid, r: signature[..<authority.numberByteCount],
        s: signature[authority.numberByteCount...])
      return isGenuine ? .genuine : .notGenuine
    } catch {
      return .notCheckable(reason: error.message)
    }
  }

  /// Returns `true` if the product has a signature that can be checked, so that it is worth
  /// requesting.
  public static func isCheckable(product: String) -> Bool { Authority.of(product) != nil }
}

/// A public key with which NXP signs the UIDs of a family of products.
private struct Authority {
  /// The curve's name in SEC 2.
  let curve: String
  /// The size of each of the two numbers of a signature, in bytes.
  let numberByteCount: Int
  /// The public key, uncompressed.
  let point: [UInt8]
  /// A Boolean value that indicates whether the UID is signed with its last byte first.
  var isUIDReversed = false

  /// Returns the key for a product, or `nil` if none is known.
  static func of(_ product: String) -> Authority? {
    switch product {
    case "NTAG210", "NTAG212", "NTAG213", "NTAG215", "NTAG216": ntag21x
    case "NTAG 424 DNA", "NTAG 424 DNA TagTamper": ntag424
    case "ICODE SLIX2", "ICODE DNA": icode
    case let name where name.hasPrefix("MIFARE Ultralight EV1"): ultralightEV1
    default: nil
    }
  }

  /// NTAG21x: AN11350, "NTAG Originality Signature Validation".
  private static let ntag21x = Authority(
    curve: "secp128r1", numberByteCount: 16,
    point: [
      0x04,
      0x49, 0x4E, 0x1A, 0x38, 0x6D, 0x3D, 0x3C, 0xFE, 0x3D, 0xC1, 0x0E, 0x5D, 0xE6, 0x8A, 0x49,
      0x9B,
      0x1C, 0x20, 0x2D, 0xB5, 0xB1, 0x32, 0x39, 0x3E, 0x89, 0xED, 0x19, 0xFE, 0x5B, 0xE8, 0xBC,
      0x61,
    ])

  /// MIFARE Ultralight EV1: AN11341, "MIFARE Ultralight EV1 Originality Signature Validation".
  private static let ultralightEV1 = Authority(
    curve: "secp128r1", numberByteCount: 16,
    point: [
      0x04,
      0x90, 0x93, 0x3B, 0xDC, 0xD6, 0xE9, 0x9B, 0x4E, 0x25, 0x5E, 0x3D, 0xA5, 0x53, 0x89, 0xA8,
      0x27,
      0x56, 0x4E, 0x11, 0x71, 0x8E, 0x01, 0x72, 0x92, 0xFA, 0xF2, 0x32, 0x26, 0xA9, 0x66, 0x14,
      0xB8,
    ])

  /// ICODE: from public tools, such as the client of Proxmark3. Recorded signatures of three chips
  /// verify with it.
  private static let icode = Authority(
    curve: "secp128r1", numberByteCount: 16,
    point: [
      0x04,
      0x88, 0x78, 0xA2, 0xA2, 0xD3, 0xEE, 0xC3, 0x36, 0xB4, 0xF2, 0x61, 0xA0, 0x82, 0xBD, 0x71,
      0xF9,
      0xBE, 0x11, 0xC4, 0xE2, 0xE8, 0x96, 0x64, 0x8B, 0x32, 0xEF, 0xA5, 0x9C, 0xEA, 0x6E, 0x59,
      0xF0,
    ], isUIDReversed: true)

  /// NTAG 424 DNA: AN12196, section 7.2.
  private static let ntag424 = Authority(
    curve: "secp224r1", numberByteCount: 28,
    point: [
      0x04,
      0x8A, 0x9B, 0x38, 0x0A, 0xF2, 0xEE, 0x1B, 0x98, 0xDC, 0x41, 0x7F, 0xEC, 0xC2, 0x63, 0xF8,
      0x44, 0x9C, 0x76, 0x25, 0xCE, 0xCE, 0x82, 0xD9, 0xB9, 0x16, 0xC9, 0x92, 0xDA,
      0x20, 0x9D, 0x68, 0x42, 0x2B, 0x81, 0xEC, 0x20, 0xB6, 0x5A, 0x66, 0xB5, 0x10, 0x2A, 0x61,
      0x59, 0x6A, 0xF3, 0x37, 0x92, 0x00, 0x59, 0x93, 0x16, 0xA0, 0x0A, 0x14, 0x10,
    ])
}
