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
}
