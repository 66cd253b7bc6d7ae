/// The codes found so far, each once, whichever stages read it.
struct CodeCollection {
  private var found: [DecodedCode] = []

  var count: Int { found.count }

  /// The codes from top to bottom, and from left to right where two begin at the same height.
  var codes: [DecodedCode] {
    found.sorted {
      let (a, b) = ($0.centre, $1.centre)
      return (a.y, a.x) < (b.y, b.x)
    }
  }

  /// Adds a code, unless one is known at the same place. Two posters with the same text hang at
  /// two places and stay two.
  mutating func add(_ code: DecodedCode) {
    guard !found.contains(where: { $0.overlaps(code) }) else { return }
    found.append(code)
  }
}

extension DecodedCode {
  /// The mean of the corners.
  var centre: PicturePoint {
    let count = Double(max(1, corners.count))
    return PicturePoint(
      x: corners.reduce(0) { $0 + $1.x } / count, y: corners.reduce(0) { $0 + $1.y } / count)
  }

  /// Whether the middle of either code lies within the other: two codes on paper never do that,
  /// and two readings of one always do.
  func overlaps(_ other: DecodedCode) -> Bool {
    contains(other.centre) || other.contains(centre)
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
