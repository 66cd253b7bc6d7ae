/// The capability container file of a Type 4 tag: where its NDEF file is and how to exchange it.
///
/// NFC Forum, Type 4 Tag 2.0 and 3.0, section 5.1.
public struct Type4CapabilityContainer: Hashable, Sendable {
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
    mappingVersion = bytes[2]
    maximumReadByteCount = number(3..<5)
    maximumWriteByteCount = number(5..<7)
    fileID = UInt16(number(start + 2..<start + 4))
    fileByteCount = number(start + 4..<start + 4 + sizeByteCount)
    lengthByteCount = sizeByteCount
    readAccess = bytes[start + 4 + sizeByteCount]
    writeAccess = bytes[start + 5 + sizeByteCount]
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
