import TagTypes

/// Lock bytes: which pages they close, and how they take a write (NTAG21x data sheet, sections
/// 8.5.2 and 8.5.3; MF0ICU1, section 7.5.2; MF0ICU2, sections 7.5.2 and 7.5.3). Every bit can be
/// set and none cleared.
extension SimulatedTag {
  /// Whether a lock bit closes this page against writing.
  func isLocked(page: Int) -> Bool {
    // MIFARE Ultralight and Ultralight C take static lock bytes over at REQA or WUPA, others at
    // once; the sign of the others is that they tell their version.
    let locks = layout.version == nil ? latched.staticLocks : Array(memory[10..<12])
    switch page {
    case 3...7: return locks[0] & 1 << page != 0
    case 8...15: return locks[1] & 1 << (page - 8) != 0
    default: break
    }
    guard let dynamicLocks, let bit = dynamicLocks.bit(locking: page) else { return false }
    return memory[dynamicLocks.page * 4 + bit / 8] & 1 << (bit % 8) != 0
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

  /// The dynamic lock bits there are; `nil` for a product without.
  var dynamicLocks: DynamicLocks? {
    guard let page = layout.dynamicLockPage else { return nil }
    if layout.tripleDESPage != nil { return DynamicLocks(page: page, kind: .inPlace) }
    if isGeneric { return DynamicLocks(page: page, kind: .plain(bits: 24)) }
    let pagesPerBit = layout.userPages.upperBound < 0x30 ? 2 : 16
    let bits = (layout.userPages.upperBound - 16) / pagesPerBit + 1
    return DynamicLocks(page: page, kind: .blocked(bits: bits, pagesPerBit: pagesPerBit))
  }
}

/// The dynamic lock bytes of one product.
struct DynamicLocks: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// So many bits of two pages each, and nothing that freezes them.
    case plain(bits: Int)
    /// Lock bits in bytes 0 and 1; each bit of byte 2 freezes two of them.
    case blocked(bits: Int, pagesPerBit: Int)
    /// MIFARE Ultralight C: in byte 0 bits 0 and 4 freeze the three that follow and lock four pages
    /// each; in byte 1 the low half freezes the high half, whose bits lock the counter, AUTH0,
    /// AUTH1 and the key.
    case inPlace
  }

  /// The page the bytes are in.
  let page: Int
  let kind: Kind

  /// The bit, counted from the lowest of byte 0, that locks a page; `nil` when none does.
  func bit(locking locked: Int) -> Int? {
    guard locked >= 16 else { return nil }
    switch kind {
    case .plain(let bits):
      let bit = (locked - 16) / 2
      return locked < page && bit < bits ? bit : nil
    case .blocked(let bits, let pagesPerBit):
      let bit = (locked - 16) / pagesPerBit
      return locked < page && bit < bits ? bit : nil
    case .inPlace:
      switch locked {
      case 16..<40:
        let group = (locked - 16) / 4
        return group / 3 * 4 + 1 + group % 3
      case 41...43: return 8 + 4 + locked - 41
      case 44...47: return 15
      default: return nil
      }
    }
  }

  /// What the page holds after it was written.
  func bytes(afterWriting new: [UInt8], over old: [UInt8]) -> [UInt8] {
    switch kind {
    case .plain: return zip(old, new).map { $0 | $1 }.prefix(3) + [old[3]]
    case .blocked(let bits, _):
      let blocks = (bits + 1) / 2
      let blockMask = UInt8(truncatingIfNeeded: (1 << blocks) - 1)
      var writable = (1 << bits) - 1
      for block in 0..<blocks where old[2] & 1 << block != 0 {
        writable &= ~(0b11 << (2 * block))
      }
      return [
        old[0] | new[0] & UInt8(truncatingIfNeeded: writable),
        old[1] | new[1] & UInt8(truncatingIfNeeded: writable >> 8),
        old[2] | new[2] & blockMask,
        old[3],
      ]
    case .inPlace:
      var frozen: [UInt8] = [0, old[1] << 4]
      if old[0] & 0x01 != 0 { frozen[0] |= 0x0E }
      if old[0] & 0x10 != 0 { frozen[0] |= 0xE0 }
      return [old[0] | new[0] & ~frozen[0], old[1] | new[1] & ~frozen[1], old[2], old[3]]
    }
  }
}
