/// The readers of this package that use no library, as an entry point for fuzzing.
package enum OwnReaders {
  /// The grey and the colour look at a picture.
  package typealias Looks = (grey: GreyPicture, colour: ColourPicture?)

  /// Reads bytes in each of the formats that have a reader in this package, regardless of their
  /// signature.
  ///
  /// - Returns: The results of the readers that accepted the bytes.
  package static func looks(at bytes: [UInt8], limits: PictureLimits) -> [Looks] {
    var looks: [Looks] = []
    if let grey = try? NetpbmReader.read(bytes, source: "input", limits: limits).picture {
      let colour = try? NetpbmReader.readColour(bytes, source: "input", limits: limits)
      looks.append((grey, colour ?? nil))
    }
    if let grey = try? BMPReader.read(bytes, source: "input", limits: limits).picture {
      looks.append((grey, try? BMPReader.readColour(bytes, source: "input", limits: limits)))
    }
    return looks
  }

  /// Returns the orientations that the bytes declare, read as a JPEG and as a PNG file.
  package static func orientations(in bytes: [UInt8]) -> [PictureOrientation] {
    [EXIF.orientation(ofJPEG: bytes), EXIF.orientation(ofPNG: bytes)]
  }

  /// Returns the positions in the bytes, read in each format that may contain one.
  package static func positions(in bytes: [UInt8]) -> [PicturePosition] {
    [.jpeg, .png, .tiff, .webp, .heic].compactMap { EXIF.position(of: bytes, format: $0) }
  }

  /// Returns the page counts in the bytes, read as output of `pdfinfo` and `vipsheader`.
  package static func pageCounts(in bytes: [UInt8]) -> [Int] {
    [PDFInformation(bytes).pageCount, VipsHeader(bytes)?.pages].compactMap(\.self)
  }
}
