/// An NFC Forum Type 4 tag that has been identified and read.
///
/// It is a value: it tells what was on the tag when it was read, and talks to the tag only in the
/// functions that take a channel. NTAG 424 DNA, NTAG 413 DNA and MIFARE DESFire are known by their
/// answer to GetVersion; any other tag with an NDEF application is called "Type 4".
public struct Type4Tag: Hashable, Sendable {
  /// The tag as it answered when it was selected.
  public let target: TagTarget
  /// The answer to GetVersion, its parts in a row; `nil` when the tag does not know the command.
  public let version: [UInt8]?
  /// The capability container; `nil` when there is none that can be read.
  public let capabilityContainer: Type4CapabilityContainer?
  /// What the tag holds.
  public internal(set) var content: TagContent
  /// Why the tag is no NDEF tag or cannot be read, for a person; empty when it can.
  package let problem: String
  /// How the tag treats its NDEF file, if it is a product that tells and was asked.
  package internal(set) var settings: Type4FileSettings?
  var hasReadSettings = false
  /// What the file of a dump calls it, whose commands for the version a dump does not answer.
  var savedName: String?
  /// Bytes of the NDEF file that have been read, from its start on.
  var file: [UInt8]
  /// Commands and selections it took to get here.
  package internal(set) var exchanges: Int

  /// The UID.
  public var uid: [UInt8] { target.uid }

  /// The product's name, for example `NTAG 424 DNA`, or `Type 4`.
  public var name: String {
    if let name = version.flatMap(Type4Product.name) ?? savedName { return name }
    // A chip card that offers both, and was activated as the one.
    if capabilityContainer == nil && target.sak & 0x08 != 0 { return "MIFARE Classic (SmartMX)" }
    return capabilityContainer == nil ? "ISO-DEP card" : "Type 4"
  }

  /// Bytes of the longest message that fits; 0 when the tag is not one of NDEF.
  public var capacity: Int { capabilityContainer?.capacity ?? 0 }

  /// Whether the message can never be changed again, as the capability container or the file's
  /// settings say.
  public var isLocked: Bool {
    capabilityContainer?.writeAccess == 0xFF || settings?.isWriteDenied == true
  }

  /// Whether a key guards the message, as the capability container or the file's settings say, or
  /// as reading showed.
  public var isPasswordProtected: Bool {
    if case .unreadable = content { return true }
    if let settings, !settings.isWriteFree, !settings.isWriteDenied { return true }
    return capabilityContainer.map { (0x80...0xFE).contains($0.writeAccess) } ?? false
  }

  /// Whether the tag follows mapping version 1.0, which is only read.
  var usesFirstMapping: Bool { capabilityContainer.map { $0.mappingVersion >> 4 == 1 } ?? false }
}

extension Type4Tag {
  /// Reads the originality signature that NXP stored when the tag was made (Read_Sig; NTAG 424 DNA
  /// data sheet NT4H2421Gx, section 10.13; AN12196, section 7.2). It needs no key.
  ///
  /// - Returns: 56 bytes, r before s, from a tag that is in order; `nil` when the tag does not know the
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

/// The capability container file of a Type 4 tag: where its NDEF file is and how to exchange it.
///
/// NFC Forum, Type 4 Tag 2.0 and 3.0, section 5.1.
public struct Type4CapabilityContainer: Hashable, Sendable {
  /// The bytes of the container file, as many as count.
  public let bytes: [UInt8]
  /// Version of the mapping, major number in the upper half: `20` or `30`; `10` is read only.
  public let mappingVersion: UInt8
  /// The most bytes one READ BINARY may ask for (MLe).
  public let maximumReadByteCount: Int
  /// The most bytes one UPDATE BINARY may carry (MLc).
  public let maximumWriteByteCount: Int
  /// The NDEF file's identifier, `E104` on an NTAG 424 DNA.
  public let fileID: UInt16
  /// Bytes of the NDEF file, the message's length field included.
  public let fileByteCount: Int
  /// Bytes of the length field that the NDEF file begins with: 2, or 4 in an extended file.
  package let lengthByteCount: Int
  /// Who may read: 0 everybody, 80 to FE whoever knows a proprietary secret.
  package let readAccess: UInt8
  /// Who may write: 0 everybody, FF nobody, 80 to FE whoever knows a proprietary secret.
  public let writeAccess: UInt8
  /// Where in the container file the byte of ``writeAccess`` lies.
  let writeAccessOffset: Int
  /// The container file's own identifier.
  static let fileID: UInt16 = 0xE103

  /// Bytes that hold everything when the NDEF file's block comes first, as it must, and is not an
  /// extended one.
  static let usualByteCount = 15
  /// Bytes that a container may have here; more would be blocks for files that do not matter.
  static let largestByteCount = 255

  /// Reads the container.
  ///
  /// - Returns: `nil` when the bytes are no container of a version that is known, or end before the
  ///   block of an NDEF file.
  init?(_ bytes: [UInt8]) {
    func number(_ range: Range<Int>) -> Int { range.reduce(0) { $0 << 8 | Int(bytes[$1]) } }
    guard bytes.count >= 7, (1...3).contains(bytes[2] >> 4) else { return nil }
    // A container is valid up to its own length; a tag may have more in the file.
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

  /// Bytes of the longest message that the file takes.
  ///
  /// Offsets above 7FFF need commands that only an extended file promises.
  public var capacity: Int {
    let reachable = lengthByteCount == 2 ? min(fileByteCount, 0x8000) : fileByteCount
    return reachable - lengthByteCount
  }

  /// NDEF File Control (04), or Extended NDEF File Control (06) of version 3.
  private static func isFileBlock(_ type: UInt8, _ length: UInt8) -> Bool {
    (type, length) == (0x04, 6) || (type, length) == (0x06, 8)
  }

  private static let reservedFiles: Set<UInt16> = [0x0000, 0xE102, 0xE103, 0x3F00, 0x3FFF, 0xFFFF]
}
