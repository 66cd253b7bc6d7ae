/// The capability container, the first bytes of a Type 5 tag, which describes its NDEF memory.
///
/// It has four bytes, or eight if the memory is too large for the one byte of its size. It can be
/// written like any other memory. NFC Forum, Type 5 Tag 1.1, section 4.3.
public struct Type5CapabilityContainer: Hashable, Sendable {
  /// The four or eight bytes.
  public let bytes: [UInt8]
  /// The size of the data area, which begins after the container, in bytes.
  public let areaByteCount: Int

  /// Parses the container at the beginning of a memory; `nil` if there is none, or if its version
  /// is not 1.x.
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

  /// Makes the container of a formatted memory.
  ///
  /// E2 makes readers address blocks with two bytes. The area is counted in units of eight bytes;
  /// the count is in byte 2, or in bytes 6 and 7 if it does not fit there.
  ///
  /// - Parameters:
  ///   - byteCount: The size of the whole memory in bytes, at least 16.
  ///   - blockByteCount: The size of a block in bytes.
  ///   - readsSeveralBlocks: `true` if it announces READ MULTIPLE BLOCKS (MBREAD) to readers.
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

  /// The read access: 0 is free. Phones read no tag with any other value.
  public var readAccess: UInt8 { bytes[1] >> 2 & 0x03 }
  /// The write access: 0 is free, 2 requires a secret, 3 is none.
  public var writeAccess: UInt8 { bytes[1] & 0x03 }
  /// A Boolean value that indicates whether it announces the reading of several blocks at once
  /// (MBREAD) to readers.
  ///
  /// Users report that an iPhone then finds no message in the background (Apple Developer Forums,
  /// thread 713375; Stack Overflow, answer 46649184); Apple's documentation does not mention it.
  public var readsSeveralBlocks: Bool { bytes[3] & 0x01 != 0 }

  /// The same container as phones read it: with free read access, and without MBREAD.
  var mended: [UInt8] { [bytes[0], bytes[1] & ~0x0C, bytes[2], bytes[3] & ~0x01] + bytes[4...] }

  /// The same container, marked read-only.
  var readOnly: [UInt8] { [bytes[0], bytes[1] | 0x03] + bytes[2...] }

  /// The bytes after the container that TLV blocks may use.
  var area: DataArea { DataArea(byteCount: areaByteCount, from: bytes.count) }
}
