/// A colour picture in memory through which its ground may shine, as logos are.
package struct TranslucentPicture: Hashable, Sendable {
  /// The colours, not multiplied by the opacity.
  package let colour: ColourPicture
  /// How much of each pixel is there: 0 nothing, 255 all of it.
  package let opacity: GreyPicture

  /// Makes a picture.
  ///
  /// - Precondition: both parts have the same size.
  package init(colour: ColourPicture, opacity: GreyPicture) {
    precondition(colour.width == opacity.width && colour.height == opacity.height)
    self.colour = colour
    self.opacity = opacity
  }

  /// A picture without any transparency.
  package init(opaque colour: ColourPicture) {
    let count = colour.width * colour.height
    self.init(
      colour: colour,
      opacity: GreyPicture(
        width: colour.width, height: colour.height, pixels: [UInt8](repeating: 255, count: count)))
  }

  /// Pixels across.
  package var width: Int { colour.width }
  /// Pixels down.
  package var height: Int { colour.height }
}

extension PictureLoader {
  /// Opens a picture with its transparency.
  ///
  /// PNG keeps its alpha; an SVG drawing has no ground. Other formats are opaque; of documents the
  /// first page is taken.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - source: what to call it in messages.
  ///   - drawingSide: the pixels of the long side of an SVG drawing, which has no pixels of its own.
  /// - Throws: ``PictureError``; a picture that is damaged is not opened in part.
  package func translucent(
    _ bytes: [UInt8], named source: String, drawingSide: Int
  ) async throws(PictureError) -> TranslucentPicture {
    var loader = self
    loader.firstLookPixels = .max
    let file = try await loader.open(bytes, named: source)
    let limits = limits
    switch file.format {
    case .png:
      return try await Uninterruptible.run(source) { _ throws(PictureError) in
        try PNGReader.readTranslucent(bytes, source: source, limits: limits)
      }
    case .svg:
      return try await SVGPicture(bytes, source: source, limits: limits)
        .renderTranslucent(longSide: drawingSide)
    default:
      let page = try await file.page(1)
      if let damage = page.damage { throw damage }
      if let colour = try await page.colourLook() { return TranslucentPicture(opaque: colour) }
      let grey = page.firstLook
      return TranslucentPicture(opaque: ColourPicture(red: grey, green: grey, blue: grey))
    }
  }
}
