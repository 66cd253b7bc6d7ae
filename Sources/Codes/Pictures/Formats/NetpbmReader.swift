/// Reads Netpbm pictures, P1 to P6, as defined in the manual pages `pbm`, `pgm` and `ppm`: comments
/// in the header, `maxval` up to 65,535. Only the first picture of a file is read.
struct NetpbmReader {
  private let bytes: [UInt8]
  private let source: String
  private var position = 2
  /// The channel (red, green or blue) to read; `nil` for luma.
  private var channel: Int?

  /// Reads a picture. If the end is missing, `damage` is set, and the missing pixels are white.
  static func read(
    _ bytes: [UInt8], source: String, limits: PictureLimits
  ) throws(PictureError) -> (picture: GreyPicture, damage: PictureError?) {
    var reader = NetpbmReader(bytes: bytes, source: source)
    return try reader.read(limits)
  }

  /// Reads a picture in colour, or returns `nil` if the file has no colour; missing pixels are
  /// white, as in grey.
  static func readColour(
    _ bytes: [UInt8], source: String, limits: PictureLimits
  ) throws(PictureError) -> ColourPicture? {
    guard bytes.count > 1, bytes[1] == 0x33 || bytes[1] == 0x36 else { return nil }
    let planes = try (0..<3).map { channel throws(PictureError) in
      var reader = NetpbmReader(bytes: bytes, source: source)
      reader.channel = channel
      return try reader.read(limits).picture
    }
    return ColourPicture(red: planes[0], green: planes[1], blue: planes[2])
  }

  /// Reads a picture that must be complete, as from a renderer.
  static func readWhole(
    _ bytes: [UInt8], source: String, limits: PictureLimits
  ) throws(PictureError) -> GreyPicture {
    let (picture, damage) = try read(bytes, source: source, limits: limits)
    if let damage { throw damage }
    return picture
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  private mutating func read(
    _ limits: PictureLimits
  ) throws(PictureError) -> (picture: GreyPicture, damage: PictureError?) {
    guard bytes.count > 2 else { throw .malformed(source, "it ends within its header") }
    // Files were recognised before; the output of renderers was not.
    guard PictureFormat.isNetpbm(bytes) else {
      throw .malformed(source, "it does not begin with P1 to P6 and white space")
    }
    let kind = bytes[1] - 0x30
    let width = try headerNumber("width")
    let height = try headerNumber("height")
    let isBitmap = kind == 1 || kind == 4
    let maximum = isBitmap ? 1 : try headerNumber("maximum value")
    guard (1...65_535).contains(maximum) else {
      throw .malformed(source, "its maximum value \(maximum) is not from 1 to 65535")
    }
    try limits.check(width: width, height: height, of: source)
    let channels = kind == 3 || kind == 6 ? 3 : 1
    if kind >= 4 {
      // Exactly one white-space byte separates the header from the raster.
      guard position < bytes.count else { throw .malformed(source, "it ends within its header") }
      position += 1
    }
    // A hostile header is refused before memory is allocated: a raster needs at least a bit per
    // sample, and a partial picture is useful only from its first row.
    guard bytes.count - position >= (kind == 4 ? (width + 7) / 8 : width * channels) else {
      throw .malformed(source, "its header states \(width) × \(height) pixels that do not follow")
    }

    var pixels = [UInt8](repeating: 255, count: width * height)
    let done: Int
    switch kind {
    case 1: done = readBits(into: &pixels)
    case 4: done = readPackedBits(into: &pixels, width: width)
    case 2, 3: done = try readText(into: &pixels, channels: channels, maximum: maximum)
    default: done = readRaw(into: &pixels, channels: channels, maximum: maximum)
    }
    let picture = GreyPicture(width: width, height: height, pixels: pixels)
    if done == pixels.count { return (picture, nil) }
    return (
      picture, .malformed(source, "it ends after \(done) of \(pixels.count) pixels")
    )
  }

  /// Returns the next decimal number of the header, after white space and comments.
  private mutating func headerNumber(_ name: String) throws(PictureError) -> Int {
    skipSpaceAndComments()
    guard let number = decimal(atMost: 0x7fff_ffff) else {
      throw .malformed(source, "its \(name) is not a number at byte \(position)")
    }
    return number
  }

  private mutating func skipSpaceAndComments() {
    while position < bytes.count {
      if bytes[position] == 0x23 {
        while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D {
          position += 1
        }
      } else if Self.isSpace(bytes[position]) {
        position += 1
      } else {
        return
      }
    }
  }

  private mutating func decimal(atMost most: Int) -> Int? {
    var value: Int?
    while position < bytes.count, (0x30...0x39).contains(bytes[position]) {
      let next = (value ?? 0) * 10 + Int(bytes[position] - 0x30)
      guard next <= most else { return nil }
      value = next
      position += 1
    }
    return value
  }

  private mutating func readBits(into pixels: inout [UInt8]) -> Int {
    var done = 0
    while done < pixels.count {
      skipSpaceAndComments()
      guard position < bytes.count, (0x30...0x31).contains(bytes[position]) else { break }
      pixels[done] = bytes[position] == 0x31 ? 0 : 255
      position += 1
      done += 1
    }
    return done
  }

  private func readPackedBits(into pixels: inout [UInt8], width: Int) -> Int {
    let rowBytes = (width + 7) / 8
    for index in pixels.indices {
      let (row, column) = index.quotientAndRemainder(dividingBy: width)
      let place = position + row * rowBytes + column / 8
      guard place < bytes.count else { return index }
      pixels[index] = bytes[place] >> (7 - column % 8) & 1 == 1 ? 0 : 255
    }
    return pixels.count
  }

  private mutating func readText(
    into pixels: inout [UInt8], channels: Int, maximum: Int
  ) throws(PictureError) -> Int {
    var samples = [0, 0, 0]
    for index in pixels.indices {
      for channel in 0..<channels {
        skipSpaceAndComments()
        guard position < bytes.count else { return index }
        guard let sample = decimal(atMost: maximum) else {
          throw .malformed(source, "a sample at byte \(position) is not from 0 to \(maximum)")
        }
        samples[channel] = sample
      }
      pixels[index] = grey(samples, channels, maximum)
    }
    return pixels.count
  }

  private func readRaw(into pixels: inout [UInt8], channels: Int, maximum: Int) -> Int {
    if channels == 1, maximum == 255 {
      let available = min(pixels.count, bytes.count - position)
      pixels.replaceSubrange(0..<available, with: bytes[position..<position + available])
      return available
    }
    let sampleBytes = maximum > 255 ? 2 : 1
    var place = position
    var samples = [0, 0, 0]
    for index in pixels.indices {
      guard bytes.count - place >= channels * sampleBytes else { return index }
      for channel in 0..<channels {
        let sample =
          sampleBytes == 2 ? Int(bytes[place]) << 8 | Int(bytes[place + 1]) : Int(bytes[place])
        samples[channel] = min(sample, maximum)
        place += sampleBytes
      }
      pixels[index] = grey(samples, channels, maximum)
    }
    return pixels.count
  }

  /// Returns the ITU-R BT.601 luma of the samples, or the selected one, scaled to 0 … 255.
  private func grey(_ samples: [Int], _ channels: Int, _ maximum: Int) -> UInt8 {
    let luma =
      channels == 1
      ? samples[0]
      : channel.map { samples[$0] }
        ?? (19_595 * samples[0] + 38_470 * samples[1] + 7_471 * samples[2]) >> 16
    return UInt8(min(255, (luma * 255 + maximum / 2) / maximum))
  }
}
