public import CodeDrawing
import Issuing

/// The file of an artwork, with the places of codes and words on it: PDF, SVG, PNG or JPEG.
///
/// The code takes the place of a QR code on the artwork, or that of the field `code`. Other words
/// and figures are printed where the artwork has a field of their name: a form field of a PDF, or
/// one of ``fields``.
public struct PosterArtworkFile: Hashable, Sendable {
  /// The bytes of the file.
  public var bytes: [UInt8]
  /// The name of the file in messages.
  public var name: String
  /// The places of codes and words, besides those that the file names.
  public var fields: [ArtworkField]

  /// Takes a file; it is read when the job runs.
  public init(_ bytes: [UInt8], named name: String, fields: [ArtworkField] = []) {
    self.bytes = bytes
    self.name = name
    self.fields = fields
  }
}

extension PrintPoster {
  /// Reads the artwork; `nil` without one.
  ///
  /// - Throws: As `PosterArtwork`.
  func readArtwork() async throws -> PosterArtwork? {
    guard let artwork else { return nil }
    return try await PosterArtwork(
      artwork.bytes, named: artwork.name,
      paper: trimmedSize, fields: artwork.fields)
  }

  /// Checks that the words that were given have a place.
  ///
  /// - Throws: `CodeDrawingError` with code `no-place-on-artwork`.
  func checkPlaces(on artwork: PosterArtwork?) throws(CodeDrawingError) {
    guard let artwork else { return }
    let given = [
      "headline": headline, "brand": brand, "call-to-action": callToAction,
      "place-name": placeName, "target-caption": targetCaption,
      ArtworkField.Name.ring: nfcTarget ? "ring" : nil,
    ]
    for (name, words) in given.sorted(by: { $0.key < $1.key })
    where words?.isEmpty == false && artwork.field(name) == nil {
      throw .noPlace(name)
    }
  }
}
