/// The result of checking a tag's originality signature.
public enum Originality: Hashable, Sendable {
  /// The maker signed this UID. A chip that copies the UID and signature of a genuine one also
  /// passes; only tags that compute (NTAG 424 DNA) are distinguishable from copies.
  case genuine
  /// No known key of the maker's verifies the signature for this UID, although all keys of the
  /// product are published and its signature cannot be replaced.
  case notGenuine
  /// No known key verifies the signature, which proves nothing, for the reason given as a clause.
  case unverified(reason: String)
  /// The signature cannot be checked, for the reason given as a clause.
  case notCheckable(reason: String)

  /// The stable name in machine-readable output: `genuine`, `not-genuine` or `not-checkable`, also
  /// for ``unverified(reason:)``.
  public var name: String {
    switch self {
    case .genuine: "genuine"
    case .notGenuine: "not-genuine"
    case .unverified, .notCheckable: "not-checkable"
    }
  }

  /// The reason why the signature proves nothing or cannot be checked; `nil` otherwise.
  public var reason: String? {
    switch self {
    case .unverified(let reason), .notCheckable(let reason): reason
    case .genuine, .notGenuine: nil
    }
  }

  /// A Boolean value that indicates whether the tag has a signature that no known key verifies: the
  /// maker that such a tag states is unproven.
  public var hasUnverifiedSignature: Bool {
    switch self {
    case .notGenuine, .unverified: true
    case .genuine, .notCheckable: false
    }
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
    guard let rule = SignatureRule.of(product) else {
      return .notCheckable(reason: "the originality key of \(product) is unknown")
    }
    guard let signature else {
      return .notCheckable(reason: "the tag returned no signature, unlike a genuine \(product)")
    }
    do throws(AuthenticityError) {
      for authority in rule.authorities {
        if try authority.verifies(signature, of: uid, isUIDReversed: rule.isUIDReversed) {
          return .genuine
        }
      }
    } catch {
      return .notCheckable(reason: error.message)
    }
    let unverified = "no key known here verifies the signature, and "
    return switch rule.failure {
    case .proof: .notGenuine
    case .replaceable:
      .unverified(reason: unverified + "a customer can replace that of an \(product)")
    case .otherKeys:
      .unverified(reason: unverified + "NXP has not published every key of \(product)")
    }
  }

  /// Returns `true` if the product has a signature that can be checked, so that it is worth
  /// requesting.
  public static func isCheckable(product: String) -> Bool { SignatureRule.of(product) != nil }
}

/// The keys and the form of a product's signature.
private struct SignatureRule {
  /// The keys that NXP signs the product with; one of them verifies a genuine signature.
  let authorities: [Authority]
  /// A Boolean value that indicates whether the UID is signed with its last byte first.
  var isUIDReversed = false
  /// The meaning of a signature that no key of ``authorities`` verifies.
  var failure = Failure.proof

  /// The meaning of a signature that no known key verifies.
  enum Failure {
    /// The signature is not the maker's.
    case proof
    /// Customers can store a signature of their own.
    case replaceable
    /// There may be keys that are not published.
    case otherKeys
  }

  /// Returns the rule of a product, or `nil` if no key is known.
  static func of(_ product: String) -> SignatureRule? {
    switch product {
    case "NTAG210", "NTAG212", "NTAG213", "NTAG215", "NTAG216":
      SignatureRule(authorities: [.ntag21x, .unnamed])
    case "NTAG 413 DNA": SignatureRule(authorities: [.ntag413])
    case "NTAG 424 DNA", "NTAG 424 DNA TagTamper":
      SignatureRule(authorities: [.ntag424, .ntag424Second])
    case "ICODE SLIX2", "ICODE DNA": SignatureRule(authorities: [.icode], isUIDReversed: true)
    // Signatures of two NTAG 5 verify with the key of the NTAG21x.
    case "ICODE 3", "NTAG 5":
      SignatureRule(authorities: [.icode, .ntag21x], isUIDReversed: true, failure: .replaceable)
    case "MIFARE Ultralight AES":
      SignatureRule(authorities: [.ultralightAES, .ultralightAESSecond], failure: .otherKeys)
    case "NTAG 223 DNA", "NTAG 223 DNA StatusDetect", "NTAG 224 DNA", "NTAG 224 DNA StatusDetect":
      SignatureRule(authorities: [.ntag22x], failure: .otherKeys)
    case let name where name.hasPrefix("MIFARE Ultralight EV1"):
      SignatureRule(authorities: [.ultralightEV1, .unnamed])
    default: nil
    }
  }
}

