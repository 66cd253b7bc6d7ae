package import AppClipCodes
import CliptagBasics
import CliptagPlatform
package import Pictures

/// The position of an upright App Clip Code in a picture, in pixels.
package struct AppClipCodePlace: Hashable, Sendable {
  /// The distance from the left edge of the picture to the middle of the disc.
  package var x: Double
  /// The distance from the top edge of the picture to the middle of the disc.
  package var y: Double
  /// The radius of the disc.
  package var radius: Double
}

/// Reads an App Clip Code whose place and colours are known, such as one drawn here: it reads only
/// the 128 positions, without knowledge of the expected bits.
///
/// Between two rings there is always the colour of the disc. The brightness in the middle of each
/// position is that of an arc, and the brightness on the border to the position before it is that
/// of the disc where an arc begins.
package struct AppClipCodeProofSampler: Sendable {
  /// Creates a sampler.
  package init() {}

  /// Returns the bits with a confidence each; `nil` if there is no such code.
  ///
  /// - Parameters:
  ///   - picture: The picture to read.
  ///   - place: The position at which the code was drawn.
  ///   - colours: The colours in which it was drawn.
  package func reading(
    in picture: GreyPicture, at place: AppClipCodePlace, colours: AppClipCodeColours
  ) -> AppClipCodeReading? {
    let view = View(picture: picture, place: place)
    let disc = view.disc
    let rings = AppClipCodeRing.all
    // The contrast of each place with the disc.
    let middles = rings.flatMap { ring in
      (0..<ring.positions).map { abs(view.brightness(ring, Double($0) + 0.5) - disc) }
    }
    let borders = rings.flatMap { ring in
      (0..<ring.positions).map { abs(view.brightness(ring, Double($0)) - disc) }
    }
    let most = middles.sorted()[middles.count * 9 / 10]
    guard most > 2 else { return nil }
    let threshold = colourThreshold(middles, most: most, colours)
    var continues = [Float](repeating: 0, count: middles.count)
    var third = continues
    for ring in rings {
      for index in ring.indices {
        // An arc that goes on has at its border what it has on both sides of it.
        let beside = min(middles[index], middles[ring.before(index)])
        let share = beside > most * 0.1 ? borders[index] / beside : 0.5
        continues[index] = Self.odds((share - 0.5) * 2)
        third[index] = Self.odds((threshold - middles[index]) / (most * 0.2))
      }
    }
    return AppClipCodeReading(continues: continues, third: third)
  }

  /// Returns the brightness of the arcs that have the third colour: the median of the middles of
  /// their positions.
  static func thirdBrightness(
    of pattern: AppClipCodePattern, in picture: GreyPicture, at place: AppClipCodePlace
  ) -> Double {
    let view = View(picture: picture, place: place)
    var values: [Double] = []
    for ring in AppClipCodeRing.all {
      for position in 0..<ring.positions where pattern.hasThirdColour(at: ring.first + position) {
        values.append(view.brightness(ring, Double(position) + 0.5))
      }
    }
    return values.isEmpty ? 127.5 : values.sorted()[values.count / 2]
  }

  /// Returns the contrast with the disc that divides the arcs of the foreground's colour from those
  /// of the third: halfway between the two colours as they look in the picture.
  private func colourThreshold(
    _ middles: [Double], most: Double, _ colours: AppClipCodeColours
  ) -> Double {
    let disc = colours.background.brightness
    let part =
      abs(colours.third.brightness - disc) / max(1, abs(colours.foreground.brightness - disc))
    let first = most * (1 + part) / 2
    let (strong, weak) = (middles.filter { $0 >= first }, middles.filter { $0 < first })
    guard !strong.isEmpty, !weak.isEmpty else { return first }
    return
      (strong.reduce(0, +) / Double(strong.count) + weak.reduce(0, +) / Double(weak.count)) / 2
  }

  private static func odds(_ value: Double) -> Float {
    Float(min(max(value, -1), 1)) * AppClipCodeReading.surest
  }

  /// The picture in the code's own measures.
  private struct View {
    let picture: GreyPicture
    let place: AppClipCodePlace

    /// The brightness of the disc: the median around the circles between the rings.
    var disc: Double {
      var values: [Double] = []
      for (inner, outer) in zip(AppClipCodeRing.all, AppClipCodeRing.all.dropFirst()) {
        for degrees in stride(from: 0.0, to: 360, by: 7.5) {
          values.append(brightness(radius: (inner.radius + outer.radius) / 2, degrees: degrees))
        }
      }
      return values.sorted()[values.count / 2]
    }

    /// The brightness in a ring, by the number of positions from its beginning.
    func brightness(_ ring: AppClipCodeRing, _ position: Double) -> Double {
      brightness(radius: ring.radius, degrees: ring.rotation + position * ring.step)
    }

    /// The mean of a spot of a quarter of an arc's width.
    private func brightness(radius: Double, degrees: Double) -> Double {
      let reach = AppClipCodeRing.strokeWidth / 8
      let angle = degrees * .pi / 180
      let (x, y) = (radius * cos(angle), radius * sin(angle))
      let spots = [(0, 0), (reach, 0), (-reach, 0), (0, reach), (0, -reach)]
      return spots.reduce(0) { $0 + value(x + $1.0, y + $1.1) } / Double(spots.count)
    }

    /// Between four pixels, in units of the code from its middle.
    private func value(_ x: Double, _ y: Double) -> Double {
      let scale = place.radius / AppClipCodeRing.discRadius
      // Pixels have their brightness in their middle.
      let column = min(max(place.x + x * scale - 0.5, 0), Double(picture.width - 1))
      let row = min(max(place.y + y * scale - 0.5, 0), Double(picture.height - 1))
      let (left, top) = (Int(bounded: column), Int(bounded: row))
      let (right, bottom) = (min(left + 1, picture.width - 1), min(top + 1, picture.height - 1))
      let (across, down) = (column - Double(left), row - Double(top))
      func pixel(_ x: Int, _ y: Int) -> Double { Double(picture.pixels[y * picture.width + x]) }
      let upper = pixel(left, top) * (1 - across) + pixel(right, top) * across
      let lower = pixel(left, bottom) * (1 - across) + pixel(right, bottom) * across
      return upper * (1 - down) + lower * down
    }
  }
}

