package import TagTypes

/// The tag on a simulated reader, with the names that the command uses.
///
/// Each kind has a different memory file:
/// - Type 2 (`ntag203` to `type2`): every page in order, PWD, PACK and keys in clear;
/// - Type 4 (`ntag413` to `type4`): `T4`, the UID, then each file with identifier and size (see
///   `memory`);
/// - Type 5 (`sli` to `rf430frl152h`): `T5`, the UID, the read and write passwords and their
///   protection, a byte for the lock of each block, then every block in order;
/// - `felica`: IDm, PMm and the system code (18 bytes); `typeb`: PUPI, application data and protocol
///   information (11 bytes); `classic1k` and `classic4k`: the UID (4 bytes); `jewel`: all its 120
///   bytes.
public enum SimulatedTagKind: String, CaseIterable, Hashable, Sendable {
  /// NXP NTAG203, 144 user bytes; it reports no version.
  case ntag203
  /// NXP NTAG210, 48 user bytes.
  case ntag210
  /// NXP NTAG212, 128 user bytes.
  case ntag212
  /// NXP NTAG213, 144 user bytes.
  case ntag213
  /// NXP NTAG215, 504 user bytes.
  case ntag215
  /// NXP NTAG216, 888 user bytes.
  case ntag216
  /// NXP MIFARE Ultralight (MF0ICU1), 48 user bytes, blank from the factory.
  case ultralight
  /// NXP MIFARE Ultralight C (MF0ICU2), 144 user bytes, blank from the factory.
  case ultralightC = "ultralight-c"
  /// NXP MIFARE Ultralight EV1 MF0UL11, 48 user bytes, blank from the factory.
  case ultralightEV1Small = "ultralight-ev1-11"
  /// NXP MIFARE Ultralight EV1 MF0UL21, 128 user bytes, blank from the factory.
  case ultralightEV1Large = "ultralight-ev1-21"
  /// NXP MIFARE Ultralight AES (MF0AES20), 144 user bytes, blank from the factory.
  case ultralightAES = "ultralight-aes"
  /// NXP NTAG 223 DNA, 144 user bytes, without its mirror and protection.
  case ntag223
  /// NXP NTAG 224 DNA, 208 user bytes, without its mirror and protection.
  case ntag224
  /// NXP NTAG I2C 1K, 888 user bytes.
  case ntagI2C1K = "ntag-i2c-1k"
  /// NXP NTAG I2C 2K, 1904 user bytes in two sectors.
  case ntagI2C2K = "ntag-i2c-2k"
  /// NXP NTAG I2C plus 1K, 888 user bytes and a password.
  case ntagI2CPlus1K = "ntag-i2c-plus-1k"
  /// NXP NTAG I2C plus 2K, 888 user bytes, a password and a second sector.
  case ntagI2CPlus2K = "ntag-i2c-plus-2k"
  /// A Type 2 tag of no known product, 240 bytes, with control TLVs in front.
  case type2
  /// NXP NTAG 413 DNA, a Type 4 tag with an NDEF file of 128 bytes.
  case ntag413
  /// NXP NTAG 424 DNA, a Type 4 tag with an NDEF file of 256 bytes.
  case ntag424
  /// NXP NTAG 424 DNA with Secure Unique NFC on: at each reading the URL ``secureURL`` contains
  /// another counter and the code for it, made with keys of zeros.
  case ntag424SUN = "ntag424-sun"
  /// NXP NTAG 424 DNA that generates a UID whenever the field is switched on.
  case ntag424RandomUID = "ntag424-random-uid"
  /// NXP MIFARE DESFire EV1 formatted as a Type 4 tag with an NDEF file of 2048 bytes.
  case desfire
  /// A Type 4 tag of no particular maker, with an NDEF file of 2048 bytes.
  case type4
  /// NXP MIFARE Classic with one kilobyte, which is found but not readable.
  case classic1k
  /// NXP MIFARE Classic with four kilobytes, which is found but not readable.
  case classic4k
  /// NXP ICODE SLI, a Type 5 tag with 112 user bytes.
  case sli
  /// NXP ICODE SLIX, a Type 5 tag with 112 user bytes; PC/SC readers that reach such tags find it.
  case slix
  /// NXP ICODE SLIX2, a Type 5 tag with 316 user bytes and a password.
  case slix2
  /// NXP ICODE SLIX-S, a Type 5 tag with 160 user bytes.
  case slixS = "slix-s"
  /// NXP ICODE SLIX-L, a Type 5 tag with 32 user bytes.
  case slixL = "slix-l"
  /// NXP ICODE DNA, a Type 5 tag with 252 user bytes.
  case icodeDNA = "icode-dna"
  /// NXP ICODE 3, a Type 5 tag with 304 user bytes.
  case icode3
  /// NXP NTAG 5, a Type 5 tag with 2048 user bytes, whose blocks need addresses of two bytes.
  case ntag5
  /// ST ST25DV04K, a Type 5 tag with 512 user bytes.
  case st25dv04k
  /// ST ST25DV04KC, its successor; LOCK BLOCK closes blocks 0 and 1 only on both.
  case st25dv04kc
  /// ST ST25TV02K, a Type 5 tag with 256 user bytes.
  case st25tv02k
  /// ST ST25DV16K, a Type 5 tag with 2048 user bytes, whose blocks need addresses of two bytes.
  case st25dv16k
  /// ST ST25DV16KC, its successor.
  case st25dv16kc
  /// ST ST25DV64KC, a Type 5 tag with 8192 user bytes.
  case st25dv64kc
  /// ST ST25DV64K, a Type 5 tag with 8192 user bytes, whose blocks need addresses of two bytes.
  case st25dv64k
  /// Fujitsu MB89R118, a Type 5 tag with 2000 user bytes in blocks of eight.
  case mb89r118
  /// ST LRi2K, a Type 5 tag with 224 user bytes.
  case lri2k
  /// TI Tag-it HF-I Plus, a Type 5 tag with 256 user bytes that writes and locks only with the
  /// OPTION flag.
  case tagIt = "tag-it"
  /// TI RF430FRL152H, a sensor with a Type 5 tag of 1952 bytes in blocks of eight.
  case rf430 = "rf430frl152h"
  /// A Sony FeliCa Lite-S, NFC Forum Type 3, which is found but not readable.
  case felica
  /// An Innovision Topaz 96, NFC Forum Type 1.
  case jewel
  /// A card of ISO/IEC 14443 type B, which is found but not readable.
  case typeb
  /// No tag.
  case none

