/// What a sector's trailer permits (MF1S50yyX/V1, section 8.7): three bits for each of four areas.
struct ClassicAccess: Hashable, Sendable {
  private enum Keys {
    case none
    case a
    case b
    case either

    func include(keyB: Bool) -> Bool {
      switch self {
      case .none: false
      case .a: !keyB
      case .b: keyB
      case .either: true
      }
    }
  }

  /// C1, C2 and C3 of each area; the fourth is the trailer.
  private let bits: [UInt8]
  private let isKeyB: Bool

  /// Reads a trailer's conditions for one key.
  ///
  /// - Returns: `nil` when the bits and their complements disagree, which closes the sector for
  ///   good, or when key B asks though it can be read and so serves as data, not as a key.
  init?(trailer: [UInt8], isKeyB: Bool) {
    guard trailer.count == 16 else { return nil }
    let c1 = trailer[7] >> 4
    let c2 = trailer[8] & 0x0F
    let c3 = trailer[8] >> 4
    guard trailer[6] & 0x0F == c1 ^ 0x0F, trailer[6] >> 4 == c2 ^ 0x0F,
      trailer[7] & 0x0F == c3 ^ 0x0F
    else { return nil }
    bits = (0..<4).map { area in
      (c1 >> area & 1) << 2 | (c2 >> area & 1) << 1 | c3 >> area & 1
    }
    self.isKeyB = isKeyB
    if isKeyB, readsKeyB(with: .a) { return nil }
  }

  /// Whether a data block may be read.
  func reads(area: Int) -> Bool {
    let keys: Keys =
      switch bits[area] {
      case 0b111: .none
      case 0b011, 0b101: .b
      default: .either
      }
    return keys.include(keyB: isKeyB)
  }

  /// Whether a data block may be written.
  func writes(area: Int) -> Bool {
    let keys: Keys =
      switch bits[area] {
      case 0b000: .either
      case 0b100, 0b110, 0b011: .b
      default: .none
      }
    return keys.include(keyB: isKeyB)
  }

  /// Whether the trailer's conditions are shown; key A never is.
  var readsConditions: Bool {
    switch bits[3] {
    case 0b000, 0b010, 0b001: !isKeyB
    default: true
    }
  }

  /// Whether key B is shown.
  var readsKeyB: Bool { readsKeyB(with: isKeyB ? .b : .a) }

  private func readsKeyB(with key: Keys) -> Bool {
    [0b000, 0b010, 0b001].contains(bits[3]) && key == .a
  }

  var writesKeys: Bool {
    let keys: Keys =
      switch bits[3] {
      case 0b000, 0b001: .a
      case 0b100, 0b011: .b
      default: .none
      }
    return keys.include(keyB: isKeyB)
  }

  var writesConditions: Bool {
    let keys: Keys =
      switch bits[3] {
      case 0b001: .a
      case 0b011, 0b101: .b
      default: .none
      }
    return keys.include(keyB: isKeyB)
  }
}
