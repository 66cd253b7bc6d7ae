/// The products whose answer to GetVersion is known.
///
/// Source: hardware type, major version and storage size of the data sheets (NT4H2421Gx,
/// section 10.5.2; NT4H1321; MF3D(H)x2 and MF3D(H)x3) and of NXP AN12343.
enum Type4Product {
  /// Every name that ``name(_:)`` gives, and that of a tag with an unknown answer.
  static let names = [
    "NTAG 424 DNA", "NTAG 424 DNA TagTamper", "NTAG 413 DNA", "MIFARE DESFire",
    "MIFARE DESFire EV1", "MIFARE DESFire EV2", "MIFARE DESFire EV3", "MIFARE DESFire Light",
    "MIFARE DUOX", "Type 4",
  ]

  /// The product's name; `nil` for an answer that is not known.
  ///
  /// - Parameter version: Vendor, type, subtype, major and minor version, storage size, protocol,
  ///   and what follows.
  static func name(_ version: [UInt8]) -> String? {
    guard version.count >= 7, version[0] == 0x04 else { return nil }
    return switch (version[1], version[3]) {
    case (0x04, 0x30): version[2] == 0x08 ? "NTAG 424 DNA TagTamper" : "NTAG 424 DNA"
    case (0x04, 0x10): "NTAG 413 DNA"
    case (0x01, 0x00): "MIFARE DESFire"
    case (0x01, 0x01): "MIFARE DESFire EV1"
    case (0x01, 0x12), (0x01, 0x22): "MIFARE DESFire EV2"
    case (0x01, 0x33): "MIFARE DESFire EV3"
    case (0x08, 0x30): "MIFARE DESFire Light"
    case (0x01, 0xA0): "MIFARE DUOX"
    case (0x01, _): "MIFARE DESFire"
    default: nil
    }
  }
}
