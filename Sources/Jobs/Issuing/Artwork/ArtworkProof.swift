import CliptagBasics
import CodeDrawing
import Pictures

/// Compares finished pages with the artwork beneath, outside what was laid over it.
///
/// A renderer may draw the same edge in another shade once its page is a part of another one, where
/// pages have transparency. So a pixel must lie within the values around the same place of the other
/// picture, and squares must have the same mean, which a faint area that is missing has not.
///
/// An artwork is rendered once for a resolution, which all pages of a run usually have.
actor ArtworkProof {
  private let artwork: PosterArtwork
  private var known: (dotsPerInch: Double, picture: GreyPicture)?

  /// The difference of two pixels that an edge in another shade explains.
  private static let edgeTolerance = 64
  /// The side of the squares whose means are compared, in pixels.
  private static let side = 8
  /// The difference of two means that edges in other shades explain.
  private static let meanTolerance = 10

  init(_ artwork: PosterArtwork) { self.artwork = artwork }

  /// Checks a rendered page.
  ///
  /// - Throws: ``IssuingError`` with code `artwork-changed`; `PictureError`.
  func check(
    _ page: GreyPicture, of poster: Poster, dotsPerInch: Double, named name: String
  ) async throws {
    let original = try await picture(dotsPerInch)
    guard original.width == page.width, original.height == page.height else {
      throw IssuingError.artworkChanged(name, "its page has another size")
    }
    let scale = Double(page.width) / artwork.sheet.width
    let boxes = poster.page.elements.compactMap(\.markedBox).map { box in
      box.moved(right: -artwork.sheet.x, down: -artwork.sheet.y).grown(by: 1.5 / scale)
    }
    let pair = PicturePair(page, original, without: boxes, scale: scale)
    guard
      let place = pair.differentPixel(tolerance: Self.edgeTolerance)
        ?? pair.differentSquare(side: Self.side, tolerance: Self.meanTolerance)
    else { return }
    let x = Double(place.column) / scale + artwork.sheet.x
    let y = Double(place.row) / scale + artwork.sheet.y
    throw IssuingError.artworkChanged(
      name, "it differs at \(Int(bounded: x.rounded())), \(Int(bounded: y.rounded())) mm")
  }

  private func picture(_ dotsPerInch: Double) async throws -> GreyPicture {
    if let known, known.dotsPerInch == dotsPerInch { return known.picture }
    let picture = try await DocumentRenderer(limits: .ownDrawing).render(
      page: artwork.page, ofPDF: artwork.ground.file, width: artwork.sheet.width,
      height: artwork.sheet.height, dotsPerInch: dotsPerInch, named: artwork.source)
    known = (dotsPerInch, picture)
    return picture
  }
}

/// Two pictures of the same size, with the pixels in which they are to be equal.
private struct PicturePair {
  private let first, second: GreyPicture
  private let isCompared: [Bool]

  /// Makes a pair.
  ///
  /// - Parameters:
  ///   - boxes: The places that are not compared, in millimetres.
  ///   - scale: The pixels of a millimetre.
  init(
    _ first: GreyPicture, _ second: GreyPicture, without boxes: [DrawingBox], scale: Double
  ) {
    (self.first, self.second) = (first, second)
    let (width, height) = (first.width, first.height)
    var isCompared = [Bool](repeating: true, count: width * height)
    func range(_ start: Double, _ end: Double, _ count: Int) -> Range<Int> {
      let start = min(max(0, Int(bounded: start * scale)), count)
      return start..<min(max(start, Int(bounded: (end * scale).rounded(.up))), count)
    }
    for box in boxes {
      for row in range(box.y, box.bottom, height) {
        for column in range(box.x, box.right, width) { isCompared[row * width + column] = false }
      }
    }
    // A page seldom ends with a whole pixel, and the outermost ones are then cut in another way.
    for row in 0..<height where width > 0 {
      isCompared[row * width] = false
      isCompared[row * width + width - 1] = false
    }
    for column in 0..<width where height > 0 {
      isCompared[column] = false
      isCompared[(height - 1) * width + column] = false
    }
    self.isCompared = isCompared
  }

  /// The first pixel of one picture with a value that is not around the same place of the other.
  func differentPixel(tolerance: Int) -> (row: Int, column: Int)? {
    let width = first.width
    for index in isCompared.indices where isCompared[index] {
      let (one, other) = (Int(first.pixels[index]), Int(second.pixels[index]))
      guard abs(one - other) > tolerance else { continue }
      // The outermost pixels are not compared, so that there are neighbours.
      func isAround(_ value: Int, _ picture: GreyPicture) -> Bool {
        var (least, most) = (Int.max, Int.min)
        for middle in [index - width, index, index + width] {
          for place in middle - 1...middle + 1 {
            least = min(least, Int(picture.pixels[place]))
            most = max(most, Int(picture.pixels[place]))
          }
        }
        return value >= least - tolerance && value <= most + tolerance
      }
      guard isAround(one, second), isAround(other, first) else {
        return (index / width, index % width)
      }
    }
    return nil
  }

  /// The first square in which the means of the two pictures differ.
  func differentSquare(side: Int, tolerance: Int) -> (row: Int, column: Int)? {
    let width = first.width
    for row in stride(from: 1, through: first.height - side - 1, by: side) {
      for column in stride(from: 1, through: width - side - 1, by: side) {
        var difference = 0
        var isWhole = true
        for line in row..<row + side {
          for index in line * width + column..<line * width + column + side {
            isWhole = isWhole && isCompared[index]
            difference += Int(first.pixels[index]) - Int(second.pixels[index])
          }
        }
        if isWhole, abs(difference) > tolerance * side * side { return (row, column) }
      }
    }
    return nil
  }
}

extension IssuingError {
  fileprivate static func artworkChanged(_ name: String, _ reason: String) -> IssuingError {
    IssuingError(
      .artworkChanged,
      "\(name) was not written: the artwork is not the same beneath the code and the words; \(reason).",
      hint: "Export the artwork without layers and transparency, such as PDF/X-1a, or report it.")
  }
}
