/// CFG0 and CFG1 of a tag: mirror, password start and access.
///
/// A view of the eight bytes. Changes are made in a copy, which preserves every other bit, since
/// most of them have a meaning on some product. NTAG213/215/216 data sheet, section 8.5.7;
/// NTAG210/212, section 8.5.7; MF0ULx1, section 8.5.6.
public struct Type2Configuration: Hashable, Sendable {
  private enum Access {
    static let protectsReading: UInt8 = 0x80
    static let isLocked: UInt8 = 0x40
    static let counterIsEnabled: UInt8 = 0x10
    static let counterNeedsPassword: UInt8 = 0x08
    static let wrongPasswordLimit: UInt8 = 0x07
  }

  /// The eight bytes of CFG0 and CFG1.
  package private(set) var bytes: [UInt8]
  private let layout: Type2Layout

  /// Makes a configuration of the bytes of a product's two pages.
  init(_ bytes: [UInt8], on layout: Type2Layout) {
    self.bytes = bytes
    self.layout = layout
  }

  /// The four bytes of CFG0.
  package var firstPage: [UInt8] { Array(bytes[..<4]) }

  /// The four bytes of CFG1.
  package var secondPage: [UInt8] { Array(bytes[4...]) }

  /// The mirror over the memory (MIRROR); `nil` if there is none.
  public var mirror: TagMirror? { TagMirror(firstPage, on: layout) }

  /// The first page that requires the password (AUTH0); `nil` if no page of the tag does.
  public var firstProtectedPage: Int? {
    Int(bytes[3]) < layout.pageCount ? Int(bytes[3]) : nil
  }

  /// A Boolean value that indicates whether reading requires the password too, not only writing
  /// (PROT).
  public var protectsReading: Bool { bytes[4] & Access.protectsReading != 0 }

  /// A Boolean value that indicates whether CFG0 and CFG1 can never be written again (CFGLCK).
  public var isLocked: Bool { bytes[4] & Access.isLocked != 0 }

  /// A Boolean value that indicates whether the tag counts its readings (NFC_CNT_EN).
  public var counterIsEnabled: Bool {
    layout.hasCounter && bytes[4] & Access.counterIsEnabled != 0
  }

  /// A Boolean value that indicates whether reading the counter, mirrored or not, requires the
  /// password (NFC_CNT_PWD_PROT).
  public var counterNeedsPassword: Bool {
    layout.hasCounter && bytes[4] & Access.counterNeedsPassword != 0
  }

  /// The number of consecutive wrong passwords that permanently closes the protected memory
  /// (AUTHLIM), 1 to 7; 0 for no limit. A correct one before that resets the count (NTAG21x data
  /// sheet, section 8.8.2).
  public var wrongPasswordLimit: Int { Int(bytes[4] & Access.wrongPasswordLimit) }

  /// Returns a copy with another mirror, or none.
  ///
  /// - Parameter mirror: A mirror that this product supports.
  package func with(mirror: TagMirror?) -> Type2Configuration {
    var copy = self
    let position = UInt8(mirror?.byte ?? 0) << 4
    copy.bytes[2] = UInt8(mirror?.page ?? 0)
    switch layout.mirroring {
    case .none: return self
    case .uid: copy.bytes[0] = bytes[0] & 0xCF | position
    case .uidAndCounter:
      copy.bytes[0] = bytes[0] & 0x0F | (mirror?.kind.bits ?? 0) << 6 | position
    }
    return copy
  }

  /// Returns a copy in which the password protects the pages from this one on, or, with `nil`,
  /// none.
  package func with(firstProtectedPage: UInt8?) -> Type2Configuration {
    var copy = self
    copy.bytes[3] = firstProtectedPage ?? 0xFF
    return copy
  }

  /// Returns a copy in which reading requires the password too, or does not.
  package func with(protectsReading: Bool) -> Type2Configuration {
    with(Access.protectsReading, protectsReading)
  }

  /// Returns a copy that counts the tag's readings, or does not.
  package func with(counterIsEnabled: Bool) -> Type2Configuration {
    with(Access.counterIsEnabled, counterIsEnabled)
  }

  /// Returns a copy with another limit of wrong passwords.
  ///
  /// - Parameter wrongPasswordLimit: 0 (none) to 7.
  package func with(wrongPasswordLimit: Int) -> Type2Configuration {
    var copy = self
    copy.bytes[4] =
      bytes[4] & ~Access.wrongPasswordLimit
      | UInt8(clamping: wrongPasswordLimit) & Access.wrongPasswordLimit
    return copy
  }

  /// Returns a copy that can never be written again.
  package func locked() -> Type2Configuration { with(Access.isLocked, true) }

  private func with(_ bit: UInt8, _ isSet: Bool) -> Type2Configuration {
    var copy = self
    copy.bytes[4] = isSet ? bytes[4] | bit : bytes[4] & ~bit
    return copy
  }
}

extension Type2Tag {
  /// CFG0 and CFG1, if the product has them and both have been read.
  public var configuration: Type2Configuration? {
    guard let page = layout.configurationPage, let first = memory[page],
      let second = memory[page + 1]
    else { return nil }
    return Type2Configuration(first + second, on: layout)
  }

  /// The mirror over the tag's memory, if known.
  public var mirror: TagMirror? {
    layout.configurationPage.flatMap { memory[$0] }.flatMap { TagMirror($0, on: layout) }
  }
}
