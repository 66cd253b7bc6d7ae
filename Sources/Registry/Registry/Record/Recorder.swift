import CliptagBasics
import Foundation
import TagAuthenticity

/// The keeper of a chain of entries: one registry file, on one machine.
///
/// The name is random and stored in the file. A copy of the file, on another machine or beside the
/// first, gets a new name with its first entry, so that two copies never continue the same chain.
public struct Recorder: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The name: a UUID (RFC 9562) in lower case.
  public let description: String

  /// Makes a new name.
  public init() { description = UUID().uuidString.lowercased() }

  /// Creates the recorder that repeats the entries after a fork: a UUID of version 8 (RFC 9562,
  /// 5.8) from the first of these entries, so that every merge gives it the same name.
  init(retellingFrom entry: RecordEntry) {
    var bytes = Array(entry.hash.bytes.prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = bytes.hexadecimal.lowercased()
    let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { range in
      String(digits.dropFirst(range.lowerBound).prefix(range.count))
    }
    description = parts.joined(separator: "-")
  }

  /// Reads a name; `nil` if the text is not a UUID.
  public init?(_ text: String) {
    guard text.utf8.count == 36, let uuid = UUID(uuidString: text) else { return nil }
    description = uuid.uuidString.lowercased()
  }

  /// Compares the bytes of the names.
  public static func < (left: Recorder, right: Recorder) -> Bool {
    left.description.utf8.lexicographicallyPrecedes(right.description.utf8)
  }
}

/// A SHA-256 digest in a chain.
public struct EntryHash: Hashable, Sendable, CustomStringConvertible {
  /// The 32 bytes of the digest.
  public let bytes: [UInt8]

  /// The placeholder for the hash of the entry before the first: 32 zeros.
  public static let none = EntryHash(unchecked: [UInt8](repeating: 0, count: 32))

  init(unchecked bytes: [UInt8]) { self.bytes = bytes }

  /// Takes the bytes of a digest; `nil` unless there are 32.
  package init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == 32 else { return nil }
    self.bytes = Array(bytes)
  }

  /// Reads 64 hexadecimal digits.
  package init?(hexadecimal text: String) {
    guard let bytes = [UInt8](hexadecimal: text.utf8) else { return nil }
    self.init(bytes)
  }

  /// The digest as 64 hexadecimal digits in upper case.
  public var description: String { bytes.hexadecimal }
}

/// The last entry of a chain.
public struct ChainHead: Hashable, Sendable {
  /// The recorder of the chain.
  public let recorder: Recorder
  /// The entry's number, which equals the number of entries.
  public let number: Int
  /// The entry's hash, which represents the whole chain.
  public let hash: EntryHash
}
