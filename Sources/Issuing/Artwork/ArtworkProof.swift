import CliptagBasics
import CodeDrawing
import Pictures

/// Compares finished pages with the artwork beneath, pixel by pixel, outside what was laid over it.
///
/// An artwork is rendered once for a resolution, which all pages of a run usually have.
actor ArtworkProof {
  private let artwork: PosterArtwork
  private var known: (dotsPerInch: Double, picture: GreyPicture)?

  /// The difference of two grey values that rounding explains.
  private static let tolerance = 3

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
    var isMarked = [Bool](repeating: false, count: page.width)
    for row in 0..<page.height {
      let y = (Double(row) + 0.5) / scale
      let here = boxes.filter { $0.y <= y && y <= $0.bottom }
      for column in isMarked.indices { isMarked[column] = false }
      for box in here {
        let start = min(max(0, Int(box.x * scale)), page.width)
        let end = min(max(start, Int((box.right * scale).rounded(.up))), page.width)
        for column in start..<end { isMarked[column] = true }
      }
      let line = row * page.width
      for column in 0..<page.width where !isMarked[column] {
        let difference = Int(page.pixels[line + column]) - Int(original.pixels[line + column])
        guard abs(difference) <= Self.tolerance else {
          let x = (Double(column) / scale + artwork.sheet.x).rounded()
          throw IssuingError.artworkChanged(
            name, "it differs at \(Int(x)), \(Int((y + artwork.sheet.y).rounded())) mm")
        }
      }
    }
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

extension IssuingError {
  fileprivate static func artworkChanged(_ name: String, _ reason: String) -> IssuingError {
    IssuingError(
      .artworkChanged,
      "\(name) was not written: the artwork is not the same beneath the code and the words; \(reason).",
      hint: "Export the artwork as PDF 1.6 without layers, or report it.")
  }
}
