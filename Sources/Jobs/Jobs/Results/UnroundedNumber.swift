/// A number that results state with every digit, such as an angle in degrees; others are rounded to
/// thousandths.
public struct UnroundedNumber: Encodable, Hashable, Sendable {
  /// The number.
  public let value: Double

  /// Makes a number.
  public init(_ value: Double) { self.value = value }

  /// Encodes the number.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}
