import Pictures

/// A finder pattern in a picture (ISO/IEC 18004:2015, 6.3.3).
struct FinderPattern: Hashable, Sendable {
  /// The centre of its core, in pixels; the centre of the picture's first pixel is (0.5, 0.5).
  let centre: PicturePoint
  /// The four outer corners of its 7 × 7 modules, clockwise in the picture, starting with any of
  /// them.
  let corners: [PicturePoint]
  /// The approximate size of a module in pixels, the mean of both axes.
  let modulePixels: Double
  /// The area within its outline, in square pixels, if it is round and its corners are meaningless.
  var roundArea: Double?
}

/// Three finder patterns that may belong to one symbol.
struct FinderTriple: Hashable, Sendable {
  /// The pattern at the right angle.
  let topLeft: FinderPattern
  /// The next pattern clockwise from the right angle, in a symbol that is not mirrored. In a
  /// mirrored one, this and `bottomLeft` are exchanged; the decoder detects that.
  let topRight: FinderPattern
  /// The third pattern.
  let bottomLeft: FinderPattern
  /// Likely sizes in modules (21, 25 … 177), likeliest first.
  let sizes: [Int]
  /// A Boolean value that indicates whether the symbol is light where it should be dark.
  var isInverted = false
  /// The disagreement of the patterns with those of one symbol.
  var cost = 0.0

  /// A Boolean value that indicates whether they almost certainly are the patterns of one symbol.
  var isCertain: Bool { cost < Self.costOfCertain }

  /// The cost below which they almost certainly are.
  static let costOfCertain = 0.0

  /// A Boolean value that indicates whether all three are rings, which some designs have instead of
  /// squares.
  var isRound: Bool {
    topLeft.roundArea != nil && topRight.roundArea != nil && bottomLeft.roundArea != nil
  }
}

extension FinderTriple {
  /// Creates the finder patterns of a symbol with known corners and size, as reported by zbar.
  ///
  /// - Parameters:
  ///   - corners: the symbol's top left, top right, bottom right and bottom left.
  ///   - size: the number of modules on a side.
  ///   - isInverted: whether it is light where it should be dark.
  /// - Returns: `nil` if the corners span no area.
  init?(corners: [PicturePoint], size: Int, isInverted: Bool = false) {
    let side = Double(size)
    let places = [(0.0, 0.0), (side, 0), (side, side), (0, side)]
    guard corners.count == 4,
      let plane = PlaneMap(
        fitting: zip(places, corners).map { .init(u: $0.0, v: $0.1, seen: $1) }),
      SymbolGeometry(size: size, plane: plane).isSane
    else { return nil }
    func finder(_ left: Double, _ top: Double) -> FinderPattern {
      let square = [(0.0, 0.0), (7, 0), (7, 7), (0, 7)].map {
        plane(left + $0.0, top + $0.1)
      }
      let sides = square.indices.map { square[$0].distance(to: square[($0 + 1) % 4]) }
      return FinderPattern(
        centre: plane(left + 3.5, top + 3.5), corners: square,
        modulePixels: sides.reduce(0, +) / 28)
    }
    self.init(
      topLeft: finder(0, 0), topRight: finder(side - 7, 0), bottomLeft: finder(0, side - 7),
      sizes: [size], isInverted: isInverted)
  }
}

/// A finder pattern with additional results of the search.
struct LocatedFinder: Hashable, Sendable {
  let pattern: FinderPattern
  /// A step is a module; the axes are those of the pattern.
  let frame: PlaneFrame
  /// The resemblance to a finder pattern, 0 to 1.
  let quality: Double
  let isInverted: Bool

  /// A Boolean value that indicates whether it has corners, which determine its direction; a round
  /// one has none.
  var hasDirection: Bool { pattern.roundArea == nil }
  var centre: PicturePoint { pattern.centre }
  var modulePixels: Double { pattern.modulePixels }

  /// Creates a pattern in the pixels of the original, from its outline at a level of the pyramid.
  init(_ outline: FinderOutline, scale: Double, isInverted: Bool) {
    let seen = outline.circle?.frame ?? outline.frame
    let frame = PlaneFrame(
      origin: seen.origin * scale, right: seen.right * scale, down: seen.down * scale)
    self.frame = frame
    self.isInverted = isInverted
    pattern = FinderPattern(
      centre: frame.origin, corners: outline.corners.map { $0 * scale },
      modulePixels: (frame.right.length + frame.down.length) / 2,
      roundArea: outline.circle.map { $0.area * scale * scale })
    quality = max(0, outline.clarity - outline.residual)
  }

  /// Returns whether both are sightings of the same pattern.
  func isSame(as other: LocatedFinder) -> Bool {
    let module = max(modulePixels, other.modulePixels)
    return isInverted == other.isInverted && (centre - other.centre).length < 2.5 * module
      && module < 1.7 * min(modulePixels, other.modulePixels)
  }
}
