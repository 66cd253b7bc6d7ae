import Pictures

/// The pixels of a picture at one resolution, and their position in the whole.
struct Look: Sendable {
  let picture: GreyPicture
  /// The number of pixels of the whole picture per pixel of this look, horizontally and vertically.
  let scale: (x: Double, y: Double)
  /// The position of its top left corner in the whole picture.
  let origin: PicturePoint

  init(
    _ picture: GreyPicture, scale: (x: Double, y: Double) = (1, 1),
    origin: PicturePoint = PicturePoint(x: 0, y: 0)
  ) {
    self.picture = picture
    self.scale = scale
    self.origin = origin
  }

  /// Creates a look at a loaded picture.
  init(_ picture: GreyPicture, of whole: LoadedPicture) {
    self.init(
      picture,
      scale: (
        Double(whole.width) / Double(max(1, picture.width)),
        Double(whole.height) / Double(max(1, picture.height))
      ))
  }

  var longSide: Int { max(picture.width, picture.height) }
  /// The number of pixels in millions, to which the cost of most work is proportional.
  var megapixels: Double { Double(picture.width) * Double(picture.height) / 1e6 }

  /// Returns the position of a point of this look in the whole picture.
  func whole(_ point: PicturePoint) -> PicturePoint {
    PicturePoint(x: origin.x + point.x * scale.x, y: origin.y + point.y * scale.y)
  }

  /// Returns the position of a point of the whole picture in this look.
  func here(_ point: PicturePoint) -> PicturePoint {
    PicturePoint(x: (point.x - origin.x) / scale.x, y: (point.y - origin.y) / scale.y)
  }

  /// Returns a part of the look.
  func part(_ area: PictureParts.Area) -> Look {
    Look(
      picture.part(area), scale: scale,
      origin: whole(PicturePoint(x: Double(area.x), y: Double(area.y))))
  }

  /// Returns a look with changed values or number of pixels that shows the same area.
  func showing(_ changed: GreyPicture) -> Look {
    Look(
      changed,
      scale: (
        scale.x * Double(picture.width) / Double(max(1, changed.width)),
        scale.y * Double(picture.height) / Double(max(1, changed.height))
      ), origin: origin)
  }
}

/// Grey pictures from a colour picture in which ink and paper of the same brightness differ.
enum ColourPlanes {
  /// Returns green, red, and red minus green of a picture, if it is coloured.
  static func looks(at colour: ColourPicture) -> [GreyPicture] {
    guard colour.isColourful else { return [] }
    return [colour.green, colour.red, redAgainstGreen(colour)]
  }

  private static func redAgainstGreen(_ colour: ColourPicture) -> GreyPicture {
    let pixels = [UInt8](unsafeUninitializedCapacity: colour.red.pixels.count) { out, count in
      for (index, (red, green)) in zip(colour.red.pixels, colour.green.pixels).enumerated() {
        out[index] = UInt8(clamping: 128 + (Int(red) - Int(green)) * 3 / 4)
      }
      count = colour.red.pixels.count
    }
    return GreyPicture(width: colour.width, height: colour.height, pixels: pixels)
  }
}
