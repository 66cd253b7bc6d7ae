/// The codes found so far, each once, whichever stages read it.
struct CodeCollection {
  private var found: [DecodedCode] = []

  var count: Int { found.count }

  /// The corners of each code, in no order.
  var corners: [[PicturePoint]] { found.map(\.corners) }

  /// The codes in rows from top to bottom, and from left to right within a row. Codes are in a row
  /// when their middles lie within half a code's height of the row's highest.
  var codes: [DecodedCode] {
    var rest = found.sorted { ($0.centre.y, $0.centre.x) < ($1.centre.y, $1.centre.x) }[...]
    var ordered: [DecodedCode] = []
    while let first = rest.first {
      let heights = first.corners.map(\.y)
      let half = ((heights.max() ?? 0) - (heights.min() ?? 0)) / 2
      let row = rest.prefix { $0.centre.y <= first.centre.y + half }
      ordered += row.sorted { ($0.centre.x, $0.centre.y) < ($1.centre.x, $1.centre.y) }
      rest = rest.dropFirst(row.count)
    }
    return ordered
  }

  /// Adds a code, unless one is known at the same place. Two posters with the same text hang at
  /// two places and stay two. A second reading that is sure of the symbol's facts replaces one of
  /// the same code that was not.
  mutating func add(_ code: DecodedCode) {
    guard let known = found.firstIndex(where: { $0.overlaps(code) }) else {
      found.append(code)
      return
    }
    if found[known].version == nil, code.version != nil, found[known].bytes == code.bytes {
      found[known] = code
    }
  }

  /// Whether adding a reading with these bytes and corners would change nothing.
  func knowsAll(of bytes: [UInt8], at corners: [PicturePoint]) -> Bool {
    let probe = DecodedCode(text: "", bytes: bytes, corners: corners, stage: "")
    return found.contains { $0.overlaps(probe) && ($0.version != nil || $0.bytes != bytes) }
  }
}

extension DecodedCode {
  /// The mean of the corners.
  var centre: PicturePoint {
    let count = Double(max(1, corners.count))
    return PicturePoint(
      x: corners.reduce(0) { $0 + $1.x } / count, y: corners.reduce(0) { $0 + $1.y } / count)
  }

  /// Whether both are readings of one code: the middle of either lies within the other, and,
  /// because a small code may be printed into the middle of a large one, they have about the same
  /// size when their bytes differ.
  func overlaps(_ other: DecodedCode) -> Bool {
    guard contains(other.centre) || other.contains(centre) else { return false }
    return bytes == other.bytes || max(area, other.area) < 2 * min(area, other.area)
  }

  /// The area within the corners, in square pixels.
  private var area: Double {
    abs(
      zip(corners, corners.dropFirst() + corners.prefix(1)).reduce(0) {
        $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y
      }) / 2
  }

  private func contains(_ point: PicturePoint) -> Bool {
    var isInside = false
    for (a, b) in zip(corners, corners.dropFirst() + corners.prefix(1))
    where (a.y > point.y) != (b.y > point.y) {
      if point.x < (b.x - a.x) * (point.y - a.y) / (b.y - a.y) + a.x { isInside.toggle() }
    }
    return isInside
  }
}
