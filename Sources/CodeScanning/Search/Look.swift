import Pictures

/// The pixels of a picture at one resolution, and where they lie in the whole.
struct Look: Sendable {
  let picture: GreyPicture
  /// Pixels of the whole picture for one pixel of this look, across and down.
  let scale: (x: Double, y: Double)
  /// Where its top left corner lies in the whole picture.
  let origin: PicturePoint

  init(
    _ picture: GreyPicture, scale: (x: Double, y: Double) = (1, 1),
    origin: PicturePoint = PicturePoint(x: 0, y: 0)
  ) {
    self.picture = picture
    self.scale = scale
    self.origin = origin
  }

  /// A look at a loaded picture.
  init(_ picture: GreyPicture, of whole: LoadedPicture) {
    self.init(
      picture,
      scale: (
        Double(whole.width) / Double(max(1, picture.width)),
        Double(whole.height) / Double(max(1, picture.height))
      ))
  }

  var longSide: Int { max(picture.width, picture.height) }
  /// Pixels in millions: what the cost of most work goes with.
  var megapixels: Double { Double(picture.width) * Double(picture.height) / 1e6 }

  /// A point of this look in the whole picture.
  func whole(_ point: PicturePoint) -> PicturePoint {
    PicturePoint(x: origin.x + point.x * scale.x, y: origin.y + point.y * scale.y)
  }

  /// A point of the whole picture in this look.
  func here(_ point: PicturePoint) -> PicturePoint {
    PicturePoint(x: (point.x - origin.x) / scale.x, y: (point.y - origin.y) / scale.y)
  }

  /// A part of it.
  func part(_ area: PictureParts.Area) -> Look {
    Look(
      picture.part(area), scale: scale,
      origin: whole(PicturePoint(x: Double(area.x), y: Double(area.y))))
  }

  /// The same pixels changed in value or number; they still show the same.
  func showing(_ changed: GreyPicture) -> Look {
    Look(
      changed,
      scale: (
        scale.x * Double(picture.width) / Double(max(1, changed.width)),
        scale.y * Double(picture.height) / Double(max(1, changed.height))
      ), origin: origin)
  }
}

/// Greys of a colour picture in which ink and paper of the same brightness stand apart.
enum ColourPlanes {
  /// How far apart red, green and blue of a pixel are before it counts as coloured.
  private static let leastChroma = 40

  /// Green light, red light, and red against green, of a picture that has colour at all.
  static func looks(at colour: ColourPicture) -> [GreyPicture] {
    guard isColourful(colour) else { return [] }
    return [colour.green, colour.red, redAgainstGreen(colour)]
  }

  /// Whether at least one pixel in fifty is coloured: a code needs that much of a picture.
  private static func isColourful(_ colour: ColourPicture) -> Bool {
    let (red, green, blue) = (colour.red.pixels, colour.green.pixels, colour.blue.pixels)
    let step = max(1, red.count / 20_000)
    var seen = 0
    var coloured = 0
    for index in stride(from: 0, to: red.count, by: step) {
      let (r, g, b) = (Int(red[index]), Int(green[index]), Int(blue[index]))
      seen += 1
      if max(r, g, b) - min(r, g, b) >= leastChroma { coloured += 1 }
    }
    return coloured * 50 >= seen && seen > 0
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
