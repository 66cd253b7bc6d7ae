/// Page 3 of a Type 2 tag: whether and how it holds NDEF.
///
/// The page can be programmed once: a write sets bits and never clears them.
/// NFC Forum, Type 2 Tag 1.1, section 6.1.
public struct CapabilityContainer: Hashable, Sendable {
  /// The four bytes.
  package let bytes: [UInt8]

  /// Takes the bytes of page 3.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether the bytes say that the tag is formatted for NDEF in a way this version reads: `E1`,
  /// mapping version 1.x, a data area that is not empty.
  public var isNDEF: Bool { bytes[0] == 0xE1 && bytes[1] >> 4 == 1 && bytes[2] != 0 }

  /// Bytes of the data area, which begins at page 4. 0 to 2,040.
  public var dataAreaByteCount: Int { Int(bytes[2]) * 8 }

  /// Who may read: 0 everybody. Phones read no tag with another value, whatever it stands for.
  package var readAccess: UInt8 { bytes[3] >> 4 }

  /// Who may write: 0 everybody, F nobody, 8 to E whoever knows a proprietary secret.
  public var writeAccess: UInt8 { bytes[3] & 0x0F }

  /// Whether writing bits can turn these bytes into `wanted`.
  func canBecome(_ wanted: [UInt8]) -> Bool {
    zip(bytes, wanted).allSatisfy { $0 | $1 == $1 }
  }
}
