import Pictures

/// Recognises Micro QR Code and rMQR Code by their only finder pattern, without reading them: no
/// iPhone opens an App Clip from one, and the user should be informed of that.
///
/// All properties that are known beforehand are required: format information within one bit of a
/// valid word, the timing pattern along both sides, and light beyond the far edge.
struct SmallSymbol {
  let kind: UnreadSymbol.Kind
  let corners: [PicturePoint]

  private let frame: PlaneFrame
  private let picture: GreyPicture
  private let level: Double

  /// Creates the symbol of a finder pattern, if it is a small one.
  init?(of finder: LocatedFinder, in picture: GreyPicture) {
    // From the centre of the pattern to its first module, in the four possible orientations.
    for turn in 0..<4 {
      let (right, down) = Self.axes(of: finder.frame, turn)
      let frame = PlaneFrame(
        origin: finder.frame.origin + (right + down) * -3.0, right: right, down: down)
      if let found = SmallSymbol(frame, picture) {
        self = found
        return
      }
    }
    return nil
  }

  private static func axes(
    of frame: PlaneFrame, _ turn: Int
  ) -> (right: PicturePoint, down: PicturePoint) {
    switch turn {
    case 0: (frame.right, frame.down)
    case 1: (frame.down, frame.right * -1)
    case 2: (frame.right * -1, frame.down * -1)
    default: (frame.down * -1, frame.right)
    }
  }

  private init?(_ frame: PlaneFrame, _ picture: GreyPicture) {
    guard frame.isSound else { return nil }
    self.frame = frame
    self.picture = picture
    let core = Self.brightness(frame(3, 3), in: picture)
    let rings = [(1.0, 3.0), (5, 3), (3, 1), (3, 5)].map {
      Self.brightness(frame($0.0, $0.1), in: picture)
    }
    guard let core, let ring = rings.compactMap({ $0 }).min(), ring > core + 20 else { return nil }
    level = (core + ring) / 2
    let format = Format(isDark: { Self.isDark(frame($0, $1), in: picture, (core + ring) / 2) })
    guard let format else { return nil }
    let (width, height) = format.size
    kind = format.kind
    corners = [(0, 0), (width, 0), (width, height), (0, height)].map {
      frame(Double($0.0) - 0.5, Double($0.1) - 0.5)
    }
    guard hasTiming(width: width, height: height, isSquare: width == height),
      isLight(beyond: width, height)
    else { return nil }
  }

  /// Returns whether the modules alternate along both sides that start at the finder pattern
  /// (6.3.5; in rMQR only the long side is long enough, and alignment patterns interrupt it).
  private func hasTiming(width: Int, height: Int, isSquare: Bool) -> Bool {
    let last = isSquare ? width : 20
    let along = (8..<last).count { isDark($0, 0) == ($0 % 2 == 0) }
    guard isSquare else { return along >= last - 9 }
    let down = (8..<height).count { isDark(0, $0) == ($0 % 2 == 0) }
    return along + down >= 2 * (width - 8) - 1
  }

  /// Returns whether the quiet zone is light, two modules wide in Micro QR (5.3.8).
  private func isLight(beyond width: Int, _ height: Int) -> Bool {
    let right = (0..<height).count { !isDark(width, $0) }
    let below = (0..<width).count { !isDark($0, height) }
    return (right + below) * 10 >= (width + height) * 9
  }

  private func isDark(_ column: Int, _ row: Int) -> Bool {
    Self.isDark(frame(Double(column), Double(row)), in: picture, level)
  }

  private static func isDark(
    _ point: PicturePoint, in picture: GreyPicture, _ level: Double
  ) -> Bool {
    brightness(point, in: picture).map { $0 < level } ?? false
  }

  /// Returns the pixel at a point, or `nil` outside the picture.
  private static func brightness(_ point: PicturePoint, in picture: GreyPicture) -> Double? {
    guard point.x >= 0, point.y >= 0, point.x < Double(picture.width),
      point.y < Double(picture.height)
    else { return nil }
    return Double(picture.pixels[Int(point.y) * picture.width + Int(point.x)])
  }

  /// The kind and size of a small symbol from its format information.
  private struct Format {
    let kind: UnreadSymbol.Kind
    let size: (width: Int, height: Int)

    /// - Parameter isDark: whether the module at a column and row is dark.
    init?(isDark: (Double, Double) -> Bool) {
      func word(_ places: [(Int, Int)]) -> UInt32 {
        places.reduce(0) { $0 << 1 | (isDark(Double($1.0), Double($1.1)) ? 1 : 0) }
      }
      let around = (1...8).map { ($0, 8) } + (1...7).reversed().map { (8, $0) }
      let micro = word(around) ^ 0x4445
      if let data = Self.data(of: micro, dataBits: 5, parityBits: 10, generator: 0x537) {
        // ISO/IEC 18004:2015, Table 13: symbol numbers of M1, M2 L M, M3 L M, M4 L M Q.
        let side = [11, 13, 13, 15, 15, 17, 17, 17][Int(data >> 2)]
        kind = .microQR
        size = (side, side)
        return
      }
      let beside =
        [3, 2, 1].map { (11, $0) }
        + [10, 9, 8].flatMap { column in [5, 4, 3, 2, 1].map { (column, $0) } }
      let rectangular = word(beside) ^ 0x1FAB2
      guard
        let data = Self.data(of: rectangular, dataBits: 6, parityBits: 12, generator: 0x1F25)
      else { return nil }
      kind = .rectangularMicroQR
      size = Self.rectangles[Int(data & 31)]
    }

    /// ISO/IEC 23941:2022, Table 1, by version indicator.
    private static let rectangles: [(width: Int, height: Int)] =
      [43, 59, 77, 99, 139].map { ($0, 7) } + [43, 59, 77, 99, 139].map { ($0, 9) }
      + [27, 43, 59, 77, 99, 139].map { ($0, 11) } + [27, 43, 59, 77, 99, 139].map { ($0, 13) }
      + [43, 59, 77, 99, 139].map { ($0, 15) } + [43, 59, 77, 99, 139].map { ($0, 17) }

    /// Returns the data of the valid word that is at most one bit away.
    private static func data(
      of word: UInt32, dataBits: Int, parityBits: Int, generator: UInt32
    ) -> UInt32? {
      (0..<UInt32(1 << dataBits)).first { data in
        var rest = data << UInt32(parityBits)
        for bit in (parityBits..<parityBits + dataBits).reversed()
        where rest >> UInt32(bit) & 1 == 1 {
          rest ^= generator << UInt32(bit - parityBits)
        }
        return ((data << UInt32(parityBits) | rest) ^ word).nonzeroBitCount <= 1
      }
    }
  }
}
