import CliptagBasics

/// The write protection of a page, according to the tag's lock bits and configuration.
package enum PageProtection: Hashable, Sendable {
  /// The page is writable, as far as known.
  case open
  /// A lock bit is set: the page can never be written again.
  case locked
  /// The page is at or after AUTH0, and the tag was not read over an ``AuthenticatedChannel``:
  /// writing it requires the password.
  case password
}

extension Type2Layout {
  /// The pages with dynamic lock bits, mirror, password start and access, read in one command.
  var protectionPages: ClosedRange<Int>? {
    guard let page = configurationPage ?? tripleDESPage else {
      return dynamicLockPage.map { $0...$0 }
    }
    return (dynamicLockPage ?? page)...page + 1
  }
}

extension Type2Tag {
  /// The write protection of a page according to the pages read: static lock bits (page 2) always,
  /// dynamic lock bits and AUTH0 after ``readingConfiguration(over:)``.
  ///
  /// Lock bits: NTAG21x data sheet, sections 8.5.2 and 8.5.3. AUTH0: section 8.5.7.
  package func protection(of page: Int) -> PageProtection {
    if isLocked(page) { return .locked }
    if let first = layout.configurationPage, page == first || page == first + 1,
      configuration?.isLocked == true
    {
      return .locked
    }
    if !isAuthenticated, let firstProtectedPage, page >= firstProtectedPage { return .password }
    return .open
  }

  /// A Boolean value that indicates whether the NDEF memory is permanently read-only: the
  /// capability container grants no write access, or a page of the data area is locked.
  ///
  /// Complete after ``readingConfiguration(over:)``; before, pages from 10h on count as open.
  public var isLocked: Bool {
    if let container = capabilityContainer, container.isNDEF, container.writeAccess == 0x0F {
      return true
    }
    return map.area.addresses.contains { isLocked($0 / TagMemory.pageByteCount) }
  }

  /// A Boolean value that indicates whether a password protects the tag or part of it: AUTH0 lies
  /// within its memory, or pages were unreadable. `nil` if the configuration has not been read, or
  /// if the tag shows no page and is of no known product, so that the cause is unknown.
  public var isPasswordProtected: Bool? {
    if case .unreadable(let page) = content { return isMute || isUnreached(page) ? nil : true }
    if firstUnreachedPage != nil { return nil }
    guard let page = layout.configurationPage ?? layout.tripleDESPage else { return false }
    if memory.isUnreadable(page) { return true }
    guard memory[page] != nil else { return nil }
    return firstProtectedPage != nil
  }

  /// Returns `true` for a page that the reader does not address.
  package func isUnreached(_ page: Int?) -> Bool {
    guard let page, let firstUnreachedPage else { return false }
    return page >= firstUnreachedPage
  }

  /// Checks that the reader reaches the whole tag, as changes need: a message, a lock or a password
  /// of which the reader sees only a part cannot be proven.
  ///
  /// - Throws: ``TagError`` with code `reader-unsupported`.
  func checkReach() throws(TagError) {
    if firstUnreachedPage != nil { throw TagError(unreachedOn: self) }
  }

  /// A Boolean value that indicates whether a tag of unknown product refused every requested page.
  package var isMute: Bool { !layout.isKnownProduct && memory[2] == nil && memory[3] == nil }

  /// The first page that requires the password, or on MIFARE Ultralight C the key (AUTH0), if it
  /// lies on the tag and is known.
  public var firstProtectedPage: Int? {
    let page: UInt8?
    if let tripleDESPage = layout.tripleDESPage {
      page = memory[tripleDESPage]?[0]
    } else {
      page = layout.configurationPage.flatMap { memory[$0]?[3] }
    }
    return page.map(Int.init).flatMap { $0 < layout.pageCount ? $0 : nil }
  }

  /// The bytes, counted from page 0, over which the tag shows its UID or counter instead of its
  /// memory (NTAG21x data sheet, section 8.7); empty if there is no mirror or if that is unknown.
  var mirrored: Range<Int> {
    let end = (layout.userPages.upperBound + 1) * TagMemory.pageByteCount
    return mirror?.addresses.clamped(to: 0..<end) ?? 0..<0
  }

