/// An Android Application Record. Android opens this application, or its page in the store, instead
/// of asking which one opens the URL. Other phones ignore it.
///
/// The record has the external type `android.com:pkg`, and its payload is the package name (Android
/// developers, "NFC basics", section "Android Application Records").
public struct AndroidApplicationRecord: Hashable, Sendable {
  /// The record.
  public let record: NDEFRecord
  /// The package name, for example `com.example.fruta`.
  public let packageName: String

  private static let type = Array("android.com:pkg".utf8)

  /// Reads a record.
  ///
  /// - Returns: `nil` if the record has another type or contains no package name.
  public init?(_ record: NDEFRecord) {
    let name = String(decoding: record.payload, as: UTF8.self)
    guard record.typeNameFormat == .external, record.type == Self.type, Self.isPackageName(name)
    else { return nil }
    self.record = record
    packageName = name
  }

  /// Makes a record.
  ///
  /// - Parameter packageName: Two or more parts separated by dots; each begins with an ASCII letter
  ///   and continues with ASCII letters, digits and underscores. At most 223 characters.
  /// - Returns: `nil` for any other name.
  public init?(packageName: String) {
    guard Self.isPackageName(packageName),
      let record = try? NDEFRecord(.external, type: Self.type, payload: Array(packageName.utf8))
    else { return nil }
    self.record = record
    self.packageName = packageName
  }

  private static func isPackageName(_ name: String) -> Bool {
    let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count >= 2, name.utf8.count <= 223 else { return false }
    return parts.allSatisfy { part in
      guard let first = part.first, isLetter(first) else { return false }
      return part.allSatisfy { byte in
        isLetter(byte) || byte == UInt8(ascii: "_")
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      }
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
