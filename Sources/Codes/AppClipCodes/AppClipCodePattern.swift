/// The arcs of an App Clip Code as bits: two for each of its 128 positions.
///
/// Pictures are compared by this pattern. Decoding it into its URL would require tables that only
/// Apple has; the URL comes from the record of the imported files.
public struct AppClipCodePattern: Hashable, Sendable {
  /// Bit *i* is set if the previous arc continues through position *i*, and clear if an arc begins
  /// there. Position 0 is the first of the innermost ring, and the highest bit.
  public let continues: UInt128
  /// Bit *i* is set if the arc of position *i* has the third colour, and clear if it has the
  /// foreground's. All positions of an arc agree.
  public let third: UInt128

  /// Creates a pattern from the bits of all positions.
  ///
  /// - Returns: `nil` if a ring contains no beginning of an arc, or an arc has two colours.
  public init?(continues: UInt128, third: UInt128) {
    self.continues = continues
    self.third = third
    for ring in AppClipCodeRing.all {
      guard ring.indices.contains(where: { !self.continues(at: $0) }) else { return nil }
      for index in ring.indices where self.continues(at: index) {
        guard hasThirdColour(at: index) == hasThirdColour(at: ring.before(index)) else {
          return nil
        }
      }
    }
  }

  /// Returns whether the previous arc continues through a position, 0 to 127.
  public func continues(at index: Int) -> Bool { continues & Self.bit(index) != 0 }
  /// Returns whether the arc of a position, 0 to 127, has the third colour.
  public func hasThirdColour(at index: Int) -> Bool { third & Self.bit(index) != 0 }

  /// The 128 characters of ``continues``: `0` where an arc begins, `1` where the previous one continues.
  public var gaps: String {
    (0..<AppClipCodeRing.positionsOfCode).map { continues(at: $0) ? "1" : "0" }.joined()
  }

  /// The 128 characters of ``third``: `1` where the arc has the third colour.
  public var thirds: String {
    (0..<AppClipCodeRing.positionsOfCode).map { hasThirdColour(at: $0) ? "1" : "0" }.joined()
  }

  /// The arcs of all rings from the inside out, clockwise.
  public var arcs: [AppClipCodeArc] {
    AppClipCodeRing.all.enumerated().flatMap { number, ring in
      let starts = (0..<ring.positions).filter { !continues(at: ring.first + $0) }
      return starts.enumerated().map { place, start in
        let next = place + 1 < starts.count ? starts[place + 1] : starts[0] + ring.positions
        return AppClipCodeArc(
          ring: number, start: start, length: next - start,
          hasThirdColour: hasThirdColour(at: ring.first + start))
      }
    }
  }

  /// Returns the bit of a position in ``continues`` and ``third``.
  package static func bit(_ index: Int) -> UInt128 { 1 << UInt128(127 - index) }
}

extension AppClipCodeRing {
  /// Returns the position before another one of this ring, by their indices among the 128.
  package func before(_ index: Int) -> Int { index == first ? first + positions - 1 : index - 1 }
}

/// An arc of an App Clip Code.
public struct AppClipCodeArc: Hashable, Sendable {
  /// The ring of the arc, 0 (inside) to 4.
  public let ring: Int
  /// The first position in its ring.
  public let start: Int
  /// The number of positions, clockwise; the arc may pass the ring's first position.
  public let length: Int
  /// A Boolean value that indicates whether it has the third colour instead of the foreground's.
  public let hasThirdColour: Bool

  /// Creates an arc.
  public init(ring: Int, start: Int, length: Int, hasThirdColour: Bool) {
    self.ring = ring
    self.start = start
    self.length = length
    self.hasThirdColour = hasThirdColour
  }
}

extension AppClipCodePattern: Codable, CustomStringConvertible {
  /// Both sets of bits as 32 hexadecimal digits each, with a hyphen between.
  public var description: String { "\(Self.digits(continues))-\(Self.digits(third))" }

  /// Parses a text in the format of ``description``.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 32 }),
      let continues = UInt128(parts[0], radix: 16), let third = UInt128(parts[1], radix: 16)
    else { return nil }
    self.init(continues: continues, third: third)
  }

  /// Decodes the text of a pattern.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let pattern = Self(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "“\(text)” is not a pattern of an App Clip Code")
    }
    self = pattern
  }

  /// Encodes ``description``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  private static func digits(_ bits: UInt128) -> String {
    let digits = String(bits, radix: 16)
    return String(repeating: "0", count: 32 - digits.count) + digits
  }
}
