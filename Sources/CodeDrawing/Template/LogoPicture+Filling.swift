import Pictures

extension LogoPicture {
  /// The middle of the picture in other proportions.
  ///
  /// - Parameter ratio: The width in heights.
  func filling(_ ratio: Double) -> LogoPicture {
    let columns = min(width, max(1, Int((Double(height) * ratio).rounded())))
    let rows = min(height, max(1, Int((Double(width) / ratio).rounded())))
    guard columns < width || rows < height else { return self }
    let area = PictureParts.Area(
      x: (width - columns) / 2, y: (height - rows) / 2, width: columns, height: rows)
    let colour = picture.colour
    return LogoPicture(
      TranslucentPicture(
        colour: ColourPicture(
          red: colour.red.part(area), green: colour.green.part(area), blue: colour.blue.part(area)),
        opacity: picture.opacity.part(area)),
      source: source, alternativeText: alternativeText)
  }
}
