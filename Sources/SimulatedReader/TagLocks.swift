import TagTypes

/// Lock bytes: which pages they close, and how they take a write (NTAG21x data sheet, sections
/// 8.5.2 and 8.5.3; MF0ICU1, section 7.5.2). Every bit can be set and none cleared.
extension SimulatedTag {
  /// Whether a lock bit closes this page against writing.
  func isLocked(page: Int) -> Bool {
    // MF0ICU1 takes its lock bytes over at REQA or WUPA, an NTAG at once.
    let locks = layout.dynamicLockPage == nil ? latched.staticLocks : Array(memory[10..<12])
    switch page {
    case 3...7: return locks[0] & 1 << page != 0
    case 8...15: return locks[1] & 1 << (page - 8) != 0
    default: break
    }
    guard let dynamic = layout.dynamicLockPage, (16..<dynamic).contains(page) else { return false }
    let bit = (page - 16) / pagesPerDynamicLockBit
    return memory[dynamic * 4 + bit / 8] & 1 << (bit % 8) != 0
  }

  /// The static lock bytes after the last two bytes of page 2 were written with `new`.
  func staticLocks(afterWriting new: [UInt8]) -> [UInt8] {
    let old = Array(memory[10..<12])
    var frozen: [UInt8] = [0, 0]
    if old[0] & 0x01 != 0 { frozen[0] |= 0x08 }
    if old[0] & 0x02 != 0 {
      frozen[0] |= 0xF0
      frozen[1] |= 0x03
    }
    if old[0] & 0x04 != 0 { frozen[1] |= 0xFC }
    return (0..<2).map { old[$0] | (new[$0] & ~frozen[$0]) }
  }

  /// The dynamic lock page after it was written with `new`.
  func dynamicLocks(afterWriting new: [UInt8], old: [UInt8]) -> [UInt8] {
    let blocks = (dynamicLockBits + 1) / 2
    let blockMask = UInt8(truncatingIfNeeded: (1 << blocks) - 1)
    var writable = (1 << dynamicLockBits) - 1
    for block in 0..<blocks where old[2] & 1 << block != 0 { writable &= ~(0b11 << (2 * block)) }
    return [
      old[0] | new[0] & UInt8(truncatingIfNeeded: writable),
      old[1] | new[1] & UInt8(truncatingIfNeeded: writable >> 8),
      old[2] | new[2] & blockMask,
      old[3],
    ]
  }

  /// NTAG213 locks two pages with a bit, its larger sisters sixteen.
  private var pagesPerDynamicLockBit: Int { layout.userPages.upperBound < 0x30 ? 2 : 16 }

  private var dynamicLockBits: Int {
    (layout.userPages.upperBound - 16) / pagesPerDynamicLockBit + 1
  }
}
