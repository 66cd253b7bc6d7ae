import TagAuthenticity
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

/// Originality signatures (READ_SIG; NXP AN11350 and AN12196). NXP's private keys are NXP's, so a
/// simulated tag can be genuine only for a UID whose signature was published.
enum TagSignature {
  /// A UID and the signature that NXP's key made of it.
  private struct Published {
    let uid: String
    let signature: String
  }

  /// For NTAG21x, then for MIFARE Ultralight EV1.
  private static let type2 = [
    Published(
      uid: "04E10CDA993C80",
      signature: "8B76052EE42F5567BEB53238B3E3F9950707C0DCC956B5C5EFCFDB709B2D82B3"),
    Published(
      uid: "04DB0BDA993C80",
      signature: "6048EFD9417CD10F6B7F1818D471A7FE5B46868D2EABDC6307A1E0AAE139D8D0"),
    Published(
      uid: "04C1285A373080",
      signature: "CEA2EB0B3C95D0844A95B824A7553703B3702378033BF0987899DB70151A19E7"),
    Published(
      uid: "04C2285A373080",
      signature: "A561506723D422D29ED9F93E60D20B9ED1E05CC1BF81DA19FE500CA0B81CC0ED"),
  ]

  /// For NTAG 424 DNA.
  private static let ntag424 = [
    Published(
      uid: "0463474AA26A80",
      signature: "27E9A50E6CA4BA9037C02F7D20A80D0284D0C1D83C67F5A5AC1D8A4E"
        + "F86C9508417E4E9C6F85AA7920F0ABDED984CAF20467D66EA54BBF08"),
    Published(
      uid: "04C46C222A6380",
      signature: "344A806EBF704C05C19215D2F840529CE365AAD2D08A469A95896D75"
        + "D477D9FAB02A0C827E9F215BD8EB0E56A3A9A008FB75D706AABBD4DA"),
  ]

  /// 32 bytes: the published signature of `uid`, or bytes of the right size that do not verify.
  static func bytes(for uid: [UInt8]) -> [UInt8] { bytes(for: uid, in: type2, count: 32) }

  /// 56 bytes for an NTAG 424 DNA.
  static func bytesOfNTAG424(for uid: [UInt8]) -> [UInt8] {
    bytes(for: uid, in: ntag424, count: 56)
  }

  private static func bytes(for uid: [UInt8], in published: [Published], count: Int) -> [UInt8] {
    let digits = uid.hexadecimal
    let known = published.first { $0.uid == digits }
      .flatMap { [UInt8](hexadecimal: $0.signature.utf8) }
    return known ?? (0..<count).map { uid[$0 % uid.count] ^ UInt8(truncatingIfNeeded: $0 * 37) }
  }
}
