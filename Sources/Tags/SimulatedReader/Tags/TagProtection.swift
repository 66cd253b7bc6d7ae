import CliptagBasics
import TagTypes

/// The configuration pages CFG0 and CFG1 of an NTAG21x (data sheet rev. 3.2, section 8.5.7) or a
/// MIFARE Ultralight EV1.
struct TagConfiguration: Hashable, Sendable {
  /// The mirror: 0 none, 1 UID, 2 counter, 3 both.
  let mirror: Int
  /// The offset of the mirror in memory, in bytes; `nil` if the mirror page is below 4.
  let mirrorStart: Int?
  /// The first page that requires the password.
  let firstProtectedPage: Int
  /// A Boolean value that indicates whether reading requires the password too.
  let protectsReading: Bool
  /// CFGLCK.
  let isLocked: Bool
  let counterIsEnabled: Bool
  let counterNeedsPassword: Bool
  /// The number of wrong passwords that closes the protected area permanently; 0 means no limit.
  let wrongPasswordLimit: Int

  /// Reads the eight bytes of CFG0 and CFG1.
  init(_ bytes: ArraySlice<UInt8>, on layout: Type2Layout) {
    let byte = Array(bytes)
    // NTAG210 and NTAG212 have no bits for the choice: they mirror the UID.
    mirror = layout.mirroring == .uid ? 1 : Int(byte[0] >> 6)
    let page = Int(byte[2])
    let isMirrored = page >= 4 && layout.mirroring != .none
    mirrorStart = isMirrored ? page * 4 + Int(byte[0] >> 4 & 3) : nil
    firstProtectedPage = Int(byte[3])
    let access = byte[4]
    protectsReading = access & 0x80 != 0
    isLocked = access & 0x40 != 0
    counterIsEnabled = layout.hasCounter && access & 0x10 != 0
    counterNeedsPassword = layout.hasCounter && access & 0x08 != 0
    wrongPasswordLimit = Int(access & 0x07)
  }
}

extension SimulatedTag {
  /// The configuration in force; `nil` for a product that has none.
  var configuration: TagConfiguration? {
    configurationActsAtOnce ? storedConfiguration : latched.configuration
  }

  var storedConfiguration: TagConfiguration? {
    guard let page = layout.configurationPage else { return nil }
    return TagConfiguration(memory[page * 4..<page * 4 + 8], on: layout)
  }

  /// Returns `true` if a page may be written (or read) without the password.
  func isOpen(page: Int, reading: Bool) -> Bool {
    if let control = layout.tripleDESPage {
      // MIFARE Ultralight C: AUTH0, and in AUTH1 whether reading is free.
      return isAuthenticated || page < Int(memory[control * 4])
        || (reading && memory[control * 4 + 4] & 0x01 != 0)
    }
    guard let configuration, !isAuthenticated else { return true }
    return page < configuration.firstProtectedPage || (reading && !configuration.protectsReading)
  }

  /// The memory as seen by a reader: with PWD and PACK blanked and the ASCII mirror over it.
  var visibleMemory: [UInt8] {
    guard let page = layout.configurationPage, let configuration else { return memory }
    var visible = memory
    let secrets = features.keyPage.map { $0..<$0 + 8 } ?? page + 2..<page + 4
    for offset in secrets.lowerBound * 4..<secrets.upperBound * 4 { visible[offset] = 0 }
    guard let start = configuration.mirrorStart else { return visible }
    let end = (layout.userPages.upperBound + 1) * 4
    for (offset, character) in zip(start..<max(start, end), mirrorText(configuration).utf8) {
      visible[offset] = character
    }
    return visible
  }

  private func mirrorText(_ configuration: TagConfiguration) -> String {
    let count = [16, 8, 0].map { UInt8(truncatingIfNeeded: counter >> $0) }
    switch (configuration.mirror, configuration.counterIsEnabled) {
    case (1, _), (3, false): return uid.hexadecimal
    case (2, true): return count.hexadecimal
    case (3, true): return uid.hexadecimal + "x" + count.hexadecimal
    default: return ""
    }
  }
}

/// The lock bytes: the pages that they lock, and their write behaviour (NTAG21x data sheet,
/// sections 8.5.2 and 8.5.3; MF0ICU1, section 7.5.2; MF0ICU2, sections 7.5.2 and 7.5.3). Every bit
/// can be set and none cleared.
extension SimulatedTag {
  /// Returns `true` if a lock bit locks this page against writing.
  func isLocked(page: Int) -> Bool {
    // MIFARE Ultralight and Ultralight C read static lock bytes at REQA or WUPA, others at once;
    // the others are the products that report their version.
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

  /// The dynamic lock bits; `nil` for a product without any.
  var dynamicLocks: DynamicLocks? {
    guard let page = layout.dynamicLockPage else { return nil }
    if layout.tripleDESPage != nil || layout == .ntag203 {
      return DynamicLocks(page: page, kind: .inPlace)
    }
    if isGeneric { return DynamicLocks(page: page, kind: .plain(bits: 24)) }
    let pagesPerBit = layout == .ntagI2C2K ? 32 : layout.userPages.upperBound < 0x30 ? 2 : 16
    let bits = (layout.userPages.upperBound - 16) / pagesPerBit + 1
    return DynamicLocks(page: page, kind: .blocked(bits: bits, pagesPerBit: pagesPerBit))
  }
}

/// The dynamic lock bytes of one product.
struct DynamicLocks: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// This many bits of two pages each, without block-locking bits.
    case plain(bits: Int)
    /// Lock bits in bytes 0 and 1; each bit of byte 2 freezes two of them.
    case blocked(bits: Int, pagesPerBit: Int)
    /// MIFARE Ultralight C and NTAG203: in byte 0, bits 0 and 4 freeze the three bits after them,
    /// each of which locks four pages; in byte 1 the low half freezes the high half, whose bits
    /// lock the counter, AUTH0, AUTH1 and the key.
    case inPlace
  }

  /// The page that contains the bytes.
  let page: Int
  let kind: Kind

  /// The bit, counted from the lowest of byte 0, that locks a page; `nil` if there is none.
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

  /// The content of the page after a write.
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
