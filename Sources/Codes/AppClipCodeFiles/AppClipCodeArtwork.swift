package import AppClipCodes

/// The places, sizes and areas of the parts that every file of Apple's tools has: the glyph in the
/// middle, and the badge with its words.
///
/// Measured on files of Apple's generator, in units of the drawing. No outline is here: a part is
/// Apple's if its box and its area are.
package struct AppClipCodeArtwork: Sendable {
  /// A part: the sides of its box and the area around which its outline runs.
  package struct Part: Sendable {
    package let left, top, right, bottom, area: Double

    fileprivate init(
      _ left: Double, _ top: Double, _ right: Double, _ bottom: Double, area: Double
    ) {
      (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
      self.area = area
    }
  }

  /// The parts in drawing order.
  package let parts: [Part]

  /// The glyph of a code that is scanned, on a disc alone.
  package static let camera = AppClipCodeArtwork(parts: [
    Part(369.92, 370.02, 430.08, 430.28, area: 1592.67),
    Part(433.68, 372.22, 448.57, 387.01, area: 172.11),
    Part(293.28, 293.28, 506.72, 506.72, area: 22282.09),
  ])
  /// The glyph of a code around a tag, on a disc alone: a disc with a phone, and the phone's screen.
  package static let phone = AppClipCodeArtwork(parts: [
    Part(293.27, 293.24, 506.76, 506.73, area: 18511.73),
    Part(352.48, 352.54, 447.46, 494.87, area: 12727.54),
  ])
  /// The badge.
  package static let badge = AppClipCodeArtwork(parts: [
    Part(-24.15, -26.94, 822.07, 1010.72, area: 859487.12)
  ])
  /// The words on the badge, in two groups.
  package static let words = AppClipCodeArtwork(parts: [
    Part(246.1, 847.7, 313.59, 923.55, area: 1920.5),
    Part(320.16, 867.36, 372.25, 941.84, area: 1912.41),
    Part(380.34, 867.36, 432.43, 941.84, area: 1912.41),
    Part(450.63, 846.44, 517.59, 924.81, area: 1946.92),
    Part(527.38, 847.7, 538.73, 923.55, area: 861.12),
    Part(550.09, 847.13, 563.24, 923.55, area: 762.34),
    Part(573.96, 867.36, 626.05, 941.84, area: 1912.41),
    Part(205.09, 841.92, 221.78, 860.93, area: 183.67),
    Part(171.9, 861.77, 238.82, 924.19, area: 3305.29),
  ])

  /// The glyph of a kind.
  package static func glyph(_ kind: AppClipCode.Kind) -> AppClipCodeArtwork {
    kind == .nfc ? phone : camera
  }

  /// Returns `true` if an outline is where a part is, and as large.
  ///
  /// Programs round numbers, and two versions of Apple's tools may: half a unit is a 1,600th of the
  /// disc.
  func isPart(_ index: Int, _ outline: BadgePath) -> Bool {
    let (part, found) = (parts[index], outline.measure)
    let sides = [
      found.left - part.left, found.top - part.top, found.right - part.right,
      found.bottom - part.bottom,
    ]
    return sides.allSatisfy { abs($0) <= 0.5 }
      && abs(abs(found.area) - part.area) <= max(4, part.area * 0.01)
  }
}
