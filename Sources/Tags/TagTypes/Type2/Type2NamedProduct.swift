/// A Type 2 product of which only the name is known, by its response to GET_VERSION: its memory is
/// read by its capability container, as that of an unknown product.
///
/// The responses are those in public tools and transcripts.
struct Type2NamedProduct: Hashable, Sendable {
  /// The product's name as in data sheets.
  let name: String
  /// The response to GET_VERSION, but for the input capacitance (byte 3).
  let version: [UInt8]
  /// The length of the response to READ_SIG, in bytes; `nil` for a product without signature.
  var signatureByteCount: Int? = 32

  /// The product with this response to GET_VERSION; `nil` for any other.
  static func named(_ answer: [UInt8]) -> Type2NamedProduct? {
    guard answer.count == 8 else { return nil }
    return all.first { product in
      product.version.indices.allSatisfy { $0 == 3 || product.version[$0] == answer[$0] }
        && (product.version[3] == answer[3] || product.mayHaveOtherCapacitance && answer[3] == 0x02)
    }
  }

  /// MIFARE products with byte 3 of 01 (17 pF) also exist with 02 (50 pF).
  private var mayHaveOtherCapacitance: Bool { version[3] == 0x01 }

  /// All products.
  static let all = [
    Type2NamedProduct(
      name: "MIFARE Ultralight AES", version: [0x00, 0x04, 0x03, 0x01, 0x04, 0x00, 0x0F, 0x03],
      signatureByteCount: 48),
    Type2NamedProduct(
      name: "MIFARE Ultralight Nano", version: [0x00, 0x04, 0x03, 0x01, 0x02, 0x00, 0x0B, 0x03]),
    Type2NamedProduct(
      name: "NTAG213 TagTamper", version: [0x00, 0x04, 0x04, 0x02, 0x03, 0x00, 0x0F, 0x03]),
    Type2NamedProduct(
      name: "NTAG 223 DNA", version: [0x00, 0x04, 0x04, 0x02, 0x04, 0x00, 0x0F, 0x03],
      signatureByteCount: 48),
    Type2NamedProduct(
      name: "NTAG 223 DNA StatusDetect",
      version: [0x00, 0x04, 0x04, 0x08, 0x04, 0x00, 0x0F, 0x03], signatureByteCount: 48),
    Type2NamedProduct(
      name: "NTAG 224 DNA", version: [0x00, 0x04, 0x04, 0x02, 0x05, 0x00, 0x10, 0x03],
      signatureByteCount: 48),
    Type2NamedProduct(
      name: "NTAG 224 DNA StatusDetect",
      version: [0x00, 0x04, 0x04, 0x08, 0x05, 0x00, 0x10, 0x03], signatureByteCount: 48),
    Type2NamedProduct(
      name: "NTAG213F", version: [0x00, 0x04, 0x04, 0x04, 0x01, 0x00, 0x0F, 0x03]),
    Type2NamedProduct(
      name: "NTAG216F", version: [0x00, 0x04, 0x04, 0x04, 0x01, 0x00, 0x13, 0x03]),
    Type2NamedProduct(
      name: "NTAG I2C 1K", version: [0x00, 0x04, 0x04, 0x05, 0x02, 0x01, 0x13, 0x03],
      signatureByteCount: nil),
    Type2NamedProduct(
      name: "NTAG I2C 2K", version: [0x00, 0x04, 0x04, 0x05, 0x02, 0x01, 0x15, 0x03],
      signatureByteCount: nil),
    Type2NamedProduct(
      name: "NTAG I2C plus 1K", version: [0x00, 0x04, 0x04, 0x05, 0x02, 0x02, 0x13, 0x03]),
    Type2NamedProduct(
      name: "NTAG I2C plus 2K", version: [0x00, 0x04, 0x04, 0x05, 0x02, 0x02, 0x15, 0x03]),
  ]
}
