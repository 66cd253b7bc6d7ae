/// An NFC Forum Type 4 tag that has been identified and read.
///
/// This is a value: it describes the tag at the time of the reading, and communicates with the tag
/// only in the functions that take a channel. NTAG 424 DNA, NTAG 413 DNA and MIFARE DESFire are
/// known by their response to GetVersion; any other tag with an NDEF application is named "Type 4".
public struct Type4Tag: Hashable, Sendable {
  /// The tag's description from its selection.
  public let target: TagTarget
  /// The response to GetVersion, its parts joined; `nil` if the tag does not support the command.
  public let version: [UInt8]?
  /// The capability container; `nil` if there is none that is readable.
  public let capabilityContainer: Type4CapabilityContainer?
  /// The content of the tag.
  public internal(set) var content: TagContent
  /// The reason why the tag is not an NDEF tag or cannot be read, for people; empty otherwise.
  package let problem: String
  /// The settings of the NDEF file, if the product reports them and they were requested.
  package internal(set) var settings: Type4FileSettings?
  var hasReadSettings = false
  /// The name in the file of a dump, which does not answer the version commands.
  var savedName: String?
  /// The bytes of the NDEF file that have been read, from its start on.
  package internal(set) var file: [UInt8]
  /// The number of commands and selections used so far.
  package internal(set) var exchanges: Int

  /// The UID.
  public var uid: [UInt8] { target.uid }

  /// The product's name, for example `NTAG 424 DNA`, or `Type 4`.
  public var name: String {
    if let name = version.flatMap(Type4Product.name) ?? savedName { return name }
    // A chip card that offers both, and was activated as the former.
    if capabilityContainer == nil && target.sak & 0x08 != 0 { return "MIFARE Classic (SmartMX)" }
    return capabilityContainer == nil ? "ISO-DEP card" : "Type 4"
  }

  /// The length of the longest message that fits, in bytes; 0 if the tag is not an NDEF tag.
  public var capacity: Int { capabilityContainer?.capacity ?? 0 }

  /// A Boolean value that indicates whether the message can never be changed again, according to
  /// the capability container or the file's settings.
  public var isLocked: Bool {
    capabilityContainer?.writeAccess == 0xFF || settings?.isWriteDenied == true
  }

  /// A Boolean value that indicates whether a key protects the message, according to the capability
  /// container, the file's settings, or an attempt to read.
  public var isPasswordProtected: Bool {
    if case .unreadable = content { return true }
    if let settings, !settings.isWriteFree, !settings.isWriteDenied { return true }
    return capabilityContainer.map { (0x80...0xFE).contains($0.writeAccess) } ?? false
  }

  /// A Boolean value that indicates whether the tag follows mapping version 1.0, which is only
  /// read.
  var usesFirstMapping: Bool { capabilityContainer.map { $0.mappingVersion >> 4 == 1 } ?? false }
}

extension Type4Tag {
  /// Reads the originality signature that NXP stored when the tag was made (Read_Sig; NTAG 424 DNA
  /// data sheet NT4H2421Gx, section 10.13; AN12196, section 7.2). It requires no key.
  ///
  /// - Returns: 56 bytes, r before s, from an intact tag; `nil` if the tag does not support the
  ///   command.
  /// - Throws: ``TagError``: `tag-lost`, `tag-changed`, `reader-failed`, `cancelled`.
  public func readSignature(over channel: some TagChannel) async throws(TagError) -> [UInt8]? {
    var commands = Type4Commands(channel)
    do throws(TagChannelError) {
      return try await commands.signature()
    } catch {
      throw TagError(error, uid: uid)
    }
  }
}

/// The products whose response to GetVersion is known.
///
/// Source: hardware type, major version and storage size of the data sheets (NT4H2421Gx, section
/// 10.5.2; NT4H1321; MF3D(H)x2 and MF3D(H)x3) and of NXP AN12343.
enum Type4Product {
  /// All names that ``name(_:)`` returns, and that of a tag with an unknown response.
  static let names = [
    "NTAG 424 DNA", "NTAG 424 DNA TagTamper", "NTAG 413 DNA", "MIFARE DESFire",
    "MIFARE DESFire EV1", "MIFARE DESFire EV2", "MIFARE DESFire EV3", "MIFARE DESFire Light",
    "MIFARE DUOX", "Type 4",
  ]

