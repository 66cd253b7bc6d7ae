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

extension ColourPicture {
  /// A grey picture in colour.
  public init(_ grey: GreyPicture) { self.init(red: grey, green: grey, blue: grey) }

  /// The picture made smaller by the smallest whole factor that brings its long side down to
  /// `longSide` pixels or less, each pixel the average of those it stands for; itself when it is
  /// not longer.
  ///
  /// - Parameter longSide: at least 1.
  /// - Returns: the smaller picture, and how many pixels became one along each side; what is left
  ///   over at the right and at the bottom is dropped.
  package func fitted(longSide: Int) -> (picture: ColourPicture, factor: Int) {
    let long = max(width, height)
    let wanted = (long + longSide - 1) / max(1, longSide)
    // A picture of one line cannot be made smaller along its short side.
    let factor = max(1, min(wanted, min(width, height)))
    return (reduced(by: factor), factor)
  }

  /// The picture made smaller so that its long side has exactly `longSide` pixels, each pixel the
  /// mean of what lies under it; itself when it is not longer.
  ///
  /// - Parameter longSide: at least 1.
  package func shrunk(longSide: Int) -> ColourPicture {
    let long = max(width, height)
    guard long > longSide, longSide > 0 else { return self }
    func side(_ pixels: Int) -> Int {
      max(1, Int((Double(pixels) * Double(longSide) / Double(long)).rounded()))
    }
    let (columns, rows) = (side(width), side(height))
    // By a whole factor as far as it goes: that is exact, fast, and needs no fractions of pixels.
    let factor = max(1, min(long / longSide, min(width, height)))
    let coarse = reduced(by: factor)
    let across = AreaMean(from: coarse.width, to: columns)
    let down = AreaMean(from: coarse.height, to: rows)
    func plane(_ plane: GreyPicture) -> GreyPicture {
      let values = across.across(plane.pixels.map(Float.init), width: plane.width)
      let means = down.down(values, width: columns)
      return GreyPicture(
        width: columns, height: rows, pixels: means.map { UInt8(max(0, min(255, $0 + 0.5))) })
    }
    return ColourPicture(
      red: plane(coarse.red), green: plane(coarse.green), blue: plane(coarse.blue))
  }
}
