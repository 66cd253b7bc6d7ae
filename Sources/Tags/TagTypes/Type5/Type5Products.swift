/// The product of an ISO/IEC 15693 tag, according to its UID.
///
/// Byte 1 is the maker (ISO/IEC 7816-6), the next one is assigned by the maker. Sources: the data
/// sheets of the products (SL2S2002 rev. 4.2, section 8.2.1; SL2S2602; ST25DV, section 5; ST25DVxxKC;
/// ST25TV), NXP AN11809, and recorded tags. The size of the memory is asked of the tag.
struct Type5Product: Hashable, Sendable {
  /// The name, for example `ICODE SLIX2`.
  let name: String
  /// The number of user blocks of four bytes each, for readers that do not pass on the query for
  /// it; `nil` unless UID and data sheet leave no doubt.
  let usualBlockCount: Int?
  /// The type of its password; `nil` if it has none, or an unknown one.
  let passwords: Passwords?
  /// The blocks that LOCK BLOCK closes.
  let locking: Locking
  /// A Boolean value that indicates whether blocks are written and locked with the OPTION flag.
  let takesOption: Bool

  enum Passwords: Hashable, Sendable {
    /// GET RANDOM NUMBER and SET PASSWORD, four bytes; PROTECT PAGE.
    case slix2
  }

  /// The blocks that LOCK BLOCK closes.
  enum Locking: Hashable, Sendable {
    /// Every block, according to the data sheet.
    case everyBlock
    /// Blocks 0 and 1; ST's chips lock the rest by areas.
    case firstBlocks
    /// Not known: one block shows it.
    case unknown
  }

  private init(
    _ name: String, _ usualBlockCount: Int? = nil, _ passwords: Passwords? = nil,
    locking: Locking = .unknown, takesOption: Bool = false
  ) {
    (self.name, self.usualBlockCount) = (name, usualBlockCount)
    (self.passwords, self.locking, self.takesOption) = (passwords, locking, takesOption)
  }

  /// The name of a tag of no known product.
  static let unknownName = "Type 5"

  /// All names that a tag can have.
  static let names = [
    "ICODE SLI", "ICODE SLIX", "ICODE SLIX2", "ICODE DNA", "ICODE 3", "NTAG 5", "ICODE SLIX-S",
    "ICODE SLIX-L", "ST25TV", "ST25DV04K", "ST25DV", "ST25DV16K", "ST25DV64K", "ST25DV04KC",
    "ST25DV-KC", "ST25DV16KC", "ST25DV64KC", "LRi2K", "Tag-it", unknownName,
  ]

  /// - Parameter uid: Eight bytes, `E0` first.
  init(uid: [UInt8]) {
    guard uid.count == 8 else {
      self.init(Self.unknownName)
      return
    }
    switch (uid[1], uid[2]) {
    case (0x04, 0x01): self.init(icode: uid[3])
    case (0x04, 0x02): self.init("ICODE SLIX-S", 40, locking: .everyBlock)
    case (0x04, 0x03): self.init("ICODE SLIX-L", 8, locking: .everyBlock)
    case (0x02, 0x08), (0x02, 0x23), (0x02, 0x48): self.init("ST25TV", locking: .firstBlocks)
    case (0x02, 0x20...0x22): self.init("LRi2K")
    case (0x02, 0x24), (0x02, 0x25): self.init("ST25DV04K", 128, locking: .firstBlocks)
    case (0x02, 0x26), (0x02, 0x27): self.init("ST25DV", locking: .firstBlocks)
    case (0x02, 0x50), (0x02, 0x52): self.init("ST25DV04KC", 128, locking: .firstBlocks)
    case (0x02, 0x51), (0x02, 0x53): self.init("ST25DV-KC", locking: .firstBlocks)
    case (0x07, _): self.init("Tag-it", takesOption: true)
    default: self.init(Self.unknownName)
    }
  }

  /// A product of the family ICODE by byte 3 of its UID.
  ///
  /// The products up to ICODE DNA differ in bits 37 and 36 of the UID, counted from 1, and may have
  /// any serial number in the others; ICODE 3 and NTAG 5 have a whole byte. A byte that none of the
  /// data sheets and no recorded tag shows leaves the size in doubt.
  private init(icode byte: UInt8) {
    switch byte {
    case 0x20: self.init("ICODE 3", locking: .everyBlock)
    case 0x58: self.init("NTAG 5", locking: .everyBlock)
    default:
      let isCertain = byte & 0xE0 == 0 || byte == 0x50
      switch byte >> 3 & 0x03 {
      case 0: self.init("ICODE SLI", isCertain ? 28 : nil, locking: .everyBlock)
      case 1: self.init(Self.slix2Name, isCertain ? 79 : nil, .slix2, locking: .everyBlock)
      case 2: self.init("ICODE SLIX", isCertain ? 28 : nil, locking: .everyBlock)
      default: self.init("ICODE DNA", isCertain ? 63 : nil, locking: .everyBlock)
      }
    }
  }

  private static let slix2Name = "ICODE SLIX2"

  /// The number of user blocks of a tag that states a number of blocks.
  ///
  /// The one product that states more blocks than it has for data: an ICODE SLIX2 states 80, the
  /// last of which is its counter (SL2S2602, section 8.2; recorded tags).
  func userBlockCount(stated count: Int) -> Int {
    name == Self.slix2Name && count == 80 ? 79 : count
  }

  /// The same product, named by its number of blocks: ST's larger chips differ only in that.
  func name(blockCount: Int?) -> String {
    switch (name, blockCount) {
    case ("ST25DV", 512): "ST25DV16K"
    case ("ST25DV", 2048): "ST25DV64K"
    case ("ST25DV-KC", 512): "ST25DV16KC"
    case ("ST25DV-KC", 2048): "ST25DV64KC"
    default: name
    }
  }
}
