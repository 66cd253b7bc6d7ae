import Pictures
import ScanFixtures
import SymbolStructure

@testable import CodeScanning

/// A small picture that an input draws: plain pixels, large pixels of black and white, or a QR code
/// seen by a camera, painted over and made noisy.
struct DrawnPicture {
  /// The longest side, which keeps a run to a few milliseconds.
  static let longestSide = 96

  private(set) var picture: GreyPicture
  /// The corners of the symbol, if there is one, and its modules on a side.
  private(set) var symbol: (corners: [PicturePoint], size: Int)?

  /// Takes as many bytes as it needs.
  init(_ source: inout ByteSource) {
    let kind = source.byte()
    let (width, height) = (Self.side(source.byte()), Self.side(source.byte()))
    switch kind % 4 {
    case 0: picture = Self.pixels(width, height, &source)
    case 1: picture = Self.blackAndWhite(width, height, &source)
    default:
      let clean = Self.symbol(&source)
      let corners = Self.corners(width, height, &source)
      picture = Self.seen(clean, at: corners, width, height)
      symbol = (corners, clean.size)
      if kind & 4 != 0 { picture = Self.paintedOver(picture, &source) }
      if kind & 8 != 0 { picture = Self.noisy(picture, &source) }
    }
    if kind & 16 != 0 {
      picture = GreyPicture(
        width: width, height: height, pixels: picture.pixels.map { 255 - $0 })
    }
  }

  /// 1 … 96, seldom below 16, where nothing is looked for.
  private static func side(_ byte: UInt8) -> Int {
    byte < 16 ? Int(byte) + 1 : longestSide - Int(byte) % 80
  }

  private static func pixels(
    _ width: Int, _ height: Int, _ source: inout ByteSource
  ) -> GreyPicture {
    let given = source.bytes(width * height)
    return GreyPicture(
      width: width, height: height,
      pixels: (0..<width * height).map { given.isEmpty ? 0 : given[$0 % given.count] })
  }

  /// A bit for every square of some pixels, row by row, again from the first after the last.
  private static func blackAndWhite(
    _ width: Int, _ height: Int, _ source: inout ByteSource
  ) -> GreyPicture {
    let scale = 1 + Int(source.byte() % 5)
    let columns = (width + scale - 1) / scale
    let bits = source.bytes((columns * ((height + scale - 1) / scale) + 7) / 8)
    var pixels = [UInt8](repeating: 255, count: width * height)
    for y in 0..<height where !bits.isEmpty {
      for x in 0..<width {
        let index = y / scale * columns + x / scale
        if bits[index / 8 % bits.count] >> UInt8(index % 8) & 1 == 1 { pixels[y * width + x] = 0 }
      }
    }
    return GreyPicture(width: width, height: height, pixels: pixels)
  }

  /// A symbol of version 1, 2, 3 or 7 whose data codewords are the input's.
  private static func symbol(_ source: inout ByteSource) -> CleanSymbol {
    let version = [1, 2, 3, 7][Int(source.byte() % 4)]
    let format = FormatInformation.all[Int(source.byte() % 32)]
    let structure = BlockStructure(version: version, level: format.errorCorrection)
    let blocks = structure.codes.map { code in
      let count = min(code.length - code.checkCount, 16)
      let data = source.bytes(count)
      let rest = [UInt8](repeating: 0, count: code.length - code.checkCount - data.count)
      return code.encoded(data + rest)
    }
    return CleanSymbol(version: version, format: format, blocks: blocks)
  }

  /// The corners of the picture, less a margin, each moved by two bytes, and turned.
  private static func corners(
    _ width: Int, _ height: Int, _ source: inout ByteSource
  ) -> [PicturePoint] {
    let (right, bottom) = (Double(width), Double(height))
    let whole = [(0.08, 0.08), (0.92, 0.08), (0.92, 0.92), (0.08, 0.92)]
    let turn = source.byte()
    var corners = whole.map { place in
      let (dx, dy) = (
        Double(Int8(bitPattern: source.byte())), Double(Int8(bitPattern: source.byte()))
      )
      return PicturePoint(
        x: place.0 * right + dx * right / 400, y: place.1 * bottom + dy * bottom / 400)
    }
    if turn & 4 != 0 { corners.swapAt(1, 3) }
    return (0..<4).map { corners[($0 + Int(turn & 3)) % 4] }
  }

  private static func seen(
    _ clean: CleanSymbol, at corners: [PicturePoint], _ width: Int, _ height: Int
  ) -> GreyPicture {
    let side = Double(clean.size)
    let places = [(0.0, 0.0), (side, 0), (side, side), (0, side)]
    var pixels = [UInt8](repeating: 255, count: width * height)
    // From the picture to the symbol, so that every pixel is drawn once.
    let back = PlaneMap(
      fitting: zip(places, corners).map {
        .init(u: $1.x, v: $1.y, seen: PicturePoint(x: $0.0, y: $0.1))
      })
    guard let back else { return GreyPicture(width: width, height: height, pixels: pixels) }
    for y in 0..<height {
      for x in 0..<width {
        let place = back(Double(x) + 0.5, Double(y) + 0.5)
        guard place.x >= 0, place.y >= 0, place.x < side, place.y < side else { continue }
        if clean.modules[Int(place.y) * clean.size + Int(place.x)] { pixels[y * width + x] = 20 }
      }
    }
    return GreyPicture(width: width, height: height, pixels: pixels)
  }

  /// Up to eight rectangles of one grey each.
  private static func paintedOver(
    _ picture: GreyPicture, _ source: inout ByteSource
  ) -> GreyPicture {
    var pixels = picture.pixels
    for _ in 0..<source.byte() % 9 {
      let (left, top) = (Int(source.byte()) % picture.width, Int(source.byte()) % picture.height)
      let (width, height) = (Int(source.byte() % 64), Int(source.byte() % 64))
      let grey = source.byte()
      for y in top..<min(picture.height, top + height) {
        for x in left..<min(picture.width, left + width) { pixels[y * picture.width + x] = grey }
      }
    }
    return GreyPicture(width: picture.width, height: picture.height, pixels: pixels)
  }

  /// Noise of a strength, from a generator that the input starts.
  private static func noisy(_ picture: GreyPicture, _ source: inout ByteSource) -> GreyPicture {
    var state = UInt32(source.byte()) << 8 | 1
    let strength = Int(source.byte())
    let pixels = picture.pixels.map { pixel in
      state = state &* 1_664_525 &+ 1_013_904_223
      let offset = (Int(state >> 24) - 128) * strength / 256
      return UInt8(clamping: Int(pixel) + offset)
    }
    return GreyPicture(width: picture.width, height: picture.height, pixels: pixels)
  }
}

extension ReedSolomon {
  /// Returns the block of a message: the message followed by its check codewords.
  func encoded(_ message: [UInt8]) -> [UInt8] {
    message + CheckCodewords(count: checkCount).checks(of: message[...])
  }
}