extension Colour {
  /// The brightness in renderers' grey, 0 to 255 (ITU-R BT.601).
  fileprivate var brightness: Double {
    0.299 * Double(red) + 0.587 * Double(green) + 0.114 * Double(blue)
  }
}

extension AppClipCodeProofSampler {
  /// The bits of a code that are not read as they were drawn.
  struct Mistakes: Equatable {
    /// The number of wrong beginnings of arcs, of 128.
    let continues: Int
    /// The number of wrong colours, of 128.
    let third: Int

    static let none = Mistakes(continues: 0, third: 0)
  }

  /// Returns the bits that differ from a code's; an unknown bit differs. `nil` if there is no code.
  func mistakes(
    in picture: GreyPicture, at place: AppClipCodePlace, expecting code: AppClipCode
  ) -> Mistakes? {
    reading(in: picture, at: place, colours: code.colours).map { reading in
      let indices = 0..<AppClipCodeRing.positionsOfCode
      return Mistakes(
        continues: indices.count {
          reading.continues[$0] == 0
            || (reading.continues[$0] > 0) != code.pattern.continues(at: $0)
        },
        third: indices.count {
          reading.third[$0] == 0 || (reading.third[$0] > 0) != code.pattern.hasThirdColour(at: $0)
        })
    }
  }

  /// Refuses a picture in which a code is not read as it was drawn, to the last bit.
  ///
  /// - Parameters:
  ///   - picture: The pixels of the finished file.
  ///   - place: The position of the code in them.
  ///   - code: The code that was drawn.
  ///   - name: The file's name in messages.
  /// - Throws: ``IssuingError`` with code `unreadable-rendering`.
  func readBack(
    _ picture: GreyPicture, at place: AppClipCodePlace, expecting code: AppClipCode, _ name: String
  ) throws(IssuingError) {
    let wrong = mistakes(in: picture, at: place, expecting: code)
    guard wrong != Mistakes.none else { return }
    let found =
      wrong.map {
        "\($0.continues) of the 128 beginnings of arcs and \($0.third) of the 128 colours wrong"
      } ?? "no App Clip Code"
    throw IssuingError(
      .unreadableRendering,
      "\(name) was not written: the App Clip Code in its pixels has \(found).",
      hint: "Use a larger size or resolution; if the error persists, report it with the URL.")
  }
}
