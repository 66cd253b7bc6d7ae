/// What a tag shows over its memory, and where: digits in ASCII that are in no page.
///
/// A reader, and so a phone, gets the digits; the memory below them stays as it was written
/// (NTAG213/215/216 data sheet, section 8.7; NTAG210/212 data sheet, section 8.7).
public struct TagMirror: Hashable, Sendable {
  /// What is shown.
  public enum Kind: Hashable, Sendable, CaseIterable {
    /// The UID: 14 hexadecimal digits.
    case uid
    /// The NFC counter: 6 hexadecimal digits.
    case counter
    /// The UID, an `x`, and the NFC counter.
    case uidAndCounter

    /// How many characters are shown.
    package var characterCount: Int {
      switch self {
      case .uid: 14
      case .counter: 6
      case .uidAndCounter: 21
      }
    }

    /// Whether the NFC counter is shown.
    package var showsCounter: Bool { self != .uid }

    /// MIRROR_CONF, bits 7 and 6 of CFG0's first byte.
    var bits: UInt8 {
      switch self {
      case .uid: 1
      case .counter: 2
      case .uidAndCounter: 3
      }
    }
  }

  /// What is shown.
  public let kind: Kind
  /// The address of the first character, counted in bytes from page 0.
  package let start: Int

  /// Makes a mirror.
  init(_ kind: Kind, at start: Int) {
    self.kind = kind
    self.start = start
  }

  /// What CFG0 sets up; `nil` when it sets up none.
  init?(_ page: [UInt8], on layout: Type2Layout) {
    guard page.count == Type2Memory.pageByteCount,
      layout.userPages.contains(Int(page[2]))
    else { return nil }
    switch layout.mirroring {
    case .none: return nil
    case .uid: kind = .uid
    case .uidAndCounter:
      guard let kind = Kind.allCases.first(where: { $0.bits == page[0] >> 6 }) else { return nil }
      self.kind = kind
    }
    start = Int(page[2]) * Type2Memory.pageByteCount + Int(page[0] >> 4 & 0x03)
  }

  /// The page of the first character (MIRROR_PAGE).
  public var page: Int { start / Type2Memory.pageByteCount }

  /// Where in its page the first character lies (MIRROR_BYTE).
  public var byte: Int { start % Type2Memory.pageByteCount }

  /// The addresses that are shown over.
  var addresses: Range<Int> { start..<start + kind.characterCount }
}
