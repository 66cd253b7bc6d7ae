/// An answer to GET_VERSION, read (NTAG213/215/216 data sheet, section 10.1).
public struct Type2Version: Hashable, Sendable {
  /// The eight bytes.
  public let bytes: [UInt8]

  /// Reads an answer; `nil` when it has not eight bytes.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == 8 else { return nil }
    self.bytes = bytes
  }

  /// Who made the chip, as ISO/IEC 7816-6 registers it; 4 is NXP.
  public var vendor: UInt8 { bytes[1] }

  /// How many bytes of user memory the chip says it has, at least and at most.
  public var storageByteCount: ClosedRange<Int> {
    // Bits 7 to 1 are the power of two; bit 0 says that it is more than that.
    let least = 1 << min(Int(bytes[6] >> 1), 32)
    return bytes[6] & 1 == 0 ? least...least : least...least * 2
  }
}

extension Type2Tag {
  /// The answer to GET_VERSION, read; `nil` when ``version`` is.
  public var productVersion: Type2Version? { version.flatMap(Type2Version.init) }

  /// The two static lock bytes, which lock pages 3 to 15; `nil` when they could not be read.
  public var staticLockBytes: [UInt8]? { memory[2].map { Array($0[2...]) } }

  /// The three bytes with the dynamic lock bits, of a product that has them and where they have
  /// been read.
  public var dynamicLockBytes: [UInt8]? {
    layout.dynamicLockPage.flatMap { memory[$0] }.map { Array($0[..<3]) }
  }

  /// The pages from the capability container to the last user page that can never be written
  /// again, by the lock bits that have been read.
  public var lockedPages: [Int] {
    (3...layout.userPages.upperBound).filter { protection(of: $0) == .locked }
  }
}
