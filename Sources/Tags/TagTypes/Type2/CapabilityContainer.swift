/// The capability container, page 3 of a Type 2 tag, which describes its NDEF memory.
///
/// The page can be programmed once: a write sets bits and never clears them. NFC Forum, Type 2 Tag
/// 1.1, section 6.1.
public struct CapabilityContainer: Hashable, Sendable {
  /// The four bytes.
  package let bytes: [UInt8]

  /// Makes a container of the bytes of page 3.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// A Boolean value that indicates whether the tag is formatted for NDEF in a supported way: `E1`,
  /// mapping version 1.x, a data area that is not empty.
  public var isNDEF: Bool { bytes[0] == 0xE1 && bytes[1] >> 4 == 1 && bytes[2] != 0 }

  /// The size of the data area, which begins at page 4, in bytes: 0 to 2,040.
  public var dataAreaByteCount: Int { Int(bytes[2]) * 8 }

  /// The read access: 0 is free. Phones read no tag with any other value.
  package var readAccess: UInt8 { bytes[3] >> 4 }

  /// The write access: 0 is free, F is none, 8 to E require a proprietary secret.
  public var writeAccess: UInt8 { bytes[3] & 0x0F }

  /// Returns `true` if setting bits can turn these bytes into `wanted`.
  func canBecome(_ wanted: [UInt8]) -> Bool {
    zip(bytes, wanted).allSatisfy { $0 | $1 == $1 }
  }
}
