import Pictures

extension FuzzTarget {
  /// Pictures that are read by our own code: Netpbm, BMP, EXIF, the recognition of formats, and what
  /// the programs tell that decode the others.
  static let pictures = FuzzTarget(name: "pictures") { bytes in
    let limits = PictureLimits(pixels: 1 << 16)
    _ = PictureFormat.recognise(bytes)
    _ = OwnReaders.pageCounts(in: bytes)
    let orientations = OwnReaders.orientations(in: bytes)
    for (grey, colour) in OwnReaders.looks(at: bytes, limits: limits) {
      try require(grey.width * grey.height <= limits.pixels, "a picture is within the limit")
      if let colour {
        try require(
          colour.width == grey.width && colour.height == grey.height,
          "colour has the size of grey")
      }
      for orientation in orientations {
        let turned = grey.upright(from: orientation)
        try require(
          turned.width == (orientation.swapsSides ? grey.height : grey.width),
          "a turned picture has the sides that its orientation says")
      }
    }
  }
}