  /// Returns `true` if a page contains these bytes, as far as they are visible through a mirror.
  func shows(_ bytes: [UInt8], on page: Int) -> Bool {
    guard let current = memory[page] else { return false }
    let mirrored = mirrored
    return current.indices.allSatisfy { index in
      current[index] == bytes[index]
        || mirrored.contains(page * TagMemory.pageByteCount + index)
    }
  }

  /// Returns `true` if the lock state of a page is unknown: it lies after page 15 of a product
  /// whose dynamic lock bits are unknown or unreadable.
  func isLockUnknown(of page: Int) -> Bool {
    guard page >= 16 else { return false }
    guard let lockBits = layout.dynamicLockBits ?? map.lockBits,
      let bit = lockBits.bit(for: page)
    else { return true }
    return memory[(lockBits.address + bit / 8) / TagMemory.pageByteCount] == nil
  }

  private func isLocked(_ page: Int) -> Bool {
    if (3...15).contains(page) {
      guard let bytes = memory[2] else { return false }
      let bits = Int(bytes[2]) | Int(bytes[3]) << 8
      return bits >> page & 1 == 1
    }
    // The last bit of an NTAG215 or NTAG216 covers 16 pages, which do not include the lock page and
    // the pages after it (NTAG21x data sheet, section 8.5.3).
    if let lockPage = layout.dynamicLockPage, page >= lockPage { return false }
    guard let lockBits = layout.dynamicLockBits ?? map.lockBits,
      let bit = lockBits.bit(for: page)
    else { return false }
    let address = lockBits.address + bit / 8
    guard let bytes = memory[address / TagMemory.pageByteCount] else { return false }
    return bytes[address % TagMemory.pageByteCount] >> (bit % 8) & 1 == 1
  }
}

/// The lock bytes of a Type 2 tag: their possible changes, and the values that lock everything.
///
/// Every bit can be set and none cleared, and a block-lock bit freezes the present lock bits of its
/// group. NTAG21x data sheet (rev. 3.2), sections 8.5.2 and 8.5.3; MF0ICU1, section 7.5.2.
extension Type2Tag {
  /// A write to dynamic lock bits.
  typealias DynamicLock = (
    purpose: LockPlan.Step.Purpose, page: Int, sent: [UInt8], after: [UInt8]
  )

  /// Page 2 after `F8 FF`, or for freezing `FF FF`, was written to its lock bytes; `nil` if the
  /// page was unreadable.
  ///
  /// `F8 FF` locks pages 3 to 15; `FF FF` sets the three block-lock bits too, so that no bit
  /// appears to have been left out on purpose.
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

  /// The writes to pages with dynamic lock bits that lock everything, and then freeze the locks:
  /// the bytes to send, and the resulting content. Empty if the product has none.
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
          hint: "use another tag: this is permanent", page: page, uid: uid)
      }
      let blocks = layout.dynamicBlockLocks
      let locks = zip(sent, blocks).map { $0 & ~$1 }
      let locked = zip(before, zip(locks, frozen)).map { $0 | $1.0 & ~$1.1 }
      return [(.lockDynamically, page, locks, locked), (.freezeDynamically, page, sent, after)]
    }
    return try lockedByControlBlock()
  }

  /// The same for a product that is known only by its Lock Control TLV (NFC Forum, Type 2 Tag 1.1,
  /// section 2.3.2), which has no block-lock bits.
  ///
  /// The block may count bits for memory that the tag does not have. Of those only the rest of a
  /// byte is set, since they may have other meanings: the 16 bits of an NTAG203 are 6 lock bits,
  /// two that block them, and a byte for other purposes.
  private func lockedByControlBlock() throws(TagError) -> [DynamicLock] {
    guard let bits = map.lockBits else { return [] }
    // The block is untrusted data: it must not address UID, locks and container.
    guard bits.address >= 16 * TagMemory.pageByteCount, bits.pages.upperBound <= 0xFF else {
      throw TagError(
        .tagUnsupported,
        "the Lock Control block of \(name) \(uid.hexadecimal) specifies bytes at \(bits.address), "
          + "an invalid address for lock bits",
        hint: "use a tag of a known product, such as an NTAG213", uid: uid)
    }
    let area = Set(map.area.addresses.map { $0 / TagMemory.pageByteCount })
    let needed = area.compactMap(bits.bit).max().map { $0 / 8 * 8 + 8 } ?? 0
    let count = min(bits.count, needed)
    var pages: [DynamicLock] = []
    for page in bits.pages {
      guard var bytes = memory[page] else {
        throw TagError(
          .tagUnsupported,
          "the lock bits of \(name) \(uid.hexadecimal) should be on page \(page), which cannot be "
            + "read",
          hint: "use a tag of a known product, such as an NTAG213", page: page, uid: uid)
      }
      for bit in 0..<count where (bits.address + bit / 8) / TagMemory.pageByteCount == page {
        bytes[(bits.address + bit / 8) % TagMemory.pageByteCount] |= 1 << (bit % 8)
      }
      pages.append((.lockDynamically, page, bytes, bytes))
    }
    return pages
  }
}

