import Glibc

/// A colour of the sRGB colour space (IEC 61966-2-1), eight bits a channel.
public struct Colour: Hashable, Sendable, Codable {
  /// The channels, 0 to 255.
  public let red, green, blue: UInt8

  /// No light: printed with black ink alone where the format can say so.
  public static let black = Colour(red: 0, green: 0, blue: 0)
  /// Bare paper.
  public static let white = Colour(red: 255, green: 255, blue: 255)

  /// Makes a colour of its channels.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Reads six hexadecimal digits in any case; the number sign in front may be missing, because
  /// shells take it for the beginning of a comment.
  public init?(_ text: String) {
    let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
    guard let channels = [UInt8](hexadecimal: digits.utf8), channels.count == 3 else { return nil }
    self.init(red: channels[0], green: channels[1], blue: channels[2])
  }

  /// `#` and six hexadecimal digits.
  public var hexadecimal: String { "#" + channels.hexadecimal(.small) }

  /// Red, green and blue.
  package var channels: [UInt8] { [red, green, blue] }
  /// Whether all channels agree.
  package var isGrey: Bool { red == green && green == blue }

  /// How much light comes back, 0 to 1, for the eye and for a phone's camera (CIE Y of sRGB).
  package var luminance: Double {
    0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue)
  }
  /// How much red light comes back, 0 to 1: what scanners with a lamp of about 660 nm see.
  package var redLight: Double { Self.linear(red) }

  /// The colour on the way to another, `share` from 0 (this one) to 1 (the other).
  package func mixed(with other: Colour, share: Double) -> Colour {
    func mix(_ own: UInt8, _ its: UInt8) -> UInt8 {
      UInt8((Double(own) * (1 - share) + Double(its) * share).rounded())
    }
    return Colour(
      red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
  }

  private static func linear(_ channel: UInt8) -> Double {
    let value = Double(channel) / 255
    return value <= 0.040_45 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }
}
