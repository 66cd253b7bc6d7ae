import CliptagPlatform

/// A colour in the sRGB colour space (IEC 61966-2-1) with eight bits per channel.
public struct Colour: Hashable, Sendable, Codable {
  /// The channels, 0 to 255.
  public let red, green, blue: UInt8
  /// The inks that a press prints the colour with; `nil` for a colour of screens, which the press
  /// separates as it is set up.
  public let inks: Inks?

  /// Black: printed with black ink only where the format supports it.
  public static let black = Colour(red: 0, green: 0, blue: 0)
  /// White: bare paper.
  public static let white = Colour(red: 255, green: 255, blue: 255)

  /// Creates a colour from its channels.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
    inks = nil
  }

  /// Creates a colour from inks; its channels are an approximation for screens.
  ///
  /// Black ink alone is a grey, which prints with black ink in every format.
  public init(_ inks: Inks) {
    func channel(_ ink: Double) -> UInt8 {
      let light = (1 - ink * inks.tint) * (1 - inks.black * inks.tint)
      return UInt8(clamping: Int(bounded: (min(max(light, 0), 1) * 255).rounded()))
    }
    (red, green, blue) = (channel(inks.cyan), channel(inks.magenta), channel(inks.yellow))
    self.inks = inks.spot == nil && inks.processInks == [.black] ? nil : inks
  }

  /// Parses a colour as CSS writes it: `#d81f26`, `#fff`, or a name such as `navy`, in either case; or
  /// as inks: `cmyk:0,100,81,4` in percent, or `spot:PANTONE 186 C=0,100,81,4` for a spot ink by its
  /// name and its approximation. The number sign is optional because shells take it for the
  /// beginning of a comment.
  public init?(_ text: String) {
    if let inks = Inks(text) {
      self.init(inks)
      return
    }
    let text = text.lowercased()
    if let named = Self.named[text[...]] {
      self = named
    } else {
      self.init(hexadecimal: text.hasPrefix("#") ? text.dropFirst() : text[...])
    }
  }

  /// Parses six hexadecimal digits, or three of which each counts twice.
  init?(hexadecimal digits: Substring) {
    let digits = digits.utf8.count == 3 ? Substring(digits.flatMap { [$0, $0] }) : digits
    guard let channels = [UInt8](hexadecimal: digits.utf8), channels.count == 3 else { return nil }
    self.init(red: channels[0], green: channels[1], blue: channels[2])
  }

  /// `#` and six hexadecimal digits.
  public var hexadecimal: String { "#" + channels.hexadecimal(.small) }

  /// Red, green and blue.
  package var channels: [UInt8] { [red, green, blue] }
  /// A Boolean value that indicates whether all channels are equal.
  package var isGrey: Bool { red == green && green == blue }

  /// The relative luminance, 0 to 1, as seen by the eye and by a phone's camera (CIE Y of sRGB).
  package var luminance: Double {
    0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue)
  }
  /// The reflected red light, 0 to 1, as seen by scanners with a lamp of about 660 nm.
  package var redLight: Double { Self.linear(red) }

  /// Interpolates between this colour and another; `share` is 0 (this colour) to 1 (the other).
  package func mixed(with other: Colour, share: Double) -> Colour {
    if var inks, other == .white {
      inks.tint *= 1 - share
      return Colour(inks)
    }
    if let inks, other == .black { return Colour(inks.darkened(by: share)) }
    func mix(_ own: UInt8, _ its: UInt8) -> UInt8 {
      UInt8(clamping: Int(bounded: (Double(own) * (1 - share) + Double(its) * share).rounded()))
    }
    return Colour(
      red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
  }

  private static func linear(_ channel: UInt8) -> Double {
    let value = Double(channel) / 255
    return value <= 0.040_45 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }
}
