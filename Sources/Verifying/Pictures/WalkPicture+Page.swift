package import Pictures
package import Registry

extension WalkPicture {
  /// The pixels of the long side of small copies: a code of which a person could say anything is
  /// still to be seen, and five hundred take some hundred megabytes.
  package static let longestSide = 1_600
  /// The quality of small copies, as libjpeg counts it.
  static let quality = 80

  /// Makes a small copy of a picture that was read. Decodes or renders the picture again, in colour.
  ///
  /// Only pixels go over. What a phone adds to its pictures stays behind: the position, the time,
  /// the phone and its owner. A report goes through many hands, and what it should tell of these it
  /// tells from the stop.
  ///
  /// - Parameters:
  ///   - page: The picture or page.
  ///   - longestSide: The most pixels across and down, at least 1.
  /// - Throws: `PictureError` when the picture cannot be had in colour or not be written.
  package init(
    of page: LoadedPicture, longestSide: Int = WalkPicture.longestSide
  ) async throws(PictureError) {
    let look = try await page.colourLook() ?? ColourPicture(page.firstLook)
    let small = look.shrunk(longSide: longestSide)
    self.init(
      jpeg: try JPEGWriter.colour(small, quality: Self.quality), width: small.width,
      height: small.height, originalWidth: page.width, originalHeight: page.height)
  }
}
