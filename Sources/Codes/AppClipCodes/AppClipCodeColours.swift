public import CliptagBasics

/// The three colours of an App Clip Code.
public struct AppClipCodeColours: Hashable, Sendable {
  /// The colour of the disc behind the rings.
  public let background: Colour
  /// The colour of the arcs whose bit is 0, and of the badge.
  public let foreground: Colour
  /// The colour of the arcs whose bit is 1, which Apple's tools derive from the other two.
  public let third: Colour

  /// Creates a set of three colours.
  public init(background: Colour, foreground: Colour, third: Colour) {
    self.background = background
    self.foreground = foreground
    self.third = third
  }

  /// The colour that fills a part of the badge.
  public subscript(fill: AppClipCode.Badge.Fill) -> Colour {
    switch fill {
    case .background: background
    case .foreground: foreground
    case .third: third
    }
  }

  /// The nine colours that Apple pairs with white, in the order of its templates (Human Interface
  /// Guidelines, App Clips, App Clip Code colours).
  public static let palette: [Colour] = [
    "000000", "777777", "FF3B30", "EE7733", "33AA22", "00A6A1", "007AFF", "5856D6", "CC73E1",
  ].compactMap { Colour($0) }

  /// The third colours of ``palette``, in its order, for both templates of each (from files of Apple's
  /// tools).
  public static let thirds: [Colour] = [
    "888888", "AAAAAA", "FF9999", "EEBB88", "99DD99", "88DDCC", "77BBFF", "BBBBEE", "EEBBEE",
  ].compactMap { Colour($0) }

  /// The number of the Apple template, 0 to 17: even with white arcs on a colour, odd with coloured
  /// arcs on white; `nil` for a custom pair.
  public var template: Int? {
    if foreground == .white, let place = Self.palette.firstIndex(of: background) {
      return place * 2
    }
    if background == .white, let place = Self.palette.firstIndex(of: foreground) {
      return place * 2 + 1
    }
    return nil
  }

  /// The least contrast between foreground and background (WCAG 2.1) of a custom pair: the palest
  /// of Apple's pairs (white and CC73E1) has 2.9.
  public static let leastContrast = 2.5

  /// The contrast ratio of foreground and background (WCAG 2.1).
  public var contrast: Double {
    let light = [foreground.luminance, background.luminance].sorted()
    return (light[1] + 0.05) / (light[0] + 0.05)
  }

  /// Returns the error in the colours as a clause, or `nil`.
  ///
  /// - Parameter allowsOwnPairs: Whether a pair outside Apple's templates is accepted if its
  ///   contrast is sufficient, as in Apple's generator.
  package func mistake(allowsOwnPairs: Bool) -> String? {
    let pair = "\(foreground.hexadecimal) on \(background.hexadecimal)"
    if template == nil {
      guard allowsOwnPairs else {
        return "the colours \(pair) are none of Apple's pairs, which are white and one of "
          + Self.palette.map(\.hexadecimal).joined(separator: ", ")
      }
      guard contrast >= Self.leastContrast else {
        return "the colours \(pair) are too similar for reading"
      }
    }
    let ends = [foreground.luminance, background.luminance].sorted()
    guard third.luminance > ends[0], third.luminance < ends[1] else {
      return "the third colour, \(third.hexadecimal), is not between \(pair)"
    }
    return nil
  }
}