extension Type2Layout {
  /// The dynamic lock page with every bit set that locks memory or such bits. NTAG and Ultralight
  /// EV1 have in byte 2 one block-lock bit for every two lock bits; on Ultralight C (MF0ICU2 data
  /// sheet, section 7.5.3) and NTAG203 bits 0 and 4 of byte 0 block the three bits after them.
  fileprivate func everyDynamicLock(lockingConfiguration: Bool) -> [UInt8] {
    guard let bits = dynamicLockBits else { return [0, 0, 0, 0] }
    if bits.blocksLocksInPlace {
      return [0xFF, lockingConfiguration && hasKeySettings ? 0x66 : 0, 0, 0]
    }
    let count = bits.count
    let locks = (1 << count) - 1
    let blocks = (1 << ((count + 1) / 2)) - 1
    return [UInt8(locks & 0xFF), UInt8(locks >> 8 & 0xFF), UInt8(blocks & 0xFF), 0]
  }

  /// The bits of the dynamic lock page that freeze others.
  fileprivate var dynamicBlockLocks: [UInt8] {
    guard dynamicLockBits?.blocksLocksInPlace == true else { return [0, 0, 0xFF, 0] }
    return [0x11, hasKeySettings ? 0x06 : 0, 0, 0]
  }

  /// A Boolean value that indicates whether byte 1 of the dynamic lock page locks AUTH0 and AUTH1.
  /// On NTAG203 (data sheet, section 8.5.2) it locks only the counter, which is not part of a
  /// message and stays open.
  private var hasKeySettings: Bool { tripleDESPage != nil }

  /// The bits of the dynamic lock page that lock the configuration: on Ultralight C those of AUTH0
  /// and AUTH1 (bits 5 and 6 of byte 1, frozen by bits 1 and 2). Other products have CFGLCK.
  fileprivate var lockBitsOfKeySettings: [UInt8] {
    hasKeySettings ? [0, 0x60, 0, 0] : [0, 0, 0, 0]
  }

  /// The lock bits that are frozen by block-lock bits.
  fileprivate func frozenLocks(_ page: [UInt8]) -> [UInt8] {
    guard let bits = dynamicLockBits else { return [0, 0, 0, 0] }
    if bits.blocksLocksInPlace {
      let memory: UInt8 = (page[0] & 0x01 != 0 ? 0x0E : 0) | (page[0] & 0x10 != 0 ? 0xE0 : 0)
      return [memory, hasKeySettings ? (page[1] & 0x06) << 4 : 0, 0, 0]
    }
    var frozen = 0
    for block in 0..<(bits.count + 1) / 2 where page[2] >> block & 1 == 1 {
      frozen |= 0b11 << (2 * block)
    }
    return [UInt8(frozen & 0xFF), UInt8(frozen >> 8 & 0xFF), 0, 0]
  }
}
