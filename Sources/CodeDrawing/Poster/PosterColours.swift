/// What a poster is printed with; its code keeps colours of its own.
public struct PosterColours: Hashable, Sendable {
  /// Words on the ground.
  public var ink: Colour
  /// Large areas, bars and the target.
  public var accent: Colour

  /// Makes colours; black alone unless said otherwise.
  public init(ink: Colour = .black, accent: Colour = .black) {
    self.ink = ink
    self.accent = accent
  }

  /// Black or white, whichever is easier to read on the accent (WCAG 2.2, 1.4.3).
  var onAccent: Colour {
    // Both stand out equally on a luminance of 0.179.
    accent.luminance > 0.179 ? .black : .white
  }

  /// The ink a little lighter, for what is less important.
  var quietInk: Colour { ink.mixed(with: .white, share: 0.25) }
}
