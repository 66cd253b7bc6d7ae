/// Reads Windows bitmaps: 1, 4, 8, 16, 24 and 32 bits per pixel, palettes, bit fields, bottom-up or
/// top-down rows. Run-length encodings, which hardly any program writes, are not supported.
///
/// The only other available readers are ImageMagick's, which is closed to files from elsewhere, and
/// that of gdk-pixbuf, which has no limits; the format is a table of numbers, which needs no
/// decoder. Layout: Microsoft, "Bitmap Storage" ([MS-WMF] 2.2.2.9 for the headers).
struct BMPReader {
  private let bytes: [UInt8]
  private let source: String
  /// The channel (red, green or blue) to read; `nil` for luma.
  private var channel: Int?

  /// Reads a picture. If the end is missing, `damage` is set, and the missing rows are white.
  static func read(
    _ bytes: [UInt8], source: String, limits: PictureLimits
  ) throws(PictureError) -> (picture: GreyPicture, damage: PictureError?) {
    let reader = BMPReader(bytes: bytes, source: source)
    return try reader.picture(reader.header(limits))
  }

  /// Reads a picture in colour; missing rows are white, as in grey.
  static func readColour(
    _ bytes: [UInt8], source: String, limits: PictureLimits
  ) throws(PictureError) -> ColourPicture {
    let planes = try (0..<3).map { channel throws(PictureError) in
      let reader = BMPReader(bytes: bytes, source: source, channel: channel)
      return try reader.picture(reader.header(limits)).picture
    }
    return ColourPicture(red: planes[0], green: planes[1], blue: planes[2])
  }

  private struct Header {
    let width: Int
    let height: Int
    let isTopDown: Bool
    let bits: Int
    /// The offset of the pixels.
    let start: Int
    /// The values of the palette.
    let palette: [UInt8]
    /// The bits of red, green and blue in a pixel of 16 or 32 bits.
    let fields: [BitField]
  }

  /// Adjacent bits of a pixel.
  private struct BitField {
    let mask: Int

    /// Returns the value of the bits as 0 … 255; white if the mask is empty.
    func value(in pixel: Int) -> Int {
      guard mask > 0 else { return 255 }
      let shift = mask.trailingZeroBitCount
      let most = mask >> shift
      return ((pixel & mask) >> shift) * 255 / most
    }
  }

  private func header(_ limits: PictureLimits) throws(PictureError) -> Header {
    guard let start = number(at: 10, bytes: 4), let size = number(at: 14, bytes: 4) else {
      throw .malformed(source, "it ends within its header")
    }
    let isCore = size == 12
    guard isCore || (40...4096).contains(size) else {
      throw .malformed(source, "its header has a size of \(size) bytes, which is not valid")
    }
    let sides =
      isCore
      ? (number(at: 18, bytes: 2), number(at: 20, bytes: 2))
      : (number(at: 18, bytes: 4).map(Self.signed), number(at: 22, bytes: 4).map(Self.signed))
    guard let width = sides.0, let rows = sides.1,
      let bits = number(at: isCore ? 24 : 28, bytes: 2),
      let compression = isCore ? 0 : number(at: 30, bytes: 4)
    else { throw .malformed(source, "it ends within its header") }
    try limits.check(width: width, height: abs(rows), of: source)
    guard [1, 4, 8, 16, 24, 32].contains(bits) else {
      throw .unsupported(source, "a BMP of \(bits) bits a pixel")
    }
    // 0 is uncompressed, 3 and 6 are bit fields; the rest are run lengths, JPEG, PNG or CMYK.
    guard compression == 0 || ([3, 6].contains(compression) && bits >= 16) else {
      throw .unsupported(source, "a BMP with compression \(compression)")
    }
    return Header(
      width: width, height: abs(rows), isTopDown: rows < 0, bits: bits, start: start,
      palette: bits <= 8 ? palette(after: 14 + size, entryBytes: isCore ? 3 : 4, bits) : [],
      fields: fields(bits, areGiven: compression != 0))
  }

  /// Returns the palette; missing entries are black, as in other readers.
  private func palette(after offset: Int, entryBytes: Int, _ bits: Int) -> [UInt8] {
    (0..<1 << bits).map { entry in
      let place = offset + entry * entryBytes
      guard place + 3 <= bytes.count else { return 0 }
      return value(
        red: Int(bytes[place + 2]), green: Int(bytes[place + 1]), blue: Int(bytes[place]))
    }
  }

  private func fields(_ bits: Int, areGiven: Bool) -> [BitField] {
    if areGiven { return [54, 58, 62].map { BitField(mask: number(at: $0, bytes: 4) ?? 0) } }
    return (bits == 16 ? [0x7C00, 0x3E0, 0x1F] : [0xFF_0000, 0xFF00, 0xFF]).map {
      BitField(mask: $0)
    }
  }

  private func picture(
    _ header: Header
  ) throws(PictureError) -> (picture: GreyPicture, damage: PictureError?) {
    // Rows are padded to four bytes.
    let rowBytes = (header.width * header.bits + 31) / 32 * 4
    let there = min(header.height, max(0, bytes.count - header.start) / rowBytes)
    guard there > 0 else {
      throw .malformed(
        source, "its header states \(header.width) × \(header.height) pixels that do not follow")
    }
    var pixels = [UInt8](repeating: 255, count: header.width * header.height)
    for row in 0..<there {
      let target = (header.isTopDown ? row : header.height - 1 - row) * header.width
      let place = header.start + row * rowBytes
      for column in 0..<header.width {
        pixels[target + column] = grey(at: place, column, header)
      }
    }
    let picture = GreyPicture(width: header.width, height: header.height, pixels: pixels)
    guard there < header.height else { return (picture, nil) }
    return (picture, .malformed(source, "it ends after \(there) of \(header.height) rows"))
  }

  /// Returns one pixel of the row that begins at `place`; the row is complete.
  private func grey(at place: Int, _ column: Int, _ header: Header) -> UInt8 {
    switch header.bits {
    case 1, 4, 8:
      let bit = column * header.bits
      let byte = Int(bytes[place + bit / 8])
      return header.palette[byte >> (8 - header.bits - bit % 8) & (1 << header.bits - 1)]
    case 24:
      let first = place + column * 3
      return value(
        red: Int(bytes[first + 2]), green: Int(bytes[first + 1]), blue: Int(bytes[first]))
    default:
      let count = header.bits / 8
      let pixel = number(at: place + column * count, bytes: count) ?? 0
      return value(
        red: header.fields[0].value(in: pixel), green: header.fields[1].value(in: pixel),
        blue: header.fields[2].value(in: pixel))
    }
  }

  /// Returns a little-endian number; `nil` beyond the end.
  private func number(at offset: Int, bytes count: Int) -> Int? {
    guard offset <= bytes.count - count else { return nil }
    var value = 0
    for index in (offset..<offset + count).reversed() { value = value << 8 | Int(bytes[index]) }
    return value
  }

  private static func signed(_ number: Int) -> Int {
    number < 0x8000_0000 ? number : number - 0x1_0000_0000
  }

  /// Returns the ITU-R BT.601 luma, or the selected channel.
  private func value(red: Int, green: Int, blue: Int) -> UInt8 {
    switch channel {
    case 0: UInt8(truncatingIfNeeded: red)
    case 1: UInt8(truncatingIfNeeded: green)
    case 2: UInt8(truncatingIfNeeded: blue)
    default:
      UInt8(truncatingIfNeeded: (19_595 * red + 38_470 * green + 7_471 * blue + 32_768) >> 16)
    }
  }
}