/// A public key with which NXP signs UIDs.
private struct Authority {
  /// The curve's name in SEC 2; secp192r1 has OpenSSL's name for it.
  let curve: String
  /// The size of each of the two numbers of a signature, in bytes.
  let numberByteCount: Int
  /// The public key, uncompressed.
  let point: [UInt8]

  /// Returns `true` if the key verifies a signature of a UID.
  func verifies(
    _ signature: [UInt8], of uid: [UInt8], isUIDReversed: Bool
  ) throws(AuthenticityError) -> Bool {
    guard signature.count == 2 * numberByteCount, !uid.isEmpty, uid.count <= numberByteCount,
      !isUIDReversed || uid.count == 8
    else { return false }
    return try PublicKey(curve: curve, point: point).verifies(
      isUIDReversed ? uid.reversed() : uid, r: signature[..<numberByteCount],
      s: signature[numberByteCount...])
  }

  /// NTAG21x: AN11350, "NTAG Originality Signature Validation".
  static let ntag21x = Authority(
    curve: "secp128r1", numberByteCount: 16,
    point: [
      0x04,
      0x49, 0x4E, 0x1A, 0x38, 0x6D, 0x3D, 0x3C, 0xFE, 0x3D, 0xC1, 0x0E, 0x5D, 0xE6, 0x8A, 0x49,
      0x9B,
      0x1C, 0x20, 0x2D, 0xB5, 0xB1, 0x32, 0x39, 0x3E, 0x89, 0xED, 0x19, 0xFE, 0x5B, 0xE8, 0xBC,
      0x61,
    ])

