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
  /// No tag at all.
  case none

  /// A tag of this kind as it leaves the factory; `nil` for ``none``.
  ///
  /// - Parameter uid: Its UID, of the kind's size; `nil` for the kind's usual one.
  /// - Throws: `.malformedUID`.
  public func card(uid: [UInt8]? = nil) throws(SimulatedReaderError) -> (any SimulatedCard)? {
    guard let layout else { return nil }
    return try SimulatedTag(layout, uid: uid ?? SimulatedTag.defaultUID)
  }

  /// The memory map of a Type 2 tag; `nil` for any other kind.
  public var layout: Type2Layout? {
    switch self {
    case .ntag213: .ntag213
    case .ntag215: .ntag215
    case .ntag216: .ntag216
    case .ultralight: .ultralight
    case .none: nil
    }
  }
}