  /// The product's name; `nil` for an unknown response.
  ///
  /// - Parameter version: Vendor, type, subtype, major and minor version, storage size, protocol,
  ///   and any further bytes.
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

/// The capability container file of a Type 4 tag: the place of its NDEF file and the limits of
/// exchanges.
///
/// NFC Forum, Type 4 Tag 2.0 and 3.0, section 5.1.
public struct Type4CapabilityContainer: Hashable, Sendable {
  /// The valid bytes of the container file.
  public let bytes: [UInt8]
  /// The version of the mapping, major number in the upper half: `20` or `30`; `10` is read only.
  public let mappingVersion: UInt8
  /// The maximum length of one READ BINARY (MLe), in bytes.
  public let maximumReadByteCount: Int
  /// The maximum length of one UPDATE BINARY (MLc), in bytes.
  public let maximumWriteByteCount: Int
  /// The NDEF file's identifier, `E104` on an NTAG 424 DNA.
  public let fileID: UInt16
  /// The size of the NDEF file in bytes, including the message's length field.
  public let fileByteCount: Int
  /// The size of the length field at the beginning of the NDEF file in bytes: 2, or 4 in an
  /// extended file.
  package let lengthByteCount: Int
  /// The read access: 0 is free, 80 to FE require a proprietary secret.
  package let readAccess: UInt8
  /// The write access: 0 is free, FF is none, 80 to FE require a proprietary secret.
  public let writeAccess: UInt8
  /// The offset of the byte of ``writeAccess`` in the container file.
  package let writeAccessOffset: Int
  /// The container file's identifier.
  package static let fileID: UInt16 = 0xE103

  /// The number of bytes that hold everything if the NDEF file's block comes first, as required,
  /// and is not an extended one.
  static let usualByteCount = 15
  /// The maximum size of a container here, in bytes; more would be blocks for irrelevant files.
  static let largestByteCount = 255

  /// Parses the container.
  ///
  /// - Returns: `nil` if the bytes are not a container of a known version, or end before the block
  ///   of an NDEF file.
  init?(_ bytes: [UInt8]) {
    func number(_ range: Range<Int>) -> Int { range.reduce(0) { $0 << 8 | Int(bytes[$1]) } }
    guard bytes.count >= 7, (1...3).contains(bytes[2] >> 4) else { return nil }
    // A container is valid up to its stated length; a tag may have more in the file.
    let end = min(bytes.count, number(0..<2))
    var start = 7
    while start + 2 <= end, !Self.isFileBlock(bytes[start], bytes[start + 1]) {
      start += 2 + Int(bytes[start + 1])
    }
    guard start + 2 <= end, start + 2 + Int(bytes[start + 1]) <= end else { return nil }
    let sizeByteCount = bytes[start] == 0x06 ? 4 : 2
    self.bytes = Array(bytes.prefix(end))
    mappingVersion = bytes[2]
    maximumReadByteCount = number(3..<5)
    maximumWriteByteCount = number(5..<7)
    fileID = UInt16(number(start + 2..<start + 4))
    fileByteCount = number(start + 4..<start + 4 + sizeByteCount)
    lengthByteCount = sizeByteCount
    readAccess = bytes[start + 4 + sizeByteCount]
    writeAccessOffset = start + 5 + sizeByteCount
    writeAccess = bytes[writeAccessOffset]
    guard maximumReadByteCount >= 0x0F, maximumWriteByteCount >= lengthByteCount,
      fileByteCount > lengthByteCount, !Self.reservedFiles.contains(fileID)
    else { return nil }
  }

  /// The length of the longest message that fits into the file, in bytes.
  ///
  /// Offsets above 7FFF need commands that only an extended file supports.
  public var capacity: Int {
    let reachable = lengthByteCount == 2 ? min(fileByteCount, 0x8000) : fileByteCount
    return reachable - lengthByteCount
  }

  /// Returns `true` for NDEF File Control (04), or Extended NDEF File Control (06) of version 3.
  private static func isFileBlock(_ type: UInt8, _ length: UInt8) -> Bool {
    (type, length) == (0x04, 6) || (type, length) == (0x06, 8)
  }

  private static let reservedFiles: Set<UInt16> = [0x0000, 0xE102, 0xE103, 0x3F00, 0x3FFF, 0xFFFF]
}
