import Pictures

/// The pixels of a picture at one resolution, and where they lie in the whole.
struct Look: Sendable {
  let picture: GreyPicture
  /// Pixels of the whole picture for one pixel of this look, across and down.
  let scale: (x: Double, y: Double)

  init(_ picture: GreyPicture, scale: (x: Double, y: Double) = (1, 1)) {
    self.picture = picture
    self.scale = scale
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
    PicturePoint(x: point.x * scale.x, y: point.y * scale.y)
  }

  /// A point of the whole picture in this look.
  func here(_ point: PicturePoint) -> PicturePoint {
    PicturePoint(x: point.x / scale.x, y: point.y / scale.y)
  }

  /// The same pixels changed in value or number; they still show the whole.
  func showing(_ changed: GreyPicture) -> Look {
    Look(
      changed,
      scale: (
        scale.x * Double(picture.width) / Double(max(1, changed.width)),
        scale.y * Double(picture.height) / Double(max(1, changed.height))
      ))
  }
}
