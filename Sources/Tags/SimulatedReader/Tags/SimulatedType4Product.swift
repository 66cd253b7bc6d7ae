/// A product with ISO/IEC 14443-4 and an NDEF application, in its factory state or, if that is
/// empty, formatted by tools.
package struct SimulatedType4Product: Hashable, Sendable {
  /// A file of the NDEF application.
  package struct File: Hashable, Sendable {
    /// ISO file identifier.
    package let identifier: UInt16
    /// The content; its size never changes.
    package internal(set) var bytes: [UInt8]

    /// Makes a file.
    ///
    /// - Parameters:
    ///   - identifier: `E103` is the capability container.
    ///   - bytes: Its content, padded with zeros.
    ///   - size: Its size; at least that of the content.
    package init(_ identifier: UInt16, _ bytes: [UInt8], size: Int = 0) {
      self.identifier = identifier
      self.bytes = bytes + [UInt8](repeating: 0, count: max(0, size - bytes.count))
    }
  }

  /// The product's name.
  package var name: String
  /// The answer to select, its length byte first.
  package var ats: [UInt8]
  /// SENS_RES, high byte first.
  package var atqa: [UInt8] = [0x03, 0x44]
  /// The response to GetVersion besides UID and batch: seven bytes of hardware and seven of
  /// software; `nil` if the product does not support the command.
  package var version: (hardware: [UInt8], software: [UInt8])? {
    get { versionBytes.map { (Array($0.prefix(7)), Array($0.dropFirst(7))) } }
    set { versionBytes = newValue.map { $0.hardware + $0.software } }
  }
  /// The files, capability container first.
  package var files: [File]
  /// A Boolean value that indicates whether READ BINARY and UPDATE BINARY longer than the
  /// container's MLe and MLc fail with 6700. Otherwise 256 and 255 bytes are the limit.
  package var enforcesMaximumLengths: Bool
  /// A Boolean value that indicates whether the tag supports Read_Sig, NXP's originality signature
  /// of 56 bytes.
  package var hasSignature = false
  /// A Boolean value that indicates whether the tag generates a UID of four bytes, `08` first,
  /// whenever the field is switched on.
  package var usesRandomUID = false
  /// The number of bytes that the tag writes atomically if the field is lost. 0 is the worst case,
  /// under which a writer must be safe.
  package var atomicWriteByteCount = 0
  private var versionBytes: [UInt8]?

  /// Makes a product.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - ats: The answer to select, its length byte first.
  ///   - files: Its files, capability container first.
  ///   - enforcesMaximumLengths: See ``enforcesMaximumLengths``.
  package init(name: String, ats: [UInt8], files: [File], enforcesMaximumLengths: Bool) {
    self.name = name
    self.ats = ats
    self.files = files
    self.enforcesMaximumLengths = enforcesMaximumLengths
  }

  /// NXP NTAG 424 DNA (data sheet NT4H2421Gx rev. 3.0): an NDEF file of 256 bytes with free write
  /// access, and a proprietary one of 128 bytes that requires keys.
  package static let ntag424: SimulatedType4Product = {
    var product = SimulatedType4Product(
      name: "NTAG 424 DNA", ats: [0x06, 0x77, 0x77, 0x71, 0x02, 0x80],
      files: [
        File(
          0xE103,
          [
            0x00, 0x17, 0x20, 0x01, 0x00, 0x00, 0xFF, 0x04, 0x06, 0xE1, 0x04, 0x01, 0x00, 0x00,
            0x00, 0x05, 0x06, 0xE1, 0x05, 0x00, 0x80, 0x82, 0x83,
          ], size: 32),
        File(0xE104, [], size: 256), File(0xE105, [0x00, 0x7E], size: 128),
      ], enforcesMaximumLengths: false)
    product.version = (
      [0x04, 0x04, 0x02, 0x30, 0x00, 0x11, 0x05], [0x04, 0x04, 0x02, 0x01, 0x02, 0x11, 0x05]
    )
    product.hasSignature = true
    return product
  }()

  /// An NTAG 424 DNA that generates a UID whenever the field is switched on.
  package static let ntag424RandomUID: SimulatedType4Product = {
    var product = ntag424
    product.usesRandomUID = true
    return product
  }()

  /// NXP NTAG 413 DNA: an NDEF file of 128 bytes.
  package static let ntag413: SimulatedType4Product = {
    var product = SimulatedType4Product(
      name: "NTAG 413 DNA", ats: [0x06, 0x75, 0x77, 0x81, 0x02, 0x80],
      files: [
        File(0xE103, container(maximumRead: 0x3B, maximumWrite: 0x34, fileSize: 128), size: 32),
        File(0xE104, [], size: 128),
      ], enforcesMaximumLengths: true)
    product.version = (
      [0x04, 0x04, 0x02, 0x10, 0x00, 0x0F, 0x05], [0x04, 0x04, 0x02, 0x01, 0x00, 0x0F, 0x05]
    )
    return product
  }()

  /// NXP MIFARE DESFire EV1 with 4 KiB, formatted with an NDEF application of 2048 bytes as in
  /// NXP's AN11004.
  package static let desfire: SimulatedType4Product = {
    var product = SimulatedType4Product(
      name: "MIFARE DESFire EV1", ats: [0x06, 0x75, 0x77, 0x81, 0x02, 0x80],
      files: [
        File(0xE103, container(maximumRead: 0x3B, maximumWrite: 0x34, fileSize: 2048)),
        File(0xE104, [], size: 2048),
      ], enforcesMaximumLengths: true)
    product.version = (
      [0x04, 0x01, 0x01, 0x01, 0x00, 0x18, 0x05], [0x04, 0x01, 0x01, 0x01, 0x04, 0x18, 0x05]
    )
    return product
  }()

  /// A tag of no particular maker, described by its capability container.
  ///
  /// From mapping version 3.0 on it supports offset data objects (READ BINARY `B1`, UPDATE BINARY
  /// `D7`), which reach past byte 32767; with version 1.x its application is D2760000850100.
  ///
  /// - Parameters:
  ///   - version: The mapping version, for example `20` or `30` (hexadecimal).
  ///   - maximumRead: MLe; longer reads fail.
  ///   - maximumWrite: MLc; longer writes fail.
  ///   - fileSize: The NDEF file's size in bytes, including its length field; above 65534 (or with
  ///     `isExtended`) it is given in an extended file control TLV, and NLEN has four bytes.
  ///   - isExtended: `true` to use the extended TLV for a smaller file too.
  ///   - writeAccess: `00` for free access, `FF` for none, `80`–`FE` for proprietary access.
  package static func generic(
    version: UInt8 = 0x20, maximumRead: Int = 0x3B, maximumWrite: Int = 0x34,
    fileSize: Int = 2048, isExtended: Bool = false, writeAccess: UInt8 = 0x00
  ) -> SimulatedType4Product {
    SimulatedType4Product(
      name: "Type 4 tag", ats: [0x05, 0x78, 0x77, 0x81, 0x02],
      files: [
        File(
          0xE103,
          container(
            version: version, maximumRead: maximumRead, maximumWrite: maximumWrite,
            fileSize: fileSize, isExtended: isExtended, writeAccess: writeAccess)),
        File(0xE104, [], size: fileSize),
      ], enforcesMaximumLengths: true)
  }

  /// A capability container (NFC Forum Type 4 Tag, section 5.1) for one NDEF file, `E104`.
  private static func container(
    version: UInt8 = 0x20, maximumRead: Int, maximumWrite: Int, fileSize: Int,
    isExtended: Bool = false, writeAccess: UInt8 = 0x00
  ) -> [UInt8] {
    func bigEndian(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let isExtended = isExtended || fileSize > 0xFFFE
    let control: [UInt8] = isExtended ? [0x06, 0x08] : [0x04, 0x06]
    let rest =
      [version] + bigEndian(maximumRead, 2) + bigEndian(maximumWrite, 2) + control + [0xE1, 0x04]
      + bigEndian(fileSize, isExtended ? 4 : 2) + [0x00, writeAccess]
    return bigEndian(rest.count + 2, 2) + rest
  }
}
