/// A page that is too large to be drawn at once with the pixels that its smallest code needs: it is
/// drawn part by part.
package struct PictureParts: Sendable {
  /// A rectangle of pixels.
  package struct Area: Hashable, Sendable {
    /// Pixels to its left.
    package let x: Int
    /// Pixels above it.
    package let y: Int
    /// Pixels across.
    package let width: Int
    /// Pixels down.
    package let height: Int

    /// Describes a rectangle.
    package init(x: Int, y: Int, width: Int, height: Int) {
      self.x = x
      self.y = y
      self.width = width
      self.height = height
    }
  }

  /// Pixels across of the whole page.
  package let width: Int
  /// Pixels down.
  package let height: Int
  /// Draws one part.
  package let draw: @Sendable (Area) async throws(PictureError) -> GreyPicture
  /// Why the parts have fewer pixels than the smallest code needs, in a sentence; `nil` when they have
  /// enough.
  package let shortfall: String?

  /// Describes a page.
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
/// A module that phones read measures 0.33 mm at the least; at 200 dots an inch it has 2.6 pixels.
struct PageResolution {
  /// The dots an inch that the smallest printable module needs.
  static let needed = 200.0
  /// The long side, in pixels at that resolution, from which on a page is searched part by part: A2 has
  /// 4,677.
  static let largeSide = 4_000.0
  /// The most pixels of a page that are drawn in all.
  private static let mostPixels = 1.6e9

  /// Pixels across and down.
  let width: Int
  let height: Int
  let dotsPerInch: Double

  /// Whether the page is large enough for it.
  static func isLarge(inches: (width: Double, height: Double)) -> Bool {
    max(inches.width, inches.height) * needed >= largeSide
  }

  /// The resolution of a page of so many inches.
  init(inches: (width: Double, height: Double)) {
    let area = max(inches.width * inches.height, 1e-9)
    dotsPerInch = min(Self.needed, (Self.mostPixels / area).squareRoot())
    width = max(1, Int((inches.width * dotsPerInch).rounded(.up)))
    height = max(1, Int((inches.height * dotsPerInch).rounded(.up)))
  }

  /// What a page loses that is so large that it gets fewer pixels than needed.
  var shortfall: String? {
    guard dotsPerInch < Self.needed * 0.99 else { return nil }
    let millimetres = (2 * 25.4 / dotsPerInch * 100).rounded() / 100
    return
      "it is so large that it was searched at \(Int(dotsPerInch)) dots an inch, where codes with "
      + "modules of less than \(millimetres) mm may be missed"
  }
}
