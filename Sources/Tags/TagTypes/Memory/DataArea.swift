/// The bytes of a tag that TLV blocks may use, in order.
///
/// The area begins at page 4 of a Type 2 tag, or after the capability container of a Type 5 tag,
/// and has the length stated in the container. Lock bytes and memory reserved by a control TLV
/// inside it are skipped, so that a TLV block can continue around them. NFC Forum, Type 2 Tag 1.1,
/// section 6.3.
struct DataArea: Hashable, Sendable {
  /// The address of each usable byte, counted from page 0.
  private(set) var addresses: [Int]

  /// Makes an area of `byteCount` bytes from an address on; a Type 2 tag's begins at page 4.
  init(byteCount: Int, from start: Int = 4 * TagMemory.pageByteCount) {
    addresses = Array(start..<start + byteCount)
  }

  var count: Int { addresses.count }

  /// The page that holds the usable byte at `offset`.
  func page(of offset: Int) -> Int { addresses[offset] / TagMemory.pageByteCount }

  /// The index in its page of the usable byte at `offset`.
  func indexInPage(of offset: Int) -> Int { addresses[offset] % TagMemory.pageByteCount }

  /// Removes addresses after the usable byte at `offset`.
  mutating func reserve(_ reserved: Range<Int>, behind offset: Int) {
    let kept = addresses[min(offset, count)...].filter { !reserved.contains($0) }
    addresses = Array(addresses[..<min(offset, count)]) + kept
  }
}

/// The position of dynamic lock bits and the memory that each locks, according to a product's data
/// sheet or a Lock Control TLV (NFC Forum, Type 2 Tag 1.1, section 2.3.2).
struct DynamicLockBits: Hashable, Sendable {
  /// The address of the first lock byte, counted from page 0.
  let address: Int
  /// The number of bits that lock memory, 1 to 256.
  let count: Int
  /// The number of bytes locked by one bit; those of the first bit begin after page 15.
  let bytesPerBit: Int
  /// A Boolean value that indicates whether every fourth bit, from the first on, locks only the
  /// three bits after it (MIFARE Ultralight C data sheet, section 7.5.3).
  let blocksLocksInPlace: Bool

  /// Reads the three bytes of a Lock Control TLV's value.
  init(_ value: [UInt8]) {
    address = Self.address(value)
    count = value[1] == 0 ? 256 : Int(value[1])
    bytesPerBit = 1 << Int(value[2] >> 4)
    blocksLocksInPlace = false
  }

  init(page: Int, count: Int, pagesPerBit: Int, blocksLocksInPlace: Bool) {
    address = page * TagMemory.pageByteCount
    self.count = count
    bytesPerBit = pagesPerBit * TagMemory.pageByteCount
    self.blocksLocksInPlace = blocksLocksInPlace
  }

  /// The bytes that contain the lock bits.
  var reserved: Range<Int> { address..<address + (position(of: count - 1) + 8) / 8 }

  /// The pages that contain the lock bits.
  var pages: ClosedRange<Int> {
    let size = TagMemory.pageByteCount
    return reserved.lowerBound / size...(reserved.upperBound - 1) / size
  }

  /// The bit that locks a page; `nil` if there is none.
  func bit(for page: Int) -> Int? {
    let firstLocked = 16 * TagMemory.pageByteCount
    let distance = page * TagMemory.pageByteCount - firstLocked
    guard distance >= 0, distance / bytesPerBit < count else { return nil }
    return position(of: distance / bytesPerBit)
  }

  /// The position among all bits of the one that locks part number `index` of the memory.
  private func position(of index: Int) -> Int {
    blocksLocksInPlace ? index + index / 3 + 1 : index
  }

  /// The bytes reserved by a Memory Control TLV (section 2.3.3).
  static func reservedMemory(_ value: [UInt8]) -> Range<Int> {
    let start = address(value)
    return start..<start + (value[1] == 0 ? 256 : Int(value[1]))
  }

  private static func address(_ value: [UInt8]) -> Int {
    Int(value[0] >> 4) << Int(value[2] & 0x0F) + Int(value[0] & 0x0F)
  }
}
