import TagAuthenticity
import TagTypes

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
