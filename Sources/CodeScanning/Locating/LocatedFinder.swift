/// A finder pattern, with what the search learned of it besides.
struct LocatedFinder: Hashable, Sendable {
  let pattern: FinderPattern
  /// A step is a module; the axes are the pattern's.
  let frame: PlaneFrame
  /// From 0 to 1, how much it looks like a finder pattern.
  let quality: Double
  /// Whether its corners tell its direction; a round one has none.
  let hasDirection: Bool
  let isInverted: Bool

  var centre: PicturePoint { pattern.centre }
  var modulePixels: Double { pattern.modulePixels }

  /// A pattern in the pixels of the original, from its outline at a level of the pyramid.
  init(_ outline: FinderOutline, scale: Double, isInverted: Bool) {
    let frame = PlaneFrame(
      origin: outline.frame.origin * scale, right: outline.frame.right * scale,
      down: outline.frame.down * scale)
    self.frame = frame
    self.isInverted = isInverted
    pattern = FinderPattern(
      centre: frame.origin, corners: outline.corners.map { $0 * scale },
      modulePixels: (frame.right.length + frame.down.length) / 2)
    quality = max(0, outline.clarity - outline.residual)
    hasDirection = outline.squareness > 0.3
  }

  /// Whether both are sightings of one pattern.
  func isSame(as other: LocatedFinder) -> Bool {
    let module = max(modulePixels, other.modulePixels)
    return isInverted == other.isInverted && (centre - other.centre).length < 2.5 * module
      && module < 1.7 * min(modulePixels, other.modulePixels)
  }
}
