import CliptagPlatform

/// The bits that were read from a picture of an App Clip Code, each with a confidence.
public struct AppClipCodeReading: Hashable, Sendable, Codable {
  /// For each of the 128 positions, the natural logarithm of the odds that an arc continues through
  /// it: positive if one continues, negative if one begins, 0 if nothing was seen.
  public let continues: [Float]
  /// For each position, the natural logarithm of the odds that its arc has the third colour.
  public let third: [Float]

  /// The largest logarithm of odds of a single position: however clear it looks, it may be a
  /// scratch. One in 1,000.
  public static let surest: Float = 6.9

  /// Creates a reading from the logarithms of all positions, limited to ``surest``.
  ///
  /// - Returns: `nil` unless there are 128 finite numbers of each kind.
  public init?(continues: [Float], third: [Float]) {
    let count = AppClipCodeRing.positionsOfCode
    guard continues.count == count, third.count == count,
      (continues + third).allSatisfy(\.isFinite)
    else { return nil }
    self.continues = continues.map { min(max($0, -Self.surest), Self.surest) }
    self.third = third.map { min(max($0, -Self.surest), Self.surest) }
  }

  /// Creates a reading with full confidence from the pattern of a file.
  public init(_ pattern: AppClipCodePattern) {
    let indices = 0..<AppClipCodeRing.positionsOfCode
    continues = indices.map { pattern.continues(at: $0) ? Self.surest : -Self.surest }
    third = indices.map { pattern.hasThirdColour(at: $0) ? Self.surest : -Self.surest }
  }

  /// The number of the 128 positions that indicate with odds of at least seven to one whether an
  /// arc begins there.
  public var sureCount: Int { continues.count { abs($0) >= Self.sure } }

  /// The logarithm of odds from which a bit counts as reliably read: seven to one.
  package static let sure: Float = 2

  /// Returns whether both may be readings of one code: hardly any of the bits that are reliable in
  /// both differ.
  package func isLike(_ other: AppClipCodeReading) -> Bool {
    var both = 0
    var different = 0
    for (own, its) in zip(continues, other.continues)
    where abs(own) >= Self.sure && abs(its) >= Self.sure {
      both += 1
      if (own > 0) != (its > 0) { different += 1 }
    }
    return both >= 40 && Double(different) <= 2 * AppClipCodeIndex.Match.mostWrong * Double(both)
  }

  /// The probability of the likelier value of each position's first bit, 0.5 to 1.
  public var confidences: [Double] { continues.map(Self.confidence) }

  /// Returns the probability of the likelier value of a position's bit, 0.5 to 1.
  ///
  /// - Parameter odds: An element of ``continues`` or ``third``.
  public static func confidence(_ odds: Float) -> Double {
    1 / (1 + exp(-Double(abs(odds))))
  }

  private enum CodingKeys: String, CodingKey { case continues, third }

  /// Decodes the two lists and validates them.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let reading = Self(
      continues: try container.decode([Float].self, forKey: .continues),
      third: try container.decode([Float].self, forKey: .third))
    guard let reading else {
      throw DecodingError.dataCorruptedError(
        forKey: .continues, in: container,
        debugDescription: "a reading has 128 finite numbers of each kind")
    }
    self = reading
  }
}
