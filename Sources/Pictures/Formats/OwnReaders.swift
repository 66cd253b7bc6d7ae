/// What is read by this package's own code rather than by a library, as fuzzing reaches it.
package enum OwnReaders {
  /// What a picture came to: its look in grey and the one in colour.
  package typealias Looks = (grey: GreyPicture, colour: ColourPicture?)

  /// Reads bytes as each of the formats that have a reader of their own, whatever they begin with.
  ///
  /// - Returns: What the readers made of them; none for those that refused.
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

  /// The orientations that the bytes declare, read as a JPEG and as a PNG file.
  package static func orientations(in bytes: [UInt8]) -> [PictureOrientation] {
    [EXIF.orientation(ofJPEG: bytes), EXIF.orientation(ofPNG: bytes)]
  }

  /// The positions that the bytes tell, read as each format that may hold one.
  package static func positions(in bytes: [UInt8]) -> [PicturePosition] {
    [.jpeg, .png, .tiff, .webp, .heic].compactMap { EXIF.position(of: bytes, format: $0) }
  }

  /// The numbers of pages that the bytes tell, read as what `pdfinfo` and `vipsheader` write.
  package static func pageCounts(in bytes: [UInt8]) -> [Int] {
    [PDFInformation(bytes).pageCount, VipsHeader(bytes)?.pages].compactMap(\.self)
  }
}
