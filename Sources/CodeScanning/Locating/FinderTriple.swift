import Pictures

/// A finder pattern seen in a picture (ISO/IEC 18004:2015, 6.3.3).
struct FinderPattern: Hashable, Sendable {
  /// The middle of its core, in pixels; the middle of the picture's first pixel is (0.5, 0.5).
  let centre: PicturePoint
  /// The four outer corners of its 7 × 7 modules, clockwise in the picture, starting anywhere.
  let corners: [PicturePoint]
  /// About how many pixels a module measures, the mean of both axes.
  let modulePixels: Double
}

/// Three finder patterns that may be those of one symbol.
struct FinderTriple: Hashable, Sendable {
  /// The pattern at the right angle.
  let topLeft: FinderPattern
  /// The pattern clockwise of the right angle's, as an unmirrored symbol has it. A mirrored one
  /// comes out with this and `bottomLeft` exchanged; the decoder tells.
  let topRight: FinderPattern
  /// The third pattern.
  let bottomLeft: FinderPattern
  /// Likely sizes in modules (21, 25 … 177), likeliest first.
  let sizes: [Int]
  /// Whether the symbol is light where it should be dark.
  var isInverted = false
}
