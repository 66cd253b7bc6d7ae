import TagTypes

/// The configuration pages CFG0 and CFG1 of an NTAG21x (data sheet rev. 3.2, section 8.5.7)
/// or a MIFARE Ultralight EV1.
struct TagConfiguration: Hashable, Sendable {
  /// 0 no mirror, 1 UID, 2 counter, 3 both.
  let mirror: Int
  /// Where in memory the mirror begins, in bytes; `nil` when the mirror page is below 4.
  let mirrorStart: Int?
  /// First page that needs the password.
  let firstProtectedPage: Int
  /// Whether reading needs the password too.
  let protectsReading: Bool
  /// CFGLCK.
  let isLocked: Bool
  let counterIsEnabled: Bool
  let counterNeedsPassword: Bool
  /// Wrong passwords until the protected area is closed for good; 0 is no limit.
  let wrongPasswordLimit: Int

  /// Reads the eight bytes of CFG0 and CFG1.
  init(_ bytes: ArraySlice<UInt8>, on layout: Type2Layout) {
    let byte = Array(bytes)
    // NTAG210 and NTAG212 have no bits that choose: what they mirror is the UID.
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
  /// The configuration in force now; `nil` for a product that has none.
  var configuration: TagConfiguration? {
    configurationActsAtOnce ? storedConfiguration : latched.configuration
  }

  var storedConfiguration: TagConfiguration? {
    guard let page = layout.configurationPage else { return nil }
    return TagConfiguration(memory[page * 4..<page * 4 + 8], on: layout)
  }

  /// Whether a page may be written (or read) without the password being given first.
  func isOpen(page: Int, reading: Bool) -> Bool {
    if let control = layout.tripleDESPage {
      // MIFARE Ultralight C: AUTH0, and in AUTH1 whether reading is free. No key is known here.
      return page < Int(memory[control * 4]) || (reading && memory[control * 4 + 4] & 0x01 != 0)
    }
    guard let configuration, !isAuthenticated else { return true }
    return page < configuration.firstProtectedPage || (reading && !configuration.protectsReading)
  }

  /// What a reader sees: memory with PWD and PACK blanked and the ASCII mirror laid over it.
  var visibleMemory: [UInt8] {
    guard let page = layout.configurationPage, let configuration else { return memory }
    var visible = memory
    for offset in (page + 2) * 4..<(page + 4) * 4 { visible[offset] = 0 }
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
