/// The first bytes of a Type 5 tag: whether and how it holds NDEF.
///
/// Four bytes, or eight where the memory is too large for the one byte that counts it. It can be written
/// like any other memory. NFC Forum, Type 5 Tag 1.1, section 4.3.
public struct Type5CapabilityContainer: Hashable, Sendable {
  /// The four or eight bytes.
  public let bytes: [UInt8]
  /// Bytes of the data area, which begins behind the container.
  public let areaByteCount: Int

  /// Reads the container at the beginning of a memory; nil without one, or of a version that is not 1.x.
  init?(_ memory: [UInt8]) {
    guard memory.count >= 4, memory[0] == 0xE1 || memory[0] == 0xE2, memory[1] >> 6 == 1 else {
      return nil
    }
    if memory[2] != 0 {
      bytes = Array(memory.prefix(4))
      areaByteCount = Int(memory[2]) * 8
    } else {
      guard memory.count >= 8 else { return nil }
      bytes = Array(memory.prefix(8))
      areaByteCount = (Int(memory[6]) << 8 | Int(memory[7])) * 8
    }
    guard areaByteCount > 0 else { return nil }
  }

  /// The container of a memory that is formatted.
  ///
  /// E2 tells readers to name blocks with two bytes. The area is counted in eight bytes; the count is in
  /// byte 2, or behind it when it does not fit there.
  ///
  /// - Parameters:
  ///   - byteCount: Bytes of the whole memory, at least 16.
  ///   - blockByteCount: Bytes in one block.
  ///   - readsSeveralBlocks: Whether it tells readers that the tag knows READ MULTIPLE BLOCKS (MBREAD).
  init(byteCount: Int, blockByteCount: Int, readsSeveralBlocks: Bool) {
    let start: [UInt8] = [byteCount / blockByteCount > 256 ? 0xE2 : 0xE1, 0x40]
    let features: UInt8 = readsSeveralBlocks ? 0x01 : 0x00
    let short = (byteCount - 4) / 8
    if short <= 0xFF {
      bytes = start + [UInt8(short), features]
      areaByteCount = short * 8
    } else {
      let long = (byteCount - 8) / 8
      bytes = start + [0, features, 0, 0, UInt8(long >> 8), UInt8(long & 0xFF)]
      areaByteCount = long * 8
    }
  }

  /// Whether blocks are named with two bytes, by the commands from 30 on.
  public var usesTwoByteAddresses: Bool { bytes[0] == 0xE2 }
  /// Who may read: 0 everybody. Phones read no tag with another value.
  public var readAccess: UInt8 { bytes[1] >> 2 & 0x03 }
  /// Who may write: 0 everybody, 2 whoever knows a secret, 3 nobody.
  public var writeAccess: UInt8 { bytes[1] & 0x03 }
  /// Whether it tells readers that the tag reads several blocks at once (MBREAD).
  ///
  /// Users report that an iPhone then finds no message in the background (Apple Developer Forums, thread
  /// 713375; Stack Overflow, answer 46649184); Apple documents nothing of it.
  public var readsSeveralBlocks: Bool { bytes[3] & 0x01 != 0 }

  /// The same container as phones read it: open to everybody, and without MBREAD.
  var mended: [UInt8] { [bytes[0], bytes[1] & ~0x0C, bytes[2], bytes[3] & ~0x01] + bytes[4...] }

  /// The same container, which calls the tag read-only.
  var readOnly: [UInt8] { [bytes[0], bytes[1] | 0x03] + bytes[2...] }

  /// The bytes behind the container that TLV blocks may use.
  var area: DataArea { DataArea(byteCount: areaByteCount, from: bytes.count) }
}
