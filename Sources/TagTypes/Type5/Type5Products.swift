/// The product of an ISO/IEC 15693 tag, according to its UID.
///
/// Byte 1 is the maker (ISO/IEC 7816-6), the next one is assigned by the maker. Sources: the data
/// sheets of the products (SL2S2002 rev. 4.2, section 8.2.1; SL2S2602; ST25DV, section 5; ST25TV),
/// and NXP AN11809.
struct Type5Product: Hashable, Sendable {
  /// The name, for example `ICODE SLIX2`.
  let name: String
  /// The number of user blocks of four bytes each; `nil` if the tag must be queried.
  let blockCount: Int?
  /// The type of its password; `nil` if it has none, or an unknown one.
  let passwords: Passwords?
  /// A Boolean value that indicates whether LOCK BLOCK closes any block; ST's chips support it for
  /// blocks 0 and 1 only.
  let locksBlocks: Bool

  enum Passwords: Hashable, Sendable {
    /// GET RANDOM NUMBER and SET PASSWORD, four bytes; PROTECT PAGE.
    case slix2
  }

  private init(
    _ name: String, _ blockCount: Int? = nil, _ passwords: Passwords? = nil,
    locksBlocks: Bool = true
  ) {
    (self.name, self.blockCount) = (name, blockCount)
    (self.passwords, self.locksBlocks) = (passwords, locksBlocks)
  }

  /// The name of a tag of no known product.
  static let unknownName = "Type 5"

  /// All names that a tag can have.
  static let names = [
    "ICODE SLI", "ICODE SLIX", "ICODE SLIX2", "ICODE DNA", "ICODE SLIX-S", "ICODE SLIX-L",
    "ST25TV", "ST25DV04K", "ST25DV", unknownName,
  ]

  /// - Parameter uid: Eight bytes, `E0` first.
  init(uid: [UInt8]) {
    guard uid.count == 8 else {
      self.init(Self.unknownName)
      return
    }
    switch (uid[1], uid[2]) {
    case (0x04, 0x01):
      // Bits 37 and 36, counted from 1.
      switch uid[3] >> 3 & 0x03 {
      case 0: self.init("ICODE SLI", 28)
      case 1: self.init("ICODE SLIX2", 79, .slix2)
      case 2: self.init("ICODE SLIX", 28)
      default: self.init("ICODE DNA", 63)
      }
    case (0x04, 0x02): self.init("ICODE SLIX-S", 40)
    case (0x04, 0x03): self.init("ICODE SLIX-L", 8)
    case (0x02, 0x08), (0x02, 0x23), (0x02, 0x48): self.init("ST25TV", locksBlocks: false)
    case (0x02, 0x24), (0x02, 0x25): self.init("ST25DV04K", 128, locksBlocks: false)
    case (0x02, 0x26), (0x02, 0x27): self.init("ST25DV", locksBlocks: false)
    default: self.init(Self.unknownName)
    }
  }
}
