import CliptagBasics
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

  /// The names of the places on an artwork or template; `nil` if there is room for every word.
  func placeNames(on artwork: PosterArtwork?) -> Set<String>? {
    if let artwork { return Set(artwork.fields.map(\.name)) }
    guard let template, !template.hasDesign else { return nil }
    return Set(template.placeNames)
  }

  /// The least resolution of a picture that looks sharp at arm's length, in dots per inch.
  private static let leastDotsPerInch = 150.0

  /// Checks the paper that was given, which must be that of the artwork, the resolution of a picture,
  /// and what the file has besides the look of its pages.
  ///
  /// - Returns: Notes about too few pixels, and about what was left out.
  /// - Throws: `IssuingError` with code `unusable-artwork`.
  func check(_ artwork: PosterArtwork?) throws -> [PrintNote] {
    guard let artwork else { return [] }
    if paper != nil || landscape { try artwork.check(fills: trimmedSize) }
    var notes: [PrintNote] = []
    if !artwork.leftOut.isEmpty { notes.append(.leftOut(artwork.leftOut, of: artwork.source)) }
    if let dotsPerInch = artwork.dotsPerInch, dotsPerInch < Self.leastDotsPerInch {
      notes.append(
        .fewPixels(
          artwork.source, dotsPerInch: Int(bounded: dotsPerInch.rounded()),
          least: Int(bounded: Self.leastDotsPerInch)))
    }
    return notes
  }

  /// Checks that the words and pictures that were given have a place.
  ///
  /// - Throws: `CodeDrawingError` with code `no-place-on-artwork`.
  func checkPlaces(on artwork: PosterArtwork?) throws(CodeDrawingError) {
    guard let names = placeNames(on: artwork) else { return }
    let given = [
      "headline": headline, "brand": brand, "call-to-action": callToAction,
      "place-name": placeName, "target-caption": targetCaption,
      ArtworkField.Name.ring: nfcTarget ? "ring" : nil, "logo": logo?.name, "image": image?.name,
    ]
    for (name, words) in given.sorted(by: { $0.key < $1.key })
    where words?.isEmpty == false && !names.contains(name) {
      throw .noPlace(name, on: artwork == nil ? "template" : "artwork")
    }
  }
}
