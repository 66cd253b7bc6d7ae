public import TagTypes

/// What may lie on a simulated reader, by the names the command uses.
public enum SimulatedTagKind: String, CaseIterable, Hashable, Sendable {
  /// NXP NTAG213, 144 user bytes.
  case ntag213
  /// NXP NTAG215, 504 user bytes.
  case ntag215
  /// NXP NTAG216, 888 user bytes.
  case ntag216
  /// NXP MIFARE Ultralight (MF0ICU1), 48 user bytes, blank from the factory.
  case ultralight
  /// NXP NTAG 413 DNA, a Type 4 tag with an NDEF file of 128 bytes.
  case ntag413
  /// NXP NTAG 424 DNA, a Type 4 tag with an NDEF file of 256 bytes.
  case ntag424
  /// NXP MIFARE DESFire EV1 formatted as a Type 4 tag with an NDEF file of 2048 bytes.
  case desfire
  /// A Type 4 tag of no particular maker, with an NDEF file of 2048 bytes.
  case type4
  /// No tag at all.
  case none

  /// A tag of this kind as it leaves the factory; `nil` for ``none``.
  ///
  /// - Parameter uid: Its UID, of the kind's size; `nil` for the kind's usual one.
  /// - Throws: `.malformedUID`.
  public func card(uid: [UInt8]? = nil) throws(SimulatedReaderError) -> (any SimulatedCard)? {
    let uid = uid ?? SimulatedTag.defaultUID
    if let layout { return try SimulatedTag(layout, uid: uid) }
    if let product = type4Product { return try SimulatedType4Tag(product, uid: uid) }
    return nil
  }

  /// The memory map of a Type 2 tag; `nil` for any other kind.
  public var layout: Type2Layout? {
    switch self {
    case .ntag213: .ntag213
    case .ntag215: .ntag215
    case .ntag216: .ntag216
    case .ultralight: .ultralight
    default: nil
    }
  }

  /// The product of a Type 4 tag; `nil` for any other kind.
  public var type4Product: Type4Product? {
    switch self {
    case .ntag413: .ntag413
    case .ntag424: .ntag424
    case .desfire: .desfire
    case .type4: .generic()
    default: nil
    }
  }
}