  /// MIFARE Ultralight EV1: AN11341, "MIFARE Ultralight EV1 Originality Signature Validation".
  static let ultralightEV1 = Authority(
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
  static let icode = Authority(
    curve: "secp128r1", numberByteCount: 16,
    point: [
      0x04,
      0x88, 0x78, 0xA2, 0xA2, 0xD3, 0xEE, 0xC3, 0x36, 0xB4, 0xF2, 0x61, 0xA0, 0x82, 0xBD, 0x71,
      0xF9,
      0xBE, 0x11, 0xC4, 0xE2, 0xE8, 0x96, 0x64, 0x8B, 0x32, 0xEF, 0xA5, 0x9C, 0xEA, 0x6E, 0x59,
      0xF0,
    ])

  /// A key of Ultralight EV1 and NTAG21x of some series: from public tools, which have it from NXP's
  /// TagInfo.
  static let unnamed = Authority(
    curve: "secp128r1", numberByteCount: 16,
    point: [
      0x04,
      0xA7, 0x48, 0xB6, 0xA6, 0x32, 0xFB, 0xEE, 0x2C, 0x08, 0x97, 0x70, 0x2B, 0x33, 0xBE, 0xA1,
      0xC0,
      0x74, 0x99, 0x8E, 0x17, 0xB8, 0x4A, 0xCA, 0x04, 0xFF, 0x26, 0x7E, 0x5D, 0x2C, 0x91, 0xF6,
      0xDC,
    ])

  /// MIFARE Ultralight AES: AN13452, "MIFARE Ultralight AES features and hints". Two published
  /// signatures verify with it.
  static let ultralightAES = Authority(
    curve: "prime192v1", numberByteCount: 24,
    point: [
      0x04,
      0x53, 0xBF, 0x8C, 0x49, 0xB7, 0xBD, 0x9F, 0xE3, 0x20, 0x7A, 0x91, 0x51,
      0x3B, 0x9C, 0x1D, 0x23, 0x8E, 0xCA, 0xB0, 0x71, 0x86, 0xB7, 0x72, 0x10,
      0x4A, 0xB5, 0x35, 0xF7, 0xD3, 0xAE, 0x63, 0xCF, 0x7C, 0x7F, 0x3D, 0xD0,
      0xD1, 0x69, 0xDA, 0x3E, 0x99, 0xE4, 0x3C, 0x63, 0x99, 0x62, 0x1A, 0x86,
    ])

  /// MIFARE Ultralight AES of a customer's series: from public tools, which have it from NXP's
  /// TagInfo. Two published signatures verify with it.
  static let ultralightAESSecond = Authority(
    curve: "prime192v1", numberByteCount: 24,
    point: [
      0x04,
      0xDC, 0x34, 0xDA, 0xA9, 0x03, 0xF2, 0x72, 0x6A, 0x62, 0x25, 0xB1, 0x1C,
      0x69, 0x2A, 0xF6, 0xAB, 0x43, 0x96, 0x57, 0x5C, 0xA1, 0x28, 0x10, 0xCB,
      0xBC, 0xE3, 0xF7, 0x81, 0xA0, 0x97, 0xB3, 0x83, 0x3B, 0x50, 0xAB, 0x36,
      0x4A, 0x70, 0xD9, 0xC2, 0xB6, 0x41, 0xA7, 0x28, 0xA5, 0x99, 0xAE, 0x74,
    ])

  /// NTAG 223 DNA and NTAG 224 DNA: from public tools. One published signature verifies with it.
  static let ntag22x = Authority(
    curve: "prime192v1", numberByteCount: 24,
    point: [
      0x04,
      0x85, 0xD5, 0xB9, 0x35, 0x3B, 0x4F, 0xAA, 0x77, 0x58, 0x1B, 0xA2, 0xAE,
      0x96, 0x63, 0x0C, 0x58, 0x76, 0xD6, 0xE8, 0x60, 0x33, 0x08, 0xAB, 0xE9,
      0xA8, 0x1A, 0x0B, 0x50, 0x6F, 0x52, 0xD0, 0x2D, 0x04, 0xFE, 0xE6, 0xF2,
      0xD3, 0x65, 0xB3, 0xDE, 0xE7, 0xB9, 0xFA, 0xD9, 0x13, 0x3E, 0x29, 0x76,
    ])

  /// NTAG 413 DNA: from public tools.
  static let ntag413 = Authority(
    curve: "secp224r1", numberByteCount: 28,
    point: [
      0x04,
      0xBB, 0x5D, 0x51, 0x4F, 0x70, 0x50, 0x02, 0x5C, 0x7D, 0x0F, 0x39, 0x73, 0x10, 0x36, 0x0E,
      0xEC, 0x91, 0xEA, 0xF7, 0x92, 0xE9, 0x6F, 0xC7, 0xE0, 0xF4, 0x96, 0xCB, 0x4E,
      0x66, 0x9D, 0x41, 0x4F, 0x87, 0x7B, 0x7B, 0x27, 0x90, 0x1F, 0xE6, 0x7C, 0x2E, 0x3B, 0x33,
      0xCD, 0x39, 0xD1, 0xC7, 0x97, 0x71, 0x51, 0x89, 0xAC, 0x95, 0x1C, 0x2A, 0xDD,
    ])

  /// NTAG 424 DNA of other series: from public tools.
  static let ntag424Second = Authority(
    curve: "secp224r1", numberByteCount: 28,
    point: [
      0x04,
      0xB3, 0x04, 0xDC, 0x4C, 0x61, 0x5F, 0x53, 0x26, 0xFE, 0x93, 0x83, 0xDD, 0xEC, 0x9A, 0xA8,
      0x92, 0xDF, 0x3A, 0x57, 0xFA, 0x7F, 0xFB, 0x32, 0x76, 0x19, 0x2B, 0xC0, 0xEA,
      0xA2, 0x52, 0xED, 0x45, 0xA8, 0x65, 0xE3, 0xB0, 0x93, 0xA3, 0xD0, 0xDC, 0xE5, 0xBE, 0x29,
      0xE9, 0x2F, 0x13, 0x92, 0xCE, 0x7D, 0xE3, 0x21, 0xE3, 0xE5, 0xC5, 0x2B, 0x3A,
    ])

  /// NTAG 424 DNA: AN12196, section 7.2.
  static let ntag424 = Authority(
    curve: "secp224r1", numberByteCount: 28,
    point: [
      0x04,
      0x8A, 0x9B, 0x38, 0x0A, 0xF2, 0xEE, 0x1B, 0x98, 0xDC, 0x41, 0x7F, 0xEC, 0xC2, 0x63, 0xF8,
      0x44, 0x9C, 0x76, 0x25, 0xCE, 0xCE, 0x82, 0xD9, 0xB9, 0x16, 0xC9, 0x92, 0xDA,
      0x20, 0x9D, 0x68, 0x42, 0x2B, 0x81, 0xEC, 0x20, 0xB6, 0x5A, 0x66, 0xB5, 0x10, 0x2A, 0x61,
      0x59, 0x6A, 0xF3, 0x37, 0x92, 0x00, 0x59, 0x93, 0x16, 0xA0, 0x0A, 0x14, 0x10,
    ])
}
