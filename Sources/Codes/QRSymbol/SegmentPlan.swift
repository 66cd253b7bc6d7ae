extension QRSymbol {
  /// A stretch of the text that is encoded in one mode (ISO/IEC 18004:2015, 7.4).
  public struct Segment: Hashable, Sendable {
    /// The encoding of the bytes of a segment.
    public enum Mode: String, CaseIterable, Hashable, Sendable {
      /// Digits: ten bits per three.
      case numeric
      /// Digits, capital letters and `␠ $ % * + - . / :`: eleven bits per two.
      case alphanumeric
      /// Any bytes: eight bits each.
      case byte
    }

    /// The encoding of the bytes.
    public let mode: Mode
    /// The range of the segment in the symbol's ``QRSymbol/bytes``; never empty.
    public let range: Range<Int>

    /// Returns the number of bits of the segment in a symbol of `version` (1 to 40), including mode
    /// and count.
    public func bits(version: Int) -> Int {
      4 + mode.countBits(version: version) + mode.dataBits(count: range.count)
    }
  }
}

extension QRSymbol.Segment.Mode {
  /// Returns the number of bits of the character count indicator (ISO/IEC 18004:2015, table 3).
  func countBits(version: Int) -> Int {
    switch self {
    case .numeric: version <= 9 ? 10 : version <= 26 ? 12 : 14
    case .alphanumeric: version <= 9 ? 9 : version <= 26 ? 11 : 13
    case .byte: version <= 9 ? 8 : 16
    }
  }

  /// Returns the number of bits of `count` characters, without mode and count.
  fileprivate func dataBits(count: Int) -> Int { (count * sixthsOfABit + 5) / 6 }

  /// The cost of one more character in sixths of a bit; rounded to whole bits only at the end of a
  /// segment.
  fileprivate var sixthsOfABit: Int {
    switch self {
    case .numeric: 20
    case .alphanumeric: 33
    case .byte: 48
    }
  }

  /// Returns whether the mode can encode the byte.
  func encodes(_ byte: UInt8) -> Bool {
    switch self {
    case .numeric: Self.isDigit(byte)
    case .alphanumeric:
      Self.isDigit(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        || Self.alphanumericSigns.contains(byte)
    case .byte: true
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// The signs of the alphanumeric mode, in the order of their values from 36 on (table 5).
  static let alphanumericSigns = Array(" $%*+-./:".utf8)
}

/// The split of a text into segments with the fewest bits, for one band of versions.
///
/// libqrencode's splitter looks one run ahead and needs a larger symbol than necessary for two to
/// four URLs in a hundred. This one considers every split: for each byte and each mode it keeps the
/// cheapest way to reach it, counted in sixths of a bit so that a digit (10/3 bits) and a pair of
/// letters (11/2 bits) are exact; the end of a segment rounds up to whole bits.
struct SegmentPlan {
  /// The segments in order, covering every byte once.
  let segments: [QRSymbol.Segment]
  /// The number of bits of all segments, without terminator and padding.
  let bitCount: Int

  /// Creates the plan for the versions whose character counts are as wide as those of `version` (1
  /// to 9, 10 to 26, 27 to 40).
  init(bytes: [UInt8], version: Int) {
    let modes: [QRSymbol.Segment.Mode] = [.byte, .alphanumeric, .numeric]
    let headers = modes.map { 6 * (4 + $0.countBits(version: version)) }
    let steps = modes.map(\.sixthsOfABit)
    var costs = [Int?](repeating: nil, count: modes.count)
    /// For each byte and mode, the mode of the previous byte on the cheapest path.
    var origins = [UInt8](repeating: 0, count: bytes.count * modes.count)

    for (position, byte) in bytes.enumerated() {
      let before = costs
      // The cheapest end of a segment here; on a tie the first mode.
      var cheapest: (cost: Int, mode: Int) = (0, 0)
      if position > 0 {
        cheapest.cost = Int.max
        for (mode, cost) in before.enumerated() {
          if let cost, Self.wholeBits(cost) < cheapest.cost {
            cheapest = (Self.wholeBits(cost), mode)
          }
        }
      }
      for mode in modes.indices {
        guard modes[mode].encodes(byte) else {
          costs[mode] = nil
          continue
        }
        let switching = cheapest.cost + headers[mode] + steps[mode]
        let staying = before[mode].map { $0 + steps[mode] }
        let stays = staying.map { $0 <= switching } ?? false
        costs[mode] = stays ? staying : switching
        origins[position * modes.count + mode] = UInt8(stays ? mode : cheapest.mode)
      }
    }

    let ends = costs.enumerated().compactMap { mode, cost in
      cost.map { (cost: Self.wholeBits($0), mode: mode) }
    }
    guard let last = ends.min(by: { $0.cost < $1.cost }) else {
      segments = []
      bitCount = 0
      return
    }
    bitCount = last.cost / 6
    segments = Self.segments(
      endingIn: last.mode, origins: origins, modes: modes, count: bytes.count)
  }

  /// Follows the cheapest path back from the last byte.
  private static func segments(
    endingIn lastMode: Int, origins: [UInt8], modes: [QRSymbol.Segment.Mode], count: Int
  ) -> [QRSymbol.Segment] {
    var segments: [QRSymbol.Segment] = []
    var mode = lastMode
    var end = count
    for position in stride(from: count - 1, through: 0, by: -1) {
      let origin = Int(origins[position * modes.count + mode])
      if position == 0 || origin != mode {
        segments.append(QRSymbol.Segment(mode: modes[mode], range: position..<end))
        end = position
      }
      mode = origin
    }
    return segments.reversed()
  }

  private static func wholeBits(_ sixths: Int) -> Int { (sixths + 5) / 6 * 6 }
}
