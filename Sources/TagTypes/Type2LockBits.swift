/// The lock bytes of a Type 2 tag: what they can still become, and which of them lock everything.
///
/// Every bit can be set and none cleared, and a block-lock bit freezes the lock bits of its group
/// as they are. NTAG21x data sheet (rev. 3.2), sections 8.5.2 and 8.5.3; MF0ICU1, section 7.5.2.
extension Type2Tag {
  /// A write to dynamic lock bits.
  typealias DynamicLock = (
    purpose: LockPlan.Step.Purpose, page: Int, sent: [UInt8], after: [UInt8]
  )

  /// Page 2 after `F8 FF`, or for freezing `FF FF`, was written to its lock bytes; `nil` when the
  /// page could not be read.
  ///
  /// `F8 FF` locks pages 3 to 15; `FF FF` sets the three block-lock bits too, so that nobody can tell
  /// later whether a bit was left out on purpose.
  func lockedStatically(freezing: Bool) -> [UInt8]? {
    guard var page = memory[2] else { return nil }
    var frozen = 0
    if page[2] & 0x01 != 0 { frozen |= 0x0008 }
    if page[2] & 0x02 != 0 { frozen |= 0x03F0 }
    if page[2] & 0x04 != 0 { frozen |= 0xFC00 }
    page[2] |= (freezing ? 0xFF : 0xF8) & ~UInt8(frozen & 0xFF)
    page[3] |= ~UInt8(frozen >> 8)
    return page
  }

  /// Pages with dynamic lock bits after everything they lock was written to them, and after that
  /// was frozen: the bytes to send, and how the page then reads. Empty when the product has none.
  ///
  /// Bits that are reserved for future use are sent as 0 (NTAG21x data sheet, section 8.5.3).
  func lockedDynamically(
    lockingConfiguration: Bool
  ) throws(TagError) -> [DynamicLock] {
    if layout.isKnownProduct {
      guard let page = layout.dynamicLockPage, let before = memory[page] else { return [] }
      let sent = layout.everyDynamicLock(lockingConfiguration: lockingConfiguration)
      let frozen = layout.frozenLocks(before)
      let after = zip(before, zip(sent, frozen)).map { $0 | $1.0 & ~$1.1 }
      guard
        !lockingConfiguration
          || zip(after, layout.lockBitsOfKeySettings).allSatisfy({ $0 & $1 == $1 })
      else {
        throw TagError(
          .tagLocked,
          "the key settings of \(name) \(uid.hexadecimal) can never be locked: their lock bits are "
            + "frozen",
          hint: "use another tag: this cannot be undone", page: page, uid: uid)
      }
      let blocks = layout.dynamicBlockLocks
      let locks = zip(sent, blocks).map { $0 & ~$1 }
      let locked = zip(before, zip(locks, frozen)).map { $0 | $1.0 & ~$1.1 }
      return [(.lockDynamically, page, locks, locked), (.freezeDynamically, page, sent, after)]
    }
    return try lockedByControlBlock()
  }

  /// The same of a product that is known only by its Lock Control TLV (NFC Forum, Type 2 Tag 1.1,
  /// section 2.3.2), which has no block-lock bits.
  private func lockedByControlBlock() throws(TagError) -> [DynamicLock] {
    guard let bits = map.lockBits else { return [] }
    // The block is data that anybody may have written: UID, locks and container are not for it.
    guard bits.address >= 16 * Type2Memory.pageByteCount, bits.pages.upperBound <= 0xFF else {
      throw TagError(
        .tagUnsupported,
        "the Lock Control block of \(name) \(uid.hexadecimal) names bytes at \(bits.address), "
          + "where no lock bits can be",
        hint: "use a tag of a known product, such as an NTAG213", uid: uid)
    }
    var pages: [DynamicLock] = []
    for page in bits.pages {
      guard var bytes = memory[page] else {
        throw TagError(
          .tagUnsupported,
          "the lock bits of \(name) \(uid.hexadecimal) should be on page \(page), which cannot be "
            + "read",
          hint: "use a tag of a known product, such as an NTAG213", page: page, uid: uid)
      }
      for bit in 0..<bits.count where (bits.address + bit / 8) / Type2Memory.pageByteCount == page {
        bytes[(bits.address + bit / 8) % Type2Memory.pageByteCount] |= 1 << (bit % 8)
      }
      pages.append((.lockDynamically, page, bytes, bytes))
    }
    return pages
  }
}

extension Type2Layout {
  /// The dynamic lock page with every bit set that locks memory or such bits. NTAG and Ultralight
  /// EV1 have in byte 2 one block-lock bit for every two lock bits; on Ultralight C (MF0ICU2 data
  /// sheet, section 7.5.3) bits 0 and 4 of byte 0 block the three behind them.
  fileprivate func everyDynamicLock(lockingConfiguration: Bool) -> [UInt8] {
    guard let bits = dynamicLockBits else { return [0, 0, 0, 0] }
    if bits.blocksLocksInPlace {
      return [0xFF, lockingConfiguration ? 0x66 : 0, 0, 0]
    }
    let count = bits.count
    let locks = (1 << count) - 1
    let blocks = (1 << ((count + 1) / 2)) - 1
    return [UInt8(locks & 0xFF), UInt8(locks >> 8 & 0xFF), UInt8(blocks & 0xFF), 0]
  }

  /// Of the dynamic lock page, the bits that freeze others.
  fileprivate var dynamicBlockLocks: [UInt8] {
    dynamicLockBits?.blocksLocksInPlace == true ? [0x11, 0x06, 0, 0] : [0, 0, 0xFF, 0]
  }

  /// Of the dynamic lock page, the bits that lock the configuration: on Ultralight C those of AUTH0
  /// and AUTH1 (bits 5 and 6 of byte 1, frozen by bits 1 and 2). Other products have CFGLCK.
  fileprivate var lockBitsOfKeySettings: [UInt8] {
    dynamicLockBits?.blocksLocksInPlace == true ? [0, 0x60, 0, 0] : [0, 0, 0, 0]
  }

  /// The lock bits that block-lock bits have frozen as they are.
  fileprivate func frozenLocks(_ page: [UInt8]) -> [UInt8] {
    guard let bits = dynamicLockBits else { return [0, 0, 0, 0] }
    if bits.blocksLocksInPlace {
      let memory: UInt8 = (page[0] & 0x01 != 0 ? 0x0E : 0) | (page[0] & 0x10 != 0 ? 0xE0 : 0)
      return [memory, (page[1] & 0x06) << 4, 0, 0]
    }
    var frozen = 0
    for block in 0..<(bits.count + 1) / 2 where page[2] >> block & 1 == 1 {
      frozen |= 0b11 << (2 * block)
    }
    return [UInt8(frozen & 0xFF), UInt8(frozen >> 8 & 0xFF), 0, 0]
  }
}