  /// The URL mirrored by ``ntag424SUN``: PICCData in `e`, the code in `c`, which covers no text.
  public static let secureURL = "https://fruta.example.com/order/cupertino?e={picc}&c={mac}"

  /// Makes a tag of this kind in its factory state; `nil` for ``none``.
  ///
  /// - Parameter uid: Its UID, of the kind's size; `nil` for the kind's default.
  /// - Throws: `.malformedUID`.
  package func card(uid: [UInt8]? = nil) throws(SimulatedReaderError) -> (any SimulatedCard)? {
    let double = uid ?? usualUID
    if let layout { return try SimulatedTag(layout, uid: double) }
    if let product = type4Product {
      var tag = try SimulatedType4Tag(product, uid: double)
      if self == .ntag424SUN, let messages = SimulatedSecureMessages(template: Self.secureURL) {
        _ = tag.mirror(messages)
      }
      return tag
    }
    return switch self {
    case .type2: try SimulatedTag.generic(uid: double)
    case .classic1k: try SimulatedForeignTag(.classic1k, uid: uid)
    case .classic4k: try SimulatedForeignTag(.classic4k, uid: uid)
    case .sli: try SimulatedType5Tag(.sli, uid: uid)
    case .slix: try SimulatedType5Tag(.slix, uid: uid)
    case .slixL: try SimulatedType5Tag(.slixL, uid: uid)
    case .st25tv02k: try SimulatedType5Tag(.st25tv02k, uid: uid)
    case .st25dv16k: try SimulatedType5Tag(.st25dv16k, uid: uid)
    case .st25dv16kc: try SimulatedType5Tag(.st25dv16kc, uid: uid)
    case .st25dv64kc: try SimulatedType5Tag(.st25dv64kc, uid: uid)
    case .rf430: try SimulatedType5Tag(.rf430, uid: uid)
    case .slix2: try SimulatedType5Tag(.slix2, uid: uid)
    case .slixS: try SimulatedType5Tag(.slixS, uid: uid)
    case .icodeDNA: try SimulatedType5Tag(.icodeDNA, uid: uid)
    case .icode3: try SimulatedType5Tag(.icode3, uid: uid)
    case .ntag5: try SimulatedType5Tag(.ntag5, uid: uid)
    case .st25dv04kc: try SimulatedType5Tag(.st25dv04kc, uid: uid)
    case .lri2k: try SimulatedType5Tag(.lri2k, uid: uid)
    case .tagIt: try SimulatedType5Tag(.tagIt, uid: uid)
    case .st25dv04k: try SimulatedType5Tag(.st25dv04k, uid: uid)
    case .st25dv64k: try SimulatedType5Tag(.st25dv64k, uid: uid)
    case .mb89r118: try SimulatedType5Tag(.mb89r118, uid: uid)
    case .felica: try SimulatedForeignTag(.feliCa, uid: uid)
    case .typeb: try SimulatedForeignTag(.typeB, uid: uid)
    case .jewel: try SimulatedJewelTag(uid: uid)
    default: nil
    }
  }

