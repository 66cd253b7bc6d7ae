/// A version of iOS, as far as App Clips tell versions apart.
public struct IOSVersion: Hashable, Sendable, Comparable {
  /// The first number, for example 16.
  public let major: Int
  /// The second number, for example 4.
  public let minor: Int

  /// Makes a version.
  public init(_ major: Int, _ minor: Int = 0) {
    self.major = major
    self.minor = minor
  }

  /// Reads `16`, `16.4` or `16.4.1`; what follows the second number makes no difference here.
  public init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count),
      parts.allSatisfy({ (1...3).contains($0.count) && $0.allSatisfy(\.isASCIIDigit) })
    else { return nil }
    let numbers = parts.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    self.init(numbers[0], numbers.count > 1 ? numbers[1] : 0)
  }

  /// Compares number by number.
  public static func < (left: IOSVersion, right: IOSVersion) -> Bool {
    (left.major, left.minor) < (right.major, right.minor)
  }

  /// The first version with App Clips.
  public static let firstWithAppClips = IOSVersion(14)
}

extension IOSVersion: CustomStringConvertible {
  /// `16` or `16.4`.
  public var description: String { minor == 0 ? "\(major)" : "\(major).\(minor)" }
}
