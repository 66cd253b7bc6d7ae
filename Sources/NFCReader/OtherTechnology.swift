internal import CNFC
internal import TagTypes

/// A technology that the reader's chip can see and this program cannot serve.
enum OtherTechnology: CaseIterable {
  case felica212, felica424, jewel, typeB

  var modulation: nfc_modulation_type {
    switch self {
    case .felica212, .felica424: NMT_FELICA
    case .jewel: NMT_JEWEL
    case .typeB: NMT_ISO14443B
    }
  }

  var baud: nfc_baud_rate {
    switch self {
    case .felica212: NBR_212
    case .felica424: NBR_424
    case .jewel, .typeB: NBR_106
    }
  }

  /// What lies there, and why it is of no use.
  func message(_ identifier: [UInt8]) -> String {
    let kind =
      switch self {
      case .felica212, .felica424: "FeliCa tag (NFC Type 3"
      case .jewel: "Topaz or Jewel tag (NFC Type 1"
      case .typeB: "type B card (ISO/IEC 14443-4 B"
      }
    return "a \(kind), \(identifier.hexadecimal)) is on the reader, and cliptag knows only the "
      + "commands of type A tags (NFC Type 2 and Type 4)"
  }

  /// What to do about any of them.
  static let hint = "take it away, and use an NTAG213, NTAG215 or NTAG216"
}
