/// What the arcs of an App Clip Code say: two bits for each of its 128 positions.
///
/// It is what a picture is compared by. Nobody can turn it into its URL without tables that are
/// Apple's; whose code it is says the record of the files that were taken in.
public struct AppClipCodePattern: Hashable, Sendable {
  /// Bit *i* is set where the arc before goes on through position *i*, and clear where one begins.
  /// Position 0 is the first of the innermost ring, and the highest bit.
  public let continues: UInt128
  /// Bit *i* is set where the arc of position *i* has the third colour, and clear where it has the
  /// foreground's. All positions of an arc agree.
  public let third: UInt128

  /// Takes the bits of all positions.
  ///
  /// - Returns: Nothing when a ring has no beginning of an arc, or an arc has two colours.
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

  /// Whether the arc before goes on through a position, 0 to 127.
  public func continues(at index: Int) -> Bool { continues & Self.bit(index) != 0 }
  /// Whether the arc of a position, 0 to 127, has the third colour.
  public func hasThirdColour(at index: Int) -> Bool { third & Self.bit(index) != 0 }

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

  /// The bit of a position in ``continues`` and ``third``.
  package static func bit(_ index: Int) -> UInt128 { 1 << UInt128(127 - index) }
}

extension AppClipCodeRing {
  /// The position before another of this ring, by their indices among the 128.
  package func before(_ index: Int) -> Int { index == first ? first + positions - 1 : index - 1 }
}

/// An arc of an App Clip Code.
public struct AppClipCodeArc: Hashable, Sendable {
  /// Which ring it lies in, 0 (inside) to 4.
  public let ring: Int
  /// The position of its ring where it begins.
  public let start: Int
  /// How many positions it covers, clockwise, past the ring's first position if need be.
  public let length: Int
  /// Whether it has the third colour and not the foreground's.
  public let hasThirdColour: Bool

  /// Makes an arc.
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

  /// Reads what ``description`` writes.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 32 }),
      let continues = UInt128(parts[0], radix: 16), let third = UInt128(parts[1], radix: 16)
    else { return nil }
    self.init(continues: continues, third: third)
  }

  /// Reads the text of a pattern.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let pattern = Self(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "“\(text)” is no pattern of an App Clip Code")
    }
    self = pattern
  }

  /// Writes ``description``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  private static func digits(_ bits: UInt128) -> String {
    let digits = String(bits, radix: 16)
    return String(repeating: "0", count: 32 - digits.count) + digits
  }
}