  /// The default UID of seven bytes: one with a genuine originality signature, if the product has
  /// signatures and NXP published one.
  private var usualUID: [UInt8] {
    switch self {
    case .ntag424, .ntag424SUN, .ntag424RandomUID: SimulatedType4Tag.genuineUID
    case .ultralightAES: [0x04, 0x5E, 0x4C, 0xC2, 0x45, 0x13, 0x90]
    case .ntag223: [0x04, 0x33, 0x02, 0x21, 0x8D, 0x3D, 0x00]
    case .ultralightEV1Small, .ultralightEV1Large: [0x04, 0xC1, 0x28, 0x5A, 0x37, 0x30, 0x80]
    default: SimulatedTag.defaultUID
    }
  }

  /// The memory map of a Type 2 tag of one product; `nil` for any other kind.
  package var layout: Type2Layout? {
    switch self {
    case .ntag203: .ntag203
    case .ntag210: .ntag210
    case .ntag212: .ntag212
    case .ntag213: .ntag213
    case .ntag215: .ntag215
    case .ntag216: .ntag216
    case .ultralight: .ultralight
    case .ultralightC: .ultralightC
    case .ultralightEV1Small: .ultralightEV1Small
    case .ultralightEV1Large: .ultralightEV1Large
    case .ultralightAES: .ultralightAES
    case .ntag223: .ntag223
    case .ntag224: .ntag224
    case .ntagI2C1K: .ntagI2C1K
    case .ntagI2C2K: .ntagI2C2K
    case .ntagI2CPlus1K: .ntagI2CPlus1K
    case .ntagI2CPlus2K: .ntagI2CPlus2K
    default: nil
    }
  }

  /// The product of a Type 4 tag; `nil` for any other kind.
  package var type4Product: SimulatedType4Product? {
    switch self {
    case .ntag413: .ntag413
    case .ntag424, .ntag424SUN: .ntag424
    case .ntag424RandomUID: .ntag424RandomUID
    case .desfire: .desfire
    case .type4: .generic()
    default: nil
    }
  }
}
