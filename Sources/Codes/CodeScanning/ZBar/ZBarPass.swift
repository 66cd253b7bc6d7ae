import CZBar
import Pictures

/// A code found by zbar: bytes, and corners in the pixels of the given picture.
struct RawRead {
  let symbology: DecodedCode.Symbology
  let bytes: [UInt8]
  /// The symbol's top left, top right, bottom right, bottom left.
  let corners: [PicturePoint]
}

/// One pass of zbar over one picture.
///
/// Every pass has a separate scanner, because zbar seeds its random numbers once per scanner, and a
/// second picture would be read differently from the first. Only QR is enabled by default: the
/// other decoders cost time and have been attacked. The cache between frames is disabled: with it,
/// one part of a structured-append set aborts the process.
struct ZBarPass: ~Copyable {
  private let scanner: OpaquePointer

  /// Creates a scanner, or `nil` without zbar or memory.
  init?(for symbologies: Set<DecodedCode.Symbology> = [.qr]) {
    guard ZBarLibrary.trouble == nil, let scanner = czbar_scanner_create() else { return nil }
    self.scanner = scanner
    czbar_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_ENABLE, 0)
    for (type, symbology) in Self.kinds where symbologies.contains(symbology) {
      czbar_scanner_set_config(scanner, type, ZBAR_CFG_ENABLE, 1)
    }
    // The bytes unchanged: zbar's detection takes UTF-8 for Big5 or Shift JIS.
    czbar_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_BINARY, 1)
    czbar_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_POSITION, 1)
    czbar_scanner_enable_cache(scanner, 0)
    czbar_scanner_request_dbus(scanner, 0)
  }

  deinit { czbar_scanner_destroy(scanner) }

  private static let kinds: [(zbar_symbol_type_t, DecodedCode.Symbology)] = [
    (ZBAR_QRCODE, .qr), (ZBAR_CODE93, .code93), (ZBAR_CODE128, .code128), (ZBAR_EAN8, .ean8),
    (ZBAR_EAN13, .ean13),
  ]

  /// Returns every code that zbar decodes in the picture.
  consuming func codes(in picture: GreyPicture) -> [RawRead] {
    guard picture.width > 0, picture.height > 0, let image = czbar_image_create() else { return [] }
    defer { czbar_image_destroy(image) }
    czbar_image_set_format(image, Self.eightBitGrey)
    czbar_image_set_size(image, UInt32(picture.width), UInt32(picture.height))
    return picture.pixels.withUnsafeBytes { pixels in
      // zbar only reads the pixels during the lifetime of the image, and does not free them.
      czbar_image_set_data(image, pixels.baseAddress, UInt(pixels.count))
      guard czbar_scan_image(scanner, image) > 0 else { return [] }
      var reads: [RawRead] = []
      var symbol = czbar_image_first_symbol(image)
      while let current = symbol {
        if let read = Self.read(current) { reads.append(read) }
        symbol = czbar_symbol_next(current)
      }
      return reads
    }
  }

  /// The format code `Y800`, which zbar's header defines by a macro with arguments.
  private static let eightBitGrey: UInt = "Y800".utf8.reversed().reduce(0) { $0 << 8 | UInt($1) }

  private static func read(_ symbol: OpaquePointer) -> RawRead? {
    let type = czbar_symbol_get_type(symbol)
    guard let symbology = kinds.first(where: { $0.0 == type })?.1,
      let data = czbar_symbol_get_data(symbol)
    else { return nil }
    // By length, because a text may contain a zero byte.
    let length = Int(czbar_symbol_get_data_length(symbol))
    let bytes = [UInt8](UnsafeRawBufferPointer(start: data, count: length))
    let points = (0..<czbar_symbol_get_loc_size(symbol)).map { index in
      PicturePoint(
        x: Double(czbar_symbol_get_loc_x(symbol, index)),
        y: Double(czbar_symbol_get_loc_y(symbol, index)))
    }
    guard symbology != .qr else {
      guard points.count == 4 else { return nil }
      // zbar lists the left side first.
      return RawRead(
        symbology: symbology, bytes: bytes, corners: [points[0], points[3], points[2], points[1]])
    }
    guard let box = boundingBox(of: points) else { return nil }
    return RawRead(symbology: symbology, bytes: bytes, corners: box)
  }

  /// Returns the bounding box of the points where lines met a linear code.
  private static func boundingBox(of points: [PicturePoint]) -> [PicturePoint]? {
    let (x, y) = (points.map(\.x), points.map(\.y))
    guard let left = x.min(), let right = x.max(), let top = y.min(), let bottom = y.max() else {
      return nil
    }
    return [(left, top), (right, top), (right, bottom), (left, bottom)]
      .map { PicturePoint(x: $0, y: $1) }
  }
}

/// The shared library that the scanner requires, opened on first use.
enum ZBarLibrary {
  /// The reason that zbar cannot be used; `nil` if it can. The first use opens it.
  static var trouble: String? { czbar_load().map { String(cString: $0) } }

  /// Opens zbar; throws if that fails, so that a picture that could not be scanned is not reported
  /// as one without codes.
  ///
  /// - Parameter source: the name of the input, for the error.
  /// - Throws: `libraryMissing`.
  static func load(for source: String) throws(PictureError) {
    if let trouble { throw missing(trouble, source: source) }
  }

  static func missing(_ reason: String, source: String) -> PictureError {
    PictureError(
      .libraryMissing, source: source,
      message: "\(source) cannot be scanned: zbar cannot be used: \(reason).",
      hint: "Install it (Debian: apt-get install libzbar0) and run the command again.")
  }
}
