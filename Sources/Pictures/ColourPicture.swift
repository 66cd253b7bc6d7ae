/// A colour picture in memory: red, green and blue light, each a picture of its own of the same size.
///
/// The values are those of the file, without regard to a colour profile.
public struct ColourPicture: Hashable, Sendable {
  /// Red, 0 none to 255 all.
  public let red: GreyPicture
  /// Green.
  public let green: GreyPicture
  /// Blue.
  public let blue: GreyPicture

  /// Makes a picture of its three parts.
  ///
  /// - Precondition: all three have the same size.
  public init(red: GreyPicture, green: GreyPicture, blue: GreyPicture) {
    precondition(red.width == green.width && green.width == blue.width)
    precondition(red.height == green.height && green.height == blue.height)
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Pixels across.
  public var width: Int { red.width }
  /// Pixels down.
  public var height: Int { red.height }

  /// Takes planes that stand one after the other apart.
  init(width: Int, height: Int, planes: [UInt8]) {
    let size = width * height
    func plane(_ index: Int) -> GreyPicture {
      GreyPicture(
        width: width, height: height, pixels: Array(planes[index * size..<(index + 1) * size]))
    }
    self.init(red: plane(0), green: plane(1), blue: plane(2))
  }

  /// The picture as displayed, when its rows are stored in the given orientation.
  package func upright(from orientation: PictureOrientation) -> ColourPicture {
    ColourPicture(
      red: red.upright(from: orientation), green: green.upright(from: orientation),
      blue: blue.upright(from: orientation))
  }
}
