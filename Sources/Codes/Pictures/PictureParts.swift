import CliptagBasics

/// A page that is too large to be rendered at once at the resolution of its smallest code, and is
/// rendered part by part.
package struct PictureParts: Sendable {
  /// A rectangle of pixels.
  package struct Area: Hashable, Sendable {
    /// The number of pixels to the left of it.
    package let x: Int
    /// The number of pixels above it.
    package let y: Int
    /// The width in pixels.
    package let width: Int
    /// The height in pixels.
    package let height: Int

    /// Creates a rectangle.
    package init(x: Int, y: Int, width: Int, height: Int) {
      self.x = x
      self.y = y
      self.width = width
      self.height = height
    }
  }

  /// The width of the whole page in pixels.
  package let width: Int
  /// The height of the whole page in pixels.
  package let height: Int
  /// Renders one part.
  package let draw: @Sendable (Area) async throws(PictureError) -> GreyPicture
  /// The reason that the parts have fewer pixels than the smallest code needs, as a clause; `nil`
  /// if they have enough.
  package let shortfall: String?

  /// Creates the parts of a page.
  package init(
    width: Int, height: Int, shortfall: String? = nil,
    draw: @escaping @Sendable (Area) async throws(PictureError) -> GreyPicture
  ) {
    self.width = width
    self.height = height
    self.shortfall = shortfall
    self.draw = draw
  }
}

/// The resolution at which a large page is searched.
///
/// A module that phones can read measures at least 0.33 mm; at 200 dots per inch it has 2.6 pixels.
struct PageResolution {
  /// The resolution in dots per inch that the smallest printable module needs.
  static let needed = 200.0
  /// The long side, in pixels at that resolution, from which a page is searched part by part: A2
  /// has 4,677.
  static let largeSide = 4_000.0
  /// The largest number of pixels of a page in total.
  private static let mostPixels = 1.6e9

  /// The width and height in pixels.
  let width: Int
  let height: Int
  let dotsPerInch: Double

  /// Returns whether the page must be searched part by part.
  static func isLarge(inches: (width: Double, height: Double)) -> Bool {
    max(inches.width, inches.height) * needed >= largeSide
  }

  /// Creates the resolution of a page of the given size.
  ///
  /// - Parameter most: The largest number of pixels in total.
  init(inches: (width: Double, height: Double), atMost most: Double = mostPixels) {
    let area = max(inches.width * inches.height, 1e-9)
    dotsPerInch = min(Self.needed, (most / area).squareRoot())
    width = max(1, Int(bounded: (inches.width * dotsPerInch).rounded(.up)))
    height = max(1, Int(bounded: (inches.height * dotsPerInch).rounded(.up)))
  }

  /// A clause about the loss on a page that is too large for the needed resolution.
  var shortfall: String? {
    guard dotsPerInch < Self.needed * 0.99 else { return nil }
    let millimetres = (2 * 25.4 / dotsPerInch * 100).rounded() / 100
    return
      "it is so large that it was searched at \(Int(bounded: dotsPerInch)) dots an inch, where codes with "
      + "modules of less than \(millimetres) mm may be missed"
  }
}
