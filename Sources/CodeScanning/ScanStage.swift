import Pictures

/// One way to prepare a picture for zbar.
///
/// zbar looks for finder patterns on single lines of pixels. Noise, paper grain and screen pixels
/// break them in a large picture and shadows in a dark one; in a small one a module is too thin.
/// Each stage mends one of these, and each is a full pass of zbar afterwards.
struct ScanStage: Hashable, Sendable {
  /// What to do to the size.
  enum Size: Hashable, Sendable {
    case asGiven
    case longSide(Int)
    case doubled
  }

  let name: String
  var size = Size.asGiven
  var threshold: Threshold?
  var inverted = false
  /// The longest side of a picture that is worth the time.
  var largestSide = Int.max

  /// Whether the stage would do something that no other does for a picture of this size.
  func applies(to picture: GreyPicture) -> Bool {
    let long = max(picture.width, picture.height)
    guard long <= largestSide else { return false }
    switch size {
    case .asGiven: return true
    case .longSide(let wanted): return long > wanted * 5 / 4
    case .doubled: return long <= 1300
    }
  }

  /// The picture as zbar gets it.
  func prepared(_ picture: GreyPicture) -> GreyPicture {
    var result =
      switch size {
      case .asGiven: picture
      case .longSide(let wanted): Scaling.reduced(picture, longSide: wanted)
      case .doubled: Scaling.doubled(picture)
      }
    if let threshold { result = threshold.applied(to: result) }
    guard inverted else { return result }
    return GreyPicture(
      width: result.width, height: result.height, pixels: result.pixels.map { 255 - $0 })
  }
}

extension ScanStage {
  /// The picture as it is.
  static let fullFrame = ScanStage(name: "full frame")
}
